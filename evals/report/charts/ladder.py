"""Scores on one scale a row: marks of others on it, and ours with their intervals below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evals.report.charts.svg import circle, line, picture, rect, series, text

__all__ = ["Dot", "Rung", "ladder"]

_WIDTH, _LEFT, _RIGHT, _TOP = 660, 178, 14, 16
_HEAD, _LINE, _APART = 28, 15, 16
_LEVELS: tuple[int, ...] = (-8, 18, -20, 30)
"""Where a mark's label may stand, from its middle; the first that is free."""
_LETTER = 7.5  # pixels of a label's letter, its distance to the next included


@dataclass(frozen=True, slots=True)
class Dot:
    """One score, 0 to 100.

    Attributes:
        label: a letter or number, written in or beside it.
        name: in full, for those who point at it or don't see it.
        value: the score.
        low: of its interval; None without one.
        high: likewise.
    """

    label: str
    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Rung:
    """A row.

    Attributes:
        name: of it.
        others: drawn as numbered marks on the scale.
        own: drawn below, each on a line of its own.
    """

    name: str
    others: tuple[Dot, ...]
    own: tuple[Dot, ...]


def ladder(rungs: Sequence[Rung], told: str) -> Markup:
    """Rows of scores on a scale from 0 to 100.

    Args:
        rungs: from top to bottom.
        told: what the picture is, for those who don't see it.
    """
    parts: list[Markup] = []
    heights = [_HEAD + _LINE * len(rung.own) + _APART for rung in rungs]
    whole = _TOP + sum(heights) + 16
    for tick in (0, 25, 50, 75, 100):
        parts.append(line((_at(tick), 2), (_at(tick), whole - 18), "grid"))
        parts.append(text(_at(tick), whole - 2, tick, "tick", "middle"))
    top = float(_TOP)
    for rung, height in zip(rungs, heights, strict=True):
        parts += _rung(rung, top)
        top += height
    said = "; ".join(
        f"{rung.name}: " + ", ".join(f"{dot.name} {dot.value:.1f}" for dot in (*rung.own, *rung.others))
        for rung in rungs
    )
    return picture(_WIDTH, whole, f"{told}. {said}", parts, "chart wide")


def _rung(rung: Rung, top: float) -> list[Markup]:
    middle = top + 14
    parts = [
        text(0, middle + 4, rung.name, "label strong"),
        line((_at(0), middle), (_at(100), middle), "axis"),
    ]
    for dot, level in _levels(rung.others):
        parts.append(_titled(dot, [circle((_at(dot.value), middle), 4.5, "peer")]))
        parts.append(text(_at(dot.value), middle + level, dot.label, "tick small", "middle"))
    for number, dot in enumerate(rung.own):
        parts += _own(dot, number, top + _HEAD + 8 + _LINE * number)
    return parts


def _levels(dots: Sequence[Dot]) -> list[tuple[Dot, int]]:
    """Marks from left to right with the place of their label: no two labels meet."""
    free: dict[int, float] = dict.fromkeys(_LEVELS, float("-inf"))
    found: list[tuple[Dot, int]] = []
    for dot in sorted(dots, key=lambda each: each.value):
        half = len(dot.label) * _LETTER / 2
        fit = [level for level, taken in free.items() if _at(dot.value) - half >= taken]
        level = fit[0] if fit else min(free, key=lambda each: free[each])
        free[level] = _at(dot.value) + half
        found.append((dot, level))
    return found


def _own(dot: Dot, number: int, y: float) -> list[Markup]:
    style = series(number)
    parts: list[Markup] = []
    if dot.low is not None and dot.high is not None:
        low, high = _at(max(dot.low, 0)), _at(min(dot.high, 100))
        parts.append(rect((low, y - 4), (max(high - low, 1), 8), f"fill soft {style}", 2))
    parts.append(rect((_at(dot.value) - 1.5, y - 6), (3, 12), f"fill {style}", 1.5))
    return [
        _titled(dot, parts),
        text(_LEFT - 12, y + 4, f"{dot.label} {dot.value:.1f}", f"letter {style}", "end"),
    ]


def _titled(dot: Dot, parts: Sequence[Markup]) -> Markup:
    bounds = "" if dot.low is None or dot.high is None else f" [{dot.low:.1f}, {dot.high:.1f}]"
    head = Markup("<g><title>{}: {:.1f}{}</title>").format(dot.name, dot.value, bounds)
    return head + Markup("").join(parts) + Markup("</g>")


def _at(score: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * score / 100
