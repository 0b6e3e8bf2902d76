"""Carrying out an assignment: at once, durably, within a budget, as a run does it."""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.calls import drawing
from evals.datasets import Sample
from evals.ending import BROKEN, DONE, INTERRUPTED, OUT_OF_BUDGET
from evals.judging.assignment import Assignment
from evals.judging.settings import check_same
from evals.money.accounts import Accounts, keeping_to
from evals.money.budget import check_budget
from evals.money.earlier import book_all
from evals.money.ledger import Ledger
from evals.money.prices import load_prices
from evals.output import Output
from evals.progress.live import Quiet, open_progress
from evals.progress.tally import Tally
from evals.running.attempt import Job, Labels, attempt
from evals.running.interrupts import Stop
from evals.running.runner import Attempt, run_jobs
from evals.store.records import RunRecord
from evals.store.run_store import RunStore
from graphs.checks import check
from graphs.durable.files import write_whole
from graphs.untraced import untraced

__all__ = ["Ended", "carry_out", "open_accounts", "open_judge"]


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended.

    Attributes:
        code: 0, or the exit code that says why it isn't finished.
        records: one for each prediction that was judged, in the order of the jobs.
        missing: predictions without a record.
        spent: tokens and money of all starts.
    """

    code: int
    records: tuple[RunRecord, ...]
    missing: int
    spent: Ledger = field(repr=False)


def open_accounts(task: Assignment) -> Accounts:
    """Read prices, and refuse limits of money that could not be kept.

    Raises:
        UserError: when a limit could not be kept, or prices can't be read.
    """
    prices = load_prices(task.spec.prices, task.spec.context)
    check_budget(task.spec.budget, prices, [task.spec.context.model])
    return Accounts(task.spec.budget, Ledger(prices))


def open_judge(task: Assignment) -> Attempt:
    """Open the judge, and nothing else.

    Raises:
        UserError: when it can't be had: a missing key stops all here, not every prediction.
    """
    from agents.models import prepare_model
    from evals.running.wiring import judge_with
    from graphs import catalog
    from graphs.resources import resources_of

    spec = task.spec
    prepare_model(spec.context.model)
    resources = resources_of(spec.context)
    resources.prompts()
    resources.model("judge")
    judge = judge_with(catalog.judge(), spec)
    number = int.from_bytes(hashlib.sha256(task.draw.encode()).digest()[:6])

    async def work(job: Job) -> RunRecord:
        before = job.before
        assert before is not None  # noqa: S101 - every job of an assignment has its prediction
        labels = Labels(before.graph, before.model, spec.context.model)
        with drawing(number), drawing(job.epoch):
            return await attempt(job, labels, _never, judge, within=spec.sample_timeout)

    return work


def carry_out(task: Assignment, accounts: Accounts, out: Output, *, retry: bool, way_out: str) -> Ended:
    """Judge what has no record yet.

    A second Ctrl-C ends the process from within.

    Args:
        task: the assignment.
        accounts: the budget.
        out: where words go.
        retry: judge again what failed.
        way_out: what to do where a judging of other settings was begun in the same place.

    Raises:
        UserError: when an input can't be used.
        OSError: when the disk refuses a record.
    """
    path = task.folder / task.settings
    file = check_same(path, task.file, way_out)
    with RunStore(task.folder, task.records) as store:
        if store.repaired:
            out.warn(f"{store.path} ended in a torn line, which was removed; its prediction is judged again.")
        if retry and (moved := store.set_aside(lambda record: not record.ok)):
            out.say(f"{moved} failed records were moved aside; their predictions are judged again.")
        if stale := store.set_aside(_other_than(task.jobs)):
            out.warn(f"{stale} judgements are of predictions that have changed: judged again.")
        book_all(accounts, store)
        stop = Stop(out.warn)
        kept = {record.key for record in store.records()}
        left = tuple(job for job in task.jobs if job.key not in kept)
        if not left:
            out.say("Every judgement is there already.")
        elif why := accounts.reached():
            stop.never_begin(why)
        else:
            if sentence := untraced("evals.judge"):
                out.warn(sentence)
            work = _opened(task, store)
            write_whole(path, file.text())
            out.say(f"Judgements: {store.path} (continue with: {task.again})")
            _run(_Start(task, store, accounts, out, stop), left, work)
        return _ended(task, store, accounts, stop, out)


def _other_than(jobs: Iterable[Job]) -> Callable[[RunRecord], bool]:
    """Whether a judgement is of another prediction than its key stands for now: that sample was run again."""
    now = {job.key: job.before.interpretation for job in jobs if job.before is not None}
    return lambda record: record.key in now and record.interpretation != now[record.key]


def _opened(task: Assignment, store: RunStore) -> Attempt:
    try:
        check(task.spec.context)
        return open_judge(task)
    except BaseException:
        store.discard_new()
        raise


@dataclass(frozen=True, slots=True)
class _Start:
    """What one start needs."""

    task: Assignment
    store: RunStore
    accounts: Accounts
    out: Output
    stop: Stop


def _run(start: _Start, left: tuple[Job, ...], work: Attempt) -> None:
    from graphs.resources import resources_of

    spec = start.task.spec
    progress = _watch(start)

    async def run() -> None:
        with start.stop.listening():
            await run_jobs(
                left,
                keeping_to(start.accounts, work),
                start.store,
                concurrency=spec.concurrency,
                observer=progress,
                stop=start.stop,
            )
        if start.stop.at_once:
            _give_up(start, progress)
        await resources_of(spec.context).close()

    try:
        asyncio.run(run())
    finally:
        progress.close()


def _watch(start: _Start) -> Quiet:
    from agents.calls import traffic
    from evals.progress.traffic import traffic_line

    task, accounts, out, stop = start.task, start.accounts, start.out, start.stop
    tally = Tally(
        len(task.jobs),
        f"judge · {task.spec.context.model}",
        accounts=accounts,
        traffic=traffic_line,
        lines=traffic,
    )
    wanted = {job.key for job in task.jobs}
    for record in start.store.records():
        if record.key in wanted:
            tally.count_earlier(record)
    if out.as_json:
        out.event(
            "begin",
            run_dir=str(task.folder),
            graph=task.spec.graph,
            model=None,
            judge=task.spec.context.model,
            total=tally.total,
            done=tally.done,
        )

    def spent() -> None:
        if not stop.requested and (why := accounts.reached()):
            stop.run_dry(why)

    accounts.on_spent = spent
    return open_progress([tally], out)


def _ended(task: Assignment, store: RunStore, accounts: Accounts, stop: Stop, out: Output) -> Ended:
    found = {record.key: record for record in store.records()}
    records = tuple(found[job.key] for job in task.jobs if job.key in found)
    missing = len(task.jobs) - len(records)
    code = DONE
    if stop.broken:
        code = BROKEN
    elif missing and stop.budget:
        out.warn(f"Not finished, since {accounts.reached() or stop.budget}. Give a higher one: {task.again}")
        code = OUT_OF_BUDGET
    elif missing:
        out.warn(f"Continue with: {task.again}")
        code = INTERRUPTED
    return Ended(code, records, missing, accounts.all_spent())


def _give_up(start: _Start, progress: Quiet) -> None:
    """End the process now: what was given up must not hold it."""
    progress.close()
    start.store.close()
    start.out.warn(f"Continue with: {start.task.again}")
    sys.stdout.flush()
    sys.stderr.flush()
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(INTERRUPTED)


async def _never(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
    """Interprets nothing: a prediction is there, and no model but the judge is asked."""
    raise AssertionError("a frozen prediction was to be interpreted")
    yield {}  # an async generator, as its type says
