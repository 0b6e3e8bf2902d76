"""What earlier starts of a run have spent: each record with those calls alone that it made itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from agents.schemas import ModelCall
from evals.compact import NumberBy
from evals.money.accounts import Accounts
from evals.store.records import RunRecord
from evals.store.run_store import RunStore

__all__ = ["book_all", "earlier_records"]


def earlier_records(aside: Iterable[RunRecord], current: Iterable[RunRecord]) -> Iterator[RunRecord]:
    """All records of a run, each with those calls alone that it made itself.

    Of each record that was set aside, 51 bytes are kept meanwhile.

    Args:
        aside: records set aside for another try, in the order of time.
        current: records that count.
    """
    last = _Last()
    for record in aside:
        if not last.is_again(record):  # a kill while records were moved leaves one twice
            calls = last.new_calls(record)
            last.note(record)
            yield record.model_copy(update={"calls": calls})
    for record in current:
        if not last.number:
            yield record
        elif not last.is_again(record):
            yield record.model_copy(update={"calls": last.new_calls(record)})


class _Last:
    """The latest record set aside of each key, by digests."""

    def __init__(self) -> None:
        self._lines, self._calls, self._numbers = NumberBy(), NumberBy(), NumberBy()

    @property
    def number(self) -> int:
        return len(self._lines)

    def is_again(self, record: RunRecord) -> bool:
        return record.key in self._lines and self._lines.get(record.key) == _digest(record.line())

    def new_calls(self, record: RunRecord) -> tuple[ModelCall, ...]:
        """As :func:`evals.money.ledger.new_calls`."""
        number = self._numbers.get(record.key)
        if number is None or record.interpretation is None:
            return record.calls
        same = self._calls.get(record.key) == _made(record, number)
        return record.calls[number:] if same else record.calls

    def note(self, record: RunRecord) -> None:
        self._lines[record.key] = _digest(record.line())
        self._numbers[record.key] = len(record.calls)
        self._calls[record.key] = _made(record, len(record.calls))


def _made(record: RunRecord, number: int) -> int:
    """An interpretation, and the first calls of its record."""
    return _digest(repr((record.interpretation, record.calls[:number])))


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())


def book_all(accounts: Accounts, store: RunStore) -> None:
    """Count all that earlier starts spent in a run directory, for samples that they did not end too."""
    accounts.book_earlier(earlier_records(store.aside(), store.records()))
    for key, calls in store.paid():
        accounts.carry(key, [(step.day, call) for step, call in calls])
