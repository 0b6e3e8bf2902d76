"""A run as one watches it: bars in a terminal, a line a minute elsewhere, events for programs."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from typing import Any

from evals.output import Output
from evals.progress.tally import Tally
from evals.store.records import RunKey, RunRecord

__all__ = ["Events", "Lines", "Quiet", "open_progress"]

_EVERY = 60.0


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


class _Periodic(Quiet, ABC):
    """Tells how far the run is, once in a while."""

    def __init__(self, tally: Tally, out: Output, every: float = _EVERY) -> None:
        super().__init__(tally, out)
        self._every = every
        self._last = tally.clock()

    def tick(self) -> None:
        """Tell it when it has been silent for long enough."""
        if self.tally.clock() - self._last >= self._every:
            self._last = self.tally.clock()
            self.tell()

    @abstractmethod
    def tell(self) -> None:
        """Say how far it is."""


class Lines(_Periodic):
    """A line every minute, and one at the end: for logs."""

    _told_error = ""

    def tell(self) -> None:
        """Say how far it is, and the last error if it is a new one."""
        self.out.say(self.tally.line())
        if self.tally.last_error != self._told_error:
            self._told_error = self.tally.last_error
            self.out.say(f"  last error: {self._told_error}")

    def close(self) -> None:
        """Say how far it came; errors are told by the table."""
        self.out.say(self.tally.line())


class Events(_Periodic):
    """An event ``sample`` for each record, and ``progress`` every minute."""

    def finished(self, record: RunRecord) -> None:
        """Send the outcome, the verdict and how far the run is."""
        super().finished(record)
        verdict = record.verdict
        self.out.event(
            "sample",
            video_id=record.video_id,
            epoch=record.epoch,
            outcome=record.outcome,
            strict=verdict.strict if verdict else None,
            loose=verdict.loose if verdict else None,
            error=record.errors[0].message if record.errors else None,
            tries=sum(call.tries for call in record.calls),
            **_counts(self.tally),
        )

    def tell(self) -> None:
        """Send how far the run is."""
        tally = self.tally
        waits = tally.accounts.oldest
        self.out.event(
            "progress",
            **_counts(tally),
            per_minute=_rounded(tally.per_minute),
            strict={"mean": _rounded(tally.strict.mean), "half": _rounded(tally.strict.half)},
            loose={"mean": _rounded(tally.loose.mean), "half": _rounded(tally.loose.half)},
            calls_in_flight=tally.accounts.waiting,
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


def open_progress(tally: Tally, out: Output) -> Quiet:
    """The progress that fits where it is shown."""
    if out.as_json:
        return Events(tally, out)
    if out.quiet:
        return Quiet(tally, out)
    if not sys.stderr.isatty():
        return Lines(tally, out)
    from evals.progress.bars import Bars  # rich, only for a terminal

    return Bars([tally], out)
