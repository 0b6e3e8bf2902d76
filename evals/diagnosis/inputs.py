"""From a path to runs that can be diagnosed: their records, and the gold of their data set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agents.errors import UserError
from evals.datasets import Dataset, Sample, open_dataset
from evals.diagnosis.records import DIAGNOSES, DiagnosisRecord, read_diagnoses, seen_digest
from evals.plan import RUN_FILE
from evals.spec import RunFile, RunSpec
from evals.store.folders import run_folders
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RECORDS, read_records

__all__ = ["Run", "open_runs"]


@dataclass(frozen=True)
class Run:
    """A run directory, read.

    Attributes:
        name: unique among those that were opened.
        folder: the directory.
        spec: its settings.
        records: the samples that have an interpretation, in the order of the file.
        samples: gold and titles, by id.
        without: records without an interpretation: there is nothing to diagnose.
        notes: what a reader must know.
    """

    name: str
    folder: Path
    spec: RunSpec
    records: tuple[RunRecord, ...]
    samples: Mapping[str, Sample]
    without: int = 0
    notes: tuple[str, ...] = ()
    _digests: dict[RunKey, str] = field(default_factory=dict[RunKey, str])

    @property
    def path(self) -> Path:
        """Where its diagnoses are kept."""
        return self.folder / DIAGNOSES

    def gold(self, record: RunRecord) -> tuple[str, ...]:
        """The gold of a record's video; empty where the data set has none."""
        sample = self.samples.get(record.video_id)
        return sample.gold if sample else ()

    def title(self, record: RunRecord) -> str:
        """The title of its video."""
        sample = self.samples.get(record.video_id)
        return sample.title if sample else ""

    def digest(self, record: RunRecord) -> str:
        """What a diagnosis of it would read, as a digest."""
        if record.key not in self._digests:
            self._digests[record.key] = seen_digest(record, self.gold(record))
        return self._digests[record.key]

    def diagnosed(self) -> dict[RunKey, DiagnosisRecord]:
        """Diagnoses on disk that are of the records as they are now."""
        known = read_diagnoses(self.path)
        now = {record.key: record for record in self.records}
        return {key: each for key, each in known.items() if key in now and each.seen == self.digest(now[key])}


def open_runs(paths: Iterable[Path], dataset: str | None = None) -> list[Run]:
    """Open run directories; a directory of several runs stands for each of them, in their order.

    Args:
        paths: run directories, or directories that hold some.
        dataset: where gold is read from, instead of the data set that a run names.

    Raises:
        UserError: when a path is no run, is given twice, or its data set can't be had.
    """
    folders: list[Path] = []
    for path in paths:
        for folder in run_folders(path):
            if any(folder.resolve() == each.resolve() for each in folders):
                raise UserError(f"{folder} is given twice: a run can't be compared with itself.")
            folders.append(folder)
    names = _names(folders)
    golds: dict[str, dict[str, Sample]] = {}
    return [_open(folder, name, dataset, golds) for folder, name in zip(folders, names, strict=True)]


def _names(folders: list[Path]) -> Iterator[str]:
    """The shortest ends of paths that tell folders apart."""
    whole = [folder.resolve().parts for folder in folders]
    length = 1
    while len({parts[-length:] for parts in whole}) < len(whole):
        length += 1
    return ("/".join(parts[-length:]) for parts in whole)


def _gold_of(folder: Path, wanted: str, *, given: bool) -> Dataset:
    try:
        return open_dataset(wanted)
    except UserError as error:
        if given:
            raise
        raise UserError(
            f"The gold of {folder} can't be read: {error} If it has moved, say where to with --dataset."
        ) from error


def _open(folder: Path, name: str, dataset: str | None, golds: dict[str, dict[str, Sample]]) -> Run:
    file = RunFile.read(folder / RUN_FILE)
    wanted, notes = dataset or file.spec.dataset, list[str]()
    opened = None
    if wanted not in golds:
        opened = _gold_of(folder, wanted, given=dataset is not None)
        golds[wanted] = {sample.video_id: sample for sample in opened.samples}
        if opened.digest != file.dataset_digest:
            notes.append(f"the content of data set {wanted!r} is not what it was when the run began")
    records = list(read_records(folder / RECORDS))
    known = [record for record in records if record.interpretation is not None]
    absent = sum(record.video_id not in golds[wanted] for record in known)
    if absent:
        notes.append(f"{absent} records are of videos that data set {wanted!r} does not have: no gold")
    return Run(
        name=name,
        folder=folder,
        spec=file.spec,
        records=tuple(known),
        samples=golds[wanted],
        without=len(records) - len(known),
        notes=tuple(notes),
    )
