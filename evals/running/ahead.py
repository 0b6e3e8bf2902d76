"""The next samples' frames, fetched while the samples in flight wait for models."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self

from agents.errors import MetaphorBoostError
from evals.running.attempt import Job

__all__ = ["Ahead", "Fetching", "look_ahead"]

_MOST_BYTES = 512 << 20
_IDLE = 16
_EVERY = 0.25


class Fetching(Protocol):
    """What knows how to fetch: the resources of a context."""

    has_looked: bool

    async def fetch(self, path: str) -> int:
        """Have a video's frames ready; returns the bytes that this took, 0 if there was nothing to do."""
        ...


@dataclass(eq=False, slots=True)
class _Next:
    """A job whose turn is to come.

    Attributes:
        job: the job.
        source: who fetches its frames.
        size: bytes that were fetched for it.
        begun: its turn has come.
    """

    job: Job
    source: Fetching
    size: int = 0
    begun: bool = False


def look_ahead(give_in: Callable[[str], None], concurrency: int) -> Ahead:
    """As many jobs ahead as there are samples in flight (8 to 64), with a fetch a processor, up to 4.

    Args:
        give_in: told why no more jobs can be had, where the data set can't be read any further.
        concurrency: samples in flight at most.
    """
    return Ahead(give_in, depth=min(max(concurrency, 8), 64), workers=min(os.cpu_count() or 1, 4))


class Ahead:
    """Looks some jobs ahead, and has their frames fetched into the frame cache, a few at once.

    What is held ahead is bounded: jobs by ``depth``, and the frames that were fetched for samples whose turn
    has not come by ``most_bytes``; they lie in the cache, not in memory. Nothing is fetched before the first
    turn has asked for frames, since a graph of one's own may never do; and where samples in a row had
    nothing to fetch, only one in so many is looked at, until there is something again. What goes wrong ahead
    is told by the sample's own turn.
    """

    def __init__(
        self,
        give_in: Callable[[str], None],
        *,
        depth: int,
        workers: int,
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        """Fetch nothing yet.

        Args:
            give_in: told why no more jobs can be had, where the data set can't be read any further.
            depth: jobs to look ahead, of each lane.
            workers: fetches at once.
            most_bytes: of frames that wait for their sample's turn.
        """
        self._give_in = give_in
        self._depth, self._workers, self._most_bytes = depth, workers, most_bytes
        self._waiting: deque[_Next] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._beat: asyncio.Task[None] | None = None
        self._held = self._idle = self._passed = 0
        self._closed = False

    def jobs(self, source: Iterable[Job], fetching: Fetching) -> Iterator[Job]:
        """The same jobs in the same order; those next in turn are read ahead, the first ones at once.

        A source that fails ends, and ``give_in`` is told why, so that what is in flight is finished.
        """
        taken = iter(source)
        upcoming: deque[_Next] = deque()
        self._fill(upcoming, taken, fetching)
        return self._in_turn(upcoming, taken, fetching)

    def _in_turn(self, upcoming: deque[_Next], taken: Iterator[Job], fetching: Fetching) -> Iterator[Job]:
        while upcoming:
            first = upcoming.popleft()
            self._fill(upcoming, taken, fetching)
            self._begin(first)
            yield first.job

    def _fill(self, upcoming: deque[_Next], taken: Iterator[Job], fetching: Fetching) -> None:
        try:
            while len(upcoming) < self._depth and (job := next(taken, None)) is not None:
                upcoming.append(_Next(job, fetching))
                self._waiting.append(upcoming[-1])
        except MetaphorBoostError as error:
            self._give_in(str(error))

    def _begin(self, first: _Next) -> None:
        """The turn of a job has come: its frames are its own from now on."""
        first.begun = True
        self._held -= first.size
        if first in self._waiting:
            self._waiting.remove(first)
        if self._beat is None and not self._closed:
            self._beat = asyncio.create_task(self._beating())
        self._pump()

    async def _beating(self) -> None:
        while True:  # the first look may end long before the next job begins
            await asyncio.sleep(_EVERY)
            self._pump()

    def _pump(self) -> None:
        """Begin as many fetches as may be."""
        while not self._closed and len(self._running) < self._workers and self._held < self._most_bytes:
            each = next((each for each in self._waiting if each.source.has_looked), None)
            if each is None:
                return
            self._waiting.remove(each)
            if each.job.sample.video is not None and self._is_worth_a_look():
                task = asyncio.create_task(self._fetch(each, str(each.job.sample.video)))
                self._running.add(task)
                task.add_done_callback(self._done)

    def _is_worth_a_look(self) -> bool:
        self._passed += 1
        return self._idle < _IDLE or self._passed % _IDLE == 0

    async def _fetch(self, each: _Next, video: str) -> None:
        try:
            size = await each.source.fetch(video)
        except Exception:  # noqa: BLE001 - its own turn meets it, and tells it
            return
        self._idle = 0 if size else self._idle + 1
        if not each.begun:
            each.size = size
            self._held += size

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._pump()

    def __enter__(self) -> Self:
        """Fetch while the block runs."""
        return self

    def __exit__(self, *_: object) -> None:
        """Call off what is being fetched."""
        self._closed = True
        for task in (*self._running, *([self._beat] if self._beat else [])):
            task.cancel()
