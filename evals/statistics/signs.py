"""Tests of paired differences that look at signs and ranks, not at sizes."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from evals.statistics.bootstrap import Floats
from evals.statistics.distributions import coin_tail

__all__ = ["sign_test", "signed_rank_test"]

_EXACT = 50  # differences up to which every assignment of signs is counted


def sign_test(wins: int, losses: int) -> float:
    """Exact two-sided p of so many wins and losses from a fair coin; ties are left out."""
    return min(1.0, 2 * coin_tail(min(wins, losses), wins + losses))


def signed_rank_test(differences: Floats) -> float:
    """Two-sided p of Wilcoxon's signed-rank test; zeros are left out, equal sizes share their ranks.

    Up to 50 differences the distribution over all signs is exact, shared ranks included; beyond, it is the
    normal approximation, corrected for shared ranks and not for continuity.
    """
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    _, place, counts = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    doubled = (2 * last - counts + 1)[place]  # twice the mean rank of equal sizes: a whole number
    positive = int(doubled[differences > 0].sum())
    total = int(doubled.sum())
    if len(differences) <= _EXACT:
        return _exact(doubled.tolist(), min(positive, total - positive))
    variance = float((doubled.astype(np.float64) ** 2).sum()) / 4
    z = (positive - total / 2) / math.sqrt(variance)
    return min(1.0, 2 * NormalDist().cdf(-abs(z)))


def _exact(ranks: list[int], smaller: int) -> float:
    """Share of all assignments of signs with a sum at most ``smaller``, twice."""
    ways = [0] * (sum(ranks) + 1)
    ways[0] = 1
    reached = 0
    for rank in ranks:
        reached += rank
        for total in range(reached, rank - 1, -1):
            ways[total] += ways[total - rank]
    return min(1.0, 2 * sum(ways[: smaller + 1]) / 2 ** len(ranks))
