"""Systems against each other, on the videos that both have."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from evals.statistics.bootstrap import Resampling
from evals.statistics.conditions import differing, doubts
from evals.statistics.corrections import holm
from evals.statistics.paired import Paired, compare_paired
from evals.statistics.ratings import ALL, Score, in_order
from evals.statistics.reading import System
from evals.statistics.reducers import Failures, Reducer, video_values

__all__ = ["Choice", "Comparison", "Pairing", "compare_all", "find_base", "pairs_of"]

Places = NDArray[np.int64]
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """What is compared, and how.

    Attributes:
        score: which.
        failures: count as zero, or are left out.
        reducer: from epochs to a video's value.
        by_type: a row a type, besides the one of all videos.
        resampling: resamples, seed and level.
    """

    score: Score = "loose"
    failures: Failures = "zero"
    reducer: Reducer = field(default_factory=Reducer)
    by_type: bool = False
    resampling: Resampling = field(default_factory=Resampling)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: a type, or all.

    Attributes:
        name: the type's key, or ``All``.
        paired: the figures.
        p_holm: p corrected for all rows of all pairs that are compared together.
    """

    name: str
    paired: Paired
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two systems and what separates them.

    Attributes:
        base: what is compared with.
        other: what is compared.
        common: videos that both have.
        unscored: of these, left out since one has no score (failures excluded).
        base_only: ids that the other lacks, sorted.
        other_only: ids that the base lacks, sorted.
        doubts: why the comparison may be worthless.
        differing: settings in which they differ.
        rows: by type, in the paper's order, and overall, last; empty without a video to compare.
        retyped: common videos whose types differ between the two; the base's count.
    """

    base: System
    other: System
    common: int
    unscored: int
    base_only: tuple[str, ...]
    other_only: tuple[str, ...]
    doubts: tuple[str, ...]
    differing: tuple[str, ...]
    rows: tuple[Comparison, ...] = ()
    retyped: int = 0

    @property
    def notes(self) -> list[str]:
        """What a reader must know of the videos, beside doubts."""
        found = [
            f"{len(ids)} videos are in {mine} only and left out: {_some(ids)}"
            for mine, ids in ((self.base.name, self.base_only), (self.other.name, self.other_only))
            if ids
        ]
        if self.retyped:
            found.append(
                f"{self.retyped} common videos have other types in {self.other.name}: the base's count"
            )
        if self.unscored:
            found.append(
                f"{self.unscored} of {self.common} common videos are left out, since a score is missing"
            )
        return found


def compare_all(pairs: Sequence[tuple[System, System]], choice: Choice | None = None) -> list[Pairing]:
    """Compare pairs of systems, with Holm's correction over all rows of all pairs.

    Args:
        pairs: ``(base, other)``.
        choice: what is compared, and how.

    Raises:
        UserError: when a reducer needs more epochs than a system has.
    """
    choice = choice or Choice()
    found = [_pair(base, other, choice) for base, other in pairs]
    corrected = iter(holm([row.paired.p for pairing in found for row in pairing.rows]))
    return [
        replace(pairing, rows=tuple(replace(row, p_holm=next(corrected)) for row in pairing.rows))
        for pairing in found
    ]


def pairs_of(
    systems: Sequence[System], base: str | None = None, *, all_pairs: bool = False
) -> list[tuple[System, System]]:
    """Which pairs to compare: the base, the first if none is named, with each other; or everyone.

    Raises:
        UserError: when there is no system of that name.
    """
    first = find_base(systems, base) if base is not None else systems[0]
    ordered = [first, *(system for system in systems if system is not first)]
    if all_pairs:
        return list(itertools.combinations(ordered, 2))
    return [(first, other) for other in ordered[1:]]


def find_base(systems: Sequence[System], name: str) -> System:
    """The system of a name, or of a part of a name that only one has.

    Raises:
        UserError: when there is none; it gives the names.
    """
    exact = [system for system in systems if name in (system.name, str(system.path))]
    found = exact or [system for system in systems if name in system.name]
    if len(found) == 1:
        return found[0]
    names = [system.name for system in systems]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]}?" if near and not found else ""
    what = f"{len(found)} runs match" if found else "no run is named"
    raise UserError(f"--base: {what} {name!r}.{hint} Runs: {', '.join(names)}.")


def _pair(base: System, other: System, choice: Choice) -> Pairing:
    for system in (base, other):
        check_epochs(system, choice.reducer)
    one, two = base.ratings, other.ratings
    _, in_base, in_other = np.intersect1d(
        np.array(one.videos, dtype=object), np.array(two.videos, dtype=object), return_indices=True
    )
    values = [
        video_values(system.ratings, choice.score, choice.failures, choice.reducer)[places]
        for system, places in ((base, in_base), (other, in_other))
    ]
    there = ~np.isnan(values[0]) & ~np.isnan(values[1])
    both = [(one.types[i], two.types[j]) for i, j in zip(in_base, in_other, strict=True)]
    types = [mine or theirs for mine, theirs in both]
    retyped = sum(bool(mine and theirs) and set(mine) != set(theirs) for mine, theirs in both)
    rows: list[Comparison] = []
    for name, places in _groups(types, choice).items():
        kept = places[there[places]]
        if len(kept):
            label = f"difference/{name}/{choice.score}/{choice.failures}"
            figures = compare_paired(values[0][kept], values[1][kept], choice.resampling, label)
            rows.append(Comparison(name, figures))
    return Pairing(
        base=base,
        other=other,
        common=len(in_base),
        unscored=int((~there).sum()),
        base_only=tuple(sorted(set(one.videos) - set(two.videos))),
        other_only=tuple(sorted(set(two.videos) - set(one.videos))),
        retyped=retyped if choice.by_type else 0,
        doubts=(*doubts(base.conditions, other.conditions), *_uneven(base, other, choice)),
        differing=tuple(differing(base.conditions, other.conditions)),
        rows=tuple(rows),
    )


def check_epochs(system: System, reducer: Reducer) -> None:
    """Refuse a reducer that needs more epochs than any video has.

    Raises:
        UserError: it says how many there are.
    """
    most = int(system.ratings.epochs.max())
    if reducer.kind == "at-least" and reducer.epochs > most:
        raise UserError(
            f"{reducer} needs {reducer.epochs} epochs and {system.name} has {most}: lower it, or run more "
            f"with python -m evals.run --run-dir {system.path} --epochs {reducer.epochs}"
        )


def _groups(types: Sequence[tuple[str, ...]], choice: Choice) -> dict[str, Places]:
    found: dict[str, list[int]] = {}
    for place, names in enumerate(types if choice.by_type else ()):
        for name in dict.fromkeys(names):
            found.setdefault(name, []).append(place)
    groups: dict[str, Places] = {name: np.array(found[name], dtype=np.int64) for name in in_order(found)}
    groups[ALL] = np.arange(len(types))
    return groups


def _uneven(base: System, other: System, choice: Choice) -> list[str]:
    """Epochs that make the best of more look better than the best of fewer."""
    most = [int(system.ratings.epochs.max()) for system in (base, other)]
    if choice.reducer.kind == "mean" or most[0] == most[1]:
        return []
    return [
        f"different numbers of epochs ({most[0]}; {most[1]}) under {choice.reducer}: more tries, more luck."
    ]


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more
