"""A run as one watches it: bars in a terminal, a line a minute elsewhere, events for programs."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from evals.output import Output
from evals.progress.tally import Tally
from evals.progress.together import Together
from evals.store.records import RunKey, RunRecord

__all__ = ["Events", "Lines", "OfCell", "Quiet", "open_progress"]

_EVERY = 60.0


class Quiet:
    """Counts, and shows nothing.

    Attributes:
        tallies: one for each cell.
        out: where words go.
    """

    def __init__(self, tallies: Sequence[Tally], out: Output) -> None:
        self.tallies = tallies
        self.out = out

    def began(self, key: RunKey, cell: int = 0) -> None:
        """A sample of a cell was started."""
        self.tallies[cell].began(key)

    def finished(self, record: RunRecord, cell: int = 0) -> None:
        """A sample's record is on disk."""
        self.tallies[cell].finished(record)

    def tick(self) -> None:
        """A second has passed."""

    def close(self) -> None:
        """The run has ended."""

    def of(self, cell: int) -> OfCell:
        """The same, told of one cell."""
        return OfCell(self, cell)


class OfCell:
    """Tells of one cell's samples."""

    def __init__(self, whole: Quiet, cell: int) -> None:
        self._whole = whole
        self._cell = cell

    def began(self, key: RunKey) -> None:
        """A sample was started."""
        self._whole.began(key, self._cell)

    def finished(self, record: RunRecord) -> None:
        """A sample's record is on disk."""
        self._whole.finished(record, self._cell)

    def tick(self) -> None:
        """A second has passed."""
        self._whole.tick()


class _Periodic(Quiet, ABC):
    """Tells how far the run is, once in a while."""

    def __init__(self, tallies: Sequence[Tally], out: Output, every: float = _EVERY) -> None:
        super().__init__(tallies, out)
        self._every = every
        self._last = self._now()

    def _now(self) -> float:
        return self.tallies[0].clock()

    def tick(self) -> None:
        """Tell it when it has been silent for long enough."""
        if self._now() - self._last >= self._every:
            self._last = self._now()
            self.tell()

    @abstractmethod
    def tell(self) -> None:
        """Say how far it is."""


class Lines(_Periodic):
    """A line every minute, and one at the end: for logs."""

    _told_error = ""

    def tell(self) -> None:
        """Say how far it is, and the last error if it is a new one."""
        self.out.say(self._line())
        error = self.tallies[0].last_error if len(self.tallies) == 1 else Together(self.tallies).last_error
        if error != self._told_error:
            self._told_error = error
            self.out.say(f"  last error: {error}")

    def close(self) -> None:
        """Say how far it came; errors are told by the table."""
        self.out.say(self._line())

    def _line(self) -> str:
        return self.tallies[0].line() if len(self.tallies) == 1 else Together(self.tallies).line()


class Events(_Periodic):
    """An event ``sample`` for each record, and ``progress`` every minute."""

    def finished(self, record: RunRecord, cell: int = 0) -> None:
        """Send the outcome, the verdict and how far its cell is."""
        super().finished(record, cell)
        verdict = record.verdict
        self._of(cell).event(
            "sample",
            video_id=record.video_id,
            epoch=record.epoch,
            outcome=record.outcome,
            strict=verdict.strict if verdict else None,
            loose=verdict.loose if verdict else None,
            error=record.errors[0].message if record.errors else None,
            tries=sum(call.tries for call in record.calls),
            **_counts(self.tallies[cell]),
        )

    def tell(self) -> None:
        """Send how far each cell is."""
        for cell in range(len(self.tallies)):
            self._tell(cell)

    def _of(self, cell: int) -> Output:
        return self.out.of(self.tallies[cell].label if len(self.tallies) > 1 else "")

    def _tell(self, cell: int) -> None:
        tally = self.tallies[cell]
        waits = tally.accounts.oldest
        self._of(cell).event(
            "progress",
            **_counts(tally),
            per_minute=_rounded(tally.per_minute),
            strict={"mean": _rounded(tally.strict.mean), "half": _rounded(tally.strict.half)},
            loose={"mean": _rounded(tally.loose.mean), "half": _rounded(tally.loose.half)},
            calls_in_flight=tally.accounts.waiting,
            servers=[
                {"model": line.name, "at_once": line.in_flight, "most": line.width, "in_line": line.queued}
                for line in tally.lines()
            ],
            oldest_call=waits and {"video_id": waits[0], "model": waits[1], "seconds": _rounded(waits[2])},
            last_error=tally.last_error or None,
        )


def _counts(tally: Tally) -> dict[str, Any]:
    accounts = tally.accounts
    money = {currency: round(amount, 6) for currency, amount in accounts.money.items()}
    return {
        "done": tally.done,
        "failed": tally.failed,
        "total": tally.total,
        "tokens": tally.tokens,
        "money": None if accounts.unpriced else money,
        "cached_tokens": tally.cached,
        "seconds_left": _rounded(tally.left),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def open_progress(tallies: Sequence[Tally], out: Output) -> Quiet:
    """The progress that fits where it is shown."""
    if out.as_json:
        return Events(tallies, out)
    if out.quiet:
        return Quiet(tallies, out)
    if not sys.stderr.isatty():
        return Lines(tallies, out)
    from evals.progress.bars import Bars  # rich, only for a terminal

    return Bars(tallies, out)
