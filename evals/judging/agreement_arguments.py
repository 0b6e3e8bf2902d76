"""The command line of ``evals.agreement``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from evals.comparison.arguments import FORMATS
from evals.numbers import natural, positive
from graphs.parsing import Parser

__all__ = ["build_parser", "read_arguments"]

_EPILOG = """\
the file of ratings:
  A table with the columns video_id, rater and score (0 to 10, or 0 and 1), in any order, as a spreadsheet
  saves it: commas, semicolons or tabs. A column strict (0 or 1) says what people hold to be complete and free
  of error; a column epoch, which of a video's predictions they saw. An empty score is a rating not given.

how to read it:
  kappa is quadratic weighted kappa; over means it equals Lin's concordance. The error is the judge's score
  less people's mean: above zero, the judge is the milder. Alpha (Krippendorff's, ordinal) takes every rating
  by itself. Intervals (95 %) come from resampling videos. The page draws score against score, and difference
  against mean (Bland-Altman).

exit codes:
  0    done, warnings included
  2    an argument or a file can't be used; rows at fault are named with their lines

examples:
  python -m evals.agreement runs/boost --human ratings.csv
  python -m evals.agreement runs/boost --human ratings.csv --out agreement.html --latex > agreement.tex
  python -m evals.agreement runs/boost --human anna.csv --human ben.csv --judgements deepseek-k5
  python -m evals.agreement score/mine.jsonl --human ratings.csv --threshold 8"""


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.agreement",
        description="Hold a judge's scores against people's. Asks no model.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "run", type=Path, metavar="RUN", help="a run directory, or scores in the published layout"
    )
    parser.add_argument(
        "--human",
        type=Path,
        action="append",
        required=True,
        metavar="FILE",
        help="ratings as CSV, see below; repeatable",
    )
    _add_choice(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the page (default: agreement.html in the run directory, beside agreement.json)",
    )
    form = group.add_mutually_exclusive_group()
    for name in FORMATS:
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=_HELP[name])
    return parser


_HELP = {
    "json": "everything, as one object",
    "markdown": "tables for a document",
    "csv": "a line for each type and figure, not rounded",
    "latex": "tables that need the package booktabs",
}


def _add_choice(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what")
    group.add_argument(
        "--judgements",
        metavar="NAME",
        help="later judgements of the run (python -m evals.judge) instead of its own verdicts",
    )
    group.add_argument(
        "--scale",
        choices=("loose", "strict"),
        help="what the column score is: 0 to 10, or 0 and 1 (default: strict if every score is 0 or 1)",
    )
    group.add_argument(
        "--threshold",
        type=_score,
        default=9.0,
        metavar="T",
        help="people's mean from which a prediction is strict, where no column strict says so (default: 9)",
    )
    group.add_argument("--epoch", type=positive, metavar="E", help="this epoch's predictions alone")
    group.add_argument(
        "--by-type", action=argparse.BooleanOptionalAction, default=True, help="a row a type too (default)"
    )
    group.add_argument("--resamples", type=positive, default=10_000, metavar="N", help="(default: 10000)")
    group.add_argument(
        "--seed",
        type=natural,
        default=0,
        metavar="S",
        help="the same seed gives the same figures (default: 0)",
    )


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    return build_parser().parse_args(argv)


def _score(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 10:  # noqa: PLR2004 - the scale's end
        raise argparse.ArgumentTypeError(f"{text!r} is no score from 0 to 10")
    return value
