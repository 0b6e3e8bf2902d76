"""Deficiencies a sample, kind by kind: a bar a run with its interval (paper, Figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evals.report.charts.svg import line, picture, rect, series, text

__all__ = ["Count", "counts"]

_WIDTH, _LEFT, _RIGHT, _BAR, _HEAD, _APART = 440, 20, 44, 15, 22, 12


@dataclass(frozen=True, slots=True)
class Count:
    """A mean of counts.

    Attributes:
        letter: of the run.
        place: of the run among all, which decides its colour.
        mean: a sample.
        low: of its interval; None without one.
        high: likewise.
    """

    letter: str
    place: int
    mean: float
    low: float | None = None
    high: float | None = None


def counts(rows: Sequence[tuple[str, Sequence[Count]]]) -> Markup:
    """Draw groups of bars on one scale, which ends where the longest does.

    Args:
        rows: what is counted, and each run's count of it.
    """
    most = max((max(each.mean, each.high or 0) for _, group in rows for each in group), default=0) or 1
    parts: list[Markup] = []
    y = 0.0
    for name, group in rows:
        parts.append(text(0, y + 14, name, "label strong"))
        y += _HEAD
        for each in group:
            parts += _bar(each, y, most)
            y += _BAR + 4
        y += _APART
    told = "; ".join(
        f"{name}: " + ", ".join(f"{each.letter} {each.mean:.2f}" for each in group) for name, group in rows
    )
    label = f"Deficiencies a sample, by kind, with 95 % intervals. {told}"
    return picture(_WIDTH, y - _APART + 4, label, parts)


def _bar(each: Count, y: float, most: float) -> list[Markup]:
    middle, style = y + _BAR / 2, series(each.place)
    end = _at(each.mean, most)
    parts = [
        text(0, middle + 4, each.letter, f"letter {style}"),
        rect((_LEFT, y + 2), (_at(most, most) - _LEFT, _BAR - 4), "track", 2),
        rect((_LEFT, y + 2), (max(end - _LEFT, 1.5), _BAR - 4), f"fill {style}", 2),
    ]
    if each.low is not None and each.high is not None:
        low, high = _at(max(each.low, 0), most), _at(each.high, most)
        if end - low > 1:
            parts += [line((low, middle), (end, middle), "cut")]
            parts += [line((low, middle - 3), (low, middle + 3), "cut")]
        if high - end > 1:
            parts += [line((end, middle), (high, middle), f"on-track {style}")]
            parts += [line((high, middle - 3), (high, middle + 3), f"on-track {style}")]
    parts.append(text(_WIDTH, middle + 4, f"{each.mean:.2f}", "value", "end"))
    return parts


def _at(value: float, most: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value / most
