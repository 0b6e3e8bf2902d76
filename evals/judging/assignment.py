"""What a judge is asked to do: settings, predictions, and where verdicts go."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.context import Context
from agents.errors import UserError
from agents.prompts import Prompts
from evals.arguments import BUDGETS
from evals.datasets import Dataset, Sample, open_dataset
from evals.judging.verdicts import JUDGEMENTS
from evals.plan import RUN_FILE
from evals.running.attempt import Job
from evals.spec import RunFile, RunSpec, changes, versions
from evals.store.records import RunRecord
from evals.store.run_store import RECORDS, read_records

__all__ = ["JUDGE_PROMPTS", "Assignment", "Source", "assign", "open_source", "slug", "with_video"]

JUDGE_PROMPTS = ("judge_loose", "judge_strict", "judge_system")

_K = 3
_CALLS = ("patience", "rpm", "tpm", "cache_dir")


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
    words = ["python -m evals.judge", shlex.quote(str(source.folder)), "--name", name]
    words += ["--judge-model", context.model, "--k", str(context.judge_k)]
    return Assignment(
        file=run_file(spec, source.dataset, context),
        folder=source.folder / JUDGEMENTS,
        records=f"{name}.jsonl",
        settings=f"{name}.json",
        jobs=jobs[: options.limit],
        draw=name,
        again=" ".join(words),
    )


def judge_context(options: argparse.Namespace, own: Context | None) -> Context:
    """A context that names the judge alone: no other model of the run is opened, or needs a key.

    Args:
        options: the flags.
        own: the context of the run whose predictions are judged; its judge is the default.

    Raises:
        UserError: for a value out of its range.
    """
    if options.no_cache and options.cache_dir is not None:
        raise UserError("--no-cache and --cache-dir exclude each other.")
    given: dict[str, Any] = {
        "model": options.judge_model or (own.model_for("judge") if own else "embedded"),
        "base_url": options.judge_base_url,
        "judge_k": options.k or (own.judge_k if own and not options.judge_model else _K),
        "prompts": _prompts(options.prompt, own),
        "calls": {name: value for name in _CALLS if (value := getattr(options, name)) is not None}
        | {"cache": not options.no_cache},
    }
    if own is not None and options.judge_model is None:
        given["base_url"] = options.judge_base_url or own.base_url_for("judge")
        given["judge_temperature"] = own.judge_temperature
    for name in ("timeout", "max_retries", "max_tokens"):
        if (value := getattr(options, name)) is not None:
            given[name] = value
    return _valid(Context, given)


def judge_spec(
    options: argparse.Namespace, context: Context, dataset: str, graph: str, saved: RunFile | None
) -> RunSpec:
    """The settings of a judging, in the layout of a run's.

    Raises:
        UserError: for a value out of its range.
    """
    given: dict[str, Any] = {
        "graph": graph,
        "dataset": dataset,
        "concurrency": options.concurrency or (2 if context.model == "embedded" else 8),
        "epochs": saved.spec.epochs if saved else 1,
        "budget": {name: value for name in BUDGETS if (value := getattr(options, name)) is not None},
        "context": context,
    }
    if options.prices is not None:
        given["prices"] = str(Path(options.prices).resolve())
    elif saved is not None:
        given["prices"] = saved.spec.prices
    return _valid(RunSpec, given)


def run_file(spec: RunSpec, dataset: Dataset, context: Context) -> RunFile:
    """The settings with what they meet: the gold, the judge's prompts, versions."""
    prompts = Prompts(dict(context.prompts))
    return RunFile(
        spec=spec,
        dataset_digest=dataset.digest,
        fingerprint={f"prompt {name}": prompts.digest(name) for name in JUDGE_PROMPTS},
        versions=versions(),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def check_same(path: Path, file: RunFile, way_out: str) -> RunFile:
    """What a judging goes on with: the settings as they were begun, with this start's limits.

    Raises:
        UserError: when a judging of other settings was begun in this place.
    """
    if not path.exists():
        return file
    saved = RunFile.read(path)
    if found := changes(saved, file):
        raise UserError(f"{path} was begun with other settings: {'; '.join(found)}. {way_out}")
    return file.model_copy(update={"started": saved.started})


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


def _prompts(given: Iterable[str], own: Context | None) -> tuple[tuple[str, str], ...]:
    """The run's own replacements of the judge's prompts, and those given now."""
    found = {name: path for name, path in (own.prompts if own else ()) if _of_judge(name)}
    for text in given:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise UserError(f"--prompt wants NAME=PATH, not {text!r}.")
        if not _of_judge(name):
            raise UserError(f"--prompt {name}: the judge is not asked by it.")
        found[name] = path
    return tuple(found.items())


def _of_judge(name: str) -> bool:
    return name in (*JUDGE_PROMPTS, "rubrics", "_judged", "_title")


def _valid(model: type[Any], given: Mapping[str, Any]) -> Any:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        faults = [
            f"--{str(fault['loc'][-1]).replace('_', '-') if fault['loc'] else 'setting'}: {fault['msg']}"
            for fault in error.errors()
        ]
        raise UserError("; ".join(faults).removesuffix(".") + ".") from error
