"""The reader of WebP, still or animated, through Pillow: FFmpeg doesn't decode the animated kind."""

from __future__ import annotations

from collections.abc import Iterator

from tools.frames.encode import jpeg
from tools.frames.pictures import glance_of, opened, rgb, shrunk
from tools.frames.sampling import uniform
from tools.frames.terms import Choose, Fault, Frame, Glance, Reading, Sampling, Source

__all__ = ["glances", "read"]

_UNSAID = 0.1
"""Seconds of a picture whose duration is not told, as browsers show it."""


def read(source: Source, sampling: Sampling, choose: Choose = uniform) -> Reading:
    """Read the chosen pictures of a WebP file.

    Raises:
        Fault: if no picture of it can be decoded.
    """
    times, end, warnings = _times(source.path)
    chosen = choose(times, sampling.max_frames)
    frames: list[Frame] = []
    with opened(source.path) as image:
        for ordinal in chosen:
            image.seek(ordinal)
            picture = shrunk(rgb(image), sampling.max_side)
            frames.append(jpeg(picture, ordinal, times[ordinal], sampling.quality))
    return Reading(tuple(frames), end, warnings)


def glances(source: Source) -> Iterator[Glance]:
    """Look at every picture that can be decoded, at very small size.

    Raises:
        Fault: if no picture of it can be decoded.
    """
    times, _, _ = _times(source.path)
    with opened(source.path) as image:
        for ordinal, timestamp in enumerate(times):
            image.seek(ordinal)
            yield glance_of(image, timestamp)


def _times(path: str) -> tuple[list[float], float, tuple[str, ...]]:
    """When each picture is shown, when the last one ends, and what was met on the way."""
    times: list[float] = []
    now = 0.0
    with opened(path) as image:
        count = getattr(image, "n_frames", 1)
        for ordinal in range(count):
            try:
                image.seek(ordinal)
                image.load()
            except (OSError, EOFError) as error:
                if not times:
                    raise Fault(f"no picture can be decoded: {error}") from error
                return times, now, (f"damaged: only {ordinal} of {count} pictures can be decoded",)
            times.append(now)
            now += (image.info.get("duration") or _UNSAID * 1000) / 1000
    return times, now, ()
