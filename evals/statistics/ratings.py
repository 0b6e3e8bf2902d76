"""The scores of one system: a row an epoch of a video, in an order of their own."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agents.metaphor_types import MetaphorType
from evals.datasets import UNKNOWN_TYPE
from evals.statistics.bootstrap import Floats

__all__ = ["ALL", "SCORES", "Ratings", "RatingsBuilder", "Score", "in_order"]

Score = Literal["loose", "strict"]
SCORES: tuple[Score, ...] = ("loose", "strict")
ALL = "All"
"""The row that holds every video once."""

_ORDER = (*(member.value for member in MetaphorType), UNKNOWN_TYPE)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Scores from 0 to 100 (strict times 100, loose times 10), sorted by video and epoch.

    Attributes:
        videos: ids, sorted.
        types: of each video; empty where the source tells none.
        row_video: which video a row is of, of shape ``(rows,)``.
        scores: by kind, of shape ``(rows,)``; NaN for a failure.
    """

    videos: tuple[str, ...]
    types: tuple[tuple[str, ...], ...]
    row_video: NDArray[np.int64]
    scores: dict[Score, Floats]

    @property
    def failed(self) -> NDArray[np.int64]:
        """Rows without a score, by video."""
        return np.bincount(
            self.row_video, weights=np.isnan(self.scores["loose"]), minlength=len(self.videos)
        ).astype(np.int64)

    @property
    def epochs(self) -> NDArray[np.int64]:
        """Rows, by video."""
        return np.bincount(self.row_video, minlength=len(self.videos))

    def groups(self) -> dict[str, NDArray[np.int64]]:
        """Positions of the videos of each type, types in the paper's order; a video may be in several."""
        found: dict[str, list[int]] = {}
        for position, types in enumerate(self.types):
            for name in dict.fromkeys(types):
                found.setdefault(name, []).append(position)
        return {name: np.array(found[name], dtype=np.int64) for name in in_order(found)}


class RatingsBuilder:
    """Takes scores one by one, in any order; holds a few bytes a row, and ids once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._types: list[tuple[str, ...]] = []
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._video, self._epoch = array("q"), array("q")
        self._scores: dict[Score, array[float]] = {name: array("d") for name in SCORES}

    def add(
        self, video_id: str, epoch: int, types: tuple[str, ...], scored: tuple[float, float] | None
    ) -> None:
        """Take one row.

        Args:
            video_id: whose it is.
            epoch: which of its rows.
            types: of the video; those of its first row count.
            scored: strict (0 to 1) and loose (0 to 10); None for a failure.
        """
        place = self._places.setdefault(video_id, len(self._types))
        if place == len(self._types):
            self._types.append(self._known.setdefault(types, types))
        self._video.append(place)
        self._epoch.append(epoch)
        strict, loose = scored if scored is not None else (float("nan"), float("nan"))
        self._scores["strict"].append(strict * 100)
        self._scores["loose"].append(loose * 10)

    def build(self) -> Ratings:
        """Everything taken so far, sorted."""
        videos = sorted(self._places)
        places = np.array([self._places[name] for name in videos], dtype=np.int64)
        rank = np.empty(len(videos), dtype=np.int64)
        rank[places] = np.arange(len(videos))
        rows = rank[np.array(self._video, dtype=np.int64)]
        order = np.lexsort((np.array(self._epoch, dtype=np.int64), rows))
        return Ratings(
            videos=tuple(videos),
            types=tuple(self._types[place] for place in places),
            row_video=rows[order],
            scores={name: np.array(values)[order] for name, values in self._scores.items()},
        )


def in_order(names: Iterable[str]) -> Sequence[str]:
    """Types in the paper's order, others after them by name."""
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
