"""Which frames stand for a video: evenly spread over its time, the first and the last always among them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

__all__ = ["uniform"]


def uniform(times: Sequence[float], limit: int) -> list[int]:
    """Pick at most `limit` frames, evenly spread in time.

    Time is cut into equal steps from the first frame to the last, and each step takes the frame nearest to it
    (the earlier of two). Phones record with varying frame rates, so the same steps by frame number would be
    off by seconds. A still stretch without frames of its own gives fewer: no frame is taken twice.

    Args:
        times: timestamps in seconds, ascending.
        limit: at most so many frames; a video with no more than that is taken whole.

    Returns:
        Indices into `times`, strictly ascending; from a limit of 2 on, the first and the last among them.
    """
    count = len(times)
    if count <= limit:
        return list(range(count))
    if limit == 1:
        return [0]
    start, span = times[0], times[-1] - times[0]
    inner = {_nearest(times, start + span * step / (limit - 1)) for step in range(1, limit - 1)}
    return sorted(inner | {0, count - 1})


def _nearest(times: Sequence[float], instant: float) -> int:
    after = bisect_left(times, instant)
    if after == 0:
        return 0
    if after == len(times):
        return after - 1
    return after - 1 if instant - times[after - 1] <= times[after] - instant else after
