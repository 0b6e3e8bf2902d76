"""Many samples at once, never more than asked for, each recorded before the next is begun."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Protocol

from evals.running.attempt import Job
from evals.running.interrupts import Stop
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RunStore
from evals.store.writing import Writer, writing
from graphs.durable.stopping import all_of

__all__ = ["Attempt", "Observer", "run_jobs"]

Attempt = Callable[[Job], Awaitable[RunRecord]]
"""Turns a job into a record, and raises nothing but cancellation."""


class Observer(Protocol):
    """Is told of samples; must not raise."""

    def began(self, key: RunKey) -> None:
        """A sample was started."""
        ...

    def finished(self, record: RunRecord) -> None:
        """A sample's record is on disk."""
        ...

    def tick(self) -> None:
        """A second has passed."""
        ...


async def run_jobs(  # noqa: PLR0913 - each a part of its own
    jobs: Iterable[Job], work: Attempt, store: RunStore, *, concurrency: int, observer: Observer, stop: Stop
) -> None:
    """Work through jobs; returns when all are recorded, or a stop was asked for.

    Jobs are taken one by one as hands come free, so that an iterable of any length takes no memory, and
    a slow sample holds up nothing but its own hand.

    Args:
        jobs: what has no record yet.
        work: makes a record of a job.
        store: where records go; a job is done when the disk has its line.
        concurrency: samples in flight at most.
        observer: is told of progress.
        stop: softly: in flight is finished; at once: in flight is cancelled and leaves no record.

    Raises:
        OSError: when the disk refuses a record; what was recorded stays.
    """
    source = iter(jobs)

    async def hand(writer: Writer) -> None:
        while not stop.requested and (job := next(source, None)) is not None:
            observer.began(job.key)
            record = await work(job)
            await writer.put(record.line())
            observer.finished(record)
            if record.fatal:
                stop.give_in(record.fatal)

    async with _ticking(observer), writing(store.append) as writer:
        hands = [asyncio.create_task(hand(writer)) for _ in range(concurrency)]
        for task in hands:
            stop.on_at_once(task.cancel)
        await all_of(hands)


@contextlib.asynccontextmanager
async def _ticking(observer: Observer) -> AsyncGenerator[None]:
    async def beat() -> None:
        while True:
            await asyncio.sleep(1)
            observer.tick()

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()
