"""Two pictures of agreement: score against score, and difference against mean (Bland and Altman 1986)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from markupsafe import Markup

from evals.datasets.sample import shown
from evals.judging.matching import Unit
from evals.report.charts.svg import line, number, picture, text

__all__ = ["bland_altman", "limits", "scatter"]

_WIDTH, _HEIGHT = 460, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 92, 16, 46
_SMALL, _NAMED = 3.2, 6  # radius of a dot of one video, and videos that a tooltip names
_WIDE = 1.96

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Axes:
    """From values to places."""

    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> Place:
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)


def scatter(units: Sequence[Unit], top: float) -> Markup:
    """The judge's score over people's mean; the line is agreement, a dot's area the number of videos.

    Args:
        units: at least one.
        top: the end of the scale, 10 or 1.
    """
    axes = _Axes((0, top), (0, top))
    parts = [
        *_grid(axes, _steps(0, top), _steps(0, top)),
        line(axes.at(0, 0), axes.at(top, top), "level"),
        *_dots(units, axes, lambda unit: (unit.human, unit.judge)),
        *_titles("people, mean", "judge"),
    ]
    told = f"Score of the judge against the mean of people, {len(units)} predictions."
    return picture(_WIDTH, _HEIGHT, told, parts)


def bland_altman(units: Sequence[Unit], top: float) -> Markup:
    """Judge less people over the mean of both, with the mean difference and the limits of 95 %."""
    differences = [unit.judge - unit.human for unit in units]
    middle, bounds = fmean(differences), limits(differences)
    reach = max(*(abs(each) for each in (*differences, *(bounds or ()))), top / 5) * 1.08
    axes = _Axes((0, top), (-reach, reach))
    parts = _grid(axes, _steps(0, top), _steps(-reach, reach))
    parts.append(line(axes.at(0, 0), axes.at(top, 0), "axis"))
    parts += _dots(units, axes, lambda unit: ((unit.human + unit.judge) / 2, unit.judge - unit.human))
    levels = [(middle, "mean", "level strong")]
    levels += [(each, "95 % limit", "level") for each in bounds or ()]
    for value, name, style in levels:
        parts += _level(axes, top, value, name, style)
    parts += _titles("mean of judge and people", "judge less people")
    limit = f", limits {bounds[0]:.2f} and {bounds[1]:.2f}" if bounds else ""
    told = f"Difference against mean (Bland-Altman): mean difference {middle:.2f}{limit}."
    return picture(_WIDTH, _HEIGHT, told, parts)


def limits(differences: Sequence[float]) -> tuple[float, float] | None:
    """Mean less and plus 1.96 standard deviations: where 95 % of differences lie if they are normal."""
    if len(differences) < 3:  # noqa: PLR2004 - no spread to speak of
        return None
    middle, half = fmean(differences), _WIDE * stdev(differences)
    return middle - half, middle + half


def _level(axes: _Axes, top: float, value: float, name: str, style: str) -> list[Markup]:
    start, end = axes.at(0, value), axes.at(top, value)
    return [
        line(start, end, style),
        text(end[0] + 6, end[1] - 2, f"{value:+.2f}".replace("-", "\N{MINUS SIGN}"), "value small"),
        text(end[0] + 6, end[1] + 11, name, "tick"),
    ]


def _dots(
    units: Sequence[Unit], axes: _Axes, where: Callable[[Unit], tuple[float, float]]
) -> Iterable[Markup]:
    """A dot a place; scores are few, so that many videos share one."""
    places: dict[tuple[float, float], list[Unit]] = defaultdict(list)
    for unit in units:
        x, y = where(unit)
        places[round(x, 6), round(y, 6)].append(unit)
    for (x, y), here in sorted(places.items()):
        across, down = axes.at(x, y)
        yield Markup('<circle cx="{}" cy="{}" r="{}" class="dot"><title>{}</title></circle>').format(
            number(across), number(down), number(_SMALL * sqrt(len(here))), _tip(here)
        )


def _tip(units: Sequence[Unit]) -> str:
    first = units[0]
    ids = [f"{shown(unit.video_id)}{f' (epoch {unit.epoch})' if unit.epoch else ''}" for unit in units]
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{', '.join(ids[:_NAMED])}{more}: judge {first.judge:.2f}, people {first.human:.2f}"


def _grid(axes: _Axes, across: Iterable[float], up: Iterable[float]) -> list[Markup]:
    parts: list[Markup] = []
    for x in across:
        start, end = axes.at(x, axes.y[0]), axes.at(x, axes.y[1])
        parts += [line(start, end, "grid"), text(start[0], start[1] + 17, _plain(x), "tick", "middle")]
    for y in up:
        start, end = axes.at(axes.x[0], y), axes.at(axes.x[1], y)
        parts += [line(start, end, "grid"), text(start[0] - 7, start[1] + 4, _plain(y), "tick", "end")]
    return parts


def _titles(across: str, up: str) -> list[Markup]:
    middle = (_HEIGHT - _BOTTOM + _TOP) / 2
    turned = Markup(
        '<text transform="translate(12 {}) rotate(-90)" class="label" text-anchor="middle">{}</text>'
    )
    center = _LEFT + (_WIDTH - _LEFT - _RIGHT) / 2
    return [text(center, _HEIGHT - 8, across, "label", "middle"), turned.format(number(middle), up)]


def _steps(low: float, high: float) -> list[float]:
    """Round values from low to high, five to ten of them."""
    size = next(each for each in (0.1, 0.2, 0.5, 1, 2, 5) if (high - low) / each <= 10)  # noqa: PLR2004
    first, last = -int(-low / size + 1e-9) if low < 0 else 0, int(high / size + 1e-9)
    return [place * size for place in range(first, last + 1)]


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", "\N{MINUS SIGN}") if abs(value) > 1e-9 else "0"  # noqa: PLR2004
