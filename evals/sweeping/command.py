"""What ``evals.sweep`` does, step by step: settings, cells, run, one table and one page."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from agents.errors import UserError
from evals.cells import task_of
from evals.command import Start, looked_over, run_plan
from evals.comparison.formats import as_latex, as_markdown
from evals.comparison.terminal import Terminal
from evals.money.budget import check_budget
from evals.money.prices import load_prices
from evals.output import Output
from evals.plan import check_same, plan_cells
from evals.settings.config import Config, read_config
from evals.settings.dotted import flat, put, taken
from evals.settings.given import spec_of
from evals.spec import FREE, Cell, RunFile, RunSpec
from evals.statistics import Score
from evals.store.folders import RUN_FILE, is_grid
from evals.store.run_store import RECORDS
from evals.sweeping.arguments import OWN
from evals.sweeping.design import Design, design_of
from evals.sweeping.factors import Factors, read_named
from evals.sweeping.page import write_page
from evals.sweeping.results import Results, read_results
from evals.sweeping.running import SweepOutput, SweepPlan, SweepRun
from evals.sweeping.saved import SweepFile
from evals.sweeping.sharing import kept_in
from evals.sweeping.tables import as_csv, as_data, caption, grid_of
from evals.sweeping.words import explain, introduce
from graphs.durable.files import write_whole

__all__ = ["run_command"]

_SHOWING = frozenset({"run_dir", "base", "score", "form", "json", "quiet", "over"})
"""Flags with which a sweep that is complete is only shown."""


def run_command(options: argparse.Namespace) -> int:
    """Run, continue, explain or show a sweep; returns the exit code.

    Raises:
        MetaphorBoostError: when an input can't be used.
        ToolboxError: when a tool, or a source of knowledge, can't be used.
        OSError: when the disk refuses a record.
    """
    out = SweepOutput(as_json=options.json, quiet=options.quiet)
    folder = Path(options.run_dir) if options.run_dir else None
    before = SweepFile.read(folder) if folder else None
    saved = _saved(folder, before)
    if folder and saved and before and _only_shown(options) and not options.over.values:
        file = before.model_copy(update={"base": read_named(options.base)}) if options.base else before
        results = read_results(folder, file, saved.spec)
        if results.complete:
            _show(folder, results, options, out)
            return 0
    design = _designed(options, before, saved, out)
    folder = folder or _new_folder(design)
    introduce(design, out)
    return _go(design, folder, saved, options, out)


def _saved(folder: Path | None, before: SweepFile | None) -> RunFile | None:
    """What the run directory says; None for a new one."""
    if folder is None:
        return None
    if before is None:
        if (folder / RECORDS).exists() or is_grid(folder):
            raise UserError(
                f"{folder} holds a run that is no sweep: continue it with python -m evals.run, or give "
                "another --run-dir."
            )
        return None
    return RunFile.read(folder / RUN_FILE)


def _only_shown(options: argparse.Namespace) -> bool:
    from evals.sweeping.arguments import build_parser

    parser = build_parser()
    given = (name for name, value in vars(options).items() if value != parser.get_default(name))
    return all(name in _SHOWING for name in given)


def _designed(
    options: argparse.Namespace, before: SweepFile | None, saved: RunFile | None, out: Output
) -> Design:
    """Which cells are asked for."""
    config = read_config(Path(options.config)) if options.config else Config()
    words = _Listening()
    run_options = argparse.Namespace(
        **{name: value for name, value in vars(options).items() if name not in OWN}
    )
    spec = spec_of(run_options, config, saved, words)
    words.tell(out)
    given: Factors = options.over
    factors: dict[str, tuple[Any, ...]] = {
        name: tuple(list(each) if isinstance(each, tuple) else each for each in values)
        for name, values in spec.over.items()
    }
    factors |= given.values
    shared = _shared_spec(spec, config, given)
    goes_on = options.graph is None and options.config is None and before is not None
    one_at_a_time, base = options.one_at_a_time, dict[str, Any]()
    if before is not None and goes_on:
        factors = {**before.factors} | {n: _more(before.factors.get(n, ()), v) for n, v in factors.items()}
        one_at_a_time = one_at_a_time or before.one_at_a_time
        base = before.base
    if options.base:
        base = read_named(options.base)
    asked = SweepFile(
        factors=factors,
        words=(before.words if before else {}) | given.words,
        one_at_a_time=one_at_a_time,
        base=base,
    )
    if saved is not None and before is not None:
        _check_shared(options.run_dir, saved.spec, shared, {*before.factors, *factors})
    return design_of(shared, asked, before)


def _more(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*old, *(value for value in new if value not in old))


def _shared_spec(spec: RunSpec, config: Config, given: Factors) -> RunSpec:
    """The settings without what is varied; there, what the flags say, or the default."""
    del given
    tree = spec.model_dump(exclude={"over"})
    usual = RunSpec(graph=spec.graph).model_dump()
    for name in spec.over:
        if name not in ("graph", "context.model"):
            put(
                tree,
                name,
                taken(config.tree, name) if taken(config.tree, name) is not None else taken(usual, name),
            )
    return RunSpec.model_validate(tree)


def _check_shared(run_dir: str, was: RunSpec, now: RunSpec, varied: Iterable[str]) -> None:
    """Refuse to go on with other settings than those that the sweep's cells share."""
    old, new = (dict(flat(spec.model_dump(mode="json", exclude={"over"}))) for spec in (was, now))
    free = FREE | set(varied)
    changed = [
        f"{name.removeprefix('context.')} was {old.get(name)!r} and would be {new.get(name)!r}"
        for name in dict.fromkeys([*old, *new])
        if name not in free and old.get(name) != new.get(name)
    ]
    if changed:
        raise UserError(
            f"{run_dir} was begun with other settings: {'; '.join(changed)}. Give another --run-dir."
        )


def _new_folder(design: Design) -> Path:
    """A new place in ``./runs``, named by UTC time, graph and what is varied."""
    names = [f"{len(values)}-{name.rpartition('.')[2]}" for name, values in design.file.factors.items()]
    parts = (f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}", "sweep", design.spec.graph, *names)
    name = "-".join(re.sub(r"[^\w.-]+", "_", part).strip("_.") for part in parts)[:150]
    folder, number = Path("runs") / name, 1
    while folder.exists():
        number += 1
        folder = Path("runs") / f"{name}-{number}"
    return folder


def _go(
    design: Design, folder: Path, saved: RunFile | None, options: argparse.Namespace, out: SweepOutput
) -> int:
    """Run what is asked for, or say what that would be."""
    cells = [Cell(cell.name, kept_in(cell.spec, folder), cell.chosen) for cell in design.cells()]
    plans = plan_cells(cells, folder)
    check_same(folder, plans)
    prints = {name: told for plan in plans for name, told in plan.file.fingerprint.items()}
    names = tuple(plan.name for plan in plans)
    file = plans[0].file.model_copy(update={"spec": design.spec, "fingerprint": prints, "cells": names})
    if saved is not None:
        file = file.model_copy(update={"started": saved.started})
    plan = SweepPlan(file, folder, plans, design.asked)
    prices = load_prices(design.spec.prices, design.spec.context)
    contexts = [each.spec.context for each in plans]
    check_budget(design.spec.budget, prices, [m for c in contexts for m in (c.model, c.model_for("judge"))])
    tasks = [task_of(each, prices, options.retry_errors, out) for each in plans]
    for name, dataset in {each.spec.dataset: each.dataset for each in plans}.items():
        out.problems(name, dataset.problems, dataset.problem_counts)
    if options.dry_run:
        explain(design, plan, tasks, looked_over(plan, tasks), prices, out)
        return 0
    start = Start(
        run_dir=str(folder),
        retry_errors=options.retry_errors,
        fail_on_error=options.fail_on_error,
        limited=options.limit is not None,
    )
    again = f"python -m evals.sweep --run-dir {shlex.quote(str(folder))}"

    def show() -> None:
        _show(folder, read_results(folder, design.file, design.spec), options, out)

    return run_plan(plan, tasks, start, out, partial(SweepRun, file=design.file, again=again, show=show))


def _show(folder: Path, results: Results, options: argparse.Namespace, out: Output) -> None:
    """One table, one page; beside them in the sweep's directory, the figures as CSV and Markdown."""
    if not any(cell.n for cell in results.cells):
        return
    score: Score = options.score or "loose"
    notes = caption(results, score)
    markdown = as_markdown(grid_of(results, score), notes)
    write_whole(folder / "sweep.csv", as_csv(results))
    write_whole(folder / "sweep.md", markdown)
    write_page(results, score, folder / "sweep.html")
    if out.as_json:
        out.event("sweep", run_dir=str(folder), page=str(folder / "sweep.html"), **as_data(results))
    elif options.form == "csv":
        sys.stdout.write(as_csv(results))
    elif options.form == "markdown":
        sys.stdout.write(markdown)
    elif options.form == "latex":
        sys.stdout.write(as_latex(grid_of(results, score), notes))
    else:
        _print(results, score, notes)
    sys.stdout.flush()
    out.say(f"Table and plot: {folder / 'sweep.html'}")


def _print(results: Results, score: Score, notes: Iterable[str]) -> None:
    terminal = Terminal()
    terminal.show(grid_of(results, score))
    for note in notes:
        terminal.say(f"- {note}", "dim")


class _Listening(Output):
    """Keeps warnings: that a flag has no effect is true of the first cell only, and told of all below."""

    def __init__(self) -> None:
        super().__init__()
        self.warnings: list[str] = []

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def tell(self, out: Output) -> None:
        """Warn of the rest."""
        for text in self.warnings:
            if "no effect" not in text:
                out.warn(text)
