"""From the epochs of a video to its one value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from agents.errors import UserError
from evals.statistics.bootstrap import Floats
from evals.statistics.ratings import Ratings, Score

__all__ = ["FAILURES", "Failures", "Reducer", "video_values"]

Failures = Literal["zero", "excluded"]
FAILURES: tuple[Failures, ...] = ("zero", "excluded")

_AT_LEAST = re.compile(r"at-least:(\d+)(?:@(\d+(?:\.\d+)?))?\Z")


@dataclass(frozen=True, slots=True)
class Reducer:
    """How several epochs of one video become one value.

    Attributes:
        kind: their ``mean``, the ``best`` of them, or whether ``at-least`` so many reach a mark.
        epochs: how many must, for ``at-least``.
        mark: the mark, 0 to 100.
    """

    kind: Literal["mean", "best", "at-least"] = "mean"
    epochs: int = 1
    mark: float = 50.0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``mean``, ``best``, ``at-least:K`` or ``at-least:K@MARK``.

        Raises:
            UserError: when it is none of these.
        """
        if text == "mean":
            return cls("mean")
        if text == "best":
            return cls("best")
        found = _AT_LEAST.match(text)
        if found and int(found[1]) and float(found[2] or 0) <= 100:  # noqa: PLR2004 - the scale's end
            return cls("at-least", int(found[1]), float(found[2] or 50.0))
        raise UserError(
            f"{text!r} is no reducer: give mean, best, at-least:K (100 for a video of which K epochs reach "
            "50, else 0), or at-least:K@MARK with a mark from 0 to 100."
        )

    def __str__(self) -> str:
        """As it is given on a command line."""
        return f"at-least:{self.epochs}@{self.mark:g}" if self.kind == "at-least" else self.kind


def video_values(
    ratings: Ratings, score: Score, failures: Failures = "zero", reducer: Reducer | None = None
) -> Floats:
    """One value a video, 0 to 100, in the order of ``ratings.videos``.

    Args:
        ratings: scores of every epoch.
        score: which of them.
        failures: count as ``zero``, or are ``excluded``: a video without enough scored epochs is then NaN.
        reducer: of epochs; their mean by default.
    """
    reducer = reducer or Reducer()
    values, rows, videos = ratings.scores[score], ratings.row_video, len(ratings.videos)
    if failures == "zero":
        values = np.nan_to_num(values, nan=0.0)
    else:
        there = ~np.isnan(values)
        values, rows = values[there], rows[there]
    counted = np.bincount(rows, minlength=videos)
    if reducer.kind == "best":
        best = np.full(videos, -np.inf)
        np.maximum.at(best, rows, values)
        return np.where(counted > 0, best, np.nan)
    if reducer.kind == "mean":
        sums = np.bincount(rows, weights=values, minlength=videos)
        return np.divide(sums, counted, out=np.full(videos, np.nan), where=counted > 0)
    reached = np.bincount(rows, weights=values >= reducer.mark - 1e-9, minlength=videos) >= reducer.epochs
    enough = counted >= (reducer.epochs if failures == "excluded" else 1)
    return np.where(enough, np.where(reached, 100.0, 0.0), np.nan)
