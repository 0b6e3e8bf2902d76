"""The command line of ``evals.compare``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evals.numbers import whole
from graphs.parsing import Parser

__all__ = ["FORMATS", "build_parser", "read_arguments"]

FORMATS = ("json", "markdown", "csv", "latex")

_EPILOG = """\
how to read it:
  Scores go from 0 to 100. Intervals (95 %) come from resampling videos: all epochs of a video are one, and a
  video with several types counts in each. Differences are paired: over the videos that both runs have, the
  run less the base. p is of "no difference", by the same resamples; p (Holm) is corrected for all rows shown;
  sign p is of wins against losses alone. detectable is the smallest true difference that this many videos
  find 8 times in 10.

reducers of epochs:
  mean             their mean
  best             the best of them
  at-least:K@MARK  100 where K of them reach MARK, 0 elsewhere; at-least:K means a mark of 50

exit codes:
  0    done, warnings included
  2    an argument or a file can't be used
  3    nothing to compare: no pair of runs has a scored video in common

examples:
  python -m evals.compare runs/boost                                   # one run: its scores with intervals
  python -m evals.compare runs/baseline runs/boost --by-type           # the first is the base
  python -m evals.compare runs/* --base baseline --score strict
  python -m evals.compare runs/* --all-pairs --latex > differences.tex
  python -m evals.compare score/ runs/boost --failures excluded        # published score files as well"""


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.compare",
        description="Say what runs scored, and whether they differ by more than chance. Asks no model.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="a run directory, finished or not, with all cells of one that has several; a score file in the "
        "published layout, or a folder of them. "
        "Several graphs or models in one are compared with each other",
    )
    _add_choice(parser)
    _add_pairs(parser)
    group = parser.add_argument_group("output").add_mutually_exclusive_group()
    for name in FORMATS:
        group.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=_HELP[name])
    return parser


_HELP = {
    "json": "everything, as one object",
    "markdown": "a table for a document",
    "csv": "a line a row, with figures that are not rounded",
    "latex": "a table that needs the package booktabs",
}


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    parser = build_parser()
    options = parser.parse_args(argv)
    if options.all_pairs and options.base:
        parser.error("--all-pairs compares everyone with everyone: leave --base out.")
    return options


def _add_choice(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what")
    group.add_argument(
        "--score", choices=("loose", "strict"), help="which score (default: loose; for one run: both)"
    )
    group.add_argument(
        "--failures",
        choices=("zero", "excluded"),
        help="failed samples count as zero (default), or are left out (for one run: both)",
    )
    group.add_argument(
        "--reducer",
        default="mean",
        metavar="R",
        help="how several epochs of a video become one value, see below (default: mean)",
    )
    group.add_argument(
        "--by-type",
        action=argparse.BooleanOptionalAction,
        help="a row a metaphor type too (default: for one run only)",
    )
    group.add_argument(
        "--dataset", metavar="D", help="where types are read from if runs tell none: a name or a path"
    )
    group.add_argument(
        "--resamples", type=whole(100, 10_000_000), default=10_000, metavar="N", help="(default: 10000)"
    )
    group.add_argument(
        "--seed",
        type=whole(0, 2**63),
        default=0,
        metavar="S",
        help="of the resamples: the same seed gives the same figures (default: 0)",
    )


def _add_pairs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which pairs")
    group.add_argument(
        "--base", metavar="NAME", help="the run that others are compared with (default: the first)"
    )
    group.add_argument("--all-pairs", action="store_true", help="each run with each other")
