"""What becomes of a sample on disk: each step as it is finished, and one record at the end."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

from agents.calls.journal import journaled
from evals.store.journals import SampleJournal
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RunStore
from evals.store.writing import Writer, writing

__all__ = ["Keeper", "keeping"]


@dataclass(frozen=True, slots=True)
class Keeper:
    """Writes to a run directory while a run goes on.

    Attributes:
        store: the run directory.
        records: takes the lines of records.
    """

    store: RunStore
    records: Writer[str]

    async def kept(self, key: RunKey, work: Callable[[], Awaitable[RunRecord]]) -> RunRecord:
        """Do the work for a sample; returns its record when the disk has it.

        What an earlier start did for the sample is not done again; what is done now is kept from the moment
        that it is known, so that no later start does it again.

        Raises:
            OSError: when the disk refused a step or the record.
        """
        journal = SampleJournal(self.store.steps, key)
        with journaled(journal):
            record = await work()
        await journal.settle()  # a sample that could not be written down did not end as it would have
        await self.records.put(record.line())
        self.store.steps.done(key)
        return record


@contextlib.asynccontextmanager
async def keeping(store: RunStore) -> AsyncGenerator[Keeper]:
    """Write to a run directory while the block runs; it ends with nothing left to write.

    Raises:
        OSError: when the disk refuses, at the latest at the end.
    """
    async with store.steps.serving(), writing(store.append) as records:
        yield Keeper(store, records)
