"""From flags and what is on disk to who diagnoses, how, and what is still to be done."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.context import CallSettings, Context
from agents.errors import UserError
from agents.nodes.diagnose import TRANSCRIPT_TOKENS, diagnosis_digest
from agents.prompts import Prompts
from evals.diagnosis.inputs import Run
from evals.diagnosis.records import DiagnosisRecord, Terms, every_diagnosis
from evals.diagnosis.working import Job

__all__ = ["Work", "set_aside", "work_of"]

_EMBEDDED = "embedded"
_ASKED_BY = ("diagnose", "diagnose_system", "diagnose_again")


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done.

    Attributes:
        context: of the diagnosing graph.
        terms: who judges, and how.
        jobs: samples without a diagnosis, run by run.
        earlier: all diagnoses on disk: they have been paid for, whether they count still or not.
        concurrency: samples in flight at most.
    """

    context: Context
    terms: Terms
    jobs: Sequence[Job]
    earlier: Sequence[DiagnosisRecord]
    concurrency: int


def work_of(runs: Sequence[Run], options: argparse.Namespace) -> Work:
    """Decide who diagnoses, and which samples.

    Raises:
        UserError: when a setting can't be used, or diagnoses on disk were made in another way.
    """
    known = {} if options.again else {run.name: run.diagnosed() for run in runs}
    before = [each for found in known.values() for each in found.values()]
    context = _context(runs[0], options, before)
    terms = Terms(
        judge=context.model,
        prompt=diagnosis_digest(Prompts(dict(context.prompts))),
        temperature=context.judge_temperature,
        transcript_tokens=options.transcript_tokens
        or _same(before, "transcript_tokens")
        or TRANSCRIPT_TOKENS,
    )
    jobs = [
        Job(run, record)
        for run in runs
        for record in run.records[: options.limit]
        if _is_due(known.get(run.name, {}).get(record.key), again=options.retry_errors)
    ]
    if jobs or options.judge_model:
        _check_same(terms, before)
    concurrency = options.concurrency or (2 if context.model == _EMBEDDED else 8)
    earlier = [] if options.again else [each for run in runs for each in every_diagnosis(run.path)]
    return Work(context, terms, jobs, earlier, concurrency)


def _is_due(found: DiagnosisRecord | None, *, again: bool) -> bool:
    return found is None or (again and found.diagnosis is None)


def _same(before: Sequence[DiagnosisRecord], name: str) -> Any:
    """The value of a term that all diagnoses on disk share; None where they share none."""
    values = {getattr(each.terms, name) for each in before}
    return values.pop() if len(values) == 1 else None


def _check_same(terms: Terms, before: Sequence[DiagnosisRecord]) -> None:
    other = next((each.terms for each in before if each.terms != terms), None)
    if other is not None:
        raise UserError(
            f"There are diagnoses that were made otherwise: {'; '.join(other.differing(terms))}. Leave the "
            "flag out to go on as before, or give --again to diagnose all anew."
        )


def _context(run: Run, options: argparse.Namespace, before: Sequence[DiagnosisRecord]) -> Context:
    own = run.spec.context
    judge = options.judge_model or _same(before, "judge") or own.model_for("judge")
    url = options.base_url
    if url is None and judge == own.model_for("judge"):
        url = own.base_url_for("judge")
    names = ("timeout", "max_retries", "max_tokens", "judge_temperature")
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    calls = {
        name: value for name in ("rpm", "tpm", "cache_dir") if (value := getattr(options, name)) is not None
    }
    try:
        return Context(
            model=judge,
            judge_model=judge,
            base_url=url,
            prompts=tuple(_prompt(text) for text in options.prompt),
            calls=CallSettings(cache=not options.no_cache, concurrency=options.concurrency or 8, **calls),
            **given,
        )
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][-1]).replace("_", "-")
        raise UserError(f"--{name} {fault['input']!r}: {fault['msg']}.") from error


def _prompt(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (equals and path) or name not in _ASKED_BY:
        raise UserError(f"--prompt wants NAME=PATH with a name of {', '.join(_ASKED_BY)}, not {text!r}.")
    return name, path


def set_aside(runs: Sequence[Run]) -> list[Path]:
    """Put what there is of diagnoses out of the way, under the first name that is free."""
    moved: list[Path] = []
    for run in runs:
        if run.path.exists():
            number = 1
            while (place := run.path.with_name(f"diagnosis.{number}.jsonl")).exists():
                number += 1
            moved.append(run.path.rename(place))
    return moved
