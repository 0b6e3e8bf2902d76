"""The pictures in which text is looked for: two a second, and a few at full size for the letters' shape."""

from __future__ import annotations

from collections.abc import Sequence

from tools.frames.pyav_reader import read
from tools.frames.terms import Frame, Sampling, Source

__all__ = ["STEP", "at_full_size", "sampled"]

STEP = 0.5
"""Seconds between two pictures that are looked at; a subtitle stays for a second at least."""

_SIDE = 800
_FULL = 1 << 16
_ALL = 1 << 30


def sampled(source: Source) -> tuple[list[Frame], list[float]]:
    """Two pictures a second, and the timestamps of all frames.

    Raises:
        Fault: if no frame can be decoded.
    """
    met: list[float] = []

    def every_step(times: Sequence[float], _limit: int) -> list[int]:
        met[:] = times
        chosen: list[int] = []
        for ordinal, time in enumerate(times):
            if not chosen or time - times[chosen[-1]] >= STEP - 1e-6:
                chosen.append(ordinal)
        if chosen[-1] != len(times) - 1:
            chosen.append(len(times) - 1)
        return chosen

    reading = read(source, Sampling(max_frames=_ALL, max_side=_SIDE, quality=92), every_step)
    return list(reading.frames), met


def at_full_size(source: Source, ordinals: Sequence[int]) -> dict[int, Frame]:
    """Frames at full size, upright, by ordinal.

    Raises:
        Fault: if no frame can be decoded.
    """
    wanted = sorted(set(ordinals))
    reading = read(
        source, Sampling(max_frames=_ALL, max_side=_FULL, quality=95), lambda _times, _limit: wanted
    )
    return {frame.ordinal: frame for frame in reading.frames}
