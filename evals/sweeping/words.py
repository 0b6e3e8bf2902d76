"""What a sweep says before it begins: its cells, what is one run, and what is to be expected."""

from __future__ import annotations

from collections.abc import Sequence

from evals.cells import Task
from evals.compact import Seen
from evals.dry_run import short_spec
from evals.money.prices import Prices, money_text
from evals.output import Output
from evals.plan import RunPlan
from evals.settings.naming import words_of
from evals.sweeping.design import Design
from evals.sweeping.effect import FALLBACK, where_it_explores
from evals.sweeping.sharing import Expected, expected_of

__all__ = ["explain", "introduce"]


def introduce(design: Design, out: Output) -> None:
    """Say how many runs there are, which combinations are one, and what hardly counts."""
    number, asked = len(design.asked), design.combinations
    factors = "; ".join(
        f"{design.file.word(name)} {', '.join(map(words_of, values))}"
        for name, values in design.file.factors.items()
    )
    out.say(f"Over {factors}: {number} cells.")
    if number < asked:
        out.say(
            f"{asked - number} of {asked} combinations differ from another only in settings without effect: "
            "they are one run with it, and shown once (any)."
        )
    cells = [cell for cell in design.cells() if cell.name in design.asked]
    rarely = [design.file.word(name) for name in design.file.factors if name in FALLBACK]
    graphs = dict.fromkeys(cell.spec.graph for cell in cells if where_it_explores(cell.spec))
    if rarely and graphs:
        out.warn(
            f"{' and '.join(graphs)} explores by tool calls: {' and '.join(rarely)} can matter only to a "
            "sample whose model calls no tool. boost_retrieval always retrieves."
        )


def explain(  # noqa: PLR0913, PLR0917 - each a part of its own
    design: Design,
    plan: RunPlan,
    tasks: Sequence[Task],
    kept: Sequence[Seen],
    prices: Prices,
    out: Output,
) -> None:
    """Print what a sweep would do: cells, calls with what is shared taken off, tokens and money.

    Args:
        design: of the sweep.
        plan: of its run.
        tasks: one for each cell.
        kept: keys of what needn't run, likewise.
        prices: what tokens cost.
        out: where to print.
    """
    cells = expected_of(plan, tasks, kept, prices)
    rows = [("cell", "samples", "to record", "model calls", "judging", "tokens, about", "money")]
    rows += [(cell.name, f"{cell.samples:,}", *_figures([cell])) for cell in cells]
    rows.append(("all", "", *_figures(cells)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join((c.rjust if 0 < i < len(row) - 1 else c.ljust)(widths[i]) for i, c in enumerate(row))
        for row in rows
    ]
    lines.insert(-1, "  ".join("-" * width for width in widths))
    alone = sum(cell.alone[0] for cell in cells), sum(cell.alone[1] for cell in cells)
    spared = alone[0] - sum(c.calls[0] for c in cells), alone[1] - sum(c.calls[1] for c in cells)
    notes = [
        f"What cells ask alike is asked once, counted with the first: {_range(spared)} calls spared.",
        "(a video is perceived once for all cells that see it alike; answers that are kept from before cost",
        "nothing, and are not looked up)",
    ]
    missing = dict.fromkeys(part.money_said for cell in cells for part in cell.parts if part.money is None)
    notes += [f"money: {told}" for told in missing]
    text = "\n".join([short_spec(design.spec), "", *(line.rstrip() for line in lines), *notes])
    out.result("dry_run", text, sweep=design.file.model_dump(mode="json"), cells=[_plain(c) for c in cells])


def _figures(cells: Sequence[Expected]) -> tuple[str, ...]:
    """Cells of a row: sums."""
    calls = sum(cell.calls[0] for cell in cells), sum(cell.calls[1] for cell in cells)
    tokens = sum(cell.tokens[0] for cell in cells), sum(cell.tokens[1] for cell in cells)
    return (
        f"{sum(cell.records for cell in cells):,}",
        _range(calls),
        f"{sum(cell.judge_calls for cell in cells):,}",
        _range(tokens),
        _money(cells),
    )


def _range(bounds: tuple[int, int]) -> str:
    return f"{bounds[0]:,} to {bounds[1]:,}" if bounds[0] != bounds[1] else f"{bounds[0]:,}"


def _money(cells: Sequence[Expected]) -> str:
    sums: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for cell in cells:
        if cell.money is None:
            return "unknown"
        for whole, part in zip(sums, cell.money, strict=True):
            for currency, amount in part.items():
                whole[currency] = whole.get(currency, 0.0) + amount
    told = [money_text(bound) if any(bound.values()) else "none" for bound in sums]
    return " to ".join(dict.fromkeys(told))


def _plain(cell: Expected) -> dict[str, object]:
    return {
        "cell": cell.name,
        "samples": cell.samples,
        "to_record": cell.records,
        "calls": cell.calls,
        "calls_alone": cell.alone,
        "judge_calls": cell.judge_calls,
        "tokens": cell.tokens,
        "money": cell.money,
    }
