"""What ``evals.run`` does, step by step: plan, run directory, run, table."""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from evals.dry_run import explain
from evals.ending import BROKEN, INTERRUPTED, OUT_OF_BUDGET, finish, show_part, too_many_failed
from evals.money.accounts import Accounts, keeping_to
from evals.money.budget import check_budget
from evals.money.ledger import Ledger, earlier_records
from evals.money.prices import load_prices
from evals.output import Output
from evals.plan import RUN_FILE, Plan, plan_run
from evals.progress.live import Quiet, open_progress
from evals.progress.tally import Tally
from evals.running.interrupts import Stop
from evals.running.retrying import Retry
from evals.running.runner import Attempt, run_jobs
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RECORDS, RunStore, read_records
from evals.tracing import Tracing, open_tracing
from graphs.checks import check
from graphs.durable.files import write_whole

__all__ = ["run_command"]


@dataclass(frozen=True, slots=True)
class _Task:
    """A plan, and what one start of it needs besides.

    Attributes:
        plan: of the run.
        accounts: what it has spent.
        retry: which failures run again; None for none.
        out: where words go.
        tracing: follows samples.
    """

    plan: Plan
    accounts: Accounts
    retry: Retry | None
    out: Output
    tracing: Tracing

    def kept(self, records: Iterator[RunRecord]) -> frozenset[RunKey]:
        """Keys of what needn't run."""
        return self.retry.kept(records) if self.retry else frozenset(record.key for record in records)


def run_command(options: argparse.Namespace) -> int:
    """Run, continue or explain a run; returns the exit code.

    A second Ctrl-C ends the process from within.

    Raises:
        MetaphorBoostError: when an input can't be used.
        ToolboxError: when a tool, or the knowledge graph, can't be used.
        OSError: when the disk refuses a record.
    """
    out = Output(as_json=options.json, quiet=options.quiet)
    plan = plan_run(options, out)
    task = _task(plan, options, out)
    out.problems(plan.spec.dataset, plan.dataset.problems)
    if options.dry_run:
        return _explain(task)
    with RunStore(plan.folder) as store:
        code = _start(task, store, limited=options.limit is not None)
        if code or options.fail_on_error is None:
            return code
        return too_many_failed(store, plan.keys(), options.fail_on_error, out)


def _task(plan: Plan, options: argparse.Namespace, out: Output) -> _Task:
    """Read prices, and refuse limits of money that could not be kept."""
    spec, context = plan.spec, plan.spec.context
    prices = load_prices(spec.prices, context)
    check_budget(spec.budget, prices, [context.model, context.model_for("judge")])
    accounts = Accounts(spec.budget, Ledger(prices))
    retry = None
    if options.retry_errors is not None:
        samples = {sample.video_id: sample for sample in plan.dataset.samples}
        retry = Retry(samples, accounts, frozenset(options.retry_errors))
    return _Task(plan, accounts, retry, out, open_tracing(options, plan.folder, out))


def _explain(task: _Task) -> int:
    check(task.plan.spec.context)  # a dry run that says yes must not be followed by a run that says no
    from evals.running.wiring import open_scaffold

    open_scaffold(task.plan.spec)
    path = task.plan.folder / RECORDS
    kept = task.kept(read_records(path)) if path.exists() else frozenset[RunKey]()
    explain(task.plan, kept, task.accounts.booked.prices, task.out)
    return 0


def _start(task: _Task, store: RunStore, *, limited: bool) -> int:
    """One start of a run, from its records to its table."""
    plan, out = task.plan, task.out
    task.accounts.book_earlier(earlier_records(store.aside(), store.records()))
    wanted, kept = frozenset(plan.keys()), task.kept(store.records())
    if kept >= wanted:
        out.say("Every record is there already.")
        _say_left(task, store)
        if limited and kept > wanted:
            return show_part(store, wanted, out)
        _note(task, store)
        return _finish(task, store, Stop())
    stop = Stop(out.warn)
    if why := task.accounts.reached():
        _note(task, store)
        stop.never_begin(why)
    else:
        work = _open(plan, store)
        _note(task, store)
        _set_aside(task, store)
        _run(task, store, work, stop)
    return _finish(task, store, stop)


def _finish(task: _Task, store: RunStore, stop: Stop) -> int:
    """The table, and how to go on."""
    again = _how_to_continue(store)
    code = finish(store, task.plan.keys(), task.out, again=again, spent=task.accounts.booked)
    if stop.broken:
        return BROKEN
    if code != INTERRUPTED and not stop.idle:
        return code
    if stop.budget:
        return _told_budget(task, stop, again)
    task.out.warn(f"Continue with: {again}")
    return code


def _told_budget(task: _Task, stop: Stop, again: str) -> int:
    why = task.accounts.reached() or stop.budget
    flag = next(word for word in why.split() if word.startswith("--"))
    task.out.warn(f"Not finished, since {why}. To go on, give a higher one: {again} {flag} ...")
    return OUT_OF_BUDGET


def _open(plan: Plan, store: RunStore) -> Attempt:
    """Open graphs and models; where that fails, no new directory stays."""
    try:
        check(plan.spec.context)  # before LangGraph is imported
        from evals.running.wiring import open_work

        return open_work(plan.spec)
    except BaseException:
        store.discard_new()
        raise


def _note(task: _Task, store: RunStore) -> None:
    """Make the run directory say what it holds, and say where it is."""
    write_whole(store.folder / RUN_FILE, task.plan.file.text())
    task.out.say(f"Run directory: {store.folder} (continue with: {_how_to_continue(store)})")
    if store.repaired:
        task.out.warn(f"{store.path} ended in a torn line, which was removed; its sample runs again.")


def _set_aside(task: _Task, store: RunStore) -> None:
    """Move the records of what runs again out of the way."""
    if task.retry is None:
        return
    _say_left(task, store)
    moved = store.set_aside(task.retry.wants)
    task.out.say(f"{moved} failed records were moved to failed.jsonl; their samples run again.")


def _say_left(task: _Task, store: RunStore) -> None:
    for sentence in task.retry.left_said(store.records()) if task.retry else ():
        task.out.warn(sentence)


def _run(task: _Task, store: RunStore, work: Attempt, stop: Stop) -> None:
    """Run every sample without a record."""
    plan, out = task.plan, task.out
    tally = _tally(task, store)
    recorded = frozenset(record.key for record in store.records())
    from evals.running.wiring import close_resources

    jobs = plan.jobs(recorded, store.interpreted())
    traced = task.tracing.follow(
        keeping_to(task.accounts, work),
        plan.spec,
        store.folder,
        started=plan.file.started,
        samples=lambda: plan.dataset.select(plan.spec.types, plan.spec.limit),
    )
    progress = _watch(task, tally, stop)

    async def run() -> None:
        with stop.listening():
            await run_jobs(
                jobs, traced, store, concurrency=plan.spec.concurrency, observer=progress, stop=stop
            )
        if stop.at_once:
            _give_up(store, progress, out)  # here, since the loop's end would wait for threads
        await close_resources(plan.spec)

    try:
        asyncio.run(run())
    finally:
        progress.close()
        task.tracing.close()


def _tally(task: _Task, store: RunStore) -> Tally:
    """Counts, with what earlier starts recorded."""
    wanted, spec = frozenset(task.plan.keys()), task.plan.spec
    from evals.progress.traffic import traffic_line  # langchain-core: not before a model is asked

    label = f"{spec.graph} · {spec.context.model}"
    tally = Tally(len(wanted), label, accounts=task.accounts, traffic=traffic_line)
    for record in store.records():
        if record.key in wanted:
            tally.count_earlier(record)
    return tally


def _watch(task: _Task, tally: Tally, stop: Stop) -> Quiet:
    """Open the progress, and let what is spent stop the run at its budget."""
    accounts, spec, out = task.accounts, task.plan.spec, task.out
    prices = accounts.booked.prices
    models = dict.fromkeys([spec.context.model, spec.context.model_for("judge")])
    unknown = [prices.name(model) for model in models if prices.price(model) is None]
    if unknown:
        out.say(f"No price is known for {' and '.join(unknown)}: money is unknown. --prices FILE gives one.")
    if out.as_json:
        labels = {"graph": spec.graph, "model": spec.context.model, "judge": spec.context.model_for("judge")}
        out.event("begin", run_dir=str(task.plan.folder), **labels, total=tally.total, done=tally.done)

    def spent() -> None:
        if not stop.requested and (why := accounts.reached()):
            stop.run_dry(why)

    accounts.on_spent = spent
    return open_progress(tally, out)


def _how_to_continue(store: RunStore) -> str:
    return f"python -m evals.run --run-dir {shlex.quote(str(store.folder))}"


def _give_up(store: RunStore, progress: Quiet, out: Output) -> None:
    """End the process now: a frame reader or model that was given up must not hold it."""
    progress.close()
    store.close()
    out.warn(f"Continue with: {_how_to_continue(store)}")
    sys.stdout.flush()
    sys.stderr.flush()
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(INTERRUPTED)
