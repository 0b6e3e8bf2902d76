"""From a path to the systems whose scores it holds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.errors import UserError
from evals.statistics.conditions import Conditions, ConditionsBuilder, RunSettings
from evals.statistics.published_scores import read_published, score_files
from evals.statistics.ratings import Ratings, RatingsBuilder
from evals.store.folders import holds_runs, is_grid, run_folders
from evals.store.records import Outcome, RunRecord
from evals.store.run_store import RECORDS, read_records

__all__ = ["System", "of_records", "read_systems", "with_types"]


@dataclass(frozen=True, slots=True)
class System:
    """What was scored: one graph with one model, over the videos of a run.

    Attributes:
        name: unique among those that are compared.
        path: the run directory or the score file.
        graph: the graph; empty where it isn't told.
        model: the interpreting model; empty where it isn't told.
        ratings: the scores.
        conditions: how they came about.
        outcomes: records by how they ended.
        notes: what a reader must know of it.
    """

    name: str
    path: Path
    graph: str
    model: str
    ratings: Ratings
    conditions: Conditions = field(default_factory=Conditions)
    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    notes: tuple[str, ...] = ()


def read_systems(paths: Iterable[Path]) -> list[System]:
    """Read run directories, and scores in the published layout; each graph and model is a system.

    A run that is being written is read as far as it has come.

    Args:
        paths: run directories, those of several cells among them, ``records.jsonl``, score files
            (``score/NAME.jsonl``), or folders of these.

    Returns:
        In the order of the paths, then of graphs and models; names are the shortest that tell them apart.

    Raises:
        UserError: when a path holds no scores, or is given twice; it names the file and the way out.
    """
    found: list[System] = []
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise UserError(f"{path} is given twice: a run can't be compared with itself.")
        seen.add(path.resolve())
        found += _read(path)
    return _with_names(found)


def of_records(records: Iterable[RunRecord], path: Path, settings: RunSettings | None = None) -> list[System]:
    """Sort records by graph and model, in one pass; only scores are kept in memory."""
    parts: dict[tuple[str, str], tuple[RatingsBuilder, ConditionsBuilder, dict[str, int]]] = {}
    for record in records:
        who = record.graph, record.model
        if who not in parts:
            parts[who] = RatingsBuilder(), ConditionsBuilder(settings or RunSettings()), {}
        ratings, conditions, outcomes = parts[who]
        verdict = record.verdict if record.ok else None
        scored = (verdict.strict, verdict.loose) if verdict else None
        if record.outcome is not Outcome.UNJUDGED:
            ratings.add(record.video_id, record.epoch, record.types, scored)
        conditions.add(record)
        outcomes[record.label] = outcomes.get(record.label, 0) + 1
    return [
        System(
            name=path.name,
            path=path,
            graph=who[0],
            model=who[1],
            ratings=parts[who][0].build(),
            conditions=parts[who][1].build(),
            outcomes=dict(sorted(parts[who][2].items())),
        )
        for who in sorted(parts)
    ]


def with_types(system: System, types: dict[str, tuple[str, ...]]) -> System:
    """The same scores with types from elsewhere, for videos that tell none themselves."""
    ratings = system.ratings
    told = (own or types.get(name, ()) for name, own in zip(ratings.videos, ratings.types, strict=True))
    return replace(system, ratings=replace(ratings, types=tuple(told)))


def _read(path: Path) -> list[System]:
    if path.name == RECORDS and path.is_file():
        path = path.parent
    if (path / RECORDS).is_file():
        return _read_run(path)
    files = [] if is_grid(path) else score_files(path)
    if not files and holds_runs(path):
        return [system for folder in run_folders(path, recorded=True) for system in _read_run(folder)]
    if not files:
        known = f"a run directory (with {RECORDS}), a score file, or a folder of runs or of score/*.jsonl"
        what = "holds no scores" if path.exists() else "does not exist"
        raise UserError(f"{path} {what}: give {known}.")
    return [
        System(name, first, "", "", ratings, notes=tuple(notes))
        for name, first, ratings, notes in map(read_published, files)
    ]


def _read_run(folder: Path) -> list[System]:
    settings = RunSettings.read(folder / "run.json")
    try:
        found = of_records(read_records(folder / RECORDS), folder.resolve(), settings)
    except OSError as error:
        raise UserError(f"{folder / RECORDS} can't be read: {error.strerror}.") from error
    if not found:
        raise UserError(
            f"{folder / RECORDS} holds no record yet: wait for the run's first, or continue it with "
            f"python -m evals.run --run-dir {folder}"
        )
    missing = _unfinished(folder)
    return [
        replace(system, path=folder, notes=_notes(missing, replace(system, path=folder))) for system in found
    ]


def _notes(missing: str, system: System) -> tuple[str, ...]:
    """What a reader must know; a system of which nothing is judged can't be compared.

    Raises:
        UserError: when it is such a one.
    """
    unjudged = system.outcomes.get(Outcome.UNJUDGED, 0)
    if unjudged and not system.ratings.videos:
        raise UserError(f"Nothing in {system.path} is judged yet: give its scores too, or have it judged.")
    told = f"{unjudged} interpretations are not judged yet: they are left out" if unjudged else ""
    return tuple(filter(None, (missing, told)))


def _unfinished(folder: Path) -> str:
    try:
        said = json.loads((folder / "summary.json").read_bytes())
    except FileNotFoundError:
        return "not finished (it runs, or was interrupted): what it has so far counts"
    except (OSError, ValueError):
        return ""
    return f"not finished: {said['missing']} records are missing" if said.get("missing") else ""


def _with_names(systems: list[System]) -> list[System]:
    """Name each by its folder or file; by graph, model and the whole path too where that is not enough."""
    for name_of in (
        lambda system: system.name,
        lambda system: f"{system.name}:{system.graph}" if _several(system, systems) else system.name,
        lambda system: (
            f"{system.name}:{system.graph}:{system.model}" if _several(system, systems) else system.name
        ),
        lambda system: ":".join(filter(None, (str(system.path), system.graph, system.model))),
    ):
        names = [name_of(system) for system in systems]
        if len(set(names)) == len(names):
            break
    return [replace(system, name=name) for system, name in zip(systems, names, strict=True)]


def _several(system: System, systems: list[System]) -> bool:
    return sum(other.path == system.path for other in systems) > 1
