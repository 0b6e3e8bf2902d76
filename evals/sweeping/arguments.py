"""The command line of ``evals.sweep``: that of ``evals.run``, and what is varied."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from agents.errors import UserError
from evals.arguments import build_parser as build_run_parser
from evals.sweeping.factors import read_factors
from graphs.parsing import Parser

__all__ = ["FORMS", "OWN", "build_parser", "read_arguments"]

FORMS = ("csv", "markdown", "latex")

OWN = frozenset({"over", "one_at_a_time", "base", "score", "form"})
"""What this command line has and that of ``evals.run`` hasn't."""

_EPILOG = """\
--over names any setting as --dry-run prints it (context. is left out), or by the flag's or the paper's name:
retrieval.z is retrieval.limit, retrieval.h is retrieval.hops. Values are separated by commas; on, off, null,
numbers and words; a list (tools, types, knowledge.texts) is written with + between its parts.
--graph and --model may be varied too: --graph boost,boost_retrieval.

Every combination is a cell, a run directory of its own under the sweep's. Combinations that differ only in
settings without effect (retrieval.z with knowledge.source=none) are one cell. What cells ask alike is asked
once, so that a video is perceived once; with --no-cache too, within the sweep.

examples:
  python -m evals.sweep --graph boost_retrieval --over retrieval.z=0,5,10,20 --over retrieval.hops=1,2,3
  python -m evals.sweep --graph boost --over knowledge.source=none,graph --over few_shot=on,off --dry-run
  python -m evals.sweep --graph boost_retrieval --over z=0,5,10,20 --over h=1,2,3 --one-at-a-time
  python -m evals.sweep --run-dir runs/sweep                           # go on; when complete, show it again
  python -m evals.sweep --run-dir runs/sweep --over retrieval.z=40     # one more value
  python -m evals.sweep --run-dir runs/sweep --base z=10,h=2 --latex   # against another base
exit codes: those of python -m evals.run"""


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.sweep",
        description="Run a graph under every combination of some settings, and compare them with one.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[build_run_parser()],
        conflict_handler="resolve",
    )
    group = parser.add_argument_group("sweep")
    group.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="NAME=V,V",
        help="a setting and its values; repeat it for further settings",
    )
    group.add_argument(
        "--one-at-a-time",
        action="store_true",
        help="each setting alone, around the base, instead of every combination",
    )
    group.add_argument(
        "--base",
        metavar="NAME=V,NAME=V",
        help="what cells are compared with (default: the cell with default values, else the first)",
    )
    group.add_argument(
        "--score", choices=["loose", "strict"], help="score of differences and plot (default: loose)"
    )
    forms = group.add_mutually_exclusive_group()
    for form in FORMS:
        forms.add_argument(
            f"--{form}",
            dest="form",
            action="store_const",
            const=form,
            help=f"print the table as {_NAMES[form]}",
        )
    return parser


_NAMES = {"csv": "CSV, not rounded", "markdown": "Markdown", "latex": "LaTeX (booktabs)"}


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    parser = build_parser()
    options = parser.parse_args(argv)
    try:
        options.over = read_factors(options.over)
    except UserError as error:
        parser.error(str(error))
    graphs = options.over.values.pop("graph", None)
    if graphs is not None:
        options.graph = [*(options.graph or ()), *graphs]
    if options.graph is None and options.run_dir is None and options.config is None:
        parser.error("--graph is missing, or the --run-dir of a sweep to continue.")
    if options.retry_errors is not None and options.run_dir is None:
        parser.error("--retry-errors needs the --run-dir whose failed samples are to run again.")
    if options.json and options.form:
        parser.error(f"--json and --{options.form} exclude each other.")
    return options
