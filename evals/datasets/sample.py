"""What a data set is made of: samples, and what is wrong with some of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

__all__ = ["UNKNOWN_TYPE", "Dataset", "Problem", "ProblemKind", "Sample", "shown"]

UNKNOWN_TYPE = "unknown"
"""The row of the table that holds samples whose type is none of the eight."""

ProblemKind = Literal["duplicate", "missing_video", "no_gold", "unknown_type"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One video with its gold interpretation.

    Attributes:
        video_id: unique in its data set.
        title: the brief title, which may be empty.
        types: keys of metaphor types, ``unknown`` among them where a key was none of the eight.
        gold: the human interpretation, one entry an item; empty when the row had none.
        video: a video file or a folder of frames; None when it was not found.
        no_video: what stands in its place then, in words.
    """

    video_id: str
    title: str
    types: tuple[str, ...]
    gold: tuple[str, ...]
    video: Path | None
    no_video: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with one row, found before anything was paid for.

    Attributes:
        kind: what is wrong.
        video_id: whose row it is.
        detail: one sentence for a person, with the value and what becomes of the sample.
    """

    kind: ProblemKind
    video_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """Samples in the order of their file, and every problem found in it.

    Attributes:
        name: as it was asked for.
        samples: each video once.
        problems: in the order of the file.
    """

    name: str
    samples: tuple[Sample, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def digest(self) -> str:
        """Sha256 over ids, titles, types and gold, in order; where the videos lie doesn't matter."""
        whole = hashlib.sha256()
        for sample in self.samples:
            row = [sample.video_id, sample.title, sample.types, sample.gold]
            whole.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        return whole.hexdigest()

    def select(self, types: Iterable[str] = (), limit: int | None = None) -> tuple[Sample, ...]:
        """Samples that have one of ``types`` (all when none is named), in the order of the file.

        A limit mixes types: one sample of each type in turn, the first ones of each, so that a higher limit
        only adds to a lower one. A sample of several types is its first wanted type's.
        """
        wanted = frozenset(types)
        chosen = [s for s in self.samples if not wanted or wanted.intersection(s.types)]
        return tuple(chosen) if limit is None or limit >= len(chosen) else _mixed(chosen, wanted, limit)


def shown(text: str, longest: int = 80) -> str:
    """A text of anyone's as a message can hold it: its middle is left out where it is long."""
    return text if len(text) <= longest else f"{text[: longest - 21]}…{text[-20:]} ({len(text):,} characters)"


def _mixed(chosen: list[Sample], wanted: frozenset[str], limit: int) -> tuple[Sample, ...]:
    """So many samples, the types in turn."""
    rank: dict[str, int] = {}
    places: list[tuple[int, str, int]] = []
    for position, sample in enumerate(chosen):
        kind = next((name for name in sample.types if not wanted or name in wanted), "")
        rank[kind] = rank.get(kind, -1) + 1
        places.append((rank[kind], kind, position))
    first = {kind: min(place for _, name, place in places if name == kind) for kind in rank}
    places.sort(key=lambda place: (place[0], first[place[1]]))
    return tuple(chosen[position] for position in sorted(place[2] for place in places[:limit]))
