"""Frames decoded before they are asked for, into the cache, while the decoders have nothing else to do."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.frames.digest import digest_of
from tools.frames.source import inspect
from tools.frames.terms import Fault, Sampling, Source

if TYPE_CHECKING:
    from tools.frames.cache import FrameCache
    from tools.frames.flights import Flights
    from tools.frames.pool import Pool, Ticket

__all__ = ["afetch_frames"]

_SMALL = 8 << 20
"""Bytes of a folder of pictures below which it is read in no time."""


async def afetch_frames(
    path: str | os.PathLike[str], sampling: Sampling, cache: FrameCache, *, deadline: float = 60.0
) -> int:
    """Have the frames of a path in the cache by the time that somebody reads them.

    Nothing is decoded that the cache holds, that somebody is decoding, or that is a small folder of pictures;
    and nothing before a decoder is free that no reader waits for. What goes wrong is not raised: the next
    ``read_frames`` of these frames tells it, and does not try again. Cancelling stops the decoder.

    Args:
        path: the video file, or the folder.
        sampling: as it will be read.
        cache: as it will be read.
        deadline: seconds that decoding may take.

    Returns:
        Bytes of the pictures that were decoded; 0 if there was nothing to do.
    """
    from tools.frames.flights import shared_flights
    from tools.frames.pool import Ticket, shared_pool

    pool, ticket = shared_pool(), Ticket()
    fetch = _Fetch(path, sampling, cache, deadline, pool, ticket, shared_flights())
    try:
        return await asyncio.get_running_loop().run_in_executor(pool.spare_threads, fetch)
    except asyncio.CancelledError:
        ticket.cancel()
        raise


@dataclass(frozen=True, slots=True)
class _Fetch:
    """One read ahead, to be done in whatever thread."""

    path: str | os.PathLike[str]
    sampling: Sampling
    cache: FrameCache
    deadline: float
    pool: Pool
    ticket: Ticket
    flights: Flights

    def __call__(self) -> int:
        with suppress(Fault, OSError):  # the next read meets it too
            source = inspect(self.path)
            if not _is_small(source):
                return self._fetch(source, digest_of(source, self.sampling))
        return 0

    def _fetch(self, source: Source, digest: str) -> int:
        if self.cache.holds(digest):
            return 0
        with (
            self.pool.slots.spare(lambda: self.ticket.is_cancelled),
            self.flights.first(digest) as is_mine,
        ):
            if not is_mine or self.cache.holds(digest):
                return 0
            return self._decode(source, digest)

    def _decode(self, source: Source, digest: str) -> int:
        from tools.frames.channel import Task

        try:
            task = Task(source, os.fspath(self.path), self.sampling, self.deadline)
            frames = self.pool.answer(task, self.ticket)
        except Fault as fault:
            if not self.ticket.is_cancelled:
                self.flights.leave_fault(digest, fault)
            return 0
        if frames.digest == digest:  # else the content changed meanwhile
            self.cache.put(frames)
        return sum(len(frame.jpeg) for frame in frames.frames)


def _is_small(source: Source) -> bool:
    if source.kind != "folder":
        return False
    total = 0
    with os.scandir(source.path) as entries:
        for entry in entries:
            total += entry.stat().st_size
            if total > _SMALL:
                return False
    return True
