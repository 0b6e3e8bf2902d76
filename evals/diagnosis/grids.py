"""Diagnoses as tables of text, whatever they are printed as."""

from __future__ import annotations

from collections.abc import Sequence

from evals.comparison.grids import Column, Grid
from evals.comparison.words import bounds, figure, p_text
from evals.diagnosis.comparing import Difference, Differences
from evals.diagnosis.figures import KINDS, PAPER, RunFigures
from evals.diagnosis.mapping_score import RATES
from evals.statistics import Estimate, Interval

__all__ = ["differences_grid", "kinds_grid", "types_grid"]

_SURE = 0.05


def kinds_grid(figures: RunFigures) -> Grid:
    """The four kinds: counts, means a sample, and shares beside the paper's Table 3."""
    row = figures.overall
    kinds = row.kinds
    shares = [_with(each.share, each.interval) for each in kinds]
    count = sum(each.count for each in kinds)
    columns = [
        Column("deficiency", [*(each.kind.label for each in kinds), "all"], words=True),
        Column("count", [*(str(each.count) for each in kinds), str(count)]),
        Column("a sample [95 %]", [*(per_sample(each.mean) for each in kinds), per_sample(row.total)]),
        Column("% of all [95 %]", [*shares, "100.0" if count else "-"]),
    ]
    columns += [
        Column(f"% {model} (paper)", [*map(figure, published), "100.0"], spare=place)
        for place, (model, published) in enumerate(PAPER.items(), 1)
    ]
    return Grid(columns, [0] * (len(kinds) + 1), [], frozenset({len(kinds)}))


def types_grid(figures: RunFigures) -> Grid:
    """By type: how many have a deficiency, how many of each kind a sample, and the rates without a judge.

    Where nothing was diagnosed: the rates alone.
    """
    rows = figures.types
    columns = [Column("type", [row.name for row in rows], words=True)]
    if figures.overall.samples:
        columns.append(Column("n", [str(row.videos) for row in rows]))
        columns.append(Column("with any", [f"{row.faulty}/{row.samples}" for row in rows]))
        columns += [
            Column(kind.label, [per_sample(row.kinds[place].mean) for row in rows])
            for place, kind in enumerate(KINDS)
        ]
        columns.append(Column("all", [per_sample(row.total) for row in rows], spare=4))
    else:
        columns.append(Column("samples", [str(row.rates["use"].n) for row in rows]))
    columns += [
        Column(f"{rate} %", [_with(row.rates[rate].mean, row.rates[rate].interval) for row in rows])
        for rate in RATES
    ]
    return Grid(columns, [0] * len(rows), [], frozenset({len(rows) - 1} - {0}))


def differences_grid(found: Differences) -> Grid:
    """What separates two runs: the four kinds, all of them, and the rates."""
    counted = [*found.kinds, *([found.total] if found.total else [])]
    rows: Sequence[Difference] = [*counted, *found.rates]
    paired = [each.paired for each in rows]
    names = [each.name.replace("_", " ") for each in rows]
    names = [f"{name} %" if each in found.rates else name for name, each in zip(names, rows, strict=True)]
    columns = [
        Column("a sample" if found.kinds else "rate", names, words=True),
        Column("n", [str(each.n) for each in paired]),
        Column(found.base, [_two(each.base_mean) for each in paired]),
        Column(found.other, [_two(each.mean) for each in paired]),
        Column("difference", [_signed(each.difference) for each in paired]),
        Column("95 %", [_bounds(each.interval, sign=True) for each in paired]),
        Column("p", [p_text(each.p) for each in paired], spare=2),
        Column("p (Holm)", [p_text(each.p_holm) for each in rows]),
        Column("fewer/same/more", [f"{each.losses}/{each.ties}/{each.wins}" for each in paired], spare=1),
        Column("sign p", [p_text(each.sign_p) for each in paired], spare=3),
    ]
    verdicts = [_verdict(each) for each in found.kinds] + [0] * (len(rows) - len(found.kinds))
    return Grid(columns, verdicts, [], frozenset({len(found.kinds), len(counted)} - {0, len(rows)}))


def _verdict(difference: Difference) -> int:
    """Surely fewer is surely better."""
    if difference.p_holm is None or difference.p_holm >= _SURE:
        return 0
    return 1 if difference.paired.difference < 0 else -1


def per_sample(estimate: Estimate) -> str:
    """``0.85 [0.61, 1.10]``."""
    if estimate.mean is None:
        return "-"
    told = _bounds(estimate.interval)
    return _two(estimate.mean) if told == "-" else f"{_two(estimate.mean)} {told}"


def _with(value: float | None, interval: Interval | None) -> str:
    return figure(value) if value is None or interval is None else f"{figure(value)} {bounds(interval)}"


def _two(value: float) -> str:
    return f"{value + 0.0:.2f}"


def _signed(value: float) -> str:
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def _bounds(interval: Interval | None, *, sign: bool = False) -> str:
    if interval is None:
        return "-"
    write = _signed if sign else _two
    return f"[{write(interval.low)}, {write(interval.high)}]{'*' if interval.flat else ''}"
