"""Results as tables of text, whatever they are printed as."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from evals.comparison.words import bounds, figure, p_text, signed, with_interval
from evals.statistics import Choice, Pairing, Summary, System
from evals.statistics.ratings import SCORES
from evals.statistics.reducers import FAILURES

__all__ = ["Column", "Grid", "Span", "differences", "own_scores", "systems_grid"]

_SURE = 0.05

Span = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        head: its heading.
        cells: a text a row.
        words: aligned to the left, and not to the right.
        spare: left out first, from the highest, where there is no room; 0 for never.
    """

    head: str
    cells: list[str]
    words: bool = False
    spare: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """One table.

    Attributes:
        columns: from left to right.
        verdicts: for each row whether it is surely better (1), surely worse (-1), or neither.
        spans: for each row, lower bound, difference and upper bound; empty where the table shows none.
        rules: rows above which a line is drawn.
    """

    columns: list[Column]
    verdicts: list[int]
    spans: list[Span | None]
    rules: frozenset[int] = frozenset()

    @property
    def rows(self) -> list[list[str]]:
        """Cells, row by row."""
        return [list(cells) for cells in zip(*(column.cells for column in self.columns), strict=True)]


def own_scores(summaries: Sequence[Summary], choice: Choice, *, both: bool, ways: Sequence[str]) -> Grid:
    """One system's scores by type.

    Args:
        summaries: rows, the overall one last.
        choice: which score, unless ``both``.
        both: strict and loose.
        ways: how failures count: ``zero``, ``excluded``, or both.
    """
    columns = [
        Column("type", [row.name for row in summaries], words=True),
        Column("n", [str(row.n) for row in summaries]),
        Column("failed", [str(row.failed) for row in summaries]),
    ]
    for score in reversed(SCORES) if both else (choice.score,):
        for way in FAILURES:
            if way in ways:
                head = f"{score}, scored only" if way == "excluded" else score
                cells = [with_interval(row.estimates[score][way]) for row in summaries]
                spare = len(ways) > 1 and way == "excluded"
                columns.append(Column(f"{head} [95 %]", cells, spare=int(spare)))
    return Grid(columns, [0] * len(summaries), [], frozenset({len(summaries) - 1} - {0}))


def systems_grid(systems: Sequence[System], overall: Sequence[Summary], choice: Choice) -> Grid:
    """What is compared: a row a system.

    Args:
        systems: in the order shown.
        overall: the overall summary of each.
        choice: which score.
    """
    judges = [", ".join(sorted(system.conditions.judges)) or "-" for system in systems]
    columns = [
        Column("run", [system.name for system in systems], words=True),
        Column("graph", [system.graph or "-" for system in systems], words=True, spare=3),
        Column("model", [system.model or "-" for system in systems], words=True, spare=2),
        Column("judge", judges, words=True, spare=1),
        Column("videos", [str(row.n) for row in overall]),
        Column("epochs", [str(int(system.ratings.epochs.max())) for system in systems]),
        Column("failed", [str(row.failed) for row in overall]),
        Column(
            f"{choice.score} [95 %]",
            [with_interval(row.estimates[choice.score][choice.failures]) for row in overall],
        ),
    ]
    return Grid(columns, [0] * len(systems), [])


def differences(pairings: Sequence[Pairing], *, by_type: bool) -> Grid:
    """What separates pairs: a row a pair, and a type where asked."""
    rows = [(pairing, row) for pairing in pairings for row in pairing.rows]
    several = len({pairing.base.name for pairing, _ in rows}) > 1
    alone = by_type and len(pairings) == 1
    columns: list[Column] = []
    if not alone:
        columns.append(Column("run", [pairing.other.name for pairing, _ in rows], words=True))
    if several:
        columns.append(Column("against", [pairing.base.name for pairing, _ in rows], words=True))
    if by_type:
        columns.append(Column("type", [row.name for _, row in rows], words=True))
    figures = [row.paired for _, row in rows]
    columns += [
        Column("n", [str(each.n) for each in figures]),
        Column("base", [figure(each.base_mean) for each in figures], spare=2),
        Column("mean", [figure(each.mean) for each in figures], spare=1),
        Column("difference", [signed(each.difference) for each in figures]),
        Column("95 %", [bounds(each.interval, sign=True) for each in figures]),
        Column("p", [p_text(each.p) for each in figures], spare=3),
        Column("p (Holm)", [p_text(row.p_holm) for _, row in rows]),
        Column("won/tied/lost", [f"{each.wins}/{each.ties}/{each.losses}" for each in figures], spare=4),
        Column("sign p", [p_text(each.sign_p) for each in figures], spare=6),
        Column("detectable", [figure(each.detectable) for each in figures], spare=5),
    ]
    verdicts = [
        0 if row.p_holm is None or row.p_holm >= _SURE else 1 if row.paired.difference > 0 else -1
        for _, row in rows
    ]
    spans = [
        (each.interval.low, each.difference, each.interval.high) if each.interval else None
        for each in figures
    ]
    return Grid(columns, verdicts, spans, _rules(pairings, alone=alone) if by_type else frozenset())


def _rules(pairings: Sequence[Pairing], *, alone: bool) -> frozenset[int]:
    """Above the row of all types of a single pair, and between pairs."""
    ends = list(itertools.accumulate(len(pairing.rows) for pairing in pairings))
    return frozenset({ends[-1] - 1} if alone else ends[:-1]) - {0}
