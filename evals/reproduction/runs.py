"""The runs that are laid beside the paper: their scores, their data set, and what they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.errors import UserError
from evals.datasets import Dataset, open_dataset
from evals.report.gathering import dataset_of
from evals.reproduction.cells import FULL, Cell, cell_of, counterpart, named_cell, named_system
from evals.reproduction.published import TYPES, Published, PublishedSystem, plain_model
from evals.statistics import System, read_systems
from evals.store.folders import run_folders

__all__ = ["DAGGER", "Ours", "by_letters", "caveats", "is_benchmark", "read_runs", "short_name"]

DAGGER = "†"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Ours:
    """One graph with one model of a run directory.

    Attributes:
        letter: what tables call it.
        system: its scores and conditions.
        dataset: that it ran on; why it can't be opened otherwise.
        videos: which videos these are, next to the paper's; empty where they are the same.
        counterpart: the published row of Table 2 that it is held against.
        cell: the row of Table 4 that it is.
    """

    letter: str
    system: System
    dataset: Dataset | str
    videos: str
    counterpart: PublishedSystem | None
    cell: Cell | None

    @property
    def name(self) -> str:
        """For rows: letter, graph, what was ablated, model; a dagger where videos are not all the paper's."""
        part = f" ({self.cell.key})" if self.cell and self.cell.key != FULL else ""
        return f"{self.letter}: {self.system.graph}{part}, {self.system.model}{self.dagger}"

    @property
    def dagger(self) -> str:
        """Marks what is only formally comparable."""
        return f" {DAGGER}" if self.videos else ""

    @property
    def folder(self) -> Path:
        """The run directory."""
        return self.system.path

    def has_model(self, names: Iterable[str]) -> bool:
        """Whether the interpreting model goes by one of these names."""
        return plain_model(self.system.model) in names


def read_runs(
    paths: Sequence[Path],
    known: Published,
    *,
    dataset: str = "",
    named: Sequence[tuple[str, Path]] = (),
    against: str = "",
) -> list[Ours]:
    """Read runs, finished or not.

    Args:
        paths: run directories, or folders of some.
        known: what was published.
        dataset: where the data set is now, if not where the runs were made.
        named: (row of Table 4 or 2, run): what a run is, whatever its settings say.
        against: the published row of Table 2 that all are held against.

    Raises:
        UserError: when there is no such run or row, or it holds no record.
    """
    rival = _system(against, known) if against else None
    given = {run.resolve(): _row(name, known) for name, run in named}
    given_paths = [*paths, *(run for _, run in named)]
    folders = list(
        dict.fromkeys(folder for path in given_paths for folder in run_folders(path, recorded=True))
    )
    found = open_dataset(dataset) if dataset else None
    opened: dict[str, Dataset | str] = {}
    systems = read_systems(folders)
    if len(systems) > len(_LETTERS):
        raise UserError(f"{len(systems)} runs are too many for one table; name at most {len(_LETTERS)}.")
    runs: list[Ours] = []
    for letter, system in zip(_LETTERS, systems, strict=False):
        settings = system.conditions.settings.flat
        data = found or dataset_of(str(settings.get("dataset", "")), opened)
        flat = {**settings, "graph": system.graph}
        run = Ours(
            letter=letter,
            system=system,
            dataset=data,
            videos=_videos(system, data, known),
            counterpart=rival or counterpart(system.graph, system.model, flat, known),
            cell=cell_of(flat, known),
        )
        runs.append(_with_name(run, given.get(system.path.resolve())))
    return runs


def by_letters(notes: Iterable[tuple[str, str]]) -> list[str]:
    """Notes of runs, (letter, text) each, the same text once: ``A, C: text.``, and so on."""
    found: dict[str, list[str]] = {}
    for letter, text in notes:
        found.setdefault(text, []).append(letter)
    return [f"{', '.join(letters)}: {text}." for text, letters in found.items()]


def caveats(runs: Iterable[Ours]) -> list[str]:
    """Which videos runs are of, where they are not the paper's, for below a table."""
    return [f"{DAGGER} {note}" for note in by_letters((run.letter, run.videos) for run in runs if run.videos)]


def short_name(dataset: Dataset) -> str:
    """A data set's name; of a path its last part."""
    return Path(dataset.name).name or dataset.name


def is_benchmark(dataset: Dataset, known: Published) -> bool:
    """Whether a data set is the paper's, by its number of videos, in all and of each type.

    A video may have several types, of which the paper counts one: a type may have more videos, never fewer.
    """
    counted = Counter(name for sample in dataset.samples for name in dict.fromkeys(sample.types))
    enough = all(counted[name] >= n for name, n in zip(TYPES, known.benchmark.n, strict=True))
    return len(dataset) == known.benchmark.videos and enough


def _videos(system: System, dataset: Dataset | str, known: Published) -> str:
    number = len(system.ratings.videos)
    if isinstance(dataset, str):
        return f"it is not known whether its {number} videos are the paper's: {dataset}"
    if not is_benchmark(dataset, known):
        return (
            f"not the same videos: {number} of the data set {short_name(dataset)!r}, not the benchmark's; "
            "a difference is one of videos as well"
        )
    if number < known.benchmark.videos:
        return f"not all the same videos: {number} of the benchmark's {known.benchmark.videos}"
    return ""


def _row(name: str, known: Published) -> Cell | PublishedSystem:
    found = named_cell(name, known) or named_system(name, known)
    return found or _system(name, known)


def _system(name: str, known: Published) -> PublishedSystem:
    found = named_system(name, known)
    if found is None:
        rows = ", ".join(row.key for row in known.systems)
        cells = ", ".join(row.key for row in known.ablations.rows)
        raise UserError(f"{name!r} is no published row. Of Table 2 there are {rows}; of Table 4 {cells}.")
    return found


def _with_name(run: Ours, given: Cell | PublishedSystem | None) -> Ours:
    if isinstance(given, Cell):
        return replace(run, cell=given)
    return replace(run, counterpart=given) if given is not None else run
