"""What a data set is made of: samples that can be read again and again, and what is wrong with some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from evals.datasets.facts import Facts, Survey
from evals.datasets.selecting import Selection

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


@dataclass(frozen=True)
class Dataset:
    """Samples in the order of their file, and what is wrong with rows of it.

    Attributes:
        name: as it was asked for.
        samples: each video once; may be iterated again and again, and need not be in memory.
        problems: the first of each kind, in the order of the file.
        problem_counts: how many there are of each kind; of ``problems`` unless given.
        known: what a look at every sample has found already; None to have it done when it is asked for.
    """

    name: str
    samples: Iterable[Sample]
    problems: tuple[Problem, ...] = ()
    problem_counts: dict[ProblemKind, int] = field(default_factory=dict[ProblemKind, int])
    known: Facts | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.problems and not self.problem_counts:
            counted = Counter(problem.kind for problem in self.problems)
            object.__setattr__(self, "problem_counts", dict(counted))

    @cached_property
    def facts(self) -> Facts:
        """What one pass over all samples tells."""
        return self.known or Survey.of(self.samples).facts()

    @property
    def digest(self) -> str:
        """Sha256 over ids, titles, types and gold, in order; where the videos lie doesn't matter."""
        return self.facts.digest

    def __len__(self) -> int:
        """How many samples there are."""
        return self.facts.number

    def select(self, types: Iterable[str] = (), limit: int | None = None) -> Selection:
        """Samples that have one of ``types`` (all when none is named), in the order of the file.

        A limit mixes types: one sample of each type in turn, the first ones of each, so that a higher limit
        only adds to a lower one. A sample of several types is its first wanted type's.

        Returns:
            Their number is known at once; they are read when they are asked for, and again each time.
        """
        return Selection.of(self.samples, self.facts, types, limit)


def shown(text: str, longest: int = 80) -> str:
    """A text of anyone's as a message can hold it: its middle is left out where it is long."""
    return text if len(text) <= longest else f"{text[: longest - 21]}…{text[-20:]} ({len(text):,} characters)"
