"""A contact sheet: the frames that a model gets, with their times and shots, for people to look at."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tools.frames.shown import clock
from tools.frames.terms import Frame, FrameSet

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["contact_sheet"]

_AREA = 52_000
"""Pixels of a thumbnail, whatever its shape."""

_SHAPE = 1.5
"""Width to height that a sheet strives for."""

_MARGIN, _GAP, _CAPTION, _HEAD, _BAR, _LINE = 28, 16, 30, 112, 6, 10
_PAPER, _INK, _FAINT, _TRACE = "#14161b", "#f2f2ee", "#8b909c", "#2a2e37"
_SHOTS = ("#f2b134", "#4fa3e0", "#7ac74f", "#e4576e", "#a585e0", "#3cc4b4")
_UNKNOWN = "#6d7482"
_LATIN = 0x24F
"""The last character that Pillow's own font is sure to have."""


class _Grid(NamedTuple):
    columns: int
    rows: int
    cell: tuple[int, int]

    @property
    def size(self) -> tuple[int, int]:
        width = 2 * _MARGIN + self.columns * (self.cell[0] + _GAP) - _GAP
        height = _HEAD + self.rows * (self.cell[1] + _CAPTION + _GAP) - _GAP + _MARGIN
        return width, height

    def place(self, number: int) -> tuple[int, int]:
        row, column = divmod(number, self.columns)
        x = _MARGIN + column * (self.cell[0] + _GAP)
        return x, _HEAD + row * (self.cell[1] + _CAPTION + _GAP)


def contact_sheet(clip: FrameSet, name: str, how: str = "", columns: int | None = None) -> Image:
    """Draw the frames of a clip.

    Args:
        clip: frames as a model gets them.
        name: the title.
        how: how the frames were chosen, in a few words.
        columns: frames a row; by default as many as make a sheet of a pleasing shape.

    Returns:
        An RGB image. A bar in the colour of its shot stands under each frame; where a shot begins, it is
        numbered. The line at the top is the clip's time, with a dot for each frame.
    """
    from PIL import Image, ImageDraw

    pictures = [Image.open(io.BytesIO(frame.jpeg)).convert("RGB") for frame in clip.frames]
    grid = _grid([picture.size for picture in pictures], columns)
    sheet = Image.new("RGB", grid.size, _PAPER)
    draw = ImageDraw.Draw(sheet)
    _draw_head(draw, grid, clip, name, _summary(clip, how))
    _draw_line(draw, grid, clip)
    before = None
    for number, (frame, picture) in enumerate(zip(clip.frames, pictures, strict=True)):
        _draw_cell(sheet, draw, grid.place(number), grid.cell, picture)
        _draw_caption(draw, grid.place(number), grid.cell, frame, begins=frame.shot != before)
        before = frame.shot
    return sheet


def _grid(sizes: Sequence[tuple[int, int]], columns: int | None) -> _Grid:
    ratio = sizes[0][0] / sizes[0][1]
    width = min(max(96, round(math.sqrt(_AREA * ratio))), 640)
    cell = (width, max(24, round(width / ratio)))
    choices = range(1, len(sizes) + 1) if columns is None else [columns]
    grids = [_Grid(count, math.ceil(len(sizes) / count), cell) for count in choices]

    def ugliness(grid: _Grid) -> float:
        empty = grid.rows * grid.columns - len(sizes)
        return abs(math.log(grid.size[0] / grid.size[1] / _SHAPE)) + 0.5 * empty / grid.columns

    return min(grids, key=ugliness)


def _summary(clip: FrameSet, how: str) -> str:
    count = len(clip.frames)
    parts = [f"{count} frame{'' if count == 1 else 's'} of {clip.duration:.2f} s"]
    if clip.shots is not None:
        parts.append(f"{clip.shots} shot{'' if clip.shots == 1 else 's'}")
    first = clip.frames[0]
    parts += [f"{first.width}x{first.height}", *([how] if how else []), f"read by {clip.reader}"]
    return "   ·   ".join([*parts, *clip.warnings])


def _draw_head(draw: ImageDraw, grid: _Grid, clip: FrameSet, name: str, summary: str) -> None:
    room = grid.size[0] - 2 * _MARGIN
    draw.text((_MARGIN, 22), _fitting(draw, name, _font(22), room), fill=_INK, font=_font(22))
    small = _font(14)
    ink = _SHOTS[0] if clip.warnings else _FAINT
    draw.text((_MARGIN, 54), _fitting(draw, summary, small, room), fill=ink, font=small)


def _draw_line(draw: ImageDraw, grid: _Grid, clip: FrameSet) -> None:
    """The clip's time from left to right, in the colours of its shots, with a dot for each frame."""
    left, right, y = _MARGIN, grid.size[0] - _MARGIN, _HEAD - 22
    whole = max(clip.duration, clip.frames[-1].timestamp, 1e-9)
    spots = [left + (right - left) * frame.timestamp / whole for frame in clip.frames]
    draw.rounded_rectangle((left, y - 2, right, y + 2), 2, fill=_TRACE)
    for number, spot in enumerate(spots):
        end = spots[number + 1] if number + 1 < len(spots) else right
        draw.rectangle((spot, y - 1, end, y + 1), fill=_colour(clip.frames[number].shot))
    for number, spot in enumerate(spots):
        draw.ellipse(
            (spot - 4, y - 4, spot + 4, y + 4), fill=_colour(clip.frames[number].shot), outline=_PAPER
        )


def _draw_cell(
    sheet: Image, draw: ImageDraw, place: tuple[int, int], cell: tuple[int, int], picture: Image
) -> None:
    from PIL import ImageOps

    small = ImageOps.contain(picture, cell)
    x, y = place[0] + (cell[0] - small.width) // 2, place[1] + (cell[1] - small.height) // 2
    draw.rectangle((*place, place[0] + cell[0] - 1, place[1] + cell[1] - 1), fill="#000000")
    sheet.paste(small, (x, y))


def _draw_caption(
    draw: ImageDraw, place: tuple[int, int], cell: tuple[int, int], frame: Frame, *, begins: bool
) -> None:
    (x, top), (width, height), shot = place, cell, frame.shot
    y, colour = top + height, _colour(shot)
    draw.rectangle((x, y, x + width - 1, y + _BAR // 2), fill=colour)
    if begins and shot is not None:
        draw.rectangle((x - _LINE // 2 - 1, top, x - 2, y + _BAR // 2), fill=colour)
    font = _font(14)
    draw.text((x, y + 9), clock(frame.timestamp), fill=_INK, font=font)
    if begins and shot is not None:
        draw.text((x + width / 2, y + 9), f"shot {shot + 1}", fill=colour, font=font, anchor="ma")
    draw.text((x + width - 1, y + 9), f"#{frame.ordinal}", fill=_FAINT, font=font, anchor="ra")


def _colour(shot: int | None) -> str:
    return _UNKNOWN if shot is None else _SHOTS[shot % len(_SHOTS)]


def _font(size: int) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _fitting(draw: ImageDraw, text: str, font: FreeTypeFont | ImageFont, room: int) -> str:
    """The text, cut to the room there is; characters that the font may lack become question marks."""
    text = "".join(c if ord(c) <= _LATIN and c.isprintable() else "?" for c in text)
    if draw.textlength(text, font=font) <= room:
        return text
    while text and draw.textlength(f"{text}...", font=font) > room:
        text = text[:-1]
    return f"{text}..."
