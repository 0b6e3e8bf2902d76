"""Tables for a terminal: as wide as there is room, intervals drawn, sure differences in colour."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evals.comparison.grids import Column, Grid, Span

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["Terminal", "drawn"]

_WIDE = 21  # characters of a drawing: odd, so that zero can lie in the middle
_STYLES = {1: "bold green", -1: "bold red", 0: ""}
_FREE = 400  # characters a line where nothing limits them, in a file or a pipe


class Terminal:
    """Prints text and tables to stdout."""

    def __init__(self) -> None:
        from rich.console import Console

        width = None if sys.stdout.isatty() else _FREE
        self.console: Console = Console(width=width, highlight=False, markup=False, emoji=False)
        self._plain = "utf" not in self.console.encoding

    def say(self, text: str, style: str = "") -> None:
        """A paragraph; a terminal wraps it between words."""
        self.console.print(text, style=style or None, soft_wrap=not self.console.is_terminal)

    def show(self, grid: Grid) -> None:
        """A table; columns that can be spared are left out where there is no room."""
        columns = list(grid.columns)
        drawing = bool(grid.spans)
        unlimited = self.console.options.update(max_width=10 * _FREE)
        while True:
            table = self._table(grid, columns, drawing=drawing)
            wanted = self.console.measure(table, options=unlimited).maximum
            spare = [column for column in columns if column.spare]
            if wanted <= self.console.width or not (spare or drawing):
                break
            if drawing and not any(column.spare > 4 for column in spare):  # noqa: PLR2004 - worth more than p
                drawing = False
            else:
                columns.remove(max(spare, key=lambda column: column.spare))
        self.console.print(table)
        gone = [column.head for column in grid.columns if column not in columns]
        if gone:
            self.say(f"- no room for {', '.join(gone)}: widen the window, or give --markdown", "dim")

    def _table(self, grid: Grid, columns: Sequence[Column], *, drawing: bool) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.ASCII if self._plain else box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        for column in columns:
            table.add_column(column.head, justify="left" if column.words else "right", overflow="fold")
        if drawing:
            table.add_column("worse | better", justify="center", no_wrap=True)
        pictures = drawn(grid.spans, plain=self._plain)
        for i, verdict in enumerate(grid.verdicts):
            cells = [
                Text(column.cells[i], style=_STYLES[verdict] if column.head == "difference" else "")
                for column in columns
            ]
            if drawing:
                cells.append(Text(pictures[i], style=_STYLES[verdict]))
            if i in grid.rules:
                table.add_section()
            table.add_row(*cells)
        return table


def drawn(spans: Sequence[Span | None], *, plain: bool = False) -> list[str]:
    """Differences and their intervals as pictures on one scale, with zero in the middle: ``|  +--o--+``.

    Args:
        spans: lower bound, difference and upper bound.
        plain: ASCII only.
    """
    ends = [abs(bound) for each in spans if each for bound in each]
    reach = max(ends, default=0.0) or 1.0
    zero, left, bar, right, dot = "|+-+o" if plain else "│├─┤●"
    middle = _WIDE // 2

    def place(value: float) -> int:
        return middle + round(value / reach * middle)

    pictures: list[str] = []
    for each in spans:
        line = [" "] * _WIDE
        line[middle] = zero
        if each is not None:
            first, at, last = map(place, each)
            for i in range(first, last + 1):
                line[i] = bar if i != middle else zero
            line[first], line[last] = left, right
            line[at] = dot
        pictures.append("".join(line))
    return pictures
