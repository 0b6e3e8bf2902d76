"""Licences: which one a data set stands under, and what is left out because of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tools.errors import KnowledgeError

__all__ = ["UNKNOWN", "Licences", "corpus_of", "parse_licences"]

#: What a licence is called that nobody told.
UNKNOWN = "unknown"


def corpus_of(dataset: str) -> str:
    """The data set of a label: what follows a colon says which part of it ("cmdag:ground")."""
    return dataset.partition(":")[0].strip() or dataset


def parse_licences(given: Sequence[str]) -> dict[str, str]:
    """Read `DATASET=LICENCE`.

    Raises:
        KnowledgeError: if one is not laid out so, or a data set is given two licences.
    """
    licences: dict[str, str] = {}
    for text in given:
        dataset, equals, licence = (part.strip() for part in text.partition("="))
        if not (dataset and equals and licence):
            msg = f"--licence-of: {text!r} is not DATASET=LICENCE, such as cmdag=MIT."
            raise KnowledgeError(msg)
        known = licences.setdefault(corpus_of(dataset), licence)
        if known != licence:
            msg = f"--licence-of: {dataset} is given two licences, {known} and {licence}."
            raise KnowledgeError(msg)
    return licences


@dataclass(frozen=True)
class Licences:
    """What is known of licences.

    Attributes:
        of_datasets: by data set, for rows that don't tell theirs.
        drop: licences to leave out, compared without case, spaces and hyphens; `*` stands for anything
            ("CC BY-NC*"), `UNKNOWN` for those that nobody told.
    """

    of_datasets: Mapping[str, str] = field(default_factory=dict[str, str])
    drop: Sequence[str] = ()

    def of(self, dataset: str, told: str) -> str:
        """The licence of a row's evidence."""
        return told or self.of_datasets.get(dataset, UNKNOWN)

    def dropped_by(self, licence: str) -> str | None:
        """Which one of `drop` a licence is left out by, or None."""
        plain = _plain(licence)
        return next((pattern for pattern in self.drop if fnmatchcase(plain, _plain(pattern))), None)


def _plain(licence: str) -> str:
    return re.sub(r"[\s_-]+", "", licence.casefold())
