"""Counts of a run, and what follows: pace, time left, running means, what has waited the longest."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evals.datasets.sample import shown
from evals.money.accounts import Accounts
from evals.money.ledger import money_said
from evals.store.records import Outcome, RunKey, RunRecord

if TYPE_CHECKING:
    from agents.calls import LineState  # langchain-core: not before a model is asked

__all__ = ["Mean", "Tally", "calls_said", "pace_said", "spent_said", "spoken"]

_SLOW = 60.0  # seconds from which a call in flight is named
_FEW = 5  # scores from which an interval is shown
_Z95 = 1.96
_LONG_ERROR = 200


@dataclass
class Mean:
    """A running mean and its 95 % interval (normal approximation), in one pass.

    Attributes:
        number: of values.
        mean: of them; 0 before the first.
    """

    number: int = 0
    mean: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """Take one more value (Welford)."""
        self.number += 1
        away = value - self.mean
        self.mean += away / self.number
        self._squares += away * (value - self.mean)

    @property
    def half(self) -> float | None:
        """Half the width of the interval; None for fewer than five values."""
        if self.number < _FEW:
            return None
        return _Z95 * math.sqrt(self._squares / (self.number - 1) / self.number)

    def said(self) -> str:
        """For a person: ``41.2 ± 6.0``."""
        return f"{self.mean:.1f}" if self.half is None else f"{self.mean:.1f} ± {self.half:.1f}"


@dataclass
class Tally:
    """Counts of a run; seconds come from ``clock``.

    Attributes:
        total: records that the run will have.
        label: graph and model, for a bar; the cell's name where a run has several.
        done: records there are, those of earlier starts included.
        failed: of these, how many have no score.
        accounts: tokens and money over all starts, calls in flight, and what kept answers spared.
        clock: gives seconds.
        traffic: says which servers failed and were asked again, if any.
        lines: what is on the way to each server now.
        stopped: says why nothing more of it is begun, if so.
        fresh: records of this start that took time: all but bad input.
        in_flight: samples begun and not recorded, with the second they began.
        strict: running mean, 0 to 100, failures as zero.
        loose: the same.
        last_error: sample and words of the last failure of this start.
        failed_at: the second of it.
        since: the second this start began.
    """

    total: int
    label: str = ""
    done: int = 0
    failed: int = 0
    accounts: Accounts = field(default_factory=Accounts)
    clock: Callable[[], float] = time.monotonic
    traffic: Callable[[], str] = str
    lines: Callable[[], Sequence[LineState]] = tuple
    stopped: Callable[[], str] = str
    fresh: int = 0
    in_flight: dict[RunKey, float] = field(default_factory=dict[RunKey, float])
    strict: Mean = field(default_factory=Mean)
    loose: Mean = field(default_factory=Mean)
    last_error: str = ""
    failed_at: float = 0.0
    since: float = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.clock()
        self.accounts.clock = self.clock

    def count_earlier(self, record: RunRecord) -> None:
        """A record of an earlier start; what it spent is in the accounts already."""
        self.done += 1
        self.failed += not record.ok
        self._score(record)

    def began(self, key: RunKey) -> None:
        """A sample was started."""
        self.in_flight[key] = self.clock()

    def finished(self, record: RunRecord) -> None:
        """A sample was recorded."""
        self.in_flight.pop(record.key, None)
        self.done += 1
        self.fresh += record.outcome is not Outcome.BAD_INPUT
        self.failed += not record.ok
        self.accounts.book(record)
        self._score(record)
        if record.errors:
            words = shown(" ".join(record.errors[0].message.split()), _LONG_ERROR)
            self.failed_at = self.clock()
            self.last_error = f"{shown(record.video_id)}: {record.label}: {words}"

    def _score(self, record: RunRecord) -> None:
        verdict = record.verdict if record.ok else None
        self.strict.add(verdict.strict * 100 if verdict else 0.0)
        self.loose.add(verdict.loose * 10 if verdict else 0.0)

    @property
    def tokens(self) -> int:
        """Spent over all starts, in flight included."""
        return self.accounts.tokens

    @property
    def cached(self) -> int:
        """Tokens of answers that were kept from before, over all starts; they cost nothing."""
        return self.accounts.booked.spared.total_tokens

    @property
    def per_minute(self) -> float | None:
        """Records a minute at the pace of this start; None before its first."""
        passed = self.clock() - self.since
        return self.fresh / passed * 60 if self.fresh and passed >= 1 else None

    @property
    def left(self) -> float | None:
        """Seconds left at the pace of this start; None before its first record."""
        if not self.fresh or self.stopped():
            return None
        return (self.clock() - self.since) / self.fresh * (self.total - self.done)

    @property
    def oldest(self) -> tuple[RunKey, float] | None:
        """The sample longest in flight, and its seconds."""
        if not self.in_flight:
            return None
        key = min(self.in_flight, key=self.in_flight.__getitem__)
        return key, self.clock() - self.in_flight[key]

    @property
    def counts(self) -> str:
        """How many are done."""
        stopped = ", stopped" if self.stopped() else ""
        return f"{self.done}/{self.total} done, {self.failed} failed{stopped}"

    @property
    def spent(self) -> str:
        """Tokens and money; ``~`` where a server reported none and some are estimated."""
        accounts = self.accounts
        money = money_said(accounts.money, accounts.unpriced)
        return spent_said(self.tokens, self.cached, money, estimated=accounts.booked.total.estimated)

    @property
    def pace(self) -> str:
        """Rate and time left; empty before there is one."""
        return pace_said(self.per_minute, self.left)

    @property
    def scores(self) -> str:
        """Running means; empty before the first record."""
        return f"strict {self.strict.said()}, loose {self.loose.said()}" if self.strict.number else ""

    @property
    def calls(self) -> str:
        """Calls in flight, and how many each server is asked at once; empty without one."""
        return calls_said(self.accounts.waiting, self.lines())

    @property
    def slow(self) -> str:
        """The call, or else the sample, that has been in flight for more than a minute; mostly empty."""
        call = self.accounts.oldest
        if call is not None:
            video_id, model, seconds = call
            told = f"oldest call: {model} on {shown(video_id)}, for {spoken(seconds)}"
            return told if seconds >= _SLOW else ""
        if self.oldest is not None and self.oldest[1] >= _SLOW:
            return f"{shown(self.oldest[0][0])} in flight for {spoken(self.oldest[1])}"
        return ""

    def line(self) -> str:
        """All of it, on one line."""
        first = ", ".join(part for part in (self.counts, self.spent, self.pace, self.calls) if part)
        return "; ".join(part for part in (first, self.scores, self.slow, self.traffic()) if part)


def spent_said(tokens: int, cached: int, money: str, *, estimated: bool) -> str:
    """Tokens and money for a person."""
    kept = f" ({cached:,} more from kept answers)" if cached else ""
    return f"{'~' if estimated else ''}{tokens:,} tokens{kept}" + (f", {money}" if money else "")


def pace_said(per_minute: float | None, left: float | None) -> str:
    """Rate and time left for a person; empty where neither is known."""
    parts = [f"{per_minute:.1f}/min"] if per_minute is not None else []
    parts += [f"{spoken(left)} left"] if left is not None else []
    return ", ".join(parts)


def calls_said(number: int, lines: Iterable[LineState] = ()) -> str:
    """How many calls are in flight, and where; empty without one.

    ``12 calls in flight (openai:x: 4 of 4 at once, 7 in line)``: what is missing waits for another try.
    """
    if not number:
        return ""
    told = "; ".join(_line_said(line) for line in lines if line.in_flight or line.queued)
    return f"{number} call{'' if number == 1 else 's'} in flight" + (f" ({told})" if told else "")


def _line_said(line: LineState) -> str:
    queued = f", {line.queued} in line" if line.queued else ""
    return f"{line.name}: {line.in_flight} of {line.width} at once{queued}"


def spoken(seconds: float) -> str:
    """Seconds as a person says them: ``8 s``, ``3 min 20 s``, ``2 h 05 min``."""
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004 - clocks
        return f"{whole} s"
    if whole < 3600:  # noqa: PLR2004
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
