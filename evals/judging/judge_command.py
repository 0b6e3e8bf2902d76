"""What ``evals.judge`` does, step by step: plan, judge, sum up."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.schemas import Usage
from evals.comparison.formats import as_markdown
from evals.comparison.terminal import Terminal
from evals.datasets import Sample, open_dataset
from evals.ending import ALL_FAILED, DONE
from evals.judging.as_run import check_free, write_run
from evals.judging.assignment import Assignment, Source, assign, command, open_source, slug
from evals.judging.engine import Ended, carry_out, open_accounts
from evals.judging.expecting import expect
from evals.judging.probed import Probed, probed, probed_grid, probed_summary
from evals.judging.probes import PROBES, jobs_of
from evals.judging.rejudged import (
    earlier_judgements,
    merged,
    old_and_new,
    old_and_new_grid,
    reruns,
    reruns_grid,
)
from evals.judging.settings import judge_context, judge_spec, run_file
from evals.judging.verdicts import of_records
from evals.money.accounts import Accounts
from evals.money.ledger import usage_text
from evals.output import Output
from evals.plan import RUN_FILE
from evals.statistics import Resampling
from evals.store.run_store import RECORDS, read_records
from evals.table import PROXY_NOTICE, tabulate
from graphs.checks import check
from graphs.durable.files import write_whole

__all__ = ["FAILED_PROBE", "run_command"]

FAILED_PROBE = 6
"""The exit code of a judge that fails a probe."""

_PROBED = 20  # samples of which probes are made where no number is given
_SHOWN = 5


def run_command(options: argparse.Namespace) -> int:
    """Judge a run again, or probe a judge; returns the exit code.

    Raises:
        UserError: when an input can't be used.
        OSError: when the disk refuses a record.
    """
    out = Output(as_json=options.json, quiet=options.quiet)
    return _probe(options, out) if options.probes else _judge(options, out)


def _judge(options: argparse.Namespace, out: Output) -> int:
    source = open_source(options.run, options.dataset)
    task = assign(source, options)
    accounts = open_accounts(task)
    _say_left_out(source, out)
    if options.dry_run:
        return explain(task, accounts, out)
    if options.as_run is not None:
        check_free(options.as_run)
    way_out = "Give another --name."
    ended = carry_out(task, accounts, out, retry=options.retry_errors, way_out=way_out)
    code = _sum_up(source, task, ended, options, out)
    return ended.code or code


def _say_left_out(source: Source, out: Output) -> None:
    without = len(source.records) - len(source.predictions)
    if without:
        out.warn(f"{_records(without)} no interpretation: there is nothing to judge, and it stays a failure.")
    known = {sample.video_id for sample in source.dataset.samples}
    away = sorted({record.video_id for record in source.predictions} - known)
    if away:
        more = f" and {len(away) - _SHOWN} more" if len(away) > _SHOWN else ""
        out.warn(f"Not in data set {source.dataset.name}, and left out: {', '.join(away[:_SHOWN])}{more}.")
    saved = source.saved
    if saved is not None and saved.dataset_digest != source.dataset.digest:
        out.warn(f"The gold is not what {source.folder} was judged by: its data set has changed.")


def _records(number: int) -> str:
    return "1 record has" if number == 1 else f"{number} records have"


def _sum_up(source: Source, task: Assignment, ended: Ended, options: argparse.Namespace, out: Output) -> int:
    """The new table, agreement with the old judge, and alpha over reruns."""
    how = Resampling(options.resamples, options.seed)
    name = task.draw
    records = merged(source.records, ended.records)
    table = tabulate(records)
    new = of_records(ended.records, name, task.folder / task.records)
    old = of_records(source.records, source.folder.resolve().name, source.folder / RECORDS)
    earlier = earlier_judgements(source.folder, name)
    against, again = old_and_new(old, new, how), reruns(new, old, earlier, how)
    summary: dict[str, Any] = {
        "judge": new.judge,
        "k": task.spec.context.judge_k,
        "old_judge": old.judge if old.scores else None,
        "missing": ended.missing,
        "overall": asdict(table.overall),
        "types": {row.name: asdict(row) for row in table.types},
        "outcomes": table.outcomes,
        "old_and_new": {key: asdict(each) for key, each in against.items()},
        "reruns": [asdict(each) for each in again],
        "spending": ended.spent.summary(),
    }
    path = task.folder / f"{name}.summary.json"
    write_whole(path, json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
    out.result("end", "\n" + table.text(), **summary, run_dir=str(source.folder), name=name)
    if not out.as_json:
        terminal = Terminal()
        if against:
            terminal.say(f"{new.judge} ({name}) against {old.judge} ({old.name})", "bold")
            terminal.show(old_and_new_grid(against))
        terminal.show(reruns_grid(again))
        terminal.say("Alpha is Krippendorff's, ordinal; intervals (95 %) by resampling videos.", "dim")
    _say_spent(ended, out)
    _say_failed(ended, task, out)
    _write_as_run(source, task, ended, options, out)
    return DONE if any(record.ok for record in ended.records) else ALL_FAILED


def _write_as_run(
    source: Source, task: Assignment, ended: Ended, options: argparse.Namespace, out: Output
) -> None:
    if options.as_run is None:
        return
    if ended.missing:
        out.warn(f"{options.as_run} is written when every judgement is there.")
        return
    write_run(options.as_run, source, task, merged(source.records, ended.records), ended.spent)
    out.say(f"Run directory: {options.as_run} (python -m evals.compare {source.folder} {options.as_run})")


def _say_spent(ended: Ended, out: Output) -> None:
    total: Usage = ended.spent.total
    if total.total_tokens:
        out.say(f"Spent over all starts: {usage_text(total)}; {ended.spent.money_said() or 'nothing'}.")


def _say_failed(ended: Ended, task: Assignment, out: Output) -> None:
    failed = [record for record in ended.records if not record.ok]
    if not failed:
        return
    causes = dict.fromkeys(
        f"{record.label}: {record.errors[0].message}" for record in failed if record.errors
    )
    out.warn(f"{len(failed)} of {len(ended.records)} predictions have no verdict:")
    for cause in list(causes)[:_SHOWN]:
        out.warn(f"  {' '.join(cause.split())[:500]}")
    out.warn(f"When the cause is mended: {task.again} --retry-errors")


def _probe(options: argparse.Namespace, out: Output) -> int:
    task, left = _probing(options)
    if left:
        told = ", ".join(left[:_SHOWN]) + (f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else "")
        out.warn(f"Left out, since the gold has another form or no other is unlike it: {told}.")
    accounts = open_accounts(task)
    if options.dry_run:
        return explain(task, accounts, out)
    way_out = "Give another --run-dir."
    ended = carry_out(task, accounts, out, retry=options.retry_errors, way_out=way_out)
    found = probed(ended.records, Resampling(options.resamples, options.seed))
    proxies = sum(record.verdict is not None and record.verdict.proxy for record in ended.records)
    _show_probed(task, found, ended, proxies, out)
    if ended.code:
        return ended.code
    if not any(record.ok for record in ended.records):
        return ALL_FAILED
    return FAILED_PROBE if any(each.faults for each in found) else DONE


def _probing(options: argparse.Namespace) -> tuple[Assignment, list[str]]:
    """Plan to probe a judge.

    Raises:
        UserError: when the data set can't be used, or holds too few samples.
    """
    source = open_source(options.run, options.dataset) if options.run is not None else None
    dataset = source.dataset if source else open_dataset(options.dataset or "mini")
    context = judge_context(options, source.saved.spec.context if source and source.saved else None)
    limit = options.limit or _PROBED
    jobs, left = jobs_of(_with_gold(tuple(dataset.select((), limit))))
    if not jobs:
        raise UserError(
            f"Data set {dataset.name} has too few samples to probe with: two are needed whose gold reads "
            "'The video presents X, implicitly expressing Y'."
        )
    spec = judge_spec(options, context, dataset.name, "probes", None)
    folder = options.run_dir or Path("runs") / f"probes-{slug(context.model)}-k{context.judge_k}"
    words = [*([str(source.folder)] if source else []), "--probes", "--run-dir", str(folder)]
    task = Assignment(
        file=run_file(spec, dataset, context),
        folder=folder,
        records=RECORDS,
        settings=RUN_FILE,
        jobs=tuple(jobs),
        draw="probes",
        again=command(words, context, options),
    )
    return task, left


def _with_gold(samples: Sequence[Sample]) -> list[Sample]:
    return [sample for sample in samples if sample.gold]


def _show_probed(task: Assignment, found: Sequence[Probed], ended: Ended, proxies: int, out: Output) -> None:
    grid, judge = probed_grid(found), task.spec.context.model
    summary = {"judge": judge, "k": task.spec.context.judge_k, "probes": probed_summary(found)}
    write_whole(task.folder / "probes.json", json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
    write_whole(task.folder / "probes.md", as_markdown(grid, [PROXY_NOTICE] if proxies else []))
    if out.as_json:
        out.event("end", **summary, run_dir=str(task.folder), missing=ended.missing)
    else:
        terminal = Terminal()
        k = task.spec.context.judge_k
        times = "1 judgement" if k == 1 else f"{k} judgements"
        terminal.say(f"{judge}, {len(PROBES)} probes, {times} of each kind", "bold")
        if proxies:
            terminal.say(f"({PROXY_NOTICE})")
        terminal.show(grid)
    for each in found:
        for fault in each.faults:
            out.warn(f"WARNING: {judge} fails the probe {each.probe.name} ({each.probe.says}): {fault}.")
    _say_spent(ended, out)
    _say_failed(ended, task, out)


def explain(task: Assignment, accounts: Accounts, out: Output) -> int:
    """Say what would be asked, and ask nothing."""
    check(task.spec.context)
    path = task.folder / task.records
    done = {record.key for record in read_records(path)} if path.exists() else set[tuple[str, int]]()
    left = [job for job in task.jobs if job.key not in done]
    expected = expect(left, task.spec.context, accounts.booked.prices)
    out.result(
        "dry_run",
        f"judge: {task.spec.context.model}, {task.spec.context.judge_k} of each kind\n"
        f"goes to: {path}\n{expected.text()}",
        run=task.file.model_dump(mode="json"),
        to_record=len(left),
        judge_calls=expected.calls,
        tokens=expected.tokens,
        money=expected.money,
    )
    return DONE
