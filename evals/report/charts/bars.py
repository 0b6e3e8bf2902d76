"""Scores by type as bars from 0 to 100, a bar for each run, with its interval and its value beside it."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from evals.report.charts.svg import line, picture, rect, series, text
from evals.report.figures import Figures, RunFigures, type_name

__all__ = ["bars"]

_WIDTH, _LEFT, _RIGHT, _BAR, _HEAD, _APART = 420, 20, 44, 15, 22, 12


def bars(runs: Sequence[RunFigures], names: Sequence[str]) -> Markup:
    """Loose scores, failures as zero, of every run by type."""
    parts: list[Markup] = []
    y = 0.0
    for name in names:
        rows = [(place, row) for place, run in enumerate(runs) for row in run.types if row.name == name]
        sizes = sorted({row.n for _, row in rows})
        told = " / ".join(map(str, sizes))
        parts.append(text(0, y + 14, type_name(name), "label strong"))
        parts.append(text(_WIDTH - _RIGHT, y + 14, f"n = {told}", "tick", "end"))
        y += _HEAD
        for place, row in rows:
            parts += _bar(runs[place], place, row, y)
            y += _BAR + 4
        y += _APART
    height = y - _APART + 4
    told = "; ".join(
        f"{run.run.letter} {type_name(row.name)} {row.loose.text}" for run in runs for row in run.types
    )
    return picture(_WIDTH, height, f"Loose score by type with 95 % intervals. {told}", parts)


def _bar(run: RunFigures, place: int, row: Figures, y: float) -> list[Markup]:
    score, middle = row.loose, y + _BAR / 2
    style = series(place)
    parts = [
        text(0, middle + 4, run.run.letter, f"letter {style}"),
        rect((_LEFT, y + 2), (_at(100) - _LEFT, _BAR - 4), "track", 2),
        rect((_LEFT, y + 2), (max(_at(score.mean) - _LEFT, 1.5), _BAR - 4), f"fill {style}", 2),
    ]
    if score.low is not None and score.high is not None:
        parts += _interval(
            (_at(max(score.low, 0)), _at(score.mean), _at(min(score.high, 100))), middle, style
        )
    parts.append(text(_WIDTH, middle + 4, f"{score.mean:.1f}", "value", "end"))
    return parts


def _interval(bounds: tuple[float, float, float], y: float, style: str) -> list[Markup]:
    """Low, mean and high: the lower half is cut out of the bar, the upper half goes on from it."""
    low, mean, high = bounds
    parts: list[Markup] = []
    if mean - low > 1:
        parts += [line((low, y), (mean, y), "cut"), line((low, y - 3), (low, y + 3), "cut")]
    if high - mean > 1:
        parts += [
            line((mean, y), (high, y), f"on-track {style}"),
            line((high, y - 3), (high, y + 3), f"on-track {style}"),
        ]
    return parts


def _at(score: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * score / 100
