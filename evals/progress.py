"""A run as one watches it: a bar in a terminal, a line now and then elsewhere, events for programs."""

from __future__ import annotations

import sys
from typing import IO

from evals.output import Output
from evals.records import RunKey, RunRecord
from evals.tally import Tally

__all__ = ["Bar", "Events", "Lines", "Quiet", "open_progress"]

_EVERY = 30.0


class Quiet:
    """Counts, and shows nothing."""

    def __init__(self, tally: Tally, out: Output) -> None:
        self.tally = tally
        self.out = out

    def began(self, key: RunKey) -> None:
        """A sample was started."""
        self.tally.began(key)

    def finished(self, record: RunRecord) -> None:
        """A sample's record is on disk."""
        self.tally.finished(record)

    def tick(self) -> None:
        """A second has passed."""

    def close(self) -> None:
        """The run has ended."""


class Lines(Quiet):
    """A line every half minute, and one at the end: for logs."""

    def __init__(self, tally: Tally, out: Output, every: float = _EVERY) -> None:
        super().__init__(tally, out)
        self._every = every
        self._last = tally.clock()

    def tick(self) -> None:
        """Say how far it is when it has been silent for long enough."""
        if self.tally.clock() - self._last >= self._every:
            self._last = self.tally.clock()
            self.out.say(self.tally.line())

    def close(self) -> None:
        """Say how far it came."""
        self.out.say(self.tally.line())


class Events(Quiet):
    """An event ``sample`` for each record."""

    def finished(self, record: RunRecord) -> None:
        """Send the outcome, the verdict and how far the run is."""
        super().finished(record)
        tally, verdict = self.tally, record.verdict
        self.out.event(
            "sample",
            video_id=record.video_id,
            epoch=record.epoch,
            outcome=record.outcome,
            strict=verdict.strict if verdict else None,
            loose=verdict.loose if verdict else None,
            error=record.errors[0].message if record.errors else None,
            done=tally.done,
            failed=tally.failed,
            total=tally.total,
            tokens=tally.tokens,
            cached_tokens=tally.cached,
            tries=sum(call.tries for call in record.calls),
            seconds_left=None if tally.left is None else round(tally.left, 1),
        )


class Bar(Quiet):
    """A bar that stays at the bottom of a terminal; what is said meanwhile appears above it."""

    def __init__(self, tally: Tally, out: Output, stream: IO[str] | None = None) -> None:
        super().__init__(tally, out)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(bar_width=24),
            TextColumn("{task.description}"),
        )
        console = Console(file=stream or sys.stderr, highlight=False)
        self._bar = Progress(*columns, console=console, refresh_per_second=4)
        self._task = self._bar.add_task("", total=tally.total)
        self._before, out.speak = out.speak, lambda text: console.print(text, markup=False)
        self._show()
        self._bar.start()

    def finished(self, record: RunRecord) -> None:
        """Move the bar."""
        super().finished(record)
        self._show()

    def tick(self) -> None:
        """Let time pass in the bar's text."""
        self._show()

    def close(self) -> None:
        """Leave the bar as it stands."""
        self._show()
        self._bar.stop()
        self.out.speak = self._before

    def _show(self) -> None:
        from rich.markup import escape

        self._bar.update(self._task, completed=self.tally.done, description=escape(self.tally.line()))


def open_progress(tally: Tally, out: Output) -> Quiet:
    """The progress that fits where it is shown."""
    if out.as_json:
        return Events(tally, out)
    if out.quiet:
        return Quiet(tally, out)
    return Bar(tally, out) if sys.stderr.isatty() else Lines(tally, out)
