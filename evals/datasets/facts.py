"""What one pass over samples tells: their digest, how many there are, and of which types."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from evals.datasets.sample import Sample

__all__ = ["Facts", "Survey", "content_of"]


@dataclass(frozen=True, slots=True)
class Facts:
    """Of a whole data set.

    Attributes:
        digest: sha256 over ids, titles, types and gold, in order: hex.
        kinds: how many samples have exactly these types, in the order in which they are first met.
    """

    digest: str
    kinds: dict[tuple[str, ...], int]

    @property
    def number(self) -> int:
        """How many samples there are."""
        return sum(self.kinds.values())


class Survey:
    """Takes samples one by one, and keeps none."""

    def __init__(self) -> None:
        """Begin with none."""
        self._whole = hashlib.sha256()
        self._kinds: dict[tuple[str, ...], int] = {}

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Self:
        """Take all samples."""
        survey = cls()
        for sample in samples:
            survey.add(sample)
        return survey

    def add(self, sample: Sample) -> None:
        """Take the next sample."""
        self._whole.update(content_of(sample))
        self._kinds[sample.types] = self._kinds.get(sample.types, 0) + 1

    def facts(self) -> Facts:
        """What all of them tell."""
        return Facts(self._whole.hexdigest(), dict(self._kinds))


def content_of(sample: Sample) -> bytes:
    """What a data set's digest is of: a line of JSON."""
    row = [sample.video_id, sample.title, sample.types, sample.gold]
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"
