"""From run directories to samples with the records of every run beside one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.errors import UserError
from evals.datasets import Dataset, Sample, known_datasets, open_dataset
from evals.money.prices import Prices
from evals.report.diagnosed import Diagnosed, diagnosed_runs
from evals.report.naming import told_apart
from evals.report.settings import RunSettings, read_settings
from evals.report.spending import prices_of
from evals.statistics.conditions import RunSettings as FlatSettings
from evals.store.folders import RUN_FILE, run_folders
from evals.store.records import RunRecord
from evals.store.run_store import RECORDS, read_records
from evals.table import Table, tabulate

__all__ = ["Gathered", "Group", "Run", "dataset_of", "gather"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Run:
    """One graph with one model of a run directory.

    Attributes:
        letter: what the report calls it: A, B, ...
        folder: the directory.
        graph: that interpreted.
        model: that interpreted.
        judge: the judging model.
        settings: of ``run.json``.
        records: each key once, in the order of the file.
        table: of these records.
        samples: of its data set by video_id; None where that can't be opened.
        prices: of its models.
        notices: what a reader must know of this run.
        variant: what tells it apart from others of this graph and model; empty where there are none.
    """

    letter: str
    folder: Path
    graph: str
    model: str
    judge: str
    settings: RunSettings
    records: tuple[RunRecord, ...]
    table: Table
    samples: dict[str, Sample] | None
    prices: Prices
    notices: tuple[str, ...]
    variant: str = ""

    @property
    def label(self) -> str:
        """The graph, and what sets the run apart: ``boost``, ``boost, retrieval limit 3``."""
        return f"{self.graph}, {self.variant}" if self.variant else self.graph

    @property
    def name(self) -> str:
        """For headings: ``boost · openai:gpt-5``, ``boost, retrieval limit 3 · openai:gpt-5``."""
        return f"{self.label} · {self.model}"

    def gold(self, video_id: str) -> tuple[str, ...]:
        """The gold of a video; empty where it isn't known."""
        sample = (self.samples or {}).get(video_id)
        return sample.gold if sample else ()

    def epochs(self) -> dict[str, list[RunRecord]]:
        """Records by sample, in the order of epochs."""
        found: dict[str, list[RunRecord]] = {}
        for record in self.records:
            found.setdefault(record.video_id, []).append(record)
        for records in found.values():
            records.sort(key=lambda record: record.epoch)
        return found


@dataclass(slots=True)
class Group:
    """One sample, and what each run made of it.

    Attributes:
        video_id: of the sample.
        title: which may be empty.
        types: keys of its metaphor types.
        gold: the human entries; None where no data set that could be opened has the sample.
        video: the file or folder; None where it was not found.
        runs: by the run's place, its records in the order of epochs.
    """

    video_id: str
    title: str
    types: tuple[str, ...]
    gold: tuple[str, ...] | None
    video: Path | None
    runs: dict[int, list[RunRecord]] = field(default_factory=dict[int, list[RunRecord]])


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a report is made of.

    Attributes:
        runs: in the order they were named.
        groups: samples in the order of their data set, then of the records.
        diagnosed: why each run fails; empty where none was diagnosed.
    """

    runs: tuple[Run, ...]
    groups: tuple[Group, ...]
    diagnosed: tuple[Diagnosed, ...] = ()

    @property
    def notices(self) -> list[str]:
        """What a reader must know before the figures, each once."""
        told: dict[str, list[str]] = {}
        for run in self.runs:
            for notice in (*run.table.notices, *run.notices):
                told.setdefault(notice, []).append(run.letter)
        found = [
            notice if len(letters) == len(self.runs) else f"{', '.join(letters)}: {notice}"
            for notice, letters in told.items()
        ]
        if len({run.settings.dataset_digest for run in self.runs if run.settings.dataset_digest}) > 1:
            found.append("these runs are of different data sets, or of different versions of one")
        if len({run.judge for run in self.runs}) > 1:
            found.append("these runs have different judges: their scores can't be compared")
        return found


def gather(paths: Sequence[Path], dataset: str = "") -> Gathered:
    """Read runs; each may still be going on.

    Args:
        paths: run directories, those of several cells among them, or folders that hold some.
        dataset: where the data set is now, if not where the runs were made; a name, path or ``module:attr``.

    Raises:
        UserError: when there is no such run, it holds no record yet, or ``dataset`` can't be opened.
    """
    folders = list(dict.fromkeys(folder for path in paths for folder in run_folders(path, recorded=True)))
    given = open_dataset(dataset) if dataset else None
    opened: dict[str, Dataset | str] = {}
    found = [run for folder in folders for run in _runs(folder, given, opened)]
    if len(found) > len(_LETTERS):
        raise UserError(f"{len(found)} runs are too many for one report; name at most {len(_LETTERS)}.")
    runs = _named(found)
    return Gathered(runs, tuple(_grouped(runs)), diagnosed_runs(runs))


def _named(runs: Sequence[Run]) -> tuple[Run, ...]:
    """With letters, and with what tells those apart that graph and model don't."""
    flat = {run.folder: FlatSettings.read(run.folder / RUN_FILE).flat for run in runs}
    variants = told_apart([(run.graph, run.model, run.folder, flat[run.folder]) for run in runs])
    return tuple(
        replace(run, letter=letter, variant=variant)
        for run, letter, variant in zip(runs, _LETTERS, variants, strict=False)
    )


def _runs(folder: Path, given: Dataset | None, opened: dict[str, Dataset | str]) -> Iterator[Run]:
    """What a directory holds, each graph and model apart."""
    parts: dict[tuple[str, str], list[RunRecord]] = {}
    try:
        for record in read_records(folder / RECORDS):
            parts.setdefault((record.graph, record.model), []).append(record)
    except OSError as error:
        raise UserError(f"{folder / RECORDS} can't be read: {error.strerror}.") from error
    if not parts:
        raise UserError(f"{folder} holds no record yet; wait for its first sample, or leave it out.")
    settings = read_settings(folder)
    found = given or dataset_of(settings.spec.dataset, opened)
    missing = _missing(sum(map(len, parts.values())), settings, found)
    priced = prices_of(settings)
    for (graph, model), records in sorted(parts.items()):
        samples = found.samples if isinstance(found, Dataset) else None
        yield Run(
            letter="",
            folder=folder,
            graph=graph,
            model=model,
            judge=records[0].judge_model,
            settings=settings,
            records=tuple(records),
            table=tabulate(records),
            samples=None if samples is None else {sample.video_id: sample for sample in samples},
            prices=priced.prices,
            notices=(*missing, *([priced.notice] if priced.notice else [])),
        )


def _missing(records: int, settings: RunSettings, found: Dataset | str) -> tuple[str, ...]:
    """What of a run can't be shown, or isn't there yet."""
    if isinstance(found, str):
        return (f"gold and videos are not shown: {found}",)
    if settings.dataset_digest and found.digest != settings.dataset_digest:
        return ("its data set is no longer what it was when the run began: gold may differ",)
    expected = len(found.select(settings.spec.types, settings.spec.limit)) * settings.spec.epochs
    if settings.started and records < expected:
        return (f"not finished: {records} of {expected} records are there",)
    return ()


def dataset_of(name: str, opened: dict[str, Dataset | str]) -> Dataset | str:
    """The data set of a run, or why it isn't there; a run does not choose what is imported here.

    Args:
        name: as ``run.json`` has it.
        opened: data sets by name, so that each is read once.
    """
    if name not in opened:
        if not name:
            opened[name] = f"there is no {RUN_FILE} that names the data set; give --dataset"
        elif name not in known_datasets() and not Path(name).exists() and ":" in name:
            opened[name] = f"give --dataset {name} to import that module"
        else:
            try:
                opened[name] = open_dataset(name)
            except UserError as error:
                opened[name] = f"{error} Where it lies now is said by --dataset"
    return opened[name]


def _grouped(runs: Iterable[Run]) -> list[Group]:
    """Samples with their records; two runs share one only where its gold does not differ."""
    groups: dict[str, list[Group]] = {}
    order: dict[str, int] = {}
    for place, run in enumerate(runs):
        for video_id in run.samples or {}:
            order.setdefault(video_id, len(order))
        for video_id, records in run.epochs().items():
            sample = (run.samples or {}).get(video_id)
            group = _group(groups.setdefault(video_id, []), video_id, sample, records[0])
            group.runs[place] = records
    last = len(order)
    ordered = sorted(groups.items(), key=lambda item: (order.get(item[0], last), item[0]))
    return [group for _, same in ordered for group in same]


def _group(there: list[Group], video_id: str, sample: Sample | None, record: RunRecord) -> Group:
    for group in there:
        if sample is None or group.gold is None or (group.gold, group.title) == (sample.gold, sample.title):
            if sample is not None and group.gold is None:
                group.title, group.gold, group.video = sample.title, sample.gold, sample.video
            return group
    new = Group(
        video_id=video_id,
        title=sample.title if sample else "",
        types=record.types,
        gold=sample.gold if sample else None,
        video=sample.video if sample else None,
    )
    there.append(new)
    return new
