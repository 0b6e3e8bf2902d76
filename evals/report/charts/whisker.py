"""A mean and its interval on the whole scale, one line high."""

from __future__ import annotations

from markupsafe import Markup

from evals.report.charts.svg import line, picture, rect, series
from evals.report.figures import Score

__all__ = ["whisker"]

_WIDTH, _HEIGHT, _EDGE = 240, 22, 6


def whisker(score: Score, place: int, label: str) -> Markup:
    """A stroke at the mean, and a band over the interval, from 0 to 100."""
    middle = _HEIGHT / 2
    parts = [line((_EDGE, middle), (_WIDTH - _EDGE, middle), "axis")]
    parts += [line((at(tick), middle - 3), (at(tick), middle + 3), "axis") for tick in (0, 50, 100)]
    if score.low is not None and score.high is not None:
        width = max(at(score.high) - at(score.low), 1)
        parts.append(rect((at(score.low), middle - 5), (width, 10), f"fill soft {series(place)}", 2))
    parts.append(rect((at(score.mean) - 1.5, middle - 8), (3, 16), f"fill {series(place)}", 1.5))
    return picture(_WIDTH, _HEIGHT, f"{label}: {score.text} of 100", parts, "whisker")


def at(score: float) -> float:
    """Where a score stands, in pixels."""
    return _EDGE + (_WIDTH - 2 * _EDGE) * min(max(score, 0), 100) / 100
