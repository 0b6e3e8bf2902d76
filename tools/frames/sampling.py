"""Which frames stand for a video: spread over its time or its shots, the first and the last among them."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from tools.frames.terms import Choose, Sampling

__all__ = ["at_rate", "chooser", "over_shots", "shot_of", "uniform"]

_SAME = 1e-6
"""Seconds below which two timestamps are the same one, computed in two ways."""


def chooser(sampling: Sampling, cuts: Sequence[float] = ()) -> Choose:
    """The choice that a sampling asks for; `cuts` are the seconds at which new shots begin."""
    if sampling.method == "fps":
        return partial(at_rate, fps=sampling.fps)
    if sampling.method == "shots":
        return partial(over_shots, cuts=cuts)
    return uniform


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


def at_rate(times: Sequence[float], limit: int, *, fps: float) -> list[int]:
    """Pick the frames nearest to every 1/fps seconds from the first frame on, and the last frame.

    The last frame takes the place of a moment less than half a step before it. Where that makes more than
    `limit` frames, the rate is lowered evenly, which is `uniform`.

    Returns:
        Indices into `times`, strictly ascending.
    """
    span = times[-1] - times[0] if times else 0.0
    # The count is bounded before anything of its size is made: a rate may be absurdly high.
    if limit == 1 or span * fps - 0.5 >= limit - 1:
        return uniform(times, limit)
    moments = (times[0] + step / fps for step in range(int(span * fps) + 1) if step <= span * fps - 0.5)
    chosen = {_nearest(times, moment) for moment in moments} | ({0, len(times) - 1} if times else set())
    return sorted(chosen) if len(chosen) <= limit else uniform(times, limit)


def over_shots(times: Sequence[float], limit: int, *, cuts: Sequence[float]) -> list[int]:
    """Pick at most `limit` frames so that each shot has its share, in proportion to its length.

    Every shot gives at least one frame; the rest goes one by one to the shot whose frames stand for the most
    time each (Adams's rule of seats; of two alike, the earlier). Inside a shot the frames are spread evenly
    and away from its edges, where one picture may still blend into another; but the first and the last frame
    of the video are always taken. With more shots than frames, the first shot, the last one and the longest
    of the others give one frame each. No frame is taken twice.

    Args:
        times: timestamps in seconds, ascending.
        limit: at most so many frames; a video with no more than that is taken whole.
        cuts: timestamps of the first frame of each shot but the first, ascending.

    Returns:
        Indices into `times`, strictly ascending; from a limit of 2 on, the first and the last among them.
    """
    starts = sorted({0, *(bisect_left(times, cut - _SAME) for cut in cuts)} - {len(times)})
    if len(times) <= limit or limit == 1 or len(starts) == 1:
        return uniform(times, limit)
    shots = [range(start, stop) for start, stop in pairwise([*starts, len(times)])]
    quotas = _quotas(times, shots, limit)
    chosen: set[int] = set()
    for shot, quota in zip(shots, quotas, strict=True):
        is_first, is_last = shot.start == 0, shot.stop == len(times)
        chosen.update(_inside(times, shot, quota, is_first=is_first, is_last=is_last))
    return sorted(chosen)


def shot_of(cuts: Sequence[float], timestamp: float) -> int:
    """Number of the shot, from 0, that a moment belongs to."""
    return bisect_right(cuts, timestamp + _SAME)


def _quotas(times: Sequence[float], shots: Sequence[range], limit: int) -> list[int]:
    """How many frames each shot gives: `limit` in all, as far as the shots have that many."""
    step = (times[-1] - times[0]) / (len(times) - 1)  # for which the last frame stays
    ends = [*(times[shot.start] for shot in shots[1:]), times[-1] + step]
    lengths = [end - times[shot.start] for shot, end in zip(shots, ends, strict=True)]
    last = len(shots) - 1
    if len(shots) >= limit:
        inner = sorted(range(1, last), key=lambda number: (-lengths[number], number))
        taken = {0, last, *inner[: limit - 2]}
        return [int(number in taken) for number in range(len(shots))]
    quotas = [1] * len(shots)
    queue = [(-length, number) for number, length in enumerate(lengths) if len(shots[number]) > 1]
    heapq.heapify(queue)
    for _ in range(limit - len(shots)):
        if not queue:
            break
        _, number = heapq.heappop(queue)
        quotas[number] += 1
        if quotas[number] < len(shots[number]):
            heapq.heappush(queue, (-lengths[number] / quotas[number], number))
    return quotas


def _inside(times: Sequence[float], shot: range, quota: int, *, is_first: bool, is_last: bool) -> set[int]:
    """Frames of one shot: `quota` parts, the middle of each; half a part less at an end of the video."""
    if quota == 0:
        return set()
    fixed = ({shot.start} if is_first else set[int]()) | ({shot.stop - 1} if is_last else set[int]())
    start, span = times[shot.start], times[shot.stop - 1] - times[shot.start]
    parts = quota - (is_first + is_last) / 2
    shift = 0.0 if is_first else 0.5
    inner = range(int(is_first), quota - int(is_last))
    frames = {
        _nearest(times, start + span * (number + shift) / parts, shot.start, shot.stop) for number in inner
    }
    chosen = fixed | frames
    while len(chosen) < quota:  # two parts met in one frame: another stands in, far from those there are
        spare = (number for number in shot if number not in chosen)
        chosen.add(max(spare, key=lambda number: min(abs(times[number] - times[at]) for at in chosen)))
    return chosen


def _nearest(times: Sequence[float], instant: float, start: int = 0, stop: int | None = None) -> int:
    stop = len(times) if stop is None else stop
    after = bisect_left(times, instant, start, stop)
    if after == start:
        return start
    if after == stop:
        return after - 1
    return after - 1 if instant - times[after - 1] <= times[after] - instant else after
