"""A panel as inline SVG: means as dots, their intervals as whiskers, lines where there is a number along."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evals.report.charts.svg import circle, line, path, picture, rect, series, text
from evals.statistics import Score
from evals.sweeping.panels import Panel, Series
from evals.sweeping.results import Result

__all__ = ["Scale", "draw", "scale_of"]

_WIDTH, _HEIGHT = 372, 276
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 12, 14, 54
_ANY = "any"
_APART = 7  # pixels between series at the same place
_CROWDED = 0.08  # share of the axis below which values are set evenly
_LONG = 11  # letters of a tick that fit beside each other


@dataclass(frozen=True, slots=True)
class Scale:
    """The scores that all panels show.

    Attributes:
        low: lowest.
        high: highest.
        step: between lines.
    """

    low: float
    high: float
    step: float

    def y(self, score: float) -> float:
        """Where a score stands."""
        share = (min(max(score, self.low), self.high) - self.low) / (self.high - self.low)
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)

    @property
    def ticks(self) -> list[float]:
        """Scores with a line."""
        number = round((self.high - self.low) / self.step)
        return [self.low + self.step * i for i in range(number + 1)]


def scale_of(cells: Iterable[Result], score: Score) -> Scale:
    """A scale that holds all means and intervals, from round scores to round scores within 0 to 100."""
    met: list[float] = []
    for cell in cells:
        own = cell.scores.get(score)
        if own is not None and own.mean is not None:
            met += [own.mean, *((own.interval.low, own.interval.high) if own.interval else ())]
    low, high = max(0.0, min(met, default=0.0)), min(100.0, max(met, default=100.0))
    step = next(size for size in (1, 2, 5, 10, 20, 25) if (high - low) / size <= 5 or size == 25)  # noqa: PLR2004
    bottom = max(0.0, math.floor(low / step) * step)
    top = min(100.0, math.ceil(high / step) * step)
    if top - bottom < step:
        bottom, top = (bottom - step, top) if top >= 100 else (bottom, bottom + step)  # noqa: PLR2004
    return Scale(bottom, top, step)


def draw(panel: Panel, scale: Scale, score: Score, base: str, told: Sequence[str] = ()) -> Markup:
    """Draw a panel.

    Args:
        panel: what to draw.
        scale: of scores.
        score: which.
        base: name of the cell that others are compared with; it has a ring.
        told: values of the series, for those who don't see it.
    """
    places = _places(panel)
    parts = [
        *_axes(panel, scale, places),
        *(part for each in panel.lines for part in _level(each, scale, score, base)),
        *(part for each in panel.lines for part in _line(each, panel, places, scale, score)),
        *(part for each in panel.lines for part in _dots(each, panel, places, scale, score, base)),
    ]
    words = "; ".join(_said(each, panel, score, told) for each in panel.lines)
    label = f"{panel.title or panel.axis}: {score} score over {panel.axis}. {words}"
    return picture(_WIDTH, _HEIGHT, label, parts)


def _places(panel: Panel) -> list[float]:
    """Where the values stand: as far apart as they are, or evenly where that would crowd them."""
    number = len(panel.ticks)
    left, right = _LEFT + 26, _WIDTH - _RIGHT - 26
    shares = [i / (number - 1) if number > 1 else 0.5 for i in range(number)]
    if panel.numbers and number > 1:
        low, span = panel.numbers[0], panel.numbers[-1] - panel.numbers[0]
        real = [(value - low) / span for value in panel.numbers]
        if min(after - before for before, after in itertools.pairwise(real)) >= _CROWDED:
            shares = real
    return [left + (right - left) * share for share in shares]


def _axes(panel: Panel, scale: Scale, places: Sequence[float]) -> list[Markup]:
    parts: list[Markup] = []
    for tick in scale.ticks:
        parts.append(line((_LEFT, scale.y(tick)), (_WIDTH - _RIGHT, scale.y(tick)), "grid"))
        parts.append(text(_LEFT - 6, scale.y(tick) + 4, f"{tick:g}", "tick", "end"))
    bottom = _HEIGHT - _BOTTOM
    crowded = max(map(len, panel.ticks)) * len(panel.ticks) > 46  # noqa: PLR2004 - letters in the width
    for number, (x, tick) in enumerate(zip(places, panel.ticks, strict=True)):
        low = 12 if crowded and number % 2 else 0
        parts.append(line((x, bottom), (x, bottom + 4), "axis"))
        short = tick if len(tick) <= 2 * _LONG else f"{tick[: 2 * _LONG - 1]}…"
        parts.append(text(x, bottom + 16 + low, short, "tick", "middle"))
    parts.append(text(_WIDTH - _RIGHT, _HEIGHT - 4, panel.axis, "tick strong", "end"))
    return parts


def _level(each: Series, scale: Scale, score: Score, base: str) -> list[Markup]:
    """A cell that holds all along the axis: a line, and its interval as a band."""
    if each.level is None:
        return []
    own = each.level.scores[score]
    if own.mean is None:
        return []
    y, style = scale.y(own.mean), series(each.place)
    start, end = (_LEFT, y), (_WIDTH - _RIGHT, y)
    parts = [line(start, end, f"level {style}")]
    if own.interval:
        top, bottom = scale.y(own.interval.high), scale.y(own.interval.low)
        parts.insert(0, rect((_LEFT, top), (_WIDTH - _LEFT - _RIGHT, bottom - top), f"fill band {style}"))
    if each.level.cell.name == base:
        parts.append(circle((_WIDTH - _RIGHT, y), 7, "ring"))
    return parts


def _line(each: Series, panel: Panel, places: Sequence[float], scale: Scale, score: Score) -> list[Markup]:
    if panel.numbers is None or len(each.points) < 2:  # noqa: PLR2004 - a line has two ends
        return []
    drawn = "L".join(
        f"{places[at] + _aside(each, panel, cell):.1f} {scale.y(_mean(cell, score)):.1f}"
        for at, cell in each.points
    )
    style = _ANY if all(cell.cell.name in panel.shared for _, cell in each.points) else series(each.place)
    return [path(f"M{drawn}", f"way {style}")]


def _dots(  # noqa: PLR0913, PLR0917 - each a part of its own
    each: Series, panel: Panel, places: Sequence[float], scale: Scale, score: Score, base: str
) -> list[Markup]:
    parts: list[Markup] = []
    for at, cell in each.points:
        x, own = places[at] + _aside(each, panel, cell), cell.scores[score]
        style = _ANY if cell.cell.name in panel.shared else series(each.place)
        if own.interval:
            top, bottom = scale.y(own.interval.high), scale.y(own.interval.low)
            parts.append(line((x, top), (x, bottom), f"span {style}"))
            parts += [line((x - 3, y), (x + 3, y), f"span {style}") for y in (top, bottom)]
        sure = cell.verdict(score) or cell.cell.name == base
        parts.append(
            circle((x, scale.y(_mean(cell, score))), 4.5, f"{'dot' if sure else 'dot open'} {style}")
        )
        if cell.cell.name == base:
            parts.append(circle((x, scale.y(_mean(cell, score))), 8, "ring"))
    return parts


def _aside(each: Series, panel: Panel, cell: Result) -> float:
    """Series are moved a little apart, so that whiskers do not cover each other; what they share is not."""
    if cell.cell.name in panel.shared:
        return 0.0
    order = [other.place for other in panel.lines if other.points]
    return (order.index(each.place) - (len(order) - 1) / 2) * _APART if each.place in order else 0.0


def _mean(cell: Result, score: Score) -> float:
    return cell.scores[score].mean or 0.0


def _said(each: Series, panel: Panel, score: Score, told: Sequence[str]) -> str:
    points = [f"{panel.ticks[at]} {_mean(cell, score):.1f}" for at, cell in each.points]
    if each.level is not None:
        points.append(f"all along {_mean(each.level, score):.1f}")
    return (f"{told[each.place]}: " if told else "") + ", ".join(points)
