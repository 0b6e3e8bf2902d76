"""Scores by type on spokes: one shape, with others as faint lines behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from markupsafe import Markup

from evals.report.charts.svg import circle, line, path, picture, series, text
from evals.report.figures import RunFigures, type_name

__all__ = ["radar", "web"]

_WIDTH, _HEIGHT, _RADIUS = 372, 312, 100
_CENTER = (_WIDTH / 2, _HEIGHT / 2)
_FEWEST = 3  # spokes that make a shape


def radar(all_runs: Sequence[RunFigures], place: int, names: Sequence[str]) -> Markup | None:
    """One run's loose scores, failures as zero; None with fewer than three types.

    Args:
        all_runs: every run.
        place: the run whose shape it is.
        names: keys of the types, around the circle.
    """
    others = [_scores(run) for number, run in enumerate(all_runs) if number != place]
    told = f"Loose score by type of run {all_runs[place].run.letter}"
    return web(_scores(all_runs[place]), others, names, told=told, style=series(place))


def web(
    own: Mapping[str, float],
    others: Sequence[Mapping[str, float]],
    names: Sequence[str],
    *,
    told: str,
    style: str,
) -> Markup | None:
    """A shape of scores from 0 to 100; None with fewer than three types.

    Args:
        own: by type's key, whose values are written; a type without a score is drawn as 0 and said as none.
        others: likewise, as dashed lines.
        names: keys of the types, around the circle.
        told: what the picture is, for those who don't see it.
        style: class of the shape.
    """
    count = len(names)
    if count < _FEWEST:
        return None
    parts = [path(_ring([100 * share] * count), "grid") for share in (0.25, 0.5, 0.75, 1)]
    parts += [line(_CENTER, _point(i, count, 100), "grid") for i in range(count)]
    parts += [path(_ring([other.get(name, 0) for name in names]), "shape other") for other in others]
    values = [own.get(name, 0) for name in names]
    parts.append(path(_ring(values), f"shape own {style}"))
    parts += [circle(_point(i, count, value), 3, f"fill {style}") for i, value in enumerate(values)]
    for i, name in enumerate(names):
        parts += _label(i, count, name, own.get(name))
    parts += [
        text(_CENTER[0] + 4, _CENTER[1] - _RADIUS * share / 100 - 3, share, "tick") for share in (50, 100)
    ]
    said = ", ".join(f"{type_name(name)} {own[name]:.1f}" for name in names if name in own)
    return picture(_WIDTH, _HEIGHT, f"{told}: {said}", parts)


def _scores(run: RunFigures) -> dict[str, float]:
    return {row.name: row.loose.mean for row in run.types}


def _point(place: int, count: int, score: float) -> tuple[float, float]:
    angle = 2 * pi * place / count - pi / 2
    reach = _RADIUS * score / 100
    return _CENTER[0] + reach * cos(angle), _CENTER[1] + reach * sin(angle)


def _ring(scores: Sequence[float]) -> str:
    points = [_point(i, len(scores), score) for i, score in enumerate(scores)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _label(place: int, count: int, name: str, score: float | None) -> list[Markup]:
    x, y = _point(place, count, 114)
    side = x - _CENTER[0]
    anchor = "middle" if abs(side) < 1 else "start" if side > 0 else "end"
    words = type_name(name).split(" ", 1)
    above = y < _CENTER[1] - _RADIUS
    top = y - 18 if above else y + 10 if abs(side) < 1 else y - 2
    said = "-" if score is None else f"{score:.0f}"
    lines = [text(x, top, words[0], "label", anchor)]
    rest = f"{words[1]} " if len(words) > 1 else ""
    lines.append(
        Markup('<text x="{:.1f}" y="{:.1f}" class="label" text-anchor="{}">').format(x, top + 14, anchor)
        + Markup('{}<tspan class="value">{}</tspan></text>').format(rest, said)
    )
    return lines
