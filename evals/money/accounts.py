"""A run's accounts while it runs: what is booked, what is in flight, and a sample's end at its limit."""

from __future__ import annotations

import copy
import datetime as dt
import itertools
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from agents.errors import BudgetExceeded
from agents.meter import metered
from agents.schemas import ModelCall, Usage
from evals.money.budget import Budget
from evals.money.ledger import Ledger, cut_short, new_calls
from evals.money.prices import Money, Prices
from evals.running.attempt import Job
from evals.store.records import RunKey, RunRecord

__all__ = ["Accounts", "keeping_to"]

_Work = Callable[[Job], Awaitable[RunRecord]]


@dataclass
class _Waiting:
    """A request that waits for its answer."""

    key: RunKey
    model: str
    since: float


@dataclass
class Accounts:
    """What a run has spent, over all its starts, and what it waits for; seconds come from ``clock``.

    Attributes:
        budget: the limits.
        booked: what the records say, to the token.
        flight: by sample without a record, what its requests took so far, those of earlier starts included.
        clock: gives seconds.
        on_spent: called when tokens were spent.
    """

    budget: Budget = field(default_factory=Budget)
    booked: Ledger = field(default_factory=lambda: Ledger(Prices()))
    flight: dict[RunKey, Ledger] = field(default_factory=dict[RunKey, Ledger])
    clock: Callable[[], float] = time.monotonic
    on_spent: Callable[[], None] = lambda: None
    _waiting: dict[int, _Waiting] = field(default_factory=dict[int, _Waiting])
    _before: dict[RunKey, RunRecord] = field(default_factory=dict[RunKey, RunRecord])
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def book_earlier(self, records: Iterable[RunRecord]) -> None:
        """Count what earlier starts spent; each record with the calls that it made itself."""
        for record in records:
            self.booked.add_record(record)

    def carry(self, key: RunKey, calls: Iterable[tuple[dt.date | None, ModelCall]]) -> None:
        """Count what earlier starts paid for a sample that they did not end; its record will say it again.

        Args:
            key: of the sample.
            calls: that its journal tells of, each with its day.
        """
        ledger = self.flight[key] = Ledger(self.booked.prices)
        for day, call in calls:
            ledger.add_calls([call], day)

    def all_spent(self) -> Ledger:
        """What the run has spent over all its starts, samples without a record included."""
        whole = copy.deepcopy(self.booked)
        for ledger in self.flight.values():
            whole.include(ledger)
        return whole

    def book(self, record: RunRecord) -> None:
        """A sample is recorded: what its record says takes the place of what was counted in flight."""
        self.flight.pop(record.key, None)
        before = self._before.pop(record.key, None)
        self.booked.add_record(record.model_copy(update={"calls": new_calls(record, before)}))
        self.on_spent()  # a graph of one's own may ask past the meter: its record is the first to tell

    def open(self, job: Job) -> Ledger:
        """A sample is begun; returns where its tokens are counted."""
        if job.before is not None:
            self._before[job.key] = job.before
        return self.flight.setdefault(job.key, Ledger(self.booked.prices))

    def asked(self, key: RunKey, model: str) -> int:
        """A request is made; returns its number."""
        number = next(self._numbers)
        self._waiting[number] = _Waiting(key, model, self.clock())
        return number

    def answered(self, number: int) -> None:
        """It was answered, or failed."""
        self._waiting.pop(number, None)

    @property
    def waiting(self) -> int:
        """Requests in flight now."""
        return len(self._waiting)

    @property
    def oldest(self) -> tuple[str, str, float] | None:
        """Sample and model of the request that waits the longest, and its seconds."""
        if not self._waiting:
            return None
        first = min(self._waiting.values(), key=lambda each: each.since)
        return first.key[0], first.model, self.clock() - first.since

    @property
    def tokens(self) -> int:
        """Tokens spent, in flight included."""
        ledgers = (self.booked, *self.flight.values())
        return sum(usage.total_tokens for ledger in ledgers for usage in ledger.usage.values())

    @property
    def money(self) -> Money:
        """Money spent, in flight included, as far as prices are known."""
        found: Money = {}
        for ledger in (self.booked, *self.flight.values()):
            for currency, amount in ledger.money.items():
                found[currency] = found.get(currency, 0.0) + amount
        return found

    @property
    def unpriced(self) -> set[str]:
        """Models whose tokens have no price."""
        return self.booked.unpriced.union(*(ledger.unpriced for ledger in self.flight.values()))

    def reached(self) -> str:
        """Why nothing more must be started; empty while it may."""
        if self.budget.max_tokens_total is None and self.budget.max_cost is None:
            return ""
        return self.budget.run_reached(self.tokens, self.money)


class _SampleMeter:
    """Counts the requests of one sample, and ends it at its limit."""

    def __init__(self, job: Job, accounts: Accounts) -> None:
        self._key, self._accounts = job.key, accounts
        self.fresh = accounts.open(job)
        self._spent = Ledger(accounts.booked.prices)
        if job.before is not None:
            self._spent.add_record(job.before)
        self._spent.include(self.fresh)

    def begin(self, model: str) -> int:
        """Refuse the request where the sample has spent what it may."""
        total = self._spent.total.total_tokens
        if why := self._accounts.budget.sample_reached(total, self._spent.money):
            raise BudgetExceeded(f"The sample's budget is used up: {why}.")
        return self._accounts.asked(self._key, model)

    def end(self, number: int) -> None:
        """It was answered, or failed."""
        self._accounts.answered(number)

    def took(self, model: str, usage: Usage) -> None:
        """Count tokens."""
        self._spent.add(model, usage)
        self.fresh.add(model, usage)
        self._accounts.on_spent()


def keeping_to(accounts: Accounts, work: _Work) -> _Work:
    """Work whose requests are counted, and whose samples keep to their budget.

    The request after the one that reaches the limit is not made. Several that a sample makes at once, as
    those of a judge, may pass it together. What an earlier try spent on an interpretation that is only
    judged again counts. An answer that was kept from before is no request, and counts for nothing.
    """

    async def kept(job: Job) -> RunRecord:
        meter = _SampleMeter(job, accounts)
        with metered(meter):
            record = await work(job)
        lost = cut_short(meter.fresh, new_calls(record, job.before))
        if not lost:
            return record
        usage = sum((call.usage for call in lost), record.usage)
        return record.model_copy(update={"calls": (*record.calls, *lost), "usage": usage})

    return kept
