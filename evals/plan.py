"""From flags to a plan: the settings of a run, its samples, and the directory it goes to."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.context import Context
from agents.errors import UserError
from agents.metaphor_types import MetaphorType
from evals.arguments import BUDGETS, CHANGEABLE, LIMITS, given_settings
from evals.datasets import Dataset, open_dataset
from evals.output import Output
from evals.running.attempt import Job
from evals.spec import RunFile, RunSpec, changes, moved, versions
from evals.store.records import RunKey, RunRecord
from graphs import catalog
from graphs.idle import idle_flags
from graphs.options import context_of

__all__ = ["RUN_FILE", "Plan", "plan_run"]

RUN_FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """A run, decided but not begun.

    Attributes:
        file: what ``run.json`` will say.
        dataset: the whole data set.
        folder: the run directory, which may not exist yet.
    """

    file: RunFile
    dataset: Dataset
    folder: Path

    @property
    def spec(self) -> RunSpec:
        """The settings."""
        return self.file.spec

    def keys(self) -> list[RunKey]:
        """Every record that the run is to have, epoch by epoch."""
        samples = self.dataset.select(self.spec.types, self.spec.limit)
        return [(sample.video_id, epoch) for epoch in range(1, self.spec.epochs + 1) for sample in samples]

    def jobs(self, recorded: frozenset[RunKey], before: Mapping[RunKey, RunRecord]) -> Iterator[Job]:
        """What has no record yet.

        Args:
            recorded: keys of the records there are.
            before: records set aside, whose interpretation can be judged again.
        """
        samples = {sample.video_id: sample for sample in self.dataset.samples}
        for key in self.keys():
            if key not in recorded:
                yield Job(samples[key[0]], key[1], before.get(key))


def plan_run(options: argparse.Namespace, out: Output) -> Plan:
    """Decide what a command line asks for.

    With ``--graph`` the flags say everything, and must agree with what the run directory holds; with
    ``--run-dir`` alone the run in it goes on as it was begun.

    Raises:
        UserError: when they don't agree, or an input can't be used.
    """
    saved = _saved(options.run_dir)
    spec = _from_flags(options, out) if options.graph else _from_file(options, saved)
    dataset = open_dataset(spec.dataset)
    if not dataset.select(spec.types, 1):
        raise UserError(f"No sample of {spec.dataset} has type {' or '.join(spec.types)}.")
    file = RunFile(
        spec=spec,
        dataset_digest=dataset.digest,
        fingerprint=catalog.fingerprint(spec.graph, spec.context),
        versions=versions(),
        started=saved.started if saved else datetime.now(UTC).isoformat(timespec="seconds"),
    )
    if saved:
        _check_same(options.run_dir, saved, file, out)
    folder = Path(options.run_dir) if options.run_dir else _new_folder(spec)
    return Plan(file, dataset, folder)


def _saved(run_dir: str | None) -> RunFile | None:
    if run_dir is None:
        return None
    path = Path(run_dir) / RUN_FILE
    if path.exists():
        return RunFile.read(path)
    records = Path(run_dir) / "records.jsonl"
    if records.exists() and records.stat().st_size:
        raise UserError(
            f"{run_dir} holds records but no {RUN_FILE} that says of what; give another --run-dir."
        )
    return None


def _from_file(options: argparse.Namespace, saved: RunFile | None) -> RunSpec:
    if saved is None:
        known = ", ".join(catalog.variants())
        raise UserError(f"{options.run_dir} holds no run to continue. To begin one give --graph: {known}.")
    given = given_settings(options)
    if given:
        raise UserError(
            f"{', '.join(given)} without --graph: --run-dir alone continues the run as it was begun. "
            "Leave the flag out, or give the whole command again."
        )
    _check_graph(saved.spec.graph)  # a run that was read in from published files has none
    before = saved.spec.model_dump()
    context = {**before["context"], **_given(options, CHANGEABLE)}
    context["calls"] = {**context["calls"], **_given(options, LIMITS)}
    budget = {**before["budget"], **_given(options, BUDGETS)}
    changed = {**_given(options, ("limit", "epochs", "concurrency", "sample_timeout")), **_prices(options)}
    return _spec(**{**before, **changed, "context": context, "budget": budget})


def _given(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Flags that were given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _prices(options: argparse.Namespace) -> dict[str, str]:
    """The path of one's own prices, whole, since a run may be continued from another folder."""
    return {} if options.prices is None else {"prices": str(Path(options.prices).resolve())}


def _from_flags(options: argparse.Namespace, out: Output) -> RunSpec:
    _check_graph(options.graph)
    given = _given(options, ("dataset", "limit", "epochs", "concurrency", "sample_timeout"))
    types = tuple(dict.fromkeys(MetaphorType.parse(text).value for text in options.type))
    context = _context(options, out)
    for sentence in idle_flags(options, context):
        out.warn(sentence)
    if context.model == "embedded":
        given.setdefault("concurrency", 2)  # one model on this machine: more would only wait in line
    given |= {"budget": _given(options, BUDGETS), **_prices(options)}
    return _spec(graph=options.graph, types=types, context=context, **given)


def _spec(**settings: Any) -> RunSpec:
    try:
        return RunSpec.model_validate(settings)
    except ValidationError as error:
        faults = (
            f"--{str(fault['loc'][-1]).replace('_', '-') if fault['loc'] else 'setting'}: {fault['msg']}"
            for fault in error.errors()
        )
        raise UserError("; ".join(faults).removesuffix(".") + ".") from error


def _context(options: argparse.Namespace, out: Output) -> Context:
    if options.model is not None:
        return context_of(options, model=options.model)
    from agents.models import default_model  # only where no flag says which

    model, sentence = default_model(os.environ)
    if sentence:
        out.warn(sentence)
    return context_of(options, model=model)


def _check_graph(name: str) -> None:
    if ":" not in name and name not in catalog.variants():
        catalog.load(name)  # raises with the nearest name, before anything is imported


def _check_same(run_dir: str, saved: RunFile, file: RunFile, out: Output) -> None:
    found = changes(saved, file)
    if found:
        raise UserError(
            f"{run_dir} was begun with other settings: {'; '.join(found)}. Give another --run-dir."
        )
    for sentence in moved(saved.spec, file.spec):
        out.say(f"{sentence}.")
    others = [
        f"{name} {was} -> {file.versions.get(name)}"
        for name, was in saved.versions.items()
        if file.versions.get(name) != was
    ]
    if others:
        out.warn(f"Since the run began, versions have changed: {', '.join(others)}.")


def _new_folder(spec: RunSpec) -> Path:
    """A new place in ``./runs``, named by UTC time, graph and model."""
    parts = (f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}", spec.graph, spec.context.model)
    name = "-".join(re.sub(r"[^\w.]+", "_", part).strip("_.") for part in parts)
    folder, number = Path("runs") / name, 1
    while folder.exists():
        number += 1
        folder = Path("runs") / f"{name}-{number}"
    return folder
