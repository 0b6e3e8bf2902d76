"""What share of all that was counted is of each kind, with intervals by video."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evals.statistics.bootstrap import FEWEST, Floats, Interval, Resampling

__all__ = ["share_intervals", "shares_of"]

_BLOCK = 1 << 20  # counts drawn at once


def share_intervals(counts: Floats, how: Resampling | None = None, label: str = "") -> list[Interval | None]:
    """Intervals of the share of each kind in all counts: a ratio of sums over videos, in percent.

    One resample draws whole videos, so that a video with many counts weighs as much as it does in the share.

    Args:
        counts: of shape ``(videos, kinds)``; the order of videos decides nothing.
        how: resamples, seed and level.
        label: names the stream of random numbers.

    Returns:
        One a kind; None for fewer than five videos, or where more than half of the resamples count nothing.
    """
    how = how or Resampling()
    videos, kinds = counts.shape
    if videos < FEWEST:
        return [None] * kinds
    counts = counts[np.lexsort(counts.T)]
    shares = _resampled(counts, how, label)
    shares = shares[~np.isnan(shares[:, 0])]
    if 2 * len(shares) < how.resamples:
        return [None] * kinds
    return [_interval(shares[:, kind], how, videos) for kind in range(kinds)]


def _interval(shares: Floats, how: Resampling, videos: int) -> Interval:
    if shares.min() == shares.max():
        return Interval(float(shares[0]), float(shares[0]), flat=True)
    return how.interval(shares, videos)


def _resampled(counts: Floats, how: Resampling, label: str) -> Floats:
    """Shares in each resample, of shape ``(resamples, kinds)``; NaN where it drew no count."""
    generator, (videos, kinds) = how.generator(label), counts.shape
    found: list[Floats] = []
    step = max(1, _BLOCK // (videos * kinds))
    for start in range(0, how.resamples, step):
        rows = min(step, how.resamples - start)
        sums = counts[generator.integers(videos, size=(rows, videos))].sum(axis=1)
        total = sums.sum(axis=1, keepdims=True)
        found.append(np.divide(100 * sums, total, out=np.full_like(sums, np.nan), where=total > 0))
    return np.concatenate(found)


def shares_of(counts: Sequence[float]) -> list[float | None]:
    """The share of each kind in all counts, in percent; None where nothing was counted."""
    total = sum(counts)
    return [100 * each / total if total else None for each in counts]
