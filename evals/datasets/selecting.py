"""Some of the samples, chosen by type and number without holding any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from evals.datasets.facts import Facts

if TYPE_CHECKING:
    from evals.datasets.sample import Sample

__all__ = ["Selection"]


@dataclass(frozen=True)
class Selection:
    """Samples that were chosen; iterating reads the data set again, as far as the last of them.

    Attributes:
        samples: to choose from.
        wanted: types; all when empty.
        shares: how many of each kind are taken, the first ones; None to take all.
        number: how many there are.
    """

    samples: Iterable[Sample]
    wanted: frozenset[str]
    shares: dict[str, int] | None
    number: int

    @classmethod
    def of(cls, samples: Iterable[Sample], facts: Facts, types: Iterable[str], limit: int | None) -> Self:
        """Choose by type and number; :meth:`evals.datasets.Dataset.select` says how."""
        wanted = frozenset(types)
        there: dict[str, int] = {}
        for kinds, number in facts.kinds.items():
            kind = _kind(kinds, wanted)
            if kind is not None:
                there[kind] = there.get(kind, 0) + number
        total = sum(there.values())
        if limit is None or limit >= total:
            return cls(samples, wanted, None, total)
        return cls(samples, wanted, _shares(there, limit), limit)

    @property
    def is_whole(self) -> bool:
        """Whether every sample of the data set is chosen."""
        return self.shares is None and not self.wanted

    def __len__(self) -> int:
        """How many there are."""
        return self.number

    def __iter__(self) -> Iterator[Sample]:
        """The samples, in the order of the data set."""
        if self.shares is None:
            for sample in self.samples:
                if _kind(sample.types, self.wanted) is not None:
                    yield sample
            return
        left, missing = dict(self.shares), self.number
        for sample in self.samples:
            kind = _kind(sample.types, self.wanted)
            if kind is not None and left.get(kind):
                left[kind] -= 1
                missing -= 1
                yield sample
                if not missing:  # the rest of a long file needn't be read
                    return


def _kind(types: tuple[str, ...], wanted: frozenset[str]) -> str | None:
    """The type that a sample is counted as; None for one that isn't wanted."""
    if not wanted:
        return types[0] if types else ""
    return next((name for name in types if name in wanted), None)


def _shares(there: dict[str, int], limit: int) -> dict[str, int]:
    """How many of each kind: one of each in turn, in the order in which the kinds are first met."""
    shares = dict.fromkeys(there, 0)
    while limit:
        open_kinds = [kind for kind, number in there.items() if shares[kind] < number]
        rounds = min(limit // len(open_kinds), *(there[kind] - shares[kind] for kind in open_kinds))
        for kind in open_kinds[: len(open_kinds) if rounds else limit]:
            shares[kind] += rounds or 1
        limit -= rounds * len(open_kinds) if rounds else limit
    return shares
