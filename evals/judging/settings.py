"""The settings of a judging: a context that names the judge alone, in the layout of a run's settings."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.context import Context
from agents.errors import UserError
from agents.prompts import Prompts
from evals.arguments import BUDGETS
from evals.datasets import Dataset
from evals.settings.origin import origin
from evals.spec import RunFile, RunSpec, changes

__all__ = ["JUDGE_PROMPTS", "check_same", "judge_context", "judge_spec", "run_file"]

JUDGE_PROMPTS = ("judge_loose", "judge_strict", "judge_system")

_K = 3
_CALLS = ("patience", "rpm", "tpm", "cache_dir")


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
        **dict(origin()),
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
