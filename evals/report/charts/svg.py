"""The few shapes that charts are drawn with; text is always escaped."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

__all__ = ["circle", "group", "line", "number", "path", "picture", "rect", "series", "text"]


def number(value: float) -> str:
    """A coordinate: one decimal, and no minus before zero."""
    return f"{round(value, 1) + 0.0:g}"


def series(place: int) -> str:
    """The class of a run's marks: the first has the accent, the others are shades of ink."""
    return f"s{min(place, 4)}"


def picture(width: float, height: float, label: str, parts: Iterable[str], style: str = "chart") -> Markup:
    """A whole picture; ``label`` is what it says to those who don't see it."""
    head = Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
        style, number(width), number(height), label
    )
    return head + Markup("").join(parts) + Markup("</svg>")


def group(parts: Iterable[str], style: str = "") -> Markup:
    """Shapes that belong together."""
    return Markup('<g class="{}">').format(style) + Markup("").join(parts) + Markup("</g>")


def text(x: float, y: float, content: object, style: str = "", anchor: str = "start") -> Markup:
    """One line of text; ``y`` is its baseline."""
    return Markup('<text x="{}" y="{}" class="{}" text-anchor="{}">{}</text>').format(
        number(x), number(y), style, anchor, escape(content)
    )


def line(start: tuple[float, float], end: tuple[float, float], style: str) -> Markup:
    """A straight line."""
    return Markup('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>').format(
        *map(number, (*start, *end)), style
    )


def rect(corner: tuple[float, float], size: tuple[float, float], style: str, round_: float = 0) -> Markup:
    """A box, from its top left."""
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" class="{}"/>').format(
        *map(number, (*corner, *size, round_)), style
    )


def circle(center: tuple[float, float], radius: float, style: str) -> Markup:
    """A dot."""
    return Markup('<circle cx="{}" cy="{}" r="{}" class="{}"/>').format(
        *map(number, (*center, radius)), style
    )


def path(drawn: str, style: str) -> Markup:
    """A path in SVG's own words."""
    return Markup('<path d="{}" class="{}"/>').format(drawn, style)
