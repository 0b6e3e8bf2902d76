"""Krippendorff's alpha: how far several raters agree, beyond chance, whoever rated what.

Written here, since the library that is kept (``krippendorff``) comes under the GPL, and those under a
permissive licence are not kept, or a wrapper around data frames. Source: K. Krippendorff, "Computing
Krippendorff's Alpha-Reliability" (2011), whose worked example is among the tests.

``alpha = 1 - observed / expected`` disagreement of pairs, over videos with at least two ratings. The ordinal
difference of two values is that of their middle places in the order of all pairable values, so that ordinal
alpha is interval alpha of these places. Nothing grows with the number of different values.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evals.statistics.bootstrap import Floats
from evals.statistics.weighing import coded

__all__ = ["METRICS", "Metric", "Reliability", "krippendorff_alpha"]

Metric = Literal["nominal", "ordinal", "interval"]
METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval")


class Reliability:
    """Ratings of videos by several raters.

    Args:
        ratings: of shape ``(units, raters)``; NaN where a rater gave none.
        metric: how values differ: by being others, by their order, or by their distance.

    Raises:
        ValueError: for another shape, or a value that is infinite.
    """

    def __init__(self, ratings: Floats, metric: Metric = "ordinal") -> None:
        if ratings.ndim != 2:  # noqa: PLR2004 - a table
            raise ValueError(f"ratings need the shape (units, raters), not {ratings.shape}")
        if np.isinf(ratings).any():
            raise ValueError("ratings need finite values, or NaN for none")
        self.metric: Metric = metric
        there = ~np.isnan(ratings)
        self.raters = int(there.any(axis=0).sum())
        kept = there.sum(axis=1) > 1  # one rating has nothing to be compared with
        self._there: NDArray[np.bool_] = there & kept[:, None]
        self.pairable = int(kept.sum())
        self._support, codes = coded(ratings[self._there])
        self._codes = np.zeros(ratings.shape, dtype=np.int64)
        self._codes[self._there] = codes
        self._incidence = np.zeros((len(ratings), len(self._support)))
        np.add.at(self._incidence, (np.nonzero(self._there)[0], codes), 1.0)

    @property
    def why(self) -> str:
        """Why there is no alpha; empty where there is one."""
        if self.raters < 2:  # noqa: PLR2004
            return "one rater has no one to agree with" if self.raters else "there are no ratings"
        if not self.pairable:
            return "no video was rated twice"
        return "all ratings are alike" if len(self._support) == 1 else ""

    def alpha(self, weights: Floats) -> Floats:
        """Alpha for counts of units, of shape ``(resamples,)``; NaN where all that was drawn is alike."""
        if not self.pairable:
            return np.full(len(weights), np.nan)
        counts = weights @ self._incidence
        total = counts.sum(axis=1)
        if self.metric == "nominal":
            seen, expected = self._unequal(weights, counts, total)
        else:
            seen, expected = self._distant(weights, counts, total)
        varied = (counts > 0).sum(axis=1) > 1
        ratio = np.divide(seen, expected, out=np.full(len(weights), np.nan), where=varied & (expected > 0))
        return 1 - ratio

    def _unequal(self, weights: Floats, counts: Floats, total: Floats) -> tuple[Floats, Floats]:
        size = self._there.sum(axis=1).astype(np.float64)
        alike = (self._incidence**2).sum(axis=1)
        within = np.divide(size**2 - alike, size - 1, out=np.zeros(len(size)), where=size > 1)
        return weights @ within / np.maximum(total, 1), _over(total**2 - (counts**2).sum(axis=1), total)

    def _distant(self, weights: Floats, counts: Floats, total: Floats) -> tuple[Floats, Floats]:
        places = np.broadcast_to(self._support, counts.shape)
        if self.metric == "ordinal":
            places = np.cumsum(counts, axis=1) - counts / 2
        places = places - (counts * places).sum(axis=1, keepdims=True) / np.maximum(total, 1)[:, None]
        expected = _over(2 * total * (counts * places**2).sum(axis=1), total)
        sums, squares = np.zeros(weights.shape), np.zeros(weights.shape)
        for there, codes in zip(self._there.T, self._codes.T, strict=True):
            placed = places[:, codes] * there
            sums += placed
            squares += placed**2
        size = self._there.sum(axis=1).astype(np.float64)
        within = (size * squares - sums**2) * np.where(size > 1, 2 / np.maximum(size - 1, 1), 0.0)
        return (weights * within).sum(axis=1) / np.maximum(total, 1), expected


def _over(top: Floats, total: Floats) -> Floats:
    return top / np.maximum(total * (total - 1), 1)


def krippendorff_alpha(ratings: Floats, metric: Metric = "ordinal") -> float | None:
    """Alpha of a table of ratings, of shape ``(units, raters)`` with NaN for none; None where undefined."""
    found = Reliability(ratings, metric)
    return None if found.why else float(found.alpha(np.ones((1, len(ratings))))[0])
