"""Whether a written video has the frames of the one it was made from, by reading both."""

from __future__ import annotations

from tools.frames.container import Track, scan
from tools.frames.gops import shown_order
from tools.frames.pyav_reader import read
from tools.frames.terms import Fault, Sampling, Source

__all__ = ["difference"]

_SLACK = 0.0015
"""Seconds by which timestamps may move: some formats count in milliseconds."""

_LOOK = Sampling(max_frames=12, max_side=512)


def difference(before: str, after: str, *, is_exact: bool) -> str:
    """How the frames of two videos differ, in words; empty if they don't.

    Args:
        before: the file that was read.
        after: the file that was written.
        is_exact: whether frames must be the same to the last bit (twelve are compared), or only their number,
            size, turn and times.
    """
    try:
        old, new = _times(scan(before)), _times(scan(after))
        one, two = (read(Source(path, "video"), _LOOK).frames for path in (before, after))
    except Fault as fault:
        return f"it can't be read again: {fault}"
    if len(old) != len(new):
        return f"{len(new)} frames instead of {len(old)}"
    late = max(abs(a - b) for a, b in zip(old, new, strict=True))
    if late > _SLACK:
        return f"timestamps are off by up to {late:.3f} s"
    if [(f.ordinal, f.width, f.height) for f in one] != [(f.ordinal, f.width, f.height) for f in two]:
        return "frames have another size, or can't be found again"
    if is_exact and [frame.jpeg for frame in one] != [frame.jpeg for frame in two]:
        return "frames are not the same"
    return ""


def _times(track: Track) -> list[float]:
    stamps = [track.packets[number].pts or 0 for number in shown_order(track.packets)]
    return [float((stamp - stamps[0]) * track.tick) for stamp in stamps]
