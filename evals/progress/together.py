"""What the tallies of several cells say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evals.money.budget import Budget
from evals.money.ledger import money_said
from evals.money.purse import Purse
from evals.progress.tally import Tally, calls_said, pace_said, spent_said

__all__ = ["Together"]

_MOST_ON_A_LINE = 8


@dataclass(frozen=True, slots=True)
class Together:
    """Several tallies as one; their clock is one clock.

    Attributes:
        tallies: one for each cell.
    """

    tallies: Sequence[Tally]

    @property
    def counts(self) -> str:
        """How many are done."""
        done, total, failed = (sum(getattr(t, n) for t in self.tallies) for n in ("done", "total", "failed"))
        return f"{done}/{total} done, {failed} failed"

    @property
    def spent(self) -> str:
        """Tokens and money of all."""
        purse = Purse(Budget(), [tally.accounts for tally in self.tallies])
        cached = sum(tally.cached for tally in self.tallies)
        estimated = any(tally.accounts.booked.total.estimated for tally in self.tallies)
        return spent_said(purse.tokens, cached, money_said(purse.money, purse.unpriced), estimated=estimated)

    @property
    def pace(self) -> str:
        """Rate and time left, all cells served by the same hands; empty before there is one."""
        fresh = sum(tally.fresh for tally in self.tallies)
        passed = self.tallies[0].clock() - min(tally.since for tally in self.tallies)
        if not fresh or passed < 1:
            return ""
        to_come = sum(tally.total - tally.done for tally in self.tallies if not tally.stopped())
        return pace_said(fresh / passed * 60, passed / fresh * to_come)

    @property
    def calls(self) -> str:
        """Calls in flight, and how many each server is asked at once: all cells share the ways to them."""
        return calls_said(sum(tally.accounts.waiting for tally in self.tallies), self.tallies[0].lines())

    @property
    def slow(self) -> str:
        """What has been in flight for more than a minute, where it is the oldest; mostly empty."""
        oldest = [(tally.accounts.oldest, tally) for tally in self.tallies]
        waits = [(call[2], tally.slow) for call, tally in oldest if call is not None]
        if waits:
            return max(waits)[1]
        return next((tally.slow for tally in self.tallies if tally.slow), "")

    @property
    def traffic(self) -> str:
        """Which servers failed and were asked again, if any: they are the same for all."""
        return self.tallies[0].traffic()

    @property
    def last_error(self) -> str:
        """The last failure of any, with its cell; empty before one."""
        failed = [tally for tally in self.tallies if tally.last_error]
        if not failed:
            return ""
        last = max(failed, key=lambda tally: tally.failed_at)
        return f"{last.label}: {last.last_error}"

    def line(self) -> str:
        """All of it on one line, each cell's count and scores behind where they are few."""
        first = ", ".join(part for part in (self.counts, self.spent, self.pace, self.calls) if part)
        shown = self.tallies if len(self.tallies) <= _MOST_ON_A_LINE else ()
        cells = (
            " ".join(part for part in (f"{tally.label} {tally.done}/{tally.total}", tally.scores) if part)
            + (" (stopped)" if tally.stopped() else "")
            for tally in shown
        )
        return "; ".join(part for part in (first, *cells, self.slow, self.traffic) if part)
