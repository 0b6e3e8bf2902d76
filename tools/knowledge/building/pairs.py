"""What a builder reads: pairs, and rows that are none, each with its place."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["REASONS", "Pair", "Rejected"]

#: Why a row is rejected, in the order of the report.
REASONS = {
    "json": "is not JSON",
    "encoding": "is not UTF-8",
    "layout": "is laid out in no way that is known",
    "fields": "has more or fewer fields than the header names",
    "missing": "has no source or no target",
    "count": "has a count that is no whole number from 1 on, or is less than its data sets",
    "weight": "has a weight that is no number above 0 and up to 1",
    "kind": "has a kind that is none of ours",
    "culture": "has a culture though it is not cultural, or is cultural without one",
    "unpaired": "has several sources and several targets, not as many of one as of the other",
    "no_word": "has a source or target without a letter",
    "pronoun": "has a pronoun as source or target, which names nothing",
    "long": "has a source or target of more words than --max-words",
    "same": "has a source and a target that are one concept",
}


class Pair(NamedTuple):
    """One row's claim that a source stands for a target; names as they are written.

    Attributes:
        file: the input's name.
        line: from 1; in a JSON list, the number of the entry.
        source: what is seen or said.
        target: what is meant.
        grounds: why; several when a row lists them.
        kind: one of `edges.KINDS`, or nothing when the row does not tell.
        culture: whose custom it is, or nothing.
        weight: what the row states, or 0.
        times: how often it was found.
        sentences: the texts it was found in.
        translation: of the sentence, or nothing.
        datasets: the data sets it was found in.
        licence: what the row says it stands under, or nothing.
    """

    file: str
    line: int
    source: str
    target: str
    grounds: tuple[str, ...] = ()
    kind: str = ""
    culture: str = ""
    weight: float = 0.0
    times: int = 1
    sentences: tuple[str, ...] = ()
    translation: str = ""
    datasets: tuple[str, ...] = ()
    licence: str = ""


class Rejected(NamedTuple):
    """A row that is not used.

    Attributes:
        file: the input's name.
        line: as in `Pair`.
        reason: one of `REASONS`.
        told: what it is that is wrong, as far as it can be shown.
        source: the row's source as far as it is known.
        target: likewise.
    """

    file: str
    line: int
    reason: str
    told: str = ""
    source: str = ""
    target: str = ""

    def __str__(self) -> str:
        """The place and the fault, in words."""
        return f"{self.file}:{self.line}: {REASONS[self.reason]}{f' ({self.told})' if self.told else ''}"
