"""What ``evals.agreement`` does, step by step: read both, put them beside each other, measure, show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.comparison.formats import as_latex, as_markdown
from evals.comparison.grids import Grid
from evals.comparison.terminal import Terminal
from evals.judging.agreeing import Agreed, agree
from evals.judging.agreement_page import render_agreement
from evals.judging.agreement_tables import (
    as_csv,
    as_json,
    confusion_grid,
    figure_grid,
    reading,
    type_grid,
)
from evals.judging.humans import read_humans
from evals.judging.matching import Matched, match
from evals.judging.verdicts import read_judged
from evals.report.page import save
from evals.statistics import Resampling

__all__ = ["run_command"]


def run_command(options: argparse.Namespace) -> int:
    """Measure and show agreement; returns the exit code.

    Raises:
        UserError: when an input can't be used.
    """
    how = Resampling(options.resamples, options.seed)
    judged = read_judged(options.run, options.judgements)
    humans = read_humans(options.human, options.scale)
    matched = match(judged, humans, threshold=options.threshold, epoch=options.epoch)
    rows = agree(matched, how, by_type=options.by_type)
    for note in matched.notes if options.form else ():  # on the screen they stand below the tables
        sys.stderr.write(f"WARNING: {note}\n")
    told = as_json(matched, rows, how)
    _show(options.form, matched, rows, told)
    sys.stdout.flush()
    _keep(options, matched, rows, told)
    return 0


def _keep(options: argparse.Namespace, matched: Matched, rows: Sequence[Agreed], told: str) -> None:
    """The page where it is wanted, else page and figures in the run directory."""
    page = render_agreement(matched, rows)
    out: Path = options.out
    if options.out is None:
        folder = options.run if options.run.is_dir() else options.run.parent
        name = "agreement" if options.judgements is None else f"agreement-{options.judgements}"
        out = folder / f"{name}.html"
        save(folder / f"{name}.json", told)
    save(out, page)
    sys.stderr.write(f"Page: {out}\n")


def _grids(rows: Sequence[Agreed]) -> list[tuple[str, Grid]]:
    row = rows[-1]
    found = [("", figure_grid(row))]
    if row.confusion is not None:
        found.append(("strict verdicts", confusion_grid(row.confusion)))
    if len(rows) > 1:
        found.append(("by type", type_grid(rows)))
    return found


def _show(form: str | None, matched: Matched, rows: Sequence[Agreed], told: str) -> None:
    if form == "json":
        sys.stdout.write(told)
    elif form == "csv":
        sys.stdout.write(as_csv(rows))
    elif form is not None:
        sys.stdout.write(_document(as_markdown if form == "markdown" else as_latex, matched, rows))
    else:
        _show_text(matched, rows)


def _document(write: Callable[[Grid, Sequence[str]], str], matched: Matched, rows: Sequence[Agreed]) -> str:
    grids = _grids(rows)
    last = len(grids) - 1
    return "\n".join(
        write(grid, reading(matched, rows) if place == last else []) for place, (_, grid) in enumerate(grids)
    )


def _show_text(matched: Matched, rows: Sequence[Agreed]) -> None:
    out = Terminal()
    row = rows[-1]
    out.say(f"{matched.judged.judge} against people, on {row.videos} videos of {matched.judged.name}", "bold")
    for title, grid in _grids(rows):
        if title:
            out.say(title, "bold")
        out.show(grid)
    for note in reading(matched, rows):
        out.say(f"- {note}", "dim")
