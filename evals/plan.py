"""From settings to a plan: the samples of a run, and the directory it goes to."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from agents.errors import UserError
from evals.datasets import Dataset, open_dataset
from evals.output import Output
from evals.running.attempt import Job
from evals.settings.growth import grown
from evals.settings.origin import Origin, origin
from evals.spec import Cell, RunFile, RunSpec, changes, moved
from evals.store.folders import RUN_FILE, SWEEP_FILE
from evals.store.records import RunKey, RunRecord
from evals.wanted import Wanted
from graphs import catalog

__all__ = ["Plan", "RunPlan", "check_same", "plan_cells", "plan_run", "saved_run"]


@dataclass(frozen=True)
class Plan:
    """One cell of a run, decided but not begun.

    Attributes:
        file: what its ``run.json`` will say.
        dataset: the whole data set.
        folder: its run directory, which may not exist yet.
        name: of the cell; empty where it is the whole run.
    """

    file: RunFile
    dataset: Dataset
    folder: Path
    name: str = ""

    @property
    def spec(self) -> RunSpec:
        """The settings."""
        return self.file.spec

    def keys(self) -> Wanted:
        """Every record that the run is to have, epoch by epoch."""
        return self._wanted

    @cached_property
    def _wanted(self) -> Wanted:
        return Wanted(self.dataset.select(self.spec.types, self.spec.limit), self.spec.epochs)

    def jobs(self, recorded: Container[RunKey], before: Mapping[RunKey, RunRecord]) -> Iterator[Job]:
        """What has no record yet; the data set is read again, epoch by epoch, as jobs are taken.

        Args:
            recorded: keys of the records there are.
            before: records set aside, whose interpretation can be judged again.
        """
        for epoch in range(1, self.spec.epochs + 1):
            for sample in self.keys().samples:
                key = (sample.video_id, epoch)
                if key not in recorded:
                    yield Job(sample, epoch, before.get(key))


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A run of one cell or several, decided but not begun.

    Attributes:
        file: what the run directory's ``run.json`` will say.
        folder: the run directory; that of the only cell, or the one that holds those of all.
        cells: every cell that the run has.
        wanted: names of those that are to be run now.
    """

    file: RunFile
    folder: Path
    cells: tuple[Plan, ...]
    wanted: frozenset[str]

    @property
    def spec(self) -> RunSpec:
        """The settings."""
        return self.file.spec

    @property
    def several(self) -> bool:
        """Whether the run directory holds others."""
        return bool(self.spec.over)

    @property
    def left_out(self) -> list[str]:
        """Names of cells that the run has and that are not run now."""
        return [cell.name for cell in self.cells if cell.name not in self.wanted]


def saved_run(run_dir: str | None) -> RunFile | None:
    """What a run directory says it holds; None for one that is new.

    Raises:
        UserError: when it holds records and doesn't say of what.
    """
    if run_dir is None:
        return None
    if (Path(run_dir) / SWEEP_FILE).exists():
        raise UserError(
            f"{run_dir} holds a sweep: continue it with python -m evals.sweep --run-dir {run_dir}, or give "
            "another --run-dir."
        )
    path = Path(run_dir) / RUN_FILE
    if path.exists():
        return RunFile.read(path)
    records = Path(run_dir) / "records.jsonl"
    if records.exists() and records.stat().st_size:
        raise UserError(
            f"{run_dir} holds records but no {RUN_FILE} that says of what; give another --run-dir."
        )
    return None


def plan_run(spec: RunSpec, run_dir: str | None, out: Output) -> RunPlan:
    """Decide what a run's settings mean.

    Args:
        spec: the settings; those of a run directory that holds a run must agree with it.
        run_dir: where the run goes to, or goes on; a new place in ``./runs`` when None.
        out: is told of what has changed since the run began.

    Raises:
        UserError: when they don't agree, or an input can't be used.
    """
    saved = saved_run(run_dir)
    whole, wanted = grown(str(run_dir), saved.spec, spec) if saved else (spec, None)
    folder = Path(run_dir) if run_dir else _new_folder(whole)
    cells, now = plan_cells(whole.cells(), folder), origin()
    file = cells[0].file
    if whole.over:
        prints = {name: told for cell in cells for name, told in cell.file.fingerprint.items()}
        names = tuple(cell.name for cell in cells)
        file = file.model_copy(update={"spec": whole, "fingerprint": prints, "cells": names})
    if saved:
        check_same(folder, cells)
        for sentence in moved(saved.spec, whole):
            out.say(f"{sentence}.")
        _say_versions(saved.origin, now, out)
        file = _kept(saved, file)
    names = {cell.name for cell in cells}
    return RunPlan(file, folder, cells, frozenset(names if wanted is None else wanted))


def plan_cells(cells: Iterable[Cell], folder: Path) -> tuple[Plan, ...]:
    """What the settings of cells mean, one by one.

    Args:
        cells: of a run.
        folder: of the run.

    Raises:
        UserError: when an input can't be used.
    """
    now, opened = origin(), _Opened()
    return tuple(_planned(cell.spec, folder / cell.name, cell.name, now, opened) for cell in cells)


class _Opened:
    """What cells share, opened once: data sets, and hashes of graphs, prompts and knowledge."""

    def __init__(self) -> None:
        self._datasets: dict[str, Dataset] = {}
        self._hashes: dict[str, dict[str, str]] = {}

    def dataset(self, name: str) -> Dataset:
        if name not in self._datasets:
            self._datasets[name] = open_dataset(name)
        return self._datasets[name]

    def hashes(self, spec: RunSpec) -> dict[str, str]:
        key = spec.graph + spec.context.model_dump_json(include={"prompts", "knowledge"})
        if key not in self._hashes:
            self._hashes[key] = catalog.fingerprint(spec.graph, spec.context)
        return self._hashes[key]


def _planned(spec: RunSpec, folder: Path, name: str, now: Origin, opened: _Opened) -> Plan:
    dataset = opened.dataset(spec.dataset)
    if not dataset.select(spec.types, 1):
        raise UserError(f"No sample of {spec.dataset} has type {' or '.join(spec.types)}.")
    file = RunFile(
        spec=spec,
        dataset_digest=dataset.digest,
        fingerprint=opened.hashes(spec),
        **dict(now),
        folder=str(Path.cwd()),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    path = folder / RUN_FILE
    return Plan(_kept(RunFile.read(path), file) if path.exists() else file, dataset, folder, name)


def _kept(saved: RunFile, file: RunFile) -> RunFile:
    """A file for another start: when the run began, and what earlier starts were made with."""
    earlier = [*saved.earlier, *([] if saved.origin == file.origin else [saved.origin])]
    return file.model_copy(update={"started": saved.started, "earlier": tuple(earlier)})


def check_same(folder: Path, cells: Iterable[Plan]) -> None:
    """Refuse to go on with other settings than those that a cell was begun with.

    Raises:
        UserError: naming them.
    """
    found: dict[str, None] = {}
    for cell in cells:
        if (cell.folder / RUN_FILE).exists():
            found |= dict.fromkeys(changes(RunFile.read(cell.folder / RUN_FILE), cell.file))
    if found:
        raise UserError(
            f"{folder} was begun with other settings: {'; '.join(found)}. Give another --run-dir."
        )


def _say_versions(was: Origin, now: Origin, out: Output) -> None:
    others = [
        f"{name} {version} -> {now.versions.get(name)}"
        for name, version in was.versions.items()
        if now.versions.get(name) != version
    ]
    if others:
        out.warn(f"Since the run began, versions have changed: {', '.join(others)}.")


def _new_folder(spec: RunSpec) -> Path:
    """A new place in ``./runs``, named by UTC time, graph and model, or by what is varied."""
    names = [spec.graph, spec.context.model]
    if spec.over:
        told = {"graph": "graphs", "context.model": "models"}
        names = [
            f"{len(values)}-{told.get(name, name.rpartition('.')[2])}" for name, values in spec.over.items()
        ]
    parts = (f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}", *names)
    name = "-".join(re.sub(r"[^\w.-]+", "_", part).strip("_.") for part in parts)
    folder, number = Path("runs") / name, 1
    while folder.exists():
        number += 1
        folder = Path("runs") / f"{name}-{number}"
    return folder
