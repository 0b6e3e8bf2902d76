"""Why runs fail, as the page shows it: shares and counts of deficiencies, rates, comparisons, and doubts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from evals.report.charts import Count, DeficiencyBar, counts, deficiencies, whisker
from evals.report.diagnosed import Diagnosed
from evals.report.figures import Score, type_name
from evals.report.gathering import Gathered, Run

if TYPE_CHECKING:
    from evals.diagnosis.comparing import Differences
    from evals.diagnosis.figures import RunFigures, TypeFigures
    from evals.statistics import Estimate, Interval

__all__ = ["FewFigures", "TypeRow", "Why", "WhyRun", "why"]

_NONE = "\N{EN DASH}"

RATES = (
    ("recognition", "Elements of the gold that were named: as keywords, in the thinking, in an entry."),
    ("reach", "Concepts of the gold that look-ups led to, or that were given."),
    ("use", "Concepts of the gold that an entry expresses."),
)


@dataclass(frozen=True, slots=True)
class FewFigures:
    """One figure as it is written.

    Attributes:
        value: rounded; a dash where there is none.
        bounds: ``1.0 to 2.5``; empty without an interval.
    """

    value: str
    bounds: str = ""


@dataclass(frozen=True, slots=True)
class WhyRun:
    """A row of the main table.

    Attributes:
        run: whose it is.
        place: of the run.
        judges: who diagnosed; empty where nobody has.
        shares: of the four kinds, in percent.
        total: deficiencies a sample.
        with_any: ``12 of 40`` samples.
        found: deficiencies in all.
        rates: recognition, reach and use, with what is drawn of each.
    """

    run: Run
    place: int
    judges: str
    shares: tuple[FewFigures, ...]
    total: FewFigures
    with_any: str
    found: int
    rates: tuple[tuple[FewFigures, Markup], ...]


@dataclass(frozen=True, slots=True)
class TypeRow:
    """A row of the table by type.

    Attributes:
        name: of the type, as people write it; of all videos at the end.
        letter: of the run.
        n: videos.
        with_any: ``12 of 40`` samples.
        kinds: of each kind a sample, then of all.
        rates: recognition, reach and use.
    """

    name: str
    letter: str
    n: int
    with_any: str
    kinds: tuple[FewFigures, ...]
    rates: tuple[FewFigures, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """All of the section.

    Attributes:
        kinds: the four, as people write them.
        runs: a row a run.
        paper: name and shares of the paper's models (Table 3).
        shares: the picture of shares.
        counts: the picture of counts.
        types: rows by type.
        differences: each later run against the first.
        notices: what a reader must know before the figures.
        rates: name and meaning of the rates.
        graph: whose synonyms counted as the same.
    """

    kinds: tuple[str, ...]
    runs: tuple[WhyRun, ...]
    paper: tuple[tuple[str, tuple[float, ...]], ...]
    shares: Markup
    counts: Markup
    types: tuple[TypeRow, ...]
    differences: tuple[Differences, ...]
    notices: tuple[str, ...]
    rates: tuple[tuple[str, str], ...]
    graph: str


def why(gathered: Gathered) -> Why | None:
    """Sum diagnoses up; None where no run has any."""
    if not gathered.diagnosed:
        return None
    from evals.diagnosis.figures import KINDS, PAPER
    from evals.report.doubts import notices_of

    pairs = list(zip(gathered.runs, gathered.diagnosed, strict=True))
    labels = tuple(kind.label for kind in KINDS)
    return Why(
        kinds=labels,
        runs=tuple(_run(run, place, found) for place, (run, found) in enumerate(pairs)),
        paper=tuple(PAPER.items()),
        shares=deficiencies([*_bars(pairs), *_published(PAPER)], labels),
        counts=_counts(pairs, labels),
        types=tuple(_types(pairs)),
        differences=tuple(_differences(pairs)),
        notices=tuple(notices_of(pairs)),
        rates=RATES,
        graph=gathered.diagnosed[0].graph,
    )


def _run(run: Run, place: int, found: Diagnosed) -> WhyRun:
    row = found.figures.overall
    return WhyRun(
        run=run,
        place=place,
        judges=", ".join(found.judges),
        shares=tuple(_told(each.share, each.interval, 1) for each in row.kinds),
        total=_estimate(row.total, 2),
        with_any=_with_any(row),
        found=sum(each.count for each in row.kinds),
        rates=tuple(_rate(row.rates[name], place, name) for name in row.rates),
    )


def _with_any(row: TypeFigures) -> str:
    return f"{row.faulty} of {row.samples}" if row.samples else _NONE


def _rate(rate: Estimate, place: int, name: str) -> tuple[FewFigures, Markup]:
    if rate.mean is None:
        return FewFigures(_NONE), Markup("")
    low, high = _bounds(rate.interval)
    score = Score(rate.mean, low, high, None)
    return _estimate(rate, 1), whisker(score, place, name.capitalize())


def _bars(pairs: Sequence[tuple[Run, Diagnosed]]) -> list[DeficiencyBar]:
    bars: list[DeficiencyBar] = []
    for run, found in pairs:
        row = found.figures.overall
        if row.samples:
            shares = tuple(each.share for each in row.kinds if each.share is not None)
            proxy = ", proxy" if found.figures.proxies else ""
            bars.append(
                DeficiencyBar(_short(f"{run.letter} {run.label}"), shares, f"n = {row.videos}{proxy}")
            )
    return bars


def _published(paper: dict[str, tuple[float, float, float, float]]) -> list[DeficiencyBar]:
    return [DeficiencyBar(name, shares, "paper, Table 3") for name, shares in paper.items()]


def _short(name: str, most: int = 40) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _counts(pairs: Sequence[tuple[Run, Diagnosed]], labels: Sequence[str]) -> Markup:
    rows: list[tuple[str, list[Count]]] = []
    for number, label in enumerate((*labels, "all")):
        group: list[Count] = []
        for place, (run, found) in enumerate(pairs):
            row = found.figures.overall
            each = row.kinds[number].mean if number < len(row.kinds) else row.total
            if each.mean is not None:
                group.append(Count(run.letter, place, each.mean, *_bounds(each.interval)))
        rows.append((label, group))
    return counts(rows)


def _types(pairs: Sequence[tuple[Run, Diagnosed]]) -> list[TypeRow]:
    names: dict[str, None] = {}
    for _, found in sorted(pairs, key=lambda pair: -len(pair[1].figures.types)):
        names |= dict.fromkeys(row.name for row in found.figures.types)
    last = pairs[0][1].figures.overall.name
    order = [*(name for name in names if name != last), last]
    return [_type(run, row) for name in order for run, found in pairs for row in _rows(found.figures, name)]


def _rows(figures: RunFigures, name: str) -> list[TypeFigures]:
    return [row for row in figures.types if row.name == name]


def _type(run: Run, row: TypeFigures) -> TypeRow:
    return TypeRow(
        name=type_name(row.name),
        letter=run.letter,
        n=row.videos,
        with_any=_with_any(row),
        kinds=tuple(_estimate(each, 2) for each in (*(kind.mean for kind in row.kinds), row.total)),
        rates=tuple(_estimate(row.rates[name], 1) for name in row.rates),
    )


def _differences(pairs: Sequence[tuple[Run, Diagnosed]]) -> list[Differences]:
    from evals.diagnosis.comparing import compare_runs

    (base, first), *others = pairs
    return [
        compare_runs(
            (base.letter, run.letter),
            (list(first.diagnoses.values()), list(found.diagnoses.values())),
            (list(first.scores.values()), list(found.scores.values())),
        )
        for run, found in others
        if first.figures.overall.samples and found.figures.overall.samples
    ]


def _estimate(each: Estimate, digits: int) -> FewFigures:
    return _told(each.mean, each.interval, digits)


def _told(value: float | None, interval: Interval | None, digits: int) -> FewFigures:
    if value is None:
        return FewFigures(_NONE)
    low, high = _bounds(interval)
    bounds = "" if low is None or high is None else f"{low:.{digits}f} to {high:.{digits}f}"
    return FewFigures(f"{value:.{digits}f}", bounds)


def _bounds(interval: Interval | None) -> tuple[float, float] | tuple[None, None]:
    """None where all values are alike: no width would look like certainty."""
    return (None, None) if interval is None or interval.flat else (interval.low, interval.high)
