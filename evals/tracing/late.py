"""Feedback for traces of runs that are over: what a diagnosis found, and the scores once more."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from agents.errors import UserError
from evals.output import Output
from evals.store.folders import run_folders
from evals.store.records import RunRecord
from evals.store.run_store import RECORDS, read_records
from evals.tracing.feedback import deficiencies_in, scores_of
from evals.tracing.outbox import Outbox
from evals.tracing.settings import NO_ADDRESS, langsmith_account
from evals.tracing.wire import hush
from graphs.parsing import Parser

if TYPE_CHECKING:
    from evals.tracing.to_langsmith import LangSmith

__all__ = ["build_parser", "send_feedback"]

_PATIENCE = 600.0  # seconds for all


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``python -m evals.feedback``."""
    parser = Parser(
        prog="python -m evals.feedback",
        description="Send the scores, and the counts of a diagnosis, of runs that were traced to LangSmith "
        "as feedback on their traces. Sending it again changes it, and adds nothing.",
        epilog="LANGSMITH_API_KEY, and LANGSMITH_ENDPOINT where it is yours, say where. "
        "Exit codes: 0 all was sent, 1 some was not, 2 an input can't be used.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run directories")
    parser.add_argument("--json", action="store_true", help="events on stdout, one JSON object a line")
    return parser


def send_feedback(folders: Sequence[Path], out: Output) -> bool:
    """Send the feedback of all records that were traced.

    Args:
        folders: run directories, or directories that hold those of several cells.
        out: where words go.

    Returns:
        Whether all of it arrived.

    Raises:
        UserError: when there is no key, a folder is no run, or none of its records was traced.
    """
    account = langsmith_account(os.environ)
    if account is None:
        raise UserError("LANGSMITH_API_KEY is not set: there is nowhere to send feedback to.")
    if not account.host:
        raise UserError(NO_ADDRESS)
    from evals.tracing.to_langsmith import LangSmith

    hush()
    outbox = Outbox("LangSmith", most=1_000_000)
    service = LangSmith(account)
    for folder in (each for given in folders for each in run_folders(given, recorded=True)):
        _send_run(folder, service, outbox, out)
    lost = outbox.close(_PATIENCE)
    service.close()
    if lost:
        out.warn(lost)
    number = outbox.sent["feedback"]
    out.result("end", f"{number} feedback sent to LangSmith.", sent=number, lost=outbox.lost["feedback"])
    return not lost


def _send_run(folder: Path, service: LangSmith, outbox: Outbox, out: Output) -> None:
    from evals.tracing.parcels import FeedbackParcel
    from evals.tracing.to_langsmith import Destination

    found = deficiencies_in(folder)
    traced, number = dict[str, Destination](), 0
    for record in read_records(folder / RECORDS):
        number += 1
        if not record.trace_project:
            continue
        to = traced.setdefault(record.trace_project, Destination(service, known=record.trace_project))
        outbox.put(FeedbackParcel(UUID(record.trace), to, _scores(record, found.get(record.key, {}))))
    if not traced:
        raise UserError(
            f"None of the {number} records in {folder} was traced to LangSmith; "
            "it takes a run with LANGSMITH_TRACING=true."
        )
    if not found:
        out.say(
            f"{folder} has no diagnosis: outcome and scores are sent (python -m evals.diagnose makes one)."
        )


def _scores(record: RunRecord, found: dict[str, float | str]) -> dict[str, float | str]:
    return scores_of(record) | (found if record.interpretation is not None else {})
