"""What a run would do: its settings, and the calls, tokens and money to expect of each cell and of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agents.context import Context
from evals.money.estimate import Estimate, estimate
from evals.money.prices import Money, Prices, money_text
from evals.output import Output
from evals.plan import Plan, RunPlan
from evals.settings.dotted import flat
from evals.settings.naming import words_of
from evals.settings.text import config_text
from evals.spec import RunSpec
from evals.store.records import RunKey

__all__ = ["explain", "short_spec"]

_CACHE = "(answers that are kept from before cost nothing; how many there are is not looked up)"
_SHARED = "(what cells ask alike is asked once, and answers that are kept cost nothing: neither is taken off)"


def explain(plan: RunPlan, kept: Sequence[frozenset[RunKey]], prices: Prices, out: Output) -> None:
    """Print what a run would do.

    Args:
        plan: of the run.
        kept: for each of its cells, keys of what needn't run.
        prices: what tokens cost.
        out: where to print.
    """
    cells = [
        (cell, estimate(cell.spec, sum(1 for _ in cell.jobs(keys, {})), prices))
        for cell, keys in zip(plan.cells, kept, strict=True)
        if cell.name in plan.wanted
    ]
    told = _one(*cells[0]) if len(cells) == 1 and not plan.several else _several(cells)
    settings = "\n".join(f"  {line}" for line in config_text(plan.spec).splitlines())
    text = f"{short_spec(plan.spec)}\n{told}\n\nEvery setting, as --config reads them:\n{settings}"
    out.result(
        "dry_run", text, run=plan.file.model_dump(mode="json"), **_content(cells, several=plan.several)
    )


def short_spec(spec: RunSpec) -> str:
    """The settings that say what a run is, and all others that are not the default; one a line."""
    return "\n".join(f"{name}: {value}" for name, value in _lines(spec))


def _samples(plan: Plan) -> int:
    return len(plan.dataset.select(plan.spec.types, plan.spec.limit))


def _one(plan: Plan, expected: Estimate) -> str:
    return f"samples: {_samples(plan)}\n{expected.text()}\n{_CACHE}"


def _several(cells: Sequence[tuple[Plan, Estimate]]) -> str:
    """A table with a row for each cell, and one for all."""
    rows = [("cell", "samples", "to record", "model calls", "judging", "tokens, about", "money")]
    rows += [(cell.name, f"{_samples(cell):,}", *_figures([expected])) for cell, expected in cells]
    rows.append(("all", "", *_figures([expected for _, expected in cells])))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            (cell.rjust if 0 < i < len(row) - 1 else cell.ljust)(widths[i]) for i, cell in enumerate(row)
        )
        for row in rows
    ]
    lines.insert(-1, "  ".join("-" * width for width in widths))
    shown = dict.fromkeys(expected.shown for _, expected in cells)
    notes = [f"(estimated: {'; '.join(shown)}, flat rates for text, without a model's thinking)", _SHARED]
    unknown = dict.fromkeys(expected.money_said for _, expected in cells if expected.money is None)
    notes += [f"money: {told}" for told in unknown]
    return "\n".join(line.rstrip() for line in ["", *lines, *notes])


def _figures(expected: Sequence[Estimate]) -> tuple[str, ...]:
    """Cells of a row: sums over some estimates."""
    few, most = _bounds([each.calls for each in expected])
    low, high = _bounds([each.tokens for each in expected])
    told, money = "unknown", _money(expected)
    if money is not None:
        bounds = [money_text(bound) if any(bound.values()) else "none" for bound in money]
        told = " to ".join(dict.fromkeys(bounds))
    return (
        f"{sum(each.records for each in expected):,}",
        f"{few:,} to {most:,}" if few != most else f"{few:,}",
        f"{sum(each.judge_calls for each in expected):,}",
        f"{low:,} to {high:,}" if low != high else f"{low:,}",
        told,
    )


def _bounds(pairs: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(low for low, _ in pairs), sum(high for _, high in pairs)


def _money(expected: Sequence[Estimate]) -> tuple[Money, Money] | None:
    """Least and most; None where a part of it is unknown."""
    found: tuple[Money, Money] = ({}, {})
    for each in expected:
        if each.money is None:
            return None
        for whole, part in zip(found, each.money, strict=True):
            for currency, amount in part.items():
                whole[currency] = whole.get(currency, 0.0) + amount
    return found


def _content(cells: Sequence[tuple[Plan, Estimate]], *, several: bool) -> dict[str, Any]:
    """For programs: figures of all, and of each cell where there are several."""
    expected = [each for _, each in cells]
    samples = _samples(cells[0][0]) if len(cells) == 1 else sum(_samples(cell) for cell, _ in cells)
    content = {"samples": samples, **_plain(expected)}
    if several:
        content["cells"] = [
            {"cell": cell.name, "samples": _samples(cell), **_plain([each])} for cell, each in cells
        ]
    return content


def _plain(expected: Sequence[Estimate]) -> dict[str, Any]:
    return {
        "to_record": sum(each.records for each in expected),
        "calls": _bounds([each.calls for each in expected]),
        "judge_calls": sum(each.judge_calls for each in expected),
        "tokens": _bounds([each.tokens for each in expected]),
        "money": _money(expected),
    }


def _lines(spec: RunSpec) -> Iterator[tuple[str, Any]]:
    context, over = spec.context, spec.over
    yield "graph", ", ".join(over.get("graph", (spec.graph,)))
    models = over.get("context.model", (context.model,))
    yield "model", ", ".join(_at(model, context.base_url_for("interpreter")) for model in models)
    judge = _at(context.model_for("judge"), context.base_url_for("judge"))
    if len(models) > 1 and context.judge_model is None:
        judge = "each model its own interpretations"
    yield "judge", f"{judge}, {context.judge_k} of each kind"
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
    for name, values in over.items():
        if name not in ("graph", "context.model"):
            yield f"each of {name.removeprefix('context.')}", ", ".join(map(words_of, values))


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
    usual = dict(flat(RunSpec(graph=spec.graph, context=Context(model=spec.context.model)).model_dump()))
    for name, value in flat(spec.model_dump(exclude={"over"})):
        if name not in _TOLD and name not in spec.over and value != usual.get(name):
            yield name.removeprefix("context.").removeprefix("budget."), value
