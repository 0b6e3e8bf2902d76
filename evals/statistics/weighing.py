"""Figures of several values a video, as functions of how often each video was drawn.

A resample of videos is a vector of counts. A statistic that takes counts instead of copies gives its value
for the videos as they are (every count 1) and for a block of resamples at once by the same lines of code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.statistics.bootstrap import FEWEST, Floats, Interval, Resampling

__all__ = ["FEWEST_DEFINED", "Estimated", "Weighted", "coded", "counted", "estimated"]

Weighted = Callable[[Floats], Floats]
"""From counts of shape ``(resamples, units)`` to a value each; NaN where it is not defined."""

FEWEST_DEFINED = 3
"""Videos below which no figure of agreement is given: two always lie on a line."""

_BLOCK = 1 << 19  # counts held at once
_DIGITS = 9  # of a value: means that were summed in another order are alike


@dataclass(frozen=True, slots=True)
class Estimated:
    """A figure.

    Attributes:
        value: None where it is not defined.
        interval: by resampling videos; None for fewer than five, or where most resamples define none.
        why: the reason where there is no value, or else where there is no interval; empty else.
    """

    value: float | None
    interval: Interval | None = None
    why: str = ""


def estimated(
    statistics: Mapping[str, Weighted],
    unit_video: NDArray[np.int64],
    how: Resampling | None = None,
    label: str = "",
    why: Mapping[str, str] | None = None,
) -> dict[str, Estimated]:
    """Values and intervals of several statistics, all by the same resamples.

    Args:
        statistics: by name.
        unit_video: which video each unit (a video, or an epoch of one) is of, numbered from 0 without gaps.
        how: resamples, seed and level.
        label: names the stream of random numbers.
        why: by name, the reason to give where a statistic is not defined.
    """
    how, reasons = how or Resampling(), why or {}
    videos = int(unit_video.max()) + 1 if len(unit_video) else 0
    if videos < FEWEST_DEFINED:
        few = f"{videos} {'video' if videos == 1 else 'videos'}, and {FEWEST_DEFINED} are the fewest"
        return {name: Estimated(None, why=few) for name in statistics}
    once = np.ones((1, len(unit_video)))
    values = {name: float(statistic(once)[0]) for name, statistic in statistics.items()}
    drawn: dict[str, list[Floats]] = {name: [] for name, value in values.items() if not np.isnan(value)}
    if videos >= FEWEST and drawn:
        for counts in _resamples(videos, how, label, len(unit_video)):
            weights = counts[:, unit_video]
            for name, found in drawn.items():
                found.append(statistics[name](weights))
    return {
        name: Estimated(None, why=reasons.get(name, "") or "not defined")
        if np.isnan(value)
        else _with_interval(value, drawn[name], videos, how)
        for name, value in values.items()
    }


def _with_interval(value: float, blocks: list[Floats], videos: int, how: Resampling) -> Estimated:
    if not blocks:
        return Estimated(value, why=f"fewer than {FEWEST} videos are too few for an interval")
    found = np.concatenate(blocks)
    found = found[~np.isnan(found)]
    if 2 * len(found) < how.resamples:
        return Estimated(value, why="most resamples are all alike and define nothing")
    if found.min() == found.max():
        return Estimated(value, Interval(float(found[0]), float(found[0]), flat=True))
    return Estimated(value, how.interval(found, videos))


def _resamples(videos: int, how: Resampling, label: str, units: int) -> Iterator[Floats]:
    """Counts of shape ``(resamples, videos)``, block by block."""
    generator = how.generator(label)
    step = max(1, _BLOCK // max(videos, units))
    for start in range(0, how.resamples, step):
        rows = min(step, how.resamples - start)
        drawn = generator.integers(videos, size=(rows, videos))
        places = drawn + videos * np.arange(rows)[:, None]
        yield np.bincount(places.ravel(), minlength=rows * videos).reshape(rows, videos).astype(np.float64)


def coded(values: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The different values in order, and for each unit the place of its own."""
    support, codes = np.unique(np.round(values, _DIGITS), return_inverse=True)
    return support, codes.astype(np.int64).reshape(values.shape)


def counted(weights: Floats, codes: NDArray[np.int64], number: int) -> Floats:
    """How often each of ``number`` codes was drawn, of shape ``(resamples, number)``."""
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    counts = np.zeros((len(weights), number))
    counts[:, found] = np.add.reduceat(weights[:, order], starts, axis=1)
    return counts
