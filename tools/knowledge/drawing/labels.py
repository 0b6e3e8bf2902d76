"""Names as lines of text, and how much room they take; no font is asked, so that every machine agrees."""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache

__all__ = ["LINE", "PADDING", "SIZES", "box_of", "lines_of", "size_at", "width_of"]

#: Font size by steps from what the picture is about; the last one for all that are farther.
SIZES = (22, 16, 15)
#: A line's height, as a multiple of the font size.
LINE = 1.25
#: Beside and above the text, as multiples of the font size.
PADDING = (0.8, 0.4)
_MOST_LINES = 3
#: A line's length in font sizes, which is some 22 letters.
_ROOM = 12.8
#: A line may be longer by this share.
_OVER = 0.15
#: Rooms that are tried, until there are as few lines as the length asks for.
_SHARES = (1.0, 1.1, 1.2, 1.35)
_NARROW, _WIDE = frozenset("iljtfrI.,:;'!|()[] -"), frozenset("mwMWQGO@%&")
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def size_at(steps: int) -> int:
    """The font size of an element so many steps away."""
    return SIZES[min(steps, len(SIZES) - 1)]


@lru_cache(maxsize=4096)
def width_of(text: str, size: float) -> float:
    """An upper estimate of a text's width in a plain sans serif font, in the unit of `size`."""
    return sum(map(_advance, text)) * size


def _advance(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if unicodedata.combining(char):
        return 0.0
    if char in _NARROW:
        return 0.36
    return 0.9 if char in _WIDE else 0.7 if char.isupper() else 0.58


@lru_cache(maxsize=4096)
def lines_of(name: str) -> tuple[str, ...]:
    """A name in one to three lines, as even as its words allow; what is longer ends in an ellipsis."""
    shown = " ".join("".join(char if char.isprintable() else " " for char in name).split()) or _ELLIPSIS
    total = width_of(shown, 1)
    count = min(max(math.ceil(total / _ROOM - _OVER), 1), _MOST_LINES)
    lines: list[str] = []
    for share in _SHARES:
        lines = _filled(shown, min(total / count, _ROOM) * share)
        if len(lines) <= count:
            break
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1]}{_ELLIPSIS}"]
    return tuple(lines)


def _filled(text: str, room: float) -> list[str]:
    """As many words on each line as there is room for."""
    lines: list[str] = []
    for word in _words(text, room):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(joined, 1) <= room:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def _words(text: str, room: float) -> list[str]:
    """The words, those that are wider than a line cut into pieces."""
    words: list[str] = []
    for word in text.split(" "):
        piece = ""
        for char in word:
            if piece and width_of(piece + char, 1) > room:
                words.append(piece)
                piece = ""
            piece += char
        words.append(piece)
    return words


def box_of(name: str, steps: int) -> tuple[float, float]:
    """Width and height of an element with its name inside."""
    size = size_at(steps)
    lines = lines_of(name)
    beside, above = PADDING
    wide = max(width_of(line, size) for line in lines) + 2 * beside * size
    return round(wide, 1), round(len(lines) * size * LINE + 2 * above * size, 1)
