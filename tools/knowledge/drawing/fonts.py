"""Fonts for PNG: Pillow's own, and the machine's for what it lacks."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["Style", "draw_text"]

#: The last character that Pillow's own font is sure to have.
_LATIN = "\N{LATIN SMALL LETTER Y WITH DIAERESIS}"
#: A character that no font has.
_NOWHERE = "\uffff"
#: Fonts with Chinese, Japanese and Korean characters, by their files' names on Linux, macOS and Windows.
_WIDER = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "NotoSansSC-Regular.otf",
    "SourceHanSansSC-Regular.otf",
    "wqy-microhei.ttc",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "Arial Unicode.ttf",
    "msyh.ttc",
    "simsun.ttc",
    "DejaVuSans.ttf",
)


class Style(NamedTuple):
    """How a line of text is drawn.

    Attributes:
        size: in pixels.
        color: as #rrggbb.
        anchor: "lm" or "mm": the place is the left end or the middle of the line, half way up.
        room: the text is made smaller until it is no wider.
        halo: a color around the letters, or none.
    """

    size: float
    color: str
    anchor: str
    room: float
    halo: str = ""


def draw_text(draw: ImageDraw, at: tuple[float, float], text: str, style: Style) -> float:
    """Draw a line of text whatever its script, and tell its width; what no font has is a question mark."""
    size = max(round(style.size), 1)
    width = _width(draw, text, size)
    if width > style.room:
        size = max(int(size * style.room / width), 1)
        width = _width(draw, text, size)
    x, y = at
    x -= width / 2 if style.anchor == "mm" else 0.0
    around = max(round(style.size / 6), 1) if style.halo else 0
    for font, run in _runs(text, size):
        draw.text(
            (x, y),
            run,
            fill=style.color,
            font=font,
            anchor="lm",
            stroke_width=around,
            stroke_fill=style.halo or None,
        )
        x += draw.textlength(run, font=font)
    return width


def _width(draw: ImageDraw, text: str, size: int) -> float:
    return sum(draw.textlength(run, font=font) for font, run in _runs(text, size))


def _runs(text: str, size: int) -> list[tuple[FreeTypeFont | ImageFont, str]]:
    """The text in pieces, each with a font that has its characters."""
    flat = "".join(char if char.isprintable() else " " for char in text)
    chars = [(_name_for(char), char) for char in flat]
    runs: list[tuple[FreeTypeFont | ImageFont, str]] = []
    for name, some in groupby(chars, lambda one: one[0]):
        run = "".join(char for _, char in some)
        runs.append((_font(name or "", size), "?" * len(run) if name is None else run))
    return runs


@lru_cache(maxsize=4096)
def _name_for(char: str) -> str | None:
    """The first font that has a character, or None: one that it lacks looks like one that no font has."""
    if char <= _LATIN:
        return ""
    return next((name for name in ("", *_wider()) if _drawn(name, char) != _drawn(name, _NOWHERE)), None)


def _drawn(name: str, char: str) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("L", (48, 48))
    ImageDraw.Draw(image).text((0, 0), char, fill=255, font=_font(name, 24))
    return image.tobytes()


def _font(name: str, size: int) -> FreeTypeFont | ImageFont:
    """A font by its file's name; Pillow's own for none."""
    from PIL import ImageFont

    return ImageFont.truetype(name, size) if name else ImageFont.load_default(size)


@lru_cache(maxsize=1)
def _wider() -> tuple[str, ...]:
    """Those of the wider fonts that this machine has."""
    found: list[str] = []
    for name in _WIDER:
        try:
            _font(name, 12)
        except OSError:
            continue
        found.append(name)
    return tuple(found)
