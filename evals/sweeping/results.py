"""What the cells of a sweep scored, and how far each is from the base."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.spec import RunSpec
from evals.statistics import (
    Choice,
    Comparison,
    Estimate,
    Resampling,
    Score,
    System,
    compare_all,
    read_systems,
    summarise,
)
from evals.statistics.ratings import SCORES
from evals.store.run_store import RECORDS, read_records
from evals.sweeping.design import base_of
from evals.sweeping.saved import SavedCell, SweepFile
from evals.table import PROXY_NOTICE

__all__ = ["SURE", "Result", "Results", "read_results"]

_RESAMPLES, _EACH = 10_000, 200  # a p of few resamples, corrected for many cells, could never be small

SURE = 0.05
"""A corrected p below which a difference counts as found."""


@dataclass(frozen=True, slots=True)
class Result:
    """One cell.

    Attributes:
        cell: name and values.
        n: videos; 0 for one without a record.
        failed: records without a score.
        missing: records that are still to come; None where that isn't told.
        scores: means over videos, failures as zero, 0 to 100; empty without a record.
        against: difference from the base by score; empty for the base, and without common videos.
    """

    cell: SavedCell
    n: int
    failed: int
    missing: int | None
    scores: Mapping[Score, Estimate]
    against: Mapping[Score, Comparison]

    def verdict(self, score: Score) -> int:
        """1 where it is surely better than the base, -1 where surely worse, else 0."""
        found = self.against.get(score)
        if found is None or found.p_holm is None or found.p_holm >= SURE:
            return 0
        return 1 if found.paired.difference > 0 else -1


@dataclass(frozen=True, slots=True)
class Results:
    """All cells.

    Attributes:
        file: what is varied.
        spec: settings that cells share.
        base: the cell that all others are compared with.
        cells: in the order of the table.
        notes: what a reader must know.
    """

    file: SweepFile
    spec: RunSpec
    base: SavedCell
    cells: tuple[Result, ...]
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every cell has all its records."""
        return all(cell.missing == 0 for cell in self.cells)


def read_results(
    folder: Path, file: SweepFile, spec: RunSpec, resampling: Resampling | None = None
) -> Results:
    """Read what the cells of a sweep recorded, and compare each with the base.

    Holm's correction counts every cell that is compared, for each score apart.

    Args:
        folder: the sweep's run directory.
        file: what it varies.
        spec: settings that cells share.
        resampling: of intervals; by the spec's seed, and more with more cells, when None.

    Raises:
        UserError: when a record can't be read.
    """
    resampling = resampling or Resampling(max(_RESAMPLES, _EACH * len(file.cells)), spec.seed)
    base = base_of(file, spec)
    systems = {cell.name: system for cell in file.cells if (system := _system(folder / cell.name))}
    against: dict[Score, dict[str, Comparison]] = {
        score: _against(systems, base, Choice(score=score, resampling=resampling)) for score in SCORES
    }
    cells = tuple(
        _result(cell, systems.get(cell.name), folder / cell.name, against, resampling) for cell in file.cells
    )
    return Results(file, spec, base, cells, tuple(_notes(systems, base, cells)))


def _system(folder: Path) -> System | None:
    path = folder / RECORDS
    if not path.exists() or next(read_records(path), None) is None:
        return None
    return read_systems([folder])[0]


def _against(systems: Mapping[str, System], base: SavedCell, choice: Choice) -> dict[str, Comparison]:
    if base.name not in systems:
        return {}
    others = [name for name in systems if name != base.name]
    pairings = compare_all([(systems[base.name], systems[name]) for name in others], choice)
    return {name: pair.rows[-1] for name, pair in zip(others, pairings, strict=True) if pair.rows}


def _result(
    cell: SavedCell,
    system: System | None,
    folder: Path,
    against: Mapping[Score, Mapping[str, Comparison]],
    resampling: Resampling,
) -> Result:
    missing = _missing(folder)
    if system is None:
        return Result(cell, 0, 0, missing, {}, {})
    overall = summarise(system.ratings, resampling, by_type=False)[-1]
    scores: dict[Score, Estimate] = {score: ways["zero"] for score, ways in overall.estimates.items()}
    differences: dict[Score, Comparison] = {
        score: found[cell.name] for score, found in against.items() if cell.name in found
    }
    return Result(cell, overall.n, overall.failed, missing, scores, differences)


def _missing(folder: Path) -> int | None:
    try:
        said: Any = json.loads((folder / "summary.json").read_bytes())
    except (OSError, ValueError):
        return None
    return said.get("missing") if isinstance(said, dict) else None


def _notes(systems: Mapping[str, System], base: SavedCell, cells: Sequence[Result]) -> list[str]:
    found: list[str] = []
    unfinished = sum(cell.missing != 0 for cell in cells)
    if unfinished:
        found.append(f"{unfinished} of {len(cells)} cells are not finished: what they have so far counts")
    if base.name not in systems:
        found.append("the base has no record yet, so that nothing is compared")
    proxies = sum(system.conditions.proxies for system in systems.values())
    verdicts = sum(system.conditions.verdicts for system in systems.values())
    if proxies:
        found.append(("" if proxies == verdicts else f"{proxies} of {verdicts} verdicts: ") + PROXY_NOTICE)
    judges = {judge for system in systems.values() for judge in system.conditions.judges}
    if len(judges) > 1:
        found.append(
            f"different judges ({', '.join(sorted(judges))}): scores of different judges don't compare"
        )
    sizes = {cell.n for cell in cells if cell.n}
    if sizes and max(sizes) < 5:  # noqa: PLR2004 - as the bootstrap has it
        found.append("fewer than 5 videos are too few for an interval or a p")
    if len(sizes) > 1:
        found.append("cells have different numbers of videos: differences are over the videos that both have")
    return found
