"""The figures of the retrieval benchmark, one a question, and the intervals of their means.

Equal scores count at their expectation, as if their order were drawn: an order of our own would flatter or
punish a mode that leaves many nodes at the same score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["TOP", "Estimate", "area", "bootstrap", "hit", "hub_share", "reciprocal"]

#: Concepts that a reader is shown.
TOP = 10
_INTERVAL = (2.5, 97.5)


class Estimate(NamedTuple):
    """A mean over questions, with its 95 % interval, and its difference to the baseline's, paired.

    Attributes:
        mean: over all questions.
        low: of the mean's interval.
        high: of the mean's interval.
        gain: mean difference to the baseline on the same questions.
        gain_low: of the difference's interval.
        gain_high: of the difference's interval.
    """

    mean: float
    low: float
    high: float
    gain: float
    gain_low: float
    gain_high: float

    @property
    def differs(self) -> bool:
        """Whether the difference's interval leaves out 0."""
        return self.gain_low > 0 or self.gain_high < 0


def area(score: float, negatives: NDArray[np.float64]) -> float:
    """The share of negatives that score lower (AUC of one question); an equal one counts half."""
    return float((negatives < score).mean() + (negatives == score).mean() / 2)


def reciprocal(score: float, others: NDArray[np.float64]) -> float:
    """One over the rank among others, 1 the best."""
    above, equal = int((others > score).sum()), int((others == score).sum())
    return float((1 / np.arange(above + 1, above + equal + 2)).mean())


def hit(score: float, others: NDArray[np.float64], top: int = TOP) -> float:
    """Whether the rank among others is within the top; between 0 and 1 when equal scores straddle its end."""
    above, equal = int((others > score).sum()), int((others == score).sum())
    return min(max((top - above) / (equal + 1), 0.0), 1.0)


def hub_share(scores: NDArray[np.float64], hubs: NDArray[np.bool_], top: int = TOP) -> float:
    """The share of the top that hubs take; nodes that score 0 are not in it."""
    found = np.flatnonzero(scores > 0)
    if not len(found):
        return 0.0
    size = min(top, len(found))
    least = np.partition(scores[found], -size)[-size]
    sure, even = found[scores[found] > least], found[scores[found] == least]
    return float((hubs[sure].sum() + hubs[even].mean() * (size - len(sure))) / size)


def bootstrap(
    figures: Mapping[str, NDArray[np.float64]], baseline: str, *, seed: int = 0, draws: int = 2000
) -> dict[str, Estimate]:
    """Means of several modes over the same questions, resampled by question.

    Args:
        figures: for each mode, a figure a question, in the same order.
        baseline: the mode that others are compared to.
        seed: of the draws.
        draws: resamplings.
    """
    size = len(figures[baseline])
    # How often each question is drawn, rather than which ones: the means are then one product.
    random = np.random.default_rng(seed)
    weights = random.multinomial(size, np.full(size, 1 / size), draws) / size
    resampled = {mode: weights @ values for mode, values in figures.items()}
    found: dict[str, Estimate] = {}
    for mode, values in figures.items():
        low, high = np.percentile(resampled[mode], _INTERVAL).tolist()
        gain_low, gain_high = np.percentile(resampled[mode] - resampled[baseline], _INTERVAL).tolist()
        gain = float((values - figures[baseline]).mean())
        found[mode] = Estimate(float(values.mean()), low, high, gain, gain_low, gain_high)
    return found
