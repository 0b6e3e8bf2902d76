"""The command line of ``evals.reproduce``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from evals.numbers import natural
from graphs.parsing import Parser

__all__ = ["build_parser", "read_arguments"]

_EPILOG = """\
how to read it:
  Scores go from 0 to 100. Intervals (95 %) come from resampling videos. A published number that lies outside
  our interval is marked: ours is above it, or below. The published numbers have no interval and are taken as
  exact. Where a run is not of the benchmark's videos, that is said, and marks are formal.

  Table 1 describes the data sets of the runs, Table 2 scores by type, Table 3 deficiencies in the thinking
  (after python -m evals.diagnose RUN), Table 4 ablations. Which row of Table 4 a run is, its settings say:
  graph, knowledge source, h (--retrieval-hops) and z (--retrieval-limit).

exit codes:
  0    done
  2    an argument or a file can't be used

examples:
  python -m evals.reproduce runs/boost                                      # tables here
  python -m evals.reproduce runs/* --html paper.html --latex paper.tex      # files
  python -m evals.reproduce runs/sweep --table 4 --as full=runs/boost
  python -m evals.reproduce runs/mine --against gpt-5"""


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.reproduce",
        description="Lay runs beside the published numbers, in the paper's own tables. Asks no model.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "runs",
        nargs="*",
        type=Path,
        metavar="RUN",
        help="a run directory, finished or not, or a folder of some",
    )
    parser.add_argument(
        "--as",
        dest="named",
        action="append",
        type=_named,
        default=[],
        metavar="ROW=RUN",
        help="the run is this row of Table 4 (full, self, texts, conceptnet, h=1, z=5) or of Table 2 "
        "(gpt-5, ...), whatever its settings say; may be given several times",
    )
    parser.add_argument(
        "--against",
        default="",
        metavar="ROW",
        help="the published row of Table 2 that all runs are held against",
    )
    parser.add_argument(
        "--table", type=int, nargs="+", choices=(1, 2, 3, 4), default=[1, 2, 3, 4], help="these tables alone"
    )
    parser.add_argument(
        "--differences",
        action="store_true",
        help="print ours less every published row too; files have it anyway",
    )
    parser.add_argument(
        "--dataset", default="", metavar="D", help="where the data set is, if no longer where it was"
    )
    group = parser.add_argument_group("output")
    group.add_argument("--html", type=Path, metavar="FILE", help="a page, with Figure 5")
    group.add_argument("--csv", type=Path, metavar="FILE", help="a line for each number")
    group.add_argument("--latex", type=Path, metavar="FILE", help="tables with booktabs")
    group.add_argument("--markdown", type=Path, metavar="FILE", help="tables for a document")
    group.add_argument("--quiet", action="store_true", help="print no table here")
    parser.add_argument("--seed", type=natural, default=0, help="of the intervals (default: 0)")
    return parser


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse; ends the process with 2 when something is wrong."""
    parser = build_parser()
    options = parser.parse_args(argv)
    if not options.runs and not options.named:
        parser.error("name a run: python -m evals.reproduce RUN...")
    return options


def _named(text: str) -> tuple[str, Path]:
    row, mark, run = text.rpartition("=")  # a row's name may hold one too: h=1
    if not mark or not row or not run:
        raise argparse.ArgumentTypeError(f"{text!r} is not ROW=RUN, for example full=runs/boost")
    return row, Path(run)
