"""Bars at the bottom of a terminal, one for each graph and model; messages appear above them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, Progress, Task, TaskID, TextColumn
from rich.text import Text

from evals.output import Output
from evals.progress.live import Quiet
from evals.progress.tally import Tally
from evals.progress.together import Together
from evals.store.records import RunRecord

__all__ = ["Bars"]

_WIDTH = 24
_BELOW = 6  # lines at most that tell of all cells together
_Line = tuple[str, str]
"""Words and their style."""


class _Board(Progress):
    """A bar for each tally, with what is to be told of it in dim lines below."""

    tallies: Sequence[Tally] = ()
    height: int = 0

    def get_renderables(self) -> Iterable[RenderableType]:
        """One bar and its lines after the other; of several, what concerns all comes last."""
        if len(self.tallies) <= 1:
            yield self.make_tasks_table(self.tasks)
            yield from _texts(line for tally in self.tallies for line in _of_one(tally))
            return
        roomy = 2 * len(self.tallies) + _BELOW <= self.height
        bars = self._fitting(list(zip(self.tasks, self.tallies, strict=False)))
        for task, tally in bars:
            yield self.make_tasks_table([task])
            if roomy:
                yield from _texts([(", ".join(filter(None, (tally.scores, tally.spent))), "dim")])
        if hidden := len(self.tallies) - len(bars):
            yield from _texts([(f"and {hidden} more", "dim")])
        yield from _texts(_of_all(Together(self.tallies)))

    def _fitting(self, bars: list[tuple[Task, Tally]]) -> list[tuple[Task, Tally]]:
        """As many bars as the terminal has room for, first those with something left to do."""
        room = max(self.height - _BELOW - 1, 1)
        if len(bars) < room:
            return bars
        kept = sorted(bars, key=lambda bar: bar[1].done >= bar[1].total or bool(bar[1].stopped()))[:room]
        return [bar for bar in bars if bar in kept]


def _texts(lines: Iterable[_Line]) -> Iterator[Text]:
    for line, style in lines:
        if line:
            yield Text(f"  {line}", style=style, no_wrap=True, overflow="ellipsis")


def _of_one(tally: Tally) -> list[_Line]:
    first = ", ".join(part for part in (tally.spent, tally.pace) if part)
    second = ", ".join(part for part in (tally.scores, tally.calls) if part)
    error = f"last error: {tally.last_error}" if tally.last_error else ""
    lines = [(first, "dim"), (second, "dim"), (tally.slow, "yellow"), (tally.traffic(), "yellow")]
    return [*lines, (error, "red")]


def _of_all(all_cells: Together) -> list[_Line]:
    first = ", ".join(part for part in (all_cells.counts, all_cells.spent) if part)
    second = ", ".join(part for part in (all_cells.pace, all_cells.calls) if part)
    error = f"last error: {all_cells.last_error}" if all_cells.last_error else ""
    lines = [(f"all: {first}", "dim"), (second, "dim"), (all_cells.slow, "yellow")]
    return [*lines, (all_cells.traffic, "yellow"), (error, "red")]


class Bars(Quiet):
    """Shows tallies as bars.

    Args:
        tallies: one for each graph and model.
        out: gives its messages over to the terminal while the bars stand.
        stream: the terminal; stderr when None.
    """

    def __init__(self, tallies: Sequence[Tally], out: Output, stream: IO[str] | None = None) -> None:
        super().__init__(tallies, out)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=_WIDTH),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[counts]}"),
        )
        console = Console(file=stream or sys.stderr, highlight=False)
        self._board = _Board(*columns, console=console, refresh_per_second=4)
        self._board.tallies, self._board.height = tallies, console.height
        self._tasks = self._add_tasks()
        self._before, out.speak = out.speak, lambda text: console.print(text, markup=False)
        self._show()
        self._board.start()

    def _add_tasks(self) -> list[TaskID]:
        """A bar for each tally, all beginning in one column."""
        width = max(len(tally.label) for tally in self.tallies)
        return [
            self._board.add_task(escape(tally.label.ljust(width)), total=tally.total, counts="")
            for tally in self.tallies
        ]

    def finished(self, record: RunRecord, cell: int = 0) -> None:
        """Move the bar."""
        super().finished(record, cell)
        self._show()

    def tick(self) -> None:
        """Let time pass in the bars' text."""
        self._show()

    def close(self) -> None:
        """Leave the bars as they stand."""
        self._show()
        self._board.stop()
        self.out.speak = self._before

    def _show(self) -> None:
        for task, tally in zip(self._tasks, self.tallies, strict=True):
            self._board.update(task, completed=tally.done, counts=tally.counts)
