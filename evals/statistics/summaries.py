"""What one system scored, by type and overall."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evals.statistics.bootstrap import Floats, Interval, Resampling, mean_interval
from evals.statistics.ratings import ALL, SCORES, Ratings, Score
from evals.statistics.reducers import FAILURES, Failures, Reducer, video_values

__all__ = ["Estimate", "Summary", "estimate", "summarise"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over videos, 0 to 100.

    Attributes:
        n: videos that it is of.
        mean: None for no video.
        interval: None for fewer than five.
    """

    n: int
    mean: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Scores of one type, or of all.

    Attributes:
        name: the type's key, or ``All``.
        n: videos.
        rows: records: epochs of videos.
        failed: of these, how many have no score.
        estimates: by score, with failures as zero and excluded.
    """

    name: str
    n: int
    rows: int
    failed: int
    estimates: dict[Score, dict[Failures, Estimate]]


def estimate(values: Floats, how: Resampling | None = None, label: str = "") -> Estimate:
    """Mean and interval of one value a video; NaN is left out."""
    values = values[~np.isnan(values)]
    if not len(values):
        return Estimate(0, None, None)
    mean = float(np.mean(np.sort(values)))
    return Estimate(len(values), mean, mean_interval(values, how, label))


def summarise(
    ratings: Ratings,
    how: Resampling | None = None,
    *,
    reducer: Reducer | None = None,
    by_type: bool = True,
    scores: Iterable[Score] = SCORES,
) -> list[Summary]:
    """Sum up by type, in the paper's order, and overall, which comes last.

    Args:
        ratings: scores of every epoch.
        how: resamples, seed and level.
        reducer: from epochs to a video's value.
        by_type: whether to have a row a type.
        scores: which.
    """
    values: dict[tuple[Score, Failures], Floats] = {
        (score, failures): video_values(ratings, score, failures, reducer)
        for score in scores
        for failures in FAILURES
    }
    groups = ratings.groups() if by_type else {}
    groups[ALL] = np.arange(len(ratings.videos))
    failed, rows = ratings.failed, ratings.epochs
    found: list[Summary] = []
    for name, places in groups.items():
        estimates: dict[Score, dict[Failures, Estimate]] = {}
        for (score, failures), every in values.items():
            label = f"{name}/{score}/{failures}"
            estimates.setdefault(score, {})[failures] = estimate(every[places], how, label)
        here = int(rows[places].sum()), int(failed[places].sum())
        found.append(Summary(name, len(places), *here, estimates))
    return found
