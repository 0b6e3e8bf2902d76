"""A picture as PNG, by Pillow, from the same places and colours as the others."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge.drawing.fonts import Style, draw_text
from tools.knowledge.drawing.labels import LINE, lines_of, size_at, width_of
from tools.knowledge.drawing.layout import WIDE, layout
from tools.knowledge.drawing.look import DARK, DASHES, LIGHT, stroke
from tools.knowledge.drawing.notes import SIZE
from tools.knowledge.drawing.routes import at_share, curve, points
from tools.knowledge.drawing.svg import legend

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw

    from tools.knowledge.drawing.layout import Layout
    from tools.knowledge.drawing.look import Look
    from tools.knowledge.drawing.picture import Element, Picture

__all__ = ["png"]

#: Drawn so many times larger and made smaller, which smooths lines.
_FINER = 3
_HEADER, _FOOTER, _MARGIN = 64, 56, 28
_MOST_PIXELS = 60_000_000
_HEAD = (9.5, 4.2)
#: Points of a smooth line, of some half a pixel each.
_APART = 12


def png(picture: Picture, places: Layout | None = None, *, width: int = 1600, dark: bool = False) -> bytes:
    """A picture as a PNG file with a title and a legend.

    Args:
        picture: what is drawn.
        places: from `layout`; on a wide canvas by default.
        width: of the image, in pixels.
        dark: whether it is light on dark.

    Raises:
        KnowledgeError: if the image would be too large.
    """
    from PIL import Image, ImageDraw

    at = places or layout(picture, WIDE)
    scale = width / at.width
    height = round((at.height + _HEADER + _FOOTER) * scale)
    if width * height * _FINER**2 > _MOST_PIXELS:
        msg = f"a picture of {width} x {height} pixels is too large; give a smaller width or limit, or .svg."
        raise KnowledgeError(msg)
    look = DARK if dark else LIGHT
    image = Image.new("RGB", (width * _FINER, height * _FINER), look.paper)
    pen = _Pen(ImageDraw.Draw(image), scale * _FINER, look)
    pen.text((_MARGIN, 35), picture.title, Style(26, look.ink, "lm", at.width - 2 * _MARGIN))
    _draw(pen, picture, at)
    _legend(pen, picture, at)
    held = io.BytesIO()
    image.resize((width, height), Image.Resampling.BOX).save(held, "PNG")
    return held.getvalue()


class _Box(NamedTuple):
    """A box with round corners."""

    sides: tuple[float, float, float, float]
    corner: float
    fill: str
    border: str
    thick: float


class _Pen:
    """Draws in the layout's own pixels."""

    def __init__(self, draw: ImageDraw, scale: float, look: Look) -> None:
        self.look = look
        self._draw = draw
        self._scale = scale

    def line(self, way: NDArray[np.float64], kind: str, thick: float) -> None:
        """Strokes along points that stand close to each other."""
        color, wide = self.look.kind(kind), max(round(thick * self._scale), 1)
        for piece in _strokes(way, DASHES.get(kind, ())):
            # Points that stand too close make for an uneven line.
            every = np.append(np.arange(0, len(piece) - 1, _APART), len(piece) - 1)
            flat = [tuple(point) for point in (piece[every] * self._scale).tolist()]
            self._draw.line(flat, fill=color, width=wide, joint="curve")

    def head(self, tip: NDArray[np.float64], way: NDArray[np.float64], kind: str) -> None:
        """An arrowhead at a tip, pointing along a way."""
        along = way / max(float(np.hypot(*way)), 1e-6)
        aside = np.array([-along[1], along[0]])
        length, half = _HEAD
        back = tip - along * length
        corners = np.array([tip, back + aside * half, back - aside * half]) * self._scale
        self._draw.polygon([tuple(corner) for corner in corners.tolist()], fill=self.look.kind(kind))

    def box(self, box: _Box) -> None:
        """A box with round corners."""
        low_x, low_y, high_x, high_y = (side * self._scale for side in box.sides)
        self._draw.rounded_rectangle(
            (low_x, low_y, high_x, high_y),
            box.corner * self._scale,
            fill=box.fill,
            outline=box.border,
            width=max(round(box.thick * self._scale), 1),
        )

    def text(self, at: tuple[float, float], text: str, style: Style) -> float:
        """A line of text; tells its width."""
        sizes = {"size": style.size * self._scale, "room": style.room * self._scale}
        place = at[0] * self._scale, at[1] * self._scale
        return draw_text(self._draw, place, text, style._replace(**sizes)) / self._scale


def _draw(pen: _Pen, picture: Picture, at: Layout) -> None:
    numbers = {element.name: number for number, element in enumerate(picture.elements)}
    down = np.array([0.0, _HEADER])
    lines: list[NDArray[np.float64]] = []
    for number, edge in enumerate(picture.associations):
        pair = numbers[edge.source], numbers[edge.target]
        ends = curve(at.centers, at.sizes, pair, float(at.bends[number])) + down
        lines.append(ends)
        way = points(ends, max(int(2 * np.hypot(*(ends[2] - ends[0]))), 8))
        if picture.is_directed:
            pen.line(_shortened(way, _HEAD[0] * 0.7), edge.kind, stroke(edge.weight))
            pen.head(ends[2], ends[2] - way[-min(16, len(way))], edge.kind)
        else:
            pen.line(way, edge.kind, stroke(edge.weight))
    for number, edge in enumerate(picture.associations):
        share = float(at.notes[number])
        if edge.culture and not math.isnan(share):
            x, y = at_share(lines[number], share).tolist()
            width = width_of(edge.culture, SIZE)
            pen.text((x, y), edge.culture, Style(SIZE, pen.look.kind(edge.kind), "mm", width, pen.look.paper))
    for number, element in enumerate(picture.elements):
        _node(pen, element, at.centers[number] + down, at.sizes[number])


def _node(pen: _Pen, element: Element, center: NDArray[np.float64], size: NDArray[np.float64]) -> None:
    look = pen.look
    fill, border, thick, ink = (
        (look.focus, look.focus, 1.0, look.paper),
        (look.near, look.ink, 1.25, look.ink),
        (look.far, look.faint, 1.0, look.ink),
    )[min(element.steps, 2)]
    x, y = center.tolist()
    width, height = size.tolist()
    corner = 6.0 if element.is_seen else min(height / 2, 20)
    sides = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    pen.box(_Box(sides, corner, fill, border, thick))
    font, lines = size_at(element.steps), lines_of(element.name)
    first = y - (len(lines) - 1) * font * LINE / 2
    for turn, line in enumerate(lines):
        pen.text((x, first + turn * font * LINE), line, Style(font, ink, "mm", width - 8))


def _legend(pen: _Pen, picture: Picture, at: Layout) -> None:
    y = at.height + _HEADER + _FOOTER / 2
    size, entries = legend(picture, at.width)
    for kind, text, x in entries:
        if kind:
            way = np.column_stack((np.linspace(x, x + size * 2.4, 69), np.full(69, y)))
            pen.line(way, kind, 2.5)
        pen.text((x + 3 * size if kind else x, y), text, Style(size, pen.look.faint, "lm", at.width))


def _shortened(way: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    """The points farther from the last one than an arrowhead is long."""
    kept = np.hypot(*(way - way[-1]).T) > by
    return way[kept] if kept.sum() > 1 else way[:2]


def _strokes(way: NDArray[np.float64], dashes: tuple[int, ...]) -> list[NDArray[np.float64]]:
    """The pieces of a way that are drawn."""
    if not dashes:
        return [way]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))))
    ends = np.cumsum(dashes)
    turns = np.searchsorted(ends, along % ends[-1], side="right")
    breaks = np.flatnonzero(np.diff(turns)) + 1
    pieces = np.split(way, breaks)
    first = np.concatenate(([0], breaks))
    return [piece for piece, at in zip(pieces, first, strict=True) if not turns[at] % 2 and len(piece) > 1]
