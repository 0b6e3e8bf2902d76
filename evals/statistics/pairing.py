"""How far two sets of scores of the same videos agree: correlations, kappa, mean signed error."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evals.statistics.bootstrap import Floats
from evals.statistics.distributions import t_cdf
from evals.statistics.weighing import Weighted, coded, counted

__all__ = ["ScorePairs", "correlation_p", "expected_range"]

Indices = NDArray[np.int64]


class ScorePairs:
    """Two scores a unit; every figure is a function of counts (see :mod:`evals.statistics.weighing`).

    Args:
        first: of shape ``(units,)``, finite: the judge's.
        second: the same: people's.

    Raises:
        ValueError: when shapes differ, or a value is not finite.
    """

    def __init__(self, first: Floats, second: Floats) -> None:
        if first.shape != second.shape or first.ndim != 1:
            raise ValueError(f"pairs need equal shapes, not {first.shape} and {second.shape}")
        if not (np.isfinite(first).all() and np.isfinite(second).all()):
            raise ValueError("pairs need finite values: leave out what is missing")
        self.first, self.second = first, second
        self._one, self._two = coded(first), coded(second)
        self._last: tuple[Floats, tuple[Floats, Floats]] | None = None

    @property
    def statistics(self) -> dict[str, Weighted]:
        """All figures by name."""
        return {
            "kappa": self.kappa,
            "error": self.error,
            "spearman": self.spearman,
            "kendall": self.kendall,
            "pearson": self.pearson,
        }

    def reasons(self, first: str, second: str) -> dict[str, str]:
        """Why figures are not defined, where they aren't.

        Args:
            first: whose the first scores are: ``the judge``.
            second: whose the second are.
        """
        flat = [
            f"{name} gave every video the same score"
            for name, (support, _) in ((first, self._one), (second, self._two))
            if len(support) == 1
        ]
        told = " and ".join(flat)
        return dict.fromkeys(self.statistics, told) if told else {}

    def error(self, weights: Floats) -> Floats:
        """Mean signed error: the first less the second; positive where the first is the milder judge."""
        return weights @ (self.first - self.second) / weights.sum(axis=1)

    def kappa(self, weights: Floats) -> Floats:
        """Quadratic weighted kappa (Cohen 1968) over the values themselves.

        One less the mean squared difference over the one to expect if the two were independent. On whole
        scores that is Cohen's kappa with quadratic weights over the whole scale; on means it equals Lin's
        concordance correlation, of which that kappa is a case.
        """
        total = weights.sum(axis=1)
        middle = float(np.mean(self.second))
        one, two = self.first - middle, self.second - middle
        seen = weights @ (one - two) ** 2 / total
        means = weights @ one / total, weights @ two / total
        expected = weights @ (one**2 + two**2) / total - 2 * means[0] * means[1]
        alike = expected < 1e-12  # noqa: PLR2004 - both constant, and at the same score
        return _divided(expected - seen, expected, ~alike)

    def pearson(self, weights: Floats) -> Floats:
        """Pearson's product-moment correlation."""
        one, two = self.first - np.mean(self.first), self.second - np.mean(self.second)
        sums = weights @ np.stack([one, two, one * two, one**2, two**2], axis=1)
        mean_one, mean_two, both, square_one, square_two = sums.T / weights.sum(axis=1)
        spreads = square_one - mean_one**2, square_two - mean_two**2
        return self._bounded(both - mean_one * mean_two, *spreads, weights)

    def spearman(self, weights: Floats) -> Floats:
        """Spearman's correlation of ranks; equal values share their mean rank."""
        half = weights.sum(axis=1, keepdims=True) / 2
        ranks: list[Floats] = []
        spreads: list[Floats] = []
        for (_, codes), counts in zip((self._one, self._two), self._counts(weights), strict=True):
            middles = np.cumsum(counts, axis=1) - counts / 2 - half
            ranks.append(middles[:, codes])
            spreads.append((counts * middles**2).sum(axis=1))
        both = (weights * ranks[0] * ranks[1]).sum(axis=1)
        return self._bounded(both, spreads[0], spreads[1], weights)

    def kendall(self, weights: Floats) -> Floats:
        """Kendall's tau-b (Kendall 1945): pairs in the same order less pairs in the other, ties corrected."""
        codes, order = self._order
        cells = counted(weights, codes, len(order))
        score = ((cells @ order) * cells).sum(axis=1) / 2
        total = _pairs(weights.sum(axis=1))
        untied = [total - _pairs(counts).sum(axis=1) for counts in self._counts(weights)]
        return self._bounded(score, untied[0], untied[1], weights)

    @cached_property
    def _order(self) -> tuple[Indices, Floats]:
        """Which different pair of scores each unit has, and for every two of these 1, 0 or -1: same order?"""
        cells, codes = np.unique(self._one[1] * len(self._two[0]) + self._two[1], return_inverse=True)
        places = np.divmod(cells, len(self._two[0]))
        first, second = (np.sign(place[:, None] - place[None, :]) for place in places)
        return codes.astype(np.int64), (first * second).astype(np.float64)

    def _bounded(self, both: Floats, one: Floats, two: Floats, weights: Floats) -> Floats:
        """A correlation of a covariance and two variances; NaN where one side was drawn all alike."""
        varied = self._varied(weights)
        found = _divided(both, np.sqrt(np.maximum(one, 0) * np.maximum(two, 0)), varied)
        return np.clip(found, -1, 1)

    def _varied(self, weights: Floats) -> NDArray[np.bool_]:
        first, second = ((counts > 0).sum(axis=1) > 1 for counts in self._counts(weights))
        return first & second

    def _counts(self, weights: Floats) -> tuple[Floats, Floats]:
        """How often each value of either side was drawn; kept, since every figure asks for it in turn."""
        if self._last is None or self._last[0] is not weights:
            one, two = (counted(weights, codes, len(support)) for support, codes in (self._one, self._two))
            self._last = weights, (one, two)
        return self._last[1]


def correlation_p(value: float, n: int) -> float | None:
    """Two-sided p of "no correlation" for Pearson's r of n pairs, by Student's t; None for fewer than 3."""
    if n < 3:  # noqa: PLR2004 - no degree of freedom is left
        return None
    left = 1 - value * value
    return 0.0 if left <= 0 else 2 * t_cdf(-abs(value) * math.sqrt((n - 2) / left), n - 2)


def expected_range(value: float, n: int) -> tuple[float, float] | None:
    """95 % interval of a correlation by Fisher's z: what to expect of n videos; None for fewer than four."""
    if n < 4 or abs(value) >= 1:  # noqa: PLR2004 - the variance is 1 / (n - 3)
        return None
    middle, half = math.atanh(value), 1.959964 / math.sqrt(n - 3)
    return math.tanh(middle - half), math.tanh(middle + half)


def _pairs(counts: Floats) -> Floats:
    return counts * (counts - 1) / 2


def _divided(top: Floats, bottom: Floats, where: NDArray[np.bool_]) -> Floats:
    return np.divide(top, bottom, out=np.full(len(top), np.nan), where=where & (bottom > 0))
