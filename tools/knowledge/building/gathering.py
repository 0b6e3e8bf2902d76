"""Gathers evidence from pairs: clean names, one piece of evidence a data set, all of it countable again."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tools.knowledge.building.cleaning import (
    MOST_WORDS,
    clean,
    fault,
    ground_concepts,
    tidy_ground,
)
from tools.knowledge.building.licences import Licences, corpus_of
from tools.knowledge.building.pairs import Pair, Rejected

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEFAULT_KIND", "Evidence", "Gathered", "Gatherer"]

#: The kind of an edge whose rows don't tell.
DEFAULT_KIND = "conceptual"


class Evidence(NamedTuple):
    """One data set's support for an edge, from one row.

    Attributes:
        source: a clean form.
        target: a clean form.
        said_of: for an edge to a ground, the form of the target that it was the ground of.
        times: how often.
        kind: as in `Pair`, never empty.
        culture: as in `Pair`.
        weight: what the row states, or 0.
        ground: in words.
        sentences: as in `Pair`.
        translation: as in `Pair`.
        dataset: the data set without its part.
        licence: never empty.
        file: the input's name.
        line: in it.
    """

    source: str
    target: str
    said_of: str
    times: int
    kind: str
    culture: str
    weight: float
    ground: str
    sentences: tuple[str, ...]
    translation: str
    dataset: str
    licence: str
    file: str
    line: int


@dataclass
class Gathered:
    """What all rows come to; nothing in it depends on their order but the order of the lists.

    Attributes:
        evidence: all that is used.
        rejected: rows that are not.
        rows: by input, the rows read; a row of several pairs counts as several.
        usable: of these, the pairs.
        wordings: how often each name as it was written became a form: (name, form) -> count.
        left_out: counts by licence that was dropped.
        dropping: which of the licences to drop were met.
        datasets: data sets that were met.
    """

    evidence: list[Evidence] = field(default_factory=list[Evidence])
    rejected: list[Rejected] = field(default_factory=list[Rejected])
    rows: Counter[str] = field(default_factory=Counter[str])
    usable: Counter[str] = field(default_factory=Counter[str])
    wordings: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    left_out: Counter[str] = field(default_factory=Counter[str])
    dropping: set[str] = field(default_factory=set[str])
    datasets: set[str] = field(default_factory=set[str])

    def reject(self, row: Pair, reason: str, told: str) -> None:
        """Keep a row that is not used."""
        self.rejected.append(Rejected(row.file, row.line, reason, told, row.source, row.target))


class Gatherer:
    """Takes rows one by one."""

    def __init__(
        self, licences: Licences, *, most_words: int = MOST_WORDS, ground_edges: bool = True
    ) -> None:
        """Keep the rules.

        Args:
            licences: which are known, and which are left out.
            most_words: that a name may have.
            ground_edges: whether a ground that is a concept is what the source stands for too.
        """
        self.gathered = Gathered()
        self._licences = licences
        self._most_words = most_words
        self._ground_edges = ground_edges

    def take(self, row: Pair | Rejected) -> None:
        """Use a row, or keep why it is not used."""
        gathered = self.gathered
        gathered.rows[row.file] += 1
        if isinstance(row, Rejected):
            gathered.rejected.append(row)
            return
        source, target = clean(row.source), clean(row.target)
        for name, form in ((row.source, source), (row.target, target)):
            if reason := fault(form, self._most_words):
                gathered.reject(row, reason, name[:80])
                return
        gathered.usable[row.file] += 1
        for dataset, count in _shares(row):
            self._add(row, source, target, dataset, count)

    def _add(self, row: Pair, source: str, target: str, dataset: str, count: int) -> None:
        gathered = self.gathered
        gathered.datasets.add(dataset)
        licence = self._licences.of(dataset, row.licence)
        if (pattern := self._licences.dropped_by(licence)) is not None:
            gathered.dropping.add(pattern)
            gathered.left_out[licence] += count
            return
        gathered.wordings[row.source, source] += count
        gathered.wordings[row.target, target] += count
        made = Evidence(
            source,
            target,
            "",
            count,
            row.kind or DEFAULT_KIND,
            row.culture,
            row.weight,
            tidy_ground(row.grounds),
            row.sentences,
            row.translation,
            sys.intern(dataset),
            sys.intern(licence),
            row.file,
            row.line,
        )
        gathered.evidence.append(made)
        if self._ground_edges:
            for concept in ground_concepts(row.grounds):
                if concept not in {source, target}:
                    gathered.wordings[concept, concept] += count
                    gathered.evidence.append(
                        made._replace(target=concept, said_of=target, ground="", weight=0.0)
                    )


def _shares(row: Pair) -> Iterator[tuple[str, int]]:
    """How often each data set of a row has the pair: evenly, since the row tells only how often all have.

    What is left over goes to the first in alphabetical order.
    """
    names = sorted(set(map(corpus_of, row.datasets)))
    each, over = divmod(row.times, len(names))
    for at, name in enumerate(names):
        yield name, each + (at < over)
