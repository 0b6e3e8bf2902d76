"""Lines of a terminal, in columns that stay straight for wide characters too."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["aligned", "printable", "width_of_terminal"]

_GAP = "  "
_ELLIPSIS = "..."


def aligned(
    rows: Iterable[Sequence[str]], *, right: frozenset[int] = frozenset(), room: int = 0
) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell.

    Args:
        rows: as many cells each.
        right: the columns that end, rather than begin, on one line.
        room: the longest line; the last cell is cut to fit, unless 0.
    """
    from rich.cells import cell_len

    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines: list[str] = []
    for row in cells:
        padded = [
            " " * (width - cell_len(cell)) + cell if at in right else cell + " " * (width - cell_len(cell))
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        shown = [cell for cell, width in zip(padded, widths, strict=True) if width]
        lines.append(_cut(_GAP.join(shown).rstrip(), room))
    return lines


def printable(text: str) -> str:
    """The text on one line, without what would steer a terminal."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def width_of_terminal() -> int:
    """How wide lines may be where a person reads them; 0, for any width, where a program does."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def _cut(line: str, room: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if not room or cell_len(line) <= room:
        return line
    return set_cell_size(line, max(room - len(_ELLIPSIS), 0)).rstrip() + _ELLIPSIS
