"""What a judge is asked to do: settings, predictions, and where verdicts go."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.context import Context
from agents.errors import UserError
from evals.datasets import Dataset, Sample, open_dataset
from evals.judging.settings import judge_context, judge_spec, run_file
from evals.judging.verdicts import JUDGEMENTS
from evals.plan import RUN_FILE
from evals.running.attempt import Job
from evals.spec import RunFile, RunSpec
from evals.store.records import RunRecord
from evals.store.run_store import RECORDS, read_records

__all__ = ["Assignment", "Source", "assign", "command", "open_source", "slug", "with_video"]


@dataclass(frozen=True, slots=True)
class Source:
    """The run whose predictions are judged.

    Attributes:
        folder: the run directory.
        records: all of its records, each key once.
        saved: its settings; None where it has none.
        dataset: where the gold is.
    """

    folder: Path
    records: tuple[RunRecord, ...]
    saved: RunFile | None
    dataset: Dataset

    @property
    def predictions(self) -> tuple[RunRecord, ...]:
        """Records that hold an interpretation, whether it was judged or not."""
        return tuple(record for record in self.records if record.interpretation is not None)


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is to be judged, and how.

    Attributes:
        file: the settings, of the judge alone.
        folder: where verdicts go.
        records: the name of their file there.
        settings: the name of the settings' file there.
        jobs: predictions.
        draw: a name: under another one, nothing is answered by what was answered before.
        again: the command that continues.
    """

    file: RunFile
    folder: Path
    records: str
    settings: str
    jobs: tuple[Job, ...]
    draw: str
    again: str

    @property
    def spec(self) -> RunSpec:
        """The settings."""
        return self.file.spec


def command(words: Sequence[str], context: Context, options: argparse.Namespace) -> str:
    """The command that continues a judging, with all that decides what is asked, and where."""
    told = [*words, "--judge-model", context.model, "--k", str(context.judge_k)]
    for flag, value in (
        ("--judge-base-url", context.base_url),
        ("--dataset", options.dataset),
        ("--limit", options.limit),
        ("--as-run", options.as_run),
        *(("--prompt", text) for text in options.prompt),
    ):
        if value is not None:
            told += [flag, str(value)]
    return shlex.join(["python", "-m", "evals.judge", *told])


def open_source(folder: Path, dataset: str | None) -> Source:
    """Read a run's predictions, and open the data set that holds the gold.

    Raises:
        UserError: when there are none, or the gold is no longer what it was.
    """
    if folder.name == RECORDS and folder.is_file():
        folder = folder.parent
    path = folder / RECORDS
    if not path.is_file():
        held = sorted(str(each.parent) for each in folder.glob(f"*/{RECORDS}"))
        told = f" Judge what it holds one by one: {', '.join(held)}." if held else ""
        raise UserError(f"{folder} is no run directory: it has no {RECORDS}.{told}")
    saved = RunFile.read(folder / RUN_FILE) if (folder / RUN_FILE).exists() else None
    if saved is None and dataset is None:
        raise UserError(f"{folder} has no {RUN_FILE} that says where its gold is: give --dataset.")
    opened = open_dataset(dataset or (saved.spec.dataset if saved else ""))
    if saved is not None and saved.dataset_digest != opened.digest and dataset is None:
        raise UserError(
            f"The content of data set {saved.spec.dataset!r} is no longer what it was when {folder} was "
            "begun. To judge by what it is now, name it: --dataset " + saved.spec.dataset
        )
    records = tuple(read_records(path))
    if not any(record.interpretation is not None for record in records):
        raise UserError(f"{path} holds no interpretation to judge.")
    return Source(folder, records, saved, opened)


def assign(source: Source, options: argparse.Namespace) -> Assignment:
    """Plan to judge a run's predictions again.

    Raises:
        UserError: when settings can't be used.
    """
    own = source.saved.spec.context if source.saved else None
    context = judge_context(options, own)
    name = options.name or f"{slug(context.model)}-k{context.judge_k}"
    if not re.fullmatch(r"[\w.-]+", name) or name.startswith(".") or name.endswith(".failed"):
        raise UserError(f"--name {name!r}: give letters, digits, '.', '-' and '_'.")
    samples = {sample.video_id: with_video(sample) for sample in source.dataset.samples}
    known = [record for record in source.predictions if record.video_id in samples]
    if not known:
        raise UserError(
            f"No prediction of {source.folder} is of a video of data set {source.dataset.name}: give the "
            "one it was made of with --dataset."
        )
    jobs = tuple(Job(samples[record.video_id], record.epoch, frozen(record)) for record in known)
    graph = known[0].graph
    spec = judge_spec(options, context, source.dataset.name, graph, source.saved)
    return Assignment(
        file=run_file(spec, source.dataset, context),
        folder=source.folder / JUDGEMENTS,
        records=f"{name}.jsonl",
        settings=f"{name}.json",
        jobs=jobs[: options.limit],
        draw=name,
        again=command([str(source.folder), "--name", name], context, options),
    )


def frozen(record: RunRecord) -> RunRecord:
    """A record with its prediction and nothing else: what was asked for it is paid and done."""
    return RunRecord(
        video_id=record.video_id,
        types=record.types,
        epoch=record.epoch,
        graph=record.graph,
        model=record.model,
        judge_model=record.judge_model,
        outcome=record.outcome,
        interpretation=record.interpretation,
    )


def with_video(sample: Sample) -> Sample:
    """A sample that may be judged where its video is away: none is opened."""
    return sample if sample.video is not None else replace(sample, video=Path(sample.video_id))


def slug(name: str) -> str:
    """A model's name as a part of a file's."""
    return re.sub(r"[^\w.]+", "_", name).strip("_.") or "judge"
