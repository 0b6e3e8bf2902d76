"""A run directory of its own for new verdicts, so that everything that reads runs reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.errors import UserError
from evals.ending import finish
from evals.judging.assignment import Assignment, Source
from evals.money.ledger import Ledger
from evals.output import Output
from evals.plan import RUN_FILE
from evals.spec import RunFile
from evals.store.records import RunRecord
from evals.store.run_store import RECORDS, RunStore
from graphs.durable.files import write_whole

__all__ = ["check_free", "write_run"]


class _Unheard(Output):
    """The table was shown already, and failures were told."""

    def result(self, event: str, text: str, **content: Any) -> None:
        """Say nothing."""

    def warn(self, text: str) -> None:
        """Say nothing."""

    def say(self, text: str) -> None:
        """Say nothing."""


def check_free(folder: Path) -> None:
    """Find out before anything is paid.

    Raises:
        UserError: when the directory holds records, which are never written over.
    """
    path = folder / RECORDS
    if path.exists() and path.stat().st_size:
        raise UserError(f"--as-run {folder}: it holds records, which stay as they are; give a new directory.")


def write_run(
    folder: Path, source: Source, task: Assignment, records: Sequence[RunRecord], spent: Ledger
) -> None:
    """Write records with new verdicts, and all that a run directory has.

    Args:
        folder: a new directory.
        source: the run that was judged.
        task: how it was judged.
        records: with the new verdicts.
        spent: what the judging took.

    Raises:
        UserError: when the directory holds records, or can't be made.
    """
    check_free(folder)
    with RunStore(folder) as store:
        if source.saved is not None:
            write_whole(folder / RUN_FILE, _settings(source.saved, task).text())
        store.append([record.line() for record in records])
        finish(store, [record.key for record in records], _Unheard(), spent=spent)


def _settings(saved: RunFile, task: Assignment) -> RunFile:
    """The run's settings with the new judge in them."""
    judge = task.spec.context
    own = dict(saved.spec.context.prompts) | dict(judge.prompts)
    context = saved.spec.context.model_copy(
        update={
            "judge_model": judge.model,
            "judge_base_url": judge.base_url,
            "judge_k": judge.judge_k,
            "judge_temperature": judge.judge_temperature,
            "prompts": tuple(own.items()),
        }
    )
    spec = saved.spec.model_copy(update={"context": context, "dataset": task.spec.dataset})
    return saved.model_copy(
        update={
            "spec": spec,
            "dataset_digest": task.file.dataset_digest,
            "fingerprint": saved.fingerprint | task.file.fingerprint,
        }
    )
