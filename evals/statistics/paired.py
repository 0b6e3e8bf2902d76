"""Two systems on the same videos: how far apart, how sure, and what could have been seen at all."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from evals.statistics.bootstrap import FEWEST, Floats, Interval, Resampling, resampled_means, two_sided
from evals.statistics.distributions import t_quantile
from evals.statistics.signs import sign_test, signed_rank_test

__all__ = ["Paired", "compare_paired", "detectable"]

_EQUAL = 1e-9  # points: a difference below is a tie of means that were summed in another order


@dataclass(frozen=True, slots=True)
class Paired:
    """One system less another, over videos that both have.

    Attributes:
        n: videos.
        base_mean: of the one that is compared with.
        mean: of the other.
        difference: ``mean - base_mean``.
        interval: of the difference; None for fewer than five videos.
        p: of "no difference", by the same resamples; None for fewer than five videos.
        wins: videos on which the other is better.
        ties: on which both are alike.
        losses: on which the base is better.
        sign_p: exact sign test over wins and losses.
        wilcoxon_p: signed-rank test.
        spread: standard deviation of the differences; None for fewer than two videos.
        detectable: the smallest true difference that such a comparison finds 8 times in 10; None where the
            differences show no spread, and for fewer than five videos.
    """

    n: int
    base_mean: float
    mean: float
    difference: float
    interval: Interval | None
    p: float | None
    wins: int
    ties: int
    losses: int
    sign_p: float
    wilcoxon_p: float
    spread: float | None
    detectable: float | None


def compare_paired(base: Floats, other: Floats, how: Resampling | None = None, label: str = "") -> Paired:
    """Compare values of the same videos in the same order, each of shape ``(n,)``, n at least 1.

    Swapping the two mirrors every figure.

    Args:
        base: what is compared with.
        other: what is compared.
        how: resamples, seed and level.
        label: names the stream of random numbers.

    Raises:
        ValueError: when the shapes differ or are empty.
    """
    if base.shape != other.shape or not len(base):
        raise ValueError(f"pairs need equal, non-empty shapes, not {base.shape} and {other.shape}")
    differences = other - base
    differences[np.abs(differences) < _EQUAL] = 0.0
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    interval, p = _resampled(differences, how or Resampling(), label)
    n = len(base)
    spread = float(np.std(differences, ddof=1)) if n > 1 else None
    return Paired(
        n=n,
        base_mean=float(np.mean(base)),
        mean=float(np.mean(other)),
        difference=_mean(differences),
        interval=interval,
        p=p,
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
        sign_p=sign_test(wins, losses),
        wilcoxon_p=signed_rank_test(differences),
        spread=spread,
        detectable=detectable(spread, n) if spread and n >= FEWEST else None,
    )


def detectable(spread: float, n: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest true mean difference that a two-sided paired test of n videos finds with this power.

    ``(t(1 - alpha/2) + t(power)) * spread / sqrt(n)`` with n - 1 degrees of freedom; n is 2 at least.
    """
    reach = t_quantile(1 - alpha / 2, n - 1) + t_quantile(power, n - 1)
    return reach * spread / math.sqrt(n)


def _mean(differences: Floats) -> float:
    """A mean that is exactly mirrored when all signs are: the order of adding is that of sizes."""
    return math.fsum(differences.tolist()) / len(differences)


def _resampled(differences: Floats, how: Resampling, label: str) -> tuple[Interval | None, float | None]:
    n = len(differences)
    if n < FEWEST:
        return None, None
    first = float(differences[0])
    flat = bool((differences == first).all())
    if flat and not first:
        return Interval(0.0, 0.0, flat=True), 1.0
    # Drawn with the mean turned positive, so that A against B is B against A mirrored.
    sign = -1.0 if _mean(differences) < 0 else 1.0
    means = resampled_means(sign * differences, how, label)
    p = two_sided(means, n)
    if flat:
        return Interval(first, first, flat=True), p
    found = how.interval(means, n)
    return (found if sign > 0 else Interval(-found.high, -found.low)), p
