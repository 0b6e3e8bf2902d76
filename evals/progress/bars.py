"""Bars at the bottom of a terminal, one for each graph and model; messages appear above them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import IO

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from evals.output import Output
from evals.progress.live import Quiet
from evals.progress.tally import Tally
from evals.store.records import RunRecord

__all__ = ["Bars"]

_WIDTH = 24


class _Board(Progress):
    """A bar for each tally, and what is to be told of it in dim lines below."""

    tallies: Sequence[Tally] = ()

    def get_renderables(self) -> Iterable[RenderableType]:
        """One bar and its lines after the other."""
        for task, tally in zip(self.tasks, self.tallies, strict=False):
            yield self.make_tasks_table([task])
            for line, style in _below(tally):
                yield Text(f"  {line}", style=style, no_wrap=True, overflow="ellipsis")


def _below(tally: Tally) -> list[tuple[str, str]]:
    first = ", ".join(part for part in (tally.spent, tally.pace) if part)
    second = ", ".join(part for part in (tally.scores, tally.calls) if part)
    error = f"last error: {tally.last_error}" if tally.last_error else ""
    lines = [(first, "dim"), (second, "dim"), (tally.slow, "yellow"), (tally.traffic(), "yellow")]
    lines.append((error, "red"))
    return [(line, style) for line, style in lines if line]


class Bars(Quiet):
    """Shows tallies as bars.

    Args:
        tallies: one for each graph and model; this observer's own, to which records go, is the first.
        out: gives its messages over to the terminal while the bars stand.
        stream: the terminal; stderr when None.
    """

    def __init__(self, tallies: Sequence[Tally], out: Output, stream: IO[str] | None = None) -> None:
        super().__init__(tallies[0], out)
        self._tallies = tallies
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=_WIDTH),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[counts]}"),
        )
        console = Console(file=stream or sys.stderr, highlight=False)
        self._board = _Board(*columns, console=console, refresh_per_second=4)
        self._board.tallies = tallies
        self._tasks = [
            self._board.add_task(escape(tally.label), total=tally.total, counts="") for tally in tallies
        ]
        self._before, out.speak = out.speak, lambda text: console.print(text, markup=False)
        self._show()
        self._board.start()

    def finished(self, record: RunRecord) -> None:
        """Move the bar."""
        super().finished(record)
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
        for task, tally in zip(self._tasks, self._tallies, strict=True):
            self._board.update(task, completed=tally.done, counts=tally.counts)
