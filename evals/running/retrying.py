"""Which failed samples run again: those for which another try may end otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evals.datasets.sample import Sample
from evals.money.accounts import Accounts
from evals.money.ledger import Ledger
from evals.running.inputs import input_digest
from evals.running.outcomes import TOOL_FAULT
from evals.store.records import Outcome, RunKey, RunRecord

__all__ = ["RETRIED", "Retry"]

RETRIED = tuple(outcome.value for outcome in Outcome if outcome.failed)
"""What ``--retry-errors`` may name."""

_WHY = {
    Outcome.REFUSED: "the model declined, and is not asked again",
    Outcome.BAD_INPUT: "the input is what it was",
    Outcome.BUDGET: "the sample has spent what it may: raise --max-sample-tokens or --max-sample-cost",
}


@dataclass(frozen=True)
class Retry:
    """Decides which records are set aside for another try.

    Without ``named``: all failures, but no refusal, no bad input whose input is what it was, and no sample
    that ended at a budget which it would meet at once. With it: exactly those outcomes.

    Attributes:
        samples: of the data set, by id.
        accounts: hold the budget of now, and prices.
        named: outcomes that were asked for.
    """

    samples: Mapping[str, Sample]
    accounts: Accounts
    named: frozenset[str] = frozenset()

    def wants(self, record: RunRecord) -> bool:
        """Whether a record's sample runs again."""
        if not record.outcome.failed:
            return False
        if self.named:
            return record.outcome in self.named
        if record.outcome is Outcome.REFUSED:
            return False
        if record.outcome is Outcome.BAD_INPUT:
            return self._changed(record)
        return record.outcome is not Outcome.BUDGET or not self._spent(record)

    def _changed(self, record: RunRecord) -> bool:
        if any(failure.kind == TOOL_FAULT for failure in record.errors):
            return True  # the tool may have been mended
        sample = self.samples.get(record.video_id)
        return not record.input_seen or sample is None or input_digest(sample) != record.input_seen

    def _spent(self, record: RunRecord) -> bool:
        spent = Ledger(self.accounts.booked.prices)
        spent.add_record(record)
        return bool(self.accounts.budget.sample_reached(spent.total.total_tokens, spent.money))

    def kept(self, records: Iterable[RunRecord]) -> frozenset[RunKey]:
        """Keys of records that stay."""
        return frozenset(record.key for record in records if not self.wants(record))

    def left_said(self, records: Iterable[RunRecord]) -> list[str]:
        """A sentence for each kind of failure that does not run again."""
        left = Counter(
            record.outcome for record in records if record.outcome.failed and not self.wants(record)
        )
        if self.named:
            return []
        return [
            f"{number} {outcome} stay as they are: {_WHY[outcome]}. "
            f"--retry-errors {outcome} runs them all the same."
            for outcome, number in left.items()
        ]
