"""What cells share: a question that two cells would put alike is asked once. Expected before anything is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.cells import Task
from evals.compact import Seen
from evals.money.estimate import Estimate, estimate
from evals.money.prices import Money, Prices
from evals.plan import RunPlan
from evals.spec import RunSpec
from evals.store.records import RunKey
from graphs.catalog import expected_calls, variants

__all__ = ["SHARED", "Expected", "expected_of", "kept_in"]

SHARED = "shared"
"""The folder of a sweep that answers and frames are kept in where none may be kept elsewhere."""

_NOT_SEEN = {"few_shot", "max_hops", "tools", "knowledge", "retrieval", "judge_model", "judge_base_url",
             "judge_temperature", "judge_k", "timeout", "max_retries", "calls", "base_url"}  # fmt: skip
"""What perceiving does not depend on."""
_NOT_EXPLORED = _NOT_SEEN - {"max_hops", "tools", "knowledge"}


def kept_in(spec: RunSpec, folder: Path) -> RunSpec:
    """A spec whose answers and frames are kept for the sweep alone, where nothing is to be kept (--no-cache).

    Args:
        spec: of a cell.
        folder: the sweep's.
    """
    context, place = spec.context, folder.resolve() / SHARED
    if not context.calls.cache:
        calls = context.calls.model_copy(update={"cache": True, "cache_dir": str(place)})
        context = context.model_copy(update={"calls": calls})
    if not context.frames.cache:
        frames = context.frames.model_copy(update={"cache": True, "cache_dir": str(place / "frames")})
        context = context.model_copy(update={"frames": frames})
    return spec.model_copy(update={"context": context})


@dataclass(frozen=True, slots=True)
class Expected:
    """What a cell is expected to ask, less what earlier cells ask alike.

    Attributes:
        name: of the cell.
        samples: records that it is to have.
        parts: estimates of its records, by how much of them is shared.
        alone: fewest and most interpreting calls, were nothing shared.
    """

    name: str
    samples: int
    parts: tuple[Estimate, ...]
    alone: tuple[int, int]

    @property
    def records(self) -> int:
        """Still to be made."""
        return sum(part.records for part in self.parts)

    @property
    def calls(self) -> tuple[int, int]:
        """Fewest and most interpreting calls."""
        return sum(part.calls[0] for part in self.parts), sum(part.calls[1] for part in self.parts)

    @property
    def judge_calls(self) -> int:
        """Judging calls."""
        return sum(part.judge_calls for part in self.parts)

    @property
    def tokens(self) -> tuple[int, int]:
        """Fewest and most."""
        return sum(part.tokens[0] for part in self.parts), sum(part.tokens[1] for part in self.parts)

    @property
    def money(self) -> tuple[Money, Money] | None:
        """Least and most; None where a price is missing."""
        found: tuple[Money, Money] = ({}, {})
        for part in self.parts:
            if part.money is None:
                return None
            for whole, some in zip(found, part.money, strict=True):
                for currency, amount in some.items():
                    whole[currency] = whole.get(currency, 0.0) + amount
        return found


def expected_of(plan: RunPlan, tasks: Sequence[Task], kept: Sequence[Seen], prices: Prices) -> list[Expected]:
    """What the cells that are asked for will ask, in their order; what is recorded shares with what is not.

    Args:
        plan: of the sweep.
        tasks: one for each cell.
        kept: keys of what needn't run, likewise.
        prices: what tokens cost.
    """
    asked: set[tuple[str, RunKey]] = set()
    for task, done in zip(tasks, kept, strict=True):
        wanted = task.plan.keys()
        for stage in _stages(task.plan.spec):
            asked |= {(stage, key) for key in wanted if key in done}
    found: list[Expected] = []
    for task, done in zip(tasks, kept, strict=True):
        if task.plan.name not in plan.wanted:
            continue
        stages, counted = _stages(task.plan.spec), Counter[tuple[bool, ...]]()
        keys = task.plan.keys()
        for key in keys:
            if key not in done:
                counted[tuple((stage, key) in asked for stage in stages)] += 1
                asked |= {(stage, key) for stage in stages}
        found.append(_expected(task.plan.name, task.plan.spec, len(keys), counted, prices))
    return found


def _expected(
    name: str, spec: RunSpec, samples: int, counted: Counter[tuple[bool, ...]], prices: Prices
) -> Expected:
    few, most = expected_calls(spec.graph, spec.context)
    parts: list[Estimate] = []
    for shared, number in counted.items():
        calls = (few, most)
        if any(shared):
            # one call perceives; all but that and the last one explore, or associate
            seen, looked = (*shared, False)[:2]
            calls = (1 if seen and looked else few - seen, 1 if seen and looked else most - seen)
        parts.append(estimate(spec, number, prices, calls))
    number = sum(counted.values())
    return Expected(name, samples, tuple(parts), (few * number, most * number))


def _stages(spec: RunSpec) -> tuple[str, ...]:
    """What decides the first questions of a sample: perceiving, then looking up by asking; none for others.

    Only of our own wirings is it known what they ask.
    """
    variant = variants().get(spec.graph)
    if variant is None or not variant.associate:
        return ()
    seen = _told(spec, _NOT_SEEN)
    looked = _told(spec, _NOT_EXPLORED)
    if spec.context.knowledge.source == "self":
        looked += f" self {spec.context.retrieval.limit}"
    elif variant.per_hop:
        looked += " explored"
    else:
        return (seen,)
    return seen, looked


def _told(spec: RunSpec, without: set[str]) -> str:
    context: dict[str, Any] = spec.context.model_dump(mode="json", exclude=without)
    return json.dumps([spec.dataset, context["model"], context], sort_keys=True)
