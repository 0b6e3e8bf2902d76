"""Many samples at once, never more than asked for, each recorded before the next is begun."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from evals.running.attempt import Job
from evals.running.interrupts import Stop
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RunStore
from evals.store.writing import Writer, writing
from graphs.durable.stopping import all_of

__all__ = ["Attempt", "Lane", "Observer", "run_jobs", "run_lanes"]

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


@dataclass(eq=False)
class Lane:
    """The jobs of one cell, and what becomes of them.

    Attributes:
        jobs: what has no record yet.
        work: makes a record of a job.
        store: where records go; a job is done when the disk has its line.
        observer: is told of progress.
        ahead: samples that were recorded or begun: the lane with the fewest is served first.
        on_broken: is told why no other sample of it could do better.
        broken: why no other sample of it could do better; empty while one may.
        taken: the jobs, as they are taken.
    """

    jobs: Iterable[Job]
    work: Attempt
    store: RunStore
    observer: Observer
    ahead: int = 0
    on_broken: Callable[[str], object] = str
    broken: str = ""
    taken: Iterator[Job] = field(init=False)

    def __post_init__(self) -> None:
        self.taken = iter(self.jobs)


async def run_jobs(  # noqa: PLR0913 - each a part of its own
    jobs: Iterable[Job], work: Attempt, store: RunStore, *, concurrency: int, observer: Observer, stop: Stop
) -> None:
    """Work through the jobs of a single lane: see :func:`run_lanes`."""
    await run_lanes([Lane(jobs, work, store, observer)], concurrency=concurrency, stop=stop)


async def run_lanes(lanes: Sequence[Lane], *, concurrency: int, stop: Stop) -> None:
    """Work through the jobs of all lanes together; returns when all are recorded, or a stop was asked for.

    Jobs are taken one by one as hands come free, so that an iterable of any length takes no memory, and
    a slow sample holds up nothing but its own hand. The lane that has come the least far is served first:
    lanes advance sample by sample, and one that was begun later, or stopped earlier, catches up.

    A failure that every other sample would share ends its lane; when it was the last, the run.

    Args:
        lanes: what there is to do; the first one's observer is told of time.
        concurrency: samples in flight at most, of all lanes together.
        stop: softly: in flight is finished; at once: in flight is cancelled and leaves no record.

    Raises:
        OSError: when the disk refuses a record; what was recorded stays.
    """
    open_lanes = list(lanes)

    async def hand(writers: dict[Lane, Writer]) -> None:
        while not stop.requested and (taken := _next(open_lanes)) is not None:
            lane, job = taken
            lane.observer.began(job.key)
            record = await lane.work(job)
            await writers[lane].put(record.line())
            lane.observer.finished(record)
            if record.fatal:
                _end(lane, record.fatal, open_lanes, stop)

    async with _ticking(lanes[0].observer), contextlib.AsyncExitStack() as opened:
        writers = {lane: await opened.enter_async_context(writing(lane.store.append)) for lane in lanes}
        hands = [asyncio.create_task(hand(writers)) for _ in range(concurrency)]
        for task in hands:
            stop.on_at_once(task.cancel)
        await all_of(hands)


def _next(lanes: list[Lane]) -> tuple[Lane, Job] | None:
    """The next job of the lane that is the furthest behind; lanes without one are closed."""
    while lanes:
        lane = min(lanes, key=lambda each: each.ahead)
        job = next(lane.taken, None)
        if job is not None:
            lane.ahead += 1
            return lane, job
        lanes.remove(lane)
    return None


def _end(lane: Lane, why: str, lanes: list[Lane], stop: Stop) -> None:
    """Take nothing more of a lane, and stop where none is left."""
    if lane in lanes:
        lanes.remove(lane)
    if lane.broken:
        return
    lane.broken = why
    lane.on_broken(why)
    if not lanes:
        stop.give_in(why)
        return
    stop.announce(f"{lane.store.folder.name} stops, since no other sample of it could do better: {why}")


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
