"""The way in: read the frames of a path, from sync and from async code."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.frames.digest import digest_of
from tools.frames.source import inspect
from tools.frames.terms import Fault, FrameSet, Sampling, Source

if TYPE_CHECKING:
    from tools.errors import FrameError
    from tools.frames.cache import FrameCache
    from tools.frames.pool import Pool, Ticket

__all__ = ["aread_frames", "frames_digest", "read_frames"]

PathLike = str | os.PathLike[str]

_DEFAULT = Sampling()


def read_frames(
    path: PathLike,
    sampling: Sampling = _DEFAULT,
    *,
    deadline: float = 60.0,
    cache: FrameCache | None = None,
) -> FrameSet:
    """Read some frames of a video file, or of a folder of pictures; by default, evenly spread ones.

    The pictures of a folder are taken in natural order ("2.jpg" before "10.jpg"). Their timestamps come from
    names that all end in seconds ("shot_1.50s.jpg"); without such names, they are counted at 1 a second.

    Args:
        path: the video file, or the folder.
        sampling: how many frames, which, how large, how encoded, by which reader.
        deadline: seconds that decoding may take, before it is stopped.
        cache: where frames are looked up before anything is decoded, and kept afterwards; none by default.

    Returns:
        At most `sampling.max_frames` frames, by time, the first and the last of the video among them; all
        frames where the video has no more than that. Damage that was got over stands in `warnings`.

    Raises:
        FrameError: naming the path and the fault, if no frame can be had: missing, empty, no video, sound
            only, too large, not decoded in time, a decoder that crashed.
    """
    from tools.frames.pool import Ticket, shared_pool

    return _Read(path, sampling, deadline, cache, shared_pool(), Ticket())()


async def aread_frames(
    path: PathLike,
    sampling: Sampling = _DEFAULT,
    *,
    deadline: float = 60.0,
    cache: FrameCache | None = None,
) -> FrameSet:
    """Read like `read_frames`, without blocking the event loop; cancelling it stops the decoder.

    Raises:
        FrameError: naming the path and the fault, as `read_frames` does.
    """
    import asyncio

    from tools.frames.pool import Ticket, shared_pool

    pool, ticket = shared_pool(), Ticket()
    read = _Read(path, sampling, deadline, cache, pool, ticket)
    try:
        return await asyncio.get_running_loop().run_in_executor(pool.threads, read)
    except asyncio.CancelledError:
        ticket.cancel()
        raise


def frames_digest(path: PathLike, sampling: Sampling = _DEFAULT) -> str:
    """The digest that `read_frames` would give, without decoding: hex SHA-256 over content and sampling.

    Raises:
        FrameError: if the path is missing, empty or can't be read.
    """
    try:
        return digest_of(inspect(path), sampling)
    except Fault as fault:
        raise _error(path, str(fault)) from fault
    except OSError as error:
        raise _error(path, error.strerror or str(error)) from error


@dataclass(frozen=True, slots=True)
class _Read:
    """One read, to be done in whatever thread."""

    path: PathLike
    sampling: Sampling
    deadline: float
    cache: FrameCache | None
    pool: Pool
    ticket: Ticket

    def __call__(self) -> FrameSet:
        try:
            source = inspect(self.path)
            return self._decode(source) if self.cache is None else self._look_up(source, self.cache)
        except Fault as fault:
            raise _error(self.path, str(fault)) from fault

    def _look_up(self, source: Source, cache: FrameCache) -> FrameSet:
        try:
            digest = digest_of(source, self.sampling)
        except OSError as error:
            raise Fault(error.strerror or str(error)) from error
        found = cache.get(digest, os.fspath(self.path))
        return found if found is not None else self._decode_alone(source, digest, cache)

    def _decode_alone(self, source: Source, digest: str, cache: FrameCache) -> FrameSet:
        """Decode, unless somebody just did."""
        from tools.frames.flights import shared_flights

        flights = shared_flights()
        with flights.alone(digest):
            found = cache.get(digest, os.fspath(self.path))
            if found is not None:
                return found
            if fault := flights.take_fault(digest):
                raise fault
            frames = self._decode(source)
            if frames.digest == digest:  # else the content changed, and nobody knows which was decoded
                cache.put(frames)
            return frames

    def _decode(self, source: Source) -> FrameSet:
        from tools.frames.channel import Task

        return self.pool.run(Task(source, os.fspath(self.path), self.sampling, self.deadline), self.ticket)


def _error(path: PathLike, fault: str) -> FrameError:
    from tools.errors import FrameError

    return FrameError(os.fspath(path), fault)
