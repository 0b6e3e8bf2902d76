"""What ``evals.run`` does, step by step: settings, plan, run directories, run, tables."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.cells import OpenCell, Task, task_of
from evals.compact import Seen
from evals.dry_run import explain
from evals.money.budget import check_budget
from evals.money.prices import Prices, load_prices
from evals.output import Output
from evals.plan import RunPlan, plan_run, saved_run
from evals.running.runner import Attempt
from evals.settings.config import Config, read_config
from evals.settings.given import spec_of
from evals.spec import RunSpec
from evals.store.folders import GridFolder
from evals.store.run_store import RECORDS, RunStore, read_records
from evals.tracing import open_tracing
from evals.whole import WholeRun
from graphs.checks import check

__all__ = ["Start", "looked_over", "run_command", "run_plan", "run_spec"]


@dataclass(frozen=True, slots=True)
class Start:
    """How a run is started; nothing of it says what a record is.

    Attributes:
        run_dir: where it goes to, or goes on; a new place in ``./runs`` when None.
        retry_errors: outcomes that run again; all that may end otherwise when empty, none when None.
        fail_on_error: how many samples of a cell may fail, or which share of the finished ones; None for any.
        limited: a limit was asked for now: a finished run that holds more shows that part.
        dry_run: say what it would do, and do nothing.
        like: the file that the settings are from: a run saved there may have met other content.
        trace: where traces go (``langsmith``, ``otel`` or ``none``); as the environment says when None.
        langsmith_dataset: the data set of LangSmith that the cells are experiments against.
    """

    run_dir: str | None = None
    retry_errors: Sequence[str] | None = None
    fail_on_error: float | None = None
    limited: bool = False
    dry_run: bool = False
    like: Config | None = None
    trace: str | None = None
    langsmith_dataset: str | None = None


def run_command(options: argparse.Namespace) -> int:
    """Run, continue or explain what a command line asks for; returns the exit code.

    A second Ctrl-C ends the process from within.

    Raises:
        MetaphorBoostError: when an input can't be used.
        ToolboxError: when a tool, or the knowledge graph, can't be used.
        OSError: when the disk refuses a record.
    """
    out = Output(as_json=options.json, quiet=options.quiet)
    config = read_config(Path(options.config)) if options.config else Config()
    spec = spec_of(options, config, saved_run(options.run_dir), out)
    start = Start(
        run_dir=options.run_dir,
        retry_errors=options.retry_errors,
        fail_on_error=options.fail_on_error,
        limited=options.limit is not None,
        dry_run=options.dry_run,
        like=config,
        trace=options.trace,
        langsmith_dataset=options.langsmith_dataset,
    )
    return run_spec(spec, start, out)


def run_spec(spec: RunSpec, start: Start | None = None, out: Output | None = None) -> int:
    """Run, continue or explain a run of one cell or several (``spec.over``); returns the exit code.

    Args:
        spec: the settings.
        start: how it is started.
        out: where words go.

    Raises:
        MetaphorBoostError, ToolboxError, OSError: as :func:`run_command`.
    """
    start, out = start or Start(), out or Output()
    plan = plan_run(spec, start.run_dir, out)
    _say_changed(start.like or Config(), plan, out)
    prices = load_prices(plan.spec.prices, plan.spec.context)
    contexts = [cell.spec.context for cell in plan.cells]
    models = [model for each in contexts for model in (each.model, each.model_for("judge"))]
    check_budget(plan.spec.budget, prices, models)
    tasks = [task_of(cell, prices, start.retry_errors, out) for cell in plan.cells]
    for name, dataset in {cell.spec.dataset: cell.dataset for cell in plan.cells}.items():
        out.problems(name, dataset.problems, dataset.problem_counts)
    if start.dry_run:
        open_tracing(start.trace, start.langsmith_dataset, plan.folder, out).close()
        return _explain(plan, tasks, prices, out)
    return run_plan(plan, tasks, start, out)


def _say_changed(like: Config, plan: RunPlan, out: Output) -> None:
    changed = like.changed(plan.file.dataset_digest, plan.file.fingerprint)
    if changed:
        out.warn(
            f"The run in {like.name} is not repeated as it was: {', '.join(changed)} "
            f"{'is' if len(changed) == 1 else 'are'} no longer what it met."
        )


def _explain(plan: RunPlan, tasks: Sequence[Task], prices: Prices, out: Output) -> int:
    explain(plan, looked_over(plan, tasks), prices, out)
    return 0


def looked_over(plan: RunPlan, tasks: Sequence[Task]) -> list[Seen]:
    """Keys of what needn't run, cell by cell, once it is sure that the cells can be run.

    Raises:
        UserError, ToolboxError: when one can't.
    """
    from evals.running.wiring import open_scaffold

    for task in tasks:  # a dry run that says yes must not be followed by a run that says no
        if task.plan.name in plan.wanted:
            check(task.plan.spec.context)
            open_scaffold(task.plan.spec)
    paths = [task.plan.folder / RECORDS for task in tasks]
    return [
        task.kept(read_records(path)) if path.exists() else Seen()
        for task, path in zip(tasks, paths, strict=True)
    ]


def run_plan(
    plan: RunPlan,
    tasks: Sequence[Task],
    start: Start,
    out: Output,
    whole: Callable[..., WholeRun] = WholeRun,
) -> int:
    """Run what a plan has that is not recorded yet; returns the exit code.

    Args:
        plan: of the run.
        tasks: its cells, in the order of the plan.
        start: how it is started.
        out: where words go.
        whole: what runs them: a :class:`WholeRun`, or one that says otherwise how it ended.

    Raises:
        MetaphorBoostError, ToolboxError, OSError: as :func:`run_command`.
    """
    tracing = open_tracing(start.trace, start.langsmith_dataset, plan.folder, out)
    with contextlib.ExitStack() as opened:
        opened.callback(tracing.close)
        grid = opened.enter_context(GridFolder(plan.folder)) if plan.several else None
        cells = [OpenCell(task, opened.enter_context(RunStore(task.plan.folder))) for task in tasks]
        run = whole(plan, cells, out, limited=start.limited, allowed=start.fail_on_error)

        def open_works(wanted: Sequence[OpenCell]) -> list[Attempt]:
            try:
                return [tracing.follow(_open(cell, len(wanted)), cell.plan) for cell in wanted]
            except BaseException:
                _discard(cells, grid)
                raise

        return run.go(open_works)


def _open(cell: OpenCell, cells: int) -> Attempt:
    """Open graphs and models of one of several cells."""
    check(cell.plan.spec.context)  # before LangGraph is imported
    from evals.running.wiring import open_work
    from graphs.resources import keep_open

    keep_open(cells)
    return open_work(cell.plan.spec)


def _discard(cells: Sequence[OpenCell], grid: GridFolder | None) -> None:
    """Where nothing could be begun, no new directory stays."""
    for cell in cells:
        cell.store.discard_new()
    if grid is not None:
        grid.discard_new()
