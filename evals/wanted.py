"""The records that a run is to have, known without being listed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from evals.compact import Seen
from evals.datasets.selecting import Selection
from evals.store.records import RunKey

__all__ = ["Wanted"]


class Wanted(Collection[RunKey]):
    """Keys of samples by epochs, as records of this data set may have them.

    Where only some samples are wanted, their ids take 8.5 bytes each once they are asked for.

    Attributes:
        samples: that were chosen.
        epochs: of each.
    """

    def __init__(self, samples: Selection, epochs: int) -> None:
        """Name them; nothing is read yet."""
        self.samples = samples
        self.epochs = epochs

    @cached_property
    def _ids(self) -> Seen:
        return Seen(sample.video_id for sample in self.samples)

    def __len__(self) -> int:
        """How many records that makes."""
        return len(self.samples) * self.epochs

    def __iter__(self) -> Iterator[RunKey]:
        """The keys, epoch by epoch; reads the data set each time."""
        for epoch in range(1, self.epochs + 1):
            for sample in self.samples:
                yield sample.video_id, epoch

    def __contains__(self, key: object) -> bool:
        """Whether a record of this key is wanted."""
        if not isinstance(key, tuple):
            return False
        video_id, epoch = key  # pyright: ignore[reportUnknownVariableType] - a RunKey, by its callers
        return 1 <= epoch <= self.epochs and (self.samples.is_whole or video_id in self._ids)

    def read(self) -> None:
        """Learn the ids now, if they are needed: the data set may be changed meanwhile."""
        if not self.samples.is_whole:
            _ = self._ids

    def all_in(self, there: Seen) -> bool:
        """Whether all of them are there; a data set is read only where their number leaves it open."""
        return len(there) >= len(self) and not self.missing_in(there)

    def missing_in(self, there: Seen) -> int:
        """How many of them are not there."""
        return sum(key not in there for key in self) if len(there) else len(self)
