"""The end of a run: the table, files for other tools, and what went wrong, said plainly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from evals.datasets.sample import shown
from evals.money.ledger import Ledger, usage_text
from evals.output import Output
from evals.store.published import export_published
from evals.store.records import Outcome, RunKey, RunRecord
from evals.store.run_store import RunStore
from evals.table import Table, tabulate
from graphs.durable.files import write_whole

__all__ = [
    "ALL_FAILED",
    "BROKEN",
    "DONE",
    "INTERRUPTED",
    "OUT_OF_BUDGET",
    "TOO_MANY_FAILED",
    "finish",
    "show_part",
    "too_many_failed",
]

DONE, BROKEN, ALL_FAILED, OUT_OF_BUDGET, TOO_MANY_FAILED, INTERRUPTED = 0, 1, 3, 4, 5, 130
_SHOWN = 10  # failures that are spelled out


def finish(  # noqa: PLR0913 - each a part of its own
    store: RunStore,
    wanted: Sequence[RunKey],
    out: Output,
    *,
    again: str = "",
    spent: Ledger | None = None,
    seed: int = 0,
    report: bool = True,
) -> int:
    """Sum up what a run directory holds, write it there and print it.

    Writes ``table.md``, ``summary.json``, and predictions and scores in the published layout; ``report.html``
    too if the run is finished.

    Args:
        store: the open run directory.
        wanted: the records that the run is to have.
        out: where to print.
        again: the command that continues this run, for those who read of failures.
        spent: what the run has spent over all its starts.
        seed: of intervals.
        report: write a report of this run alone.

    Returns:
        The exit code.
    """
    table = tabulate(store.records(), seed)
    missing = len(frozenset(wanted) - table.keys)
    summary = _summary(table, missing) | ({"spending": spent.summary()} if spent else {})
    costs = f"\n{_spent(spent)}" if spent and spent.usage else ""
    partial = f"\nNot finished: {missing} of {len(wanted)} records are missing." if missing else ""
    write_whole(store.folder / "table.md", table.markdown() + _lines(costs, partial))
    write_whole(store.folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
    export_published(store.records(), store.folder)
    out.result("end", "\n" + table.text() + costs + partial, **summary, run_dir=str(store.folder))
    _say_calls(table, out)
    _say_failures(store, table, out, again)
    if missing:
        return INTERRUPTED
    if report:
        out.say(_report(store, table))
    return DONE if table.outcomes.get(Outcome.OK) else ALL_FAILED


def _report(store: RunStore, table: Table) -> str:
    from evals.report import report_run  # Jinja and pictures are not needed before

    return report_run(store.folder, table.records)


def show_part(store: RunStore, wanted: frozenset[RunKey], out: Output, seed: int = 0) -> int:
    """Print the table of some records of a finished run; its files stay as they are.

    Returns:
        The exit code.
    """
    table = tabulate((record for record in store.records() if record.key in wanted), seed)
    held = sum(1 for _ in store.records())
    out.say(
        f"{store.folder} holds {held} records. The table is of the {len(wanted)} that --limit asks for; "
        "files stay as they are."
    )
    out.result("end", "\n" + table.text(), **_summary(table, 0), run_dir=str(store.folder))
    return DONE if table.outcomes.get(Outcome.OK) else ALL_FAILED


def too_many_failed(store: RunStore, wanted: Sequence[RunKey], allowed: float, out: Output) -> int:
    """Hold the failures of a finished run against what is allowed.

    Args:
        store: the open run directory.
        wanted: the records that the run is to have.
        allowed: a whole number of records, or a share of the finished ones as a float.
        out: where to say so.

    Returns:
        The exit code.
    """
    keys = frozenset(wanted)
    ends = [record.ok for record in store.records() if record.key in keys]
    failed = len(ends) - sum(ends)
    if failed <= (allowed if isinstance(allowed, int) else allowed * len(ends)):
        return DONE
    told = f"{allowed}" if isinstance(allowed, int) else f"{allowed * 100:g}%"
    out.warn(f"{failed} of {len(ends)} samples failed, and --fail-on-error allows {told}.")
    return TOO_MANY_FAILED


def _say_calls(table: Table, out: Output) -> None:
    """What kept answers spared, and how tries failed that were made again."""
    if table.cached.total_tokens:
        out.say(
            f"Answers that were kept from before spared {table.cached.total_tokens:,} tokens "
            f"(paid: {table.usage.total_tokens:,}); --no-cache asks anew."
        )
    if table.faults:
        told = ", ".join(f"{number} {fault}" for fault, number in table.faults.items())
        out.say(f"Tries of calls that failed for passing reasons: {told}.")


def _lines(*parts: str) -> str:
    return "".join(f"{part}\n" for part in parts if part)


def _spent(ledger: Ledger) -> str:
    """Tokens and money by model, over all starts of the run."""
    money = ledger.money_said()
    prices = "; ".join(dict.fromkeys(told for told in ledger.sources.values()))
    known = f" (prices: {prices})" if prices and any(ledger.money.values()) else ""
    return f"Spent over all starts: {usage_text(ledger.total)}; {money or 'nothing'}{known}."


def _summary(table: Table, missing: int) -> dict[str, object]:
    return {
        "complete": missing == 0,
        "missing": missing,
        "notices": table.notices,
        "overall": asdict(table.overall),
        "types": {row.name: asdict(row) for row in table.types},
        "records": table.records,
        "epochs": table.epochs,
        "outcomes": table.outcomes,
        "usage": table.usage.model_dump(),
        "cached": table.cached.model_dump(),
        "faults": table.faults,
    }


def _say_failures(store: RunStore, table: Table, out: Output, again: str) -> None:
    failed = {label: number for label, number in table.outcomes.items() if label != Outcome.OK}
    if not failed:
        return
    out.warn(f"{sum(failed.values())} of {table.records} records have no score:")
    for label, number in failed.items():
        out.warn(f"  {number} {label}")
        for text, video_ids in _causes(store, label):
            others = f" and {len(video_ids) - 1} more" if len(video_ids) > 1 else ""
            out.warn(f"    {shown(video_ids[0])}{others}: {text}")
    bugs = sum(number for label, number in failed.items() if label.startswith(Outcome.INTERNAL_ERROR))
    if bugs:
        out.warn(
            f"A BUG, and not your input, ended {bugs} of them (internal_error). The traceback is in "
            f"{store.path}, under errors; please report it."
        )
    out.warn(f"When the cause is mended, run them again with: {again} --retry-errors")


def _causes(store: RunStore, label: str) -> list[tuple[str, list[str]]]:
    """The first different causes of one outcome, each with the samples that met it."""
    found: dict[str, list[str]] = {}
    for record in store.records():
        if not record.ok and record.label == label:
            text = _message(record)
            if text in found or len(found) < _SHOWN:
                found.setdefault(text, []).append(record.video_id)
    return list(found.items())


def _message(record: RunRecord, longest: int = 500) -> str:
    failure = record.errors[0]
    text = " ".join(f"{failure.kind} in {failure.step}: {failure.message}".split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
