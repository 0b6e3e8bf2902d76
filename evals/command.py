"""What ``evals.run`` does, step by step: plan, run directory, run, table."""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from evals.ending import BROKEN, INTERRUPTED, finish
from evals.estimate import estimate
from evals.interrupts import Stop
from evals.output import Output
from evals.plan import RUN_FILE, Plan, plan_run
from evals.progress import Quiet, open_progress
from evals.records import RunKey, RunRecord
from evals.runner import Attempt, run_jobs
from evals.store import RECORDS, RunStore, read_records, write_whole
from evals.tally import Tally
from graphs.checks import check

__all__ = ["run_command"]


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
    out.problems(plan.spec.dataset, plan.dataset.problems)
    if options.dry_run:
        return _explain(plan, out, retry=options.retry_errors)
    with RunStore(plan.folder) as store:
        work = _open(plan, store, retry=options.retry_errors)
        _begin(plan, store, out, retry=options.retry_errors)
        broken = ""
        if work is None:
            out.say("Every record is there already.")
        else:
            broken = _run(plan, store, work, out)
        code = finish(store, plan.keys(), out, again=_how_to_continue(plan.folder))
    if broken:
        return BROKEN
    if code == INTERRUPTED:
        out.warn(f"Continue with: {_how_to_continue(plan.folder)}")
    return code


def _explain(plan: Plan, out: Output, *, retry: bool) -> int:
    _check(plan)
    path = plan.folder / RECORDS
    kept = _kept(read_records(path), retry=retry) if path.exists() else frozenset[RunKey]()
    left = sum(1 for _ in plan.jobs(kept, {}))
    expected = estimate(plan.spec, left)
    samples = len(plan.dataset.select(plan.spec.types, plan.spec.limit))
    out.result(
        "dry_run",
        f"{plan.file.text()}samples: {samples}\n{expected.text()}",
        run=plan.file.model_dump(mode="json"),
        samples=samples,
        to_record=left,
        calls=expected.calls,
        judge_calls=expected.judge_calls,
        tokens=expected.tokens,
    )
    return 0


def _check(plan: Plan) -> None:
    """Find what would stop the run: a dry run that says yes must not be followed by a run that says no."""
    check(plan.spec.context)
    from evals.wiring import open_scaffold

    open_scaffold(plan.spec)


def _kept(records: Iterable[RunRecord], *, retry: bool) -> frozenset[RunKey]:
    """Keys of what needn't run."""
    return frozenset(record.key for record in records if record.ok or not retry)


def _open(plan: Plan, store: RunStore, *, retry: bool) -> Attempt | None:
    """Open graphs and models if a sample is left for them; where that fails, no new directory stays."""
    if _kept(store.records(), retry=retry) >= frozenset(plan.keys()):
        return None
    try:
        check(plan.spec.context)  # before LangGraph is imported
        from evals.wiring import open_work

        return open_work(plan.spec)
    except BaseException:
        store.discard_new()
        raise


def _begin(plan: Plan, store: RunStore, out: Output, *, retry: bool) -> None:
    """Make the run directory say what it holds, and say where it is."""
    write_whole(store.folder / RUN_FILE, plan.file.text())
    out.say(f"Run directory: {store.folder} (continue with: {_how_to_continue(store.folder)})")
    if store.repaired:
        out.warn(f"{store.path} ended in a torn line, which was removed; its sample runs again.")
    if retry:
        moved = store.set_aside(lambda record: not record.ok)
        out.say(f"{moved} failed records were moved to failed.jsonl; their samples run again.")


def _run(plan: Plan, store: RunStore, work: Attempt, out: Output) -> str:
    """Run every sample without a record; returns why the run stopped itself, if it did."""
    wanted, recorded = frozenset(plan.keys()), set[RunKey]()
    from evals.traffic import traffic_line

    tally = Tally(total=len(wanted), calls=traffic_line)
    for record in store.records():
        recorded.add(record.key)
        if record.key in wanted:
            tally.count_earlier(record)
    from evals.wiring import close_resources

    jobs = plan.jobs(frozenset(recorded), store.interpreted())
    progress, stop = open_progress(tally, out), Stop(out.warn)

    async def run() -> None:
        with stop.listening():
            await run_jobs(jobs, work, store, concurrency=plan.spec.concurrency, observer=progress, stop=stop)
        if stop.at_once:
            _give_up(store, progress, out)  # here, since the loop's end would wait for threads
        await close_resources(plan.spec)

    try:
        asyncio.run(run())
    finally:
        progress.close()
    return stop.broken


def _how_to_continue(folder: Path) -> str:
    return f"python -m evals.run --run-dir {shlex.quote(str(folder))}"


def _give_up(store: RunStore, progress: Quiet, out: Output) -> None:
    """End the process now: a frame reader or model that was given up must not hold it."""
    progress.close()
    store.close()
    out.warn(f"Continue with: {_how_to_continue(store.folder)}")
    sys.stdout.flush()
    sys.stderr.flush()
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(INTERRUPTED)
