"""What a run would do: its settings in short, and the calls, tokens and money to expect."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from agents.context import Context
from evals.money.estimate import estimate
from evals.money.prices import Prices
from evals.output import Output
from evals.plan import Plan
from evals.spec import RunSpec
from evals.store.records import RunKey

__all__ = ["explain", "short_spec"]


def explain(plan: Plan, kept: Container[RunKey], prices: Prices, out: Output) -> None:
    """Print what a run would do.

    Args:
        plan: of the run.
        kept: keys of what needn't run.
        prices: what tokens cost.
        out: where to print.
    """
    wanted = plan.keys()
    left = sum(key not in kept for key in wanted)
    expected = estimate(plan.spec, left, prices)
    samples = len(plan.dataset.select(plan.spec.types, plan.spec.limit))
    out.result(
        "dry_run",
        f"{short_spec(plan.spec)}\nsamples: {samples}\n{expected.text()}\n(--json prints every setting)",
        run=plan.file.model_dump(mode="json"),
        samples=samples,
        to_record=left,
        calls=expected.calls,
        judge_calls=expected.judge_calls,
        tokens=expected.tokens,
        money=expected.money,
    )


def short_spec(spec: RunSpec) -> str:
    """The settings that say what a run is, and all others that are not the default; one a line."""
    return "\n".join(f"{name}: {value}" for name, value in _lines(spec))


def _lines(spec: RunSpec) -> Iterator[tuple[str, Any]]:
    context = spec.context
    yield "graph", spec.graph
    yield "model", _at(context.model, context.base_url_for("interpreter"))
    yield (
        "judge",
        f"{_at(context.model_for('judge'), context.base_url_for('judge'))}, {context.judge_k} of each kind",
    )
    yield "data set", spec.dataset
    frames = context.frames
    shown = "the video itself"
    if context.input == "frames":
        shown = f"{frames.max_frames} frames at most, {frames.max_side} pixels, {frames.method}"
    yield "input", shown
    knowledge = context.knowledge
    yield "knowledge", knowledge.source + (f" {knowledge.graph}" if knowledge.source == "graph" else "")
    yield "in flight", f"{spec.concurrency} samples"
    yield from _others(spec)


def _at(model: str, url: str | None) -> str:
    return f"{model} at {url}" if url else model


_TOLD = frozenset(
    {
        *("graph", "dataset", "concurrency", "context.model", "context.judge_model", "context.judge_k"),
        *("context.base_url", "context.judge_base_url", "context.input", "context.frames.max_frames"),
        *("context.frames.max_side", "context.frames.method", "context.knowledge.source"),
        *("context.knowledge.graph", "context.calls.concurrency"),
    }
)


def _others(spec: RunSpec) -> Iterator[tuple[str, Any]]:
    usual = dict(_flat(RunSpec(graph=spec.graph, context=Context(model=spec.context.model)).model_dump()))
    for name, value in _flat(spec.model_dump()):
        if name not in _TOLD and value != usual.get(name):
            yield name.removeprefix("context.").removeprefix("budget."), value


def _flat(settings: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
