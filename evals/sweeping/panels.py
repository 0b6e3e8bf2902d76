"""Which pictures show a sweep: one factor along the axis, one as series, the others as panels."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.settings.naming import words_of
from evals.sweeping.results import Result, Results

__all__ = ["MOST_SERIES", "Panel", "Series", "panels_of"]

MOST_SERIES = 4
"""Lines that can be told apart."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a panel.

    Attributes:
        place: of its value among those of its factor, which is its style; that of the base comes first.
        points: cells by the place of their value along the axis.
        level: the cell in which what is along the axis has no effect, which holds all along it.
    """

    place: int
    points: tuple[tuple[int, Result], ...]
    level: Result | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture.

    Attributes:
        title: what holds of all its cells; empty where it is the only one.
        axis: what is along the axis.
        ticks: its values.
        numbers: the same as numbers, where they are; else None.
        lines: its series.
    """

    title: str
    axis: str
    ticks: tuple[str, ...]
    numbers: tuple[float, ...] | None
    lines: tuple[Series, ...]

    @property
    def shared(self) -> frozenset[str]:
        """Names of cells that are in several series, since the series' setting has no effect in them."""
        met = Counter(cell.cell.name for line in self.lines for _, cell in line.points)
        return frozenset(name for name, number in met.items() if number > 1)


def panels_of(results: Results) -> tuple[list[Panel], str, list[str]]:
    """Pictures of a sweep.

    Returns:
        The panels; what the series are of, and their values: empty where there is one only.
    """
    if results.file.one_at_a_time:
        return [panel for name in results.file.factors if (panel := _alone(results, name)).lines], "", []
    values = {name: _values(results, name) for name in results.file.factors}
    names = [name for name in values if len(values[name]) > 1] or list(values)[:1]
    axis = _axis(names, values)
    others = [name for name in names if name != axis]
    series = next((name for name in others if len(values[name]) <= MOST_SERIES), None)
    rest = [name for name in others if name != series]
    if series and results.base.chosen.get(series) in values[series]:
        values[series].sort(key=lambda value: value != results.base.chosen[series])
    found: list[Panel] = []
    for fixed in _products(rest, values):
        lines = tuple(_lines(results, axis, values[axis], series, values.get(series or "", [None]), fixed))
        if lines:
            title = ", ".join(f"{results.file.word(name)} {words_of(value)}" for name, value in fixed.items())
            found.append(_panel(results, title, axis, values[axis], lines))
    told = [words_of(value) for value in values[series]] if series else []
    return found, results.file.word(series) if series else "", told


def _axis(names: Sequence[str], values: Mapping[str, Sequence[Any]]) -> str:
    """The number with the most values; without one, what has the most."""
    numeric = [name for name in names if _numbers(values[name]) is not None]
    return max(numeric or names, key=lambda name: len(values[name]))


def _values(results: Results, name: str) -> list[Any]:
    """Values that cells have, in order."""
    met = [cell.cell.chosen[name] for cell in results.cells if name in cell.cell.chosen and cell.n]
    known = [*results.file.factors[name], *met]
    found = [value for i, value in enumerate(known) if value in met and value not in known[:i]]
    return sorted(found) if _numbers(found) is not None else found


def _products(names: Sequence[str], values: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for chosen in itertools.product(*(values[name] for name in names)):
        yield dict(zip(names, chosen, strict=True))


def _lines(  # noqa: PLR0913, PLR0917 - each a part of its own
    results: Results,
    axis: str,
    along: Sequence[Any],
    series: str | None,
    own: Sequence[Any],
    fixed: Mapping[str, Any],
) -> Iterator[Series]:
    """The series of a panel; a cell that stands for all values of a setting is in each of them."""
    drawn: set[str] = set()
    for place, value in enumerate(own if series else [None]):
        wanted = {**fixed, **({series: value} if series else {})}
        cells = [cell for cell in results.cells if cell.n and _fits(cell, wanted)]
        points = [(along.index(c.cell.chosen[axis]), c) for c in cells if axis in c.cell.chosen]
        levels = [c for c in cells if axis not in c.cell.chosen]
        if levels:  # what stands for all values of another setting stands beside it, and says nothing of it
            points = [(at, c) for at, c in points if all(name in c.cell.chosen for name in wanted)]
        level = next((c for c in levels if c.cell.name not in drawn), None)
        drawn |= {c.cell.name for c in levels}
        if points or level:
            yield Series(place, tuple(sorted(points, key=lambda point: point[0])), level)


def _fits(cell: Result, wanted: Mapping[str, Any]) -> bool:
    return all(cell.cell.chosen.get(name, value) == value for name, value in wanted.items())


def _alone(results: Results, name: str) -> Panel:
    """One factor around the base."""
    around = {other: value for other, value in results.base.chosen.items() if other != name}
    along = _values(results, name)
    cells = [cell for cell in results.cells if cell.n and _fits(cell, around) and name in cell.cell.chosen]
    points = sorted(
        ((along.index(cell.cell.chosen[name]), cell) for cell in cells), key=lambda point: point[0]
    )
    lines = (Series(0, tuple(points)),) if points else ()
    return _panel(results, results.file.word(name), name, along, lines)


def _panel(results: Results, title: str, axis: str, along: Sequence[Any], lines: tuple[Series, ...]) -> Panel:
    return Panel(title, results.file.word(axis), tuple(map(words_of, along)), _numbers(along), lines)


def _numbers(values: Sequence[Any]) -> tuple[float, ...] | None:
    if values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return tuple(float(value) for value in values)
    return None
