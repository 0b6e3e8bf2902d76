"""Counts of a run, and what follows from them: time left, and what has been in flight the longest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from evals.records import Outcome, RunKey, RunRecord

__all__ = ["Tally", "spoken"]

_SLOW = 30.0  # seconds in flight from which a sample is named


@dataclass
class Tally:
    """Counts of a run; seconds come from ``clock``.

    Attributes:
        total: records that the run will have.
        done: records there are, those of earlier starts included.
        failed: of these, how many have no score.
        tokens: spent by this start.
        cached: tokens of answers that were kept from before, and cost nothing.
        clock: gives seconds.
        calls: says what is going on with the calls, if anything.
        fresh: records of this start that took time: all but bad input.
        in_flight: samples begun and not recorded, with the second they began.
        since: the second this start began.
    """

    total: int
    done: int = 0
    failed: int = 0
    tokens: int = 0
    cached: int = 0
    clock: Callable[[], float] = time.monotonic
    calls: Callable[[], str] = str
    fresh: int = 0
    in_flight: dict[RunKey, float] = field(default_factory=dict[RunKey, float])
    since: float = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.clock()

    def count_earlier(self, record: RunRecord) -> None:
        """A record of an earlier start."""
        self.done += 1
        self.failed += not record.ok

    def began(self, key: RunKey) -> None:
        """A sample was started."""
        self.in_flight[key] = self.clock()

    def finished(self, record: RunRecord) -> None:
        """A sample was recorded."""
        self.in_flight.pop(record.key, None)
        self.done += 1
        self.fresh += record.outcome is not Outcome.BAD_INPUT
        self.failed += not record.ok
        self.tokens += record.usage.total_tokens
        self.cached += record.cached.total_tokens

    @property
    def left(self) -> float | None:
        """Seconds left at the pace of this start; None before its first record."""
        if not self.fresh:
            return None
        return (self.clock() - self.since) / self.fresh * (self.total - self.done)

    @property
    def oldest(self) -> tuple[RunKey, float] | None:
        """The sample longest in flight, and its seconds."""
        if not self.in_flight:
            return None
        key = min(self.in_flight, key=self.in_flight.__getitem__)
        return key, self.clock() - self.in_flight[key]

    def line(self) -> str:
        """All of it, on one line."""
        left = "" if self.left is None else f", {spoken(self.left)} left"
        oldest = ""
        if self.oldest is not None and self.oldest[1] >= _SLOW:
            oldest = f"; {self.oldest[0][0]} in flight for {spoken(self.oldest[1])}"
        kept = f" ({self.cached:,} more from kept answers)" if self.cached else ""
        calls = f"; {told}" if (told := self.calls()) else ""
        return (
            f"{self.done}/{self.total} done, {self.failed} failed, {self.tokens:,} tokens{kept}"
            f"{left}{oldest}{calls}"
        )


def spoken(seconds: float) -> str:
    """Seconds as a person says them: ``8 s``, ``3 min 20 s``, ``2 h 05 min``."""
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004 - clocks
        return f"{whole} s"
    if whole < 3600:  # noqa: PLR2004
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
