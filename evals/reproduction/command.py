"""What ``evals.reproduce`` does, step by step: read, lay out, write."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.report.page import save
from evals.reproduction.ablation_table import ablation_table
from evals.reproduction.benchmark_table import benchmark_table
from evals.reproduction.deficiency_table import deficiency_table
from evals.reproduction.formats import csv_text, latex_text, markdown_text, show
from evals.reproduction.page import page_text
from evals.reproduction.published import Published, published
from evals.reproduction.runs import Ours, read_runs
from evals.reproduction.score_table import difference_table, score_table
from evals.reproduction.tables import Table
from evals.statistics import Resampling

__all__ = ["run_command"]

_FREE = 200  # characters a line where nothing limits them


def run_command(options: argparse.Namespace) -> int:
    """Lay runs beside the paper.

    Raises:
        MetaphorBoostError: when a run, a row or a file can't be used.
    """
    known = published()
    runs = read_runs(
        options.runs, known, dataset=options.dataset, named=options.named, against=options.against
    )
    tables = _tables(options.table, runs, known, Resampling(seed=options.seed))
    if not options.quiet:
        shown = [table for table in tables if table.key != "differences" or options.differences]
        _print(shown)
    writers: tuple[tuple[str, Path | None, Callable[[], str]], ...] = (
        ("Page", options.html, lambda: page_text(runs, tables, known)),
        ("CSV", options.csv, lambda: csv_text(tables)),
        ("LaTeX", options.latex, lambda: latex_text(tables)),
        ("Markdown", options.markdown, lambda: markdown_text(tables)),
    )
    for what, path, make in writers:
        if path is not None:
            save(path, make())
            sys.stdout.write(f"{what}: {path}\n")
    return 0


def _tables(chosen: Sequence[int], runs: Sequence[Ours], known: Published, how: Resampling) -> list[Table]:
    total = sum(len(d) for d in {id(r.dataset): r.dataset for r in runs}.values() if not isinstance(d, str))
    makers: dict[int, Callable[[], list[Table]]] = {
        1: lambda: [benchmark_table(runs, known, _progress(total))],
        2: lambda: [score_table(runs, known, how), difference_table(runs, known, how)],
        3: lambda: [deficiency_table(runs, known, how)],
        4: lambda: [ablation_table(runs, known, how)],
    }
    return [table for number in sorted(set(chosen)) for table in makers[number]()]


def _print(tables: Sequence[Table]) -> None:
    from rich.console import Console

    width = None if sys.stdout.isatty() else _FREE
    show(Console(width=width, highlight=False, markup=False, emoji=False), tables)


def _progress(total: int) -> Callable[[int], None]:
    """A line in a terminal that counts; nothing elsewhere."""

    def told(done: int) -> None:
        sys.stderr.write(f"\rlengths of videos: {done} of {total}" + ("\n" if done >= total else ""))
        sys.stderr.flush()

    return told if sys.stderr.isatty() else lambda _done: None
