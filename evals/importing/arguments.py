"""The command line of ``evals.published``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from graphs.parsing import Parser

__all__ = ["build_parser", "read_arguments"]

_EPILOG = """\
files:
  OUTPUT and SCORE hold an object a line:
    {"video_id", "analysis_dict": {"analysis_1": "The video presents ..., implicitly expressing ..."},
     "total_output"}
    {"video_id", "Content_Mining_Score": 0 or 1, "Thought_Analysis_Score": 0 to 10, "reasoning"}
  Further epochs lie beside them: NAME.epoch2.jsonl. evals.run writes such files into each run directory
  (predictions.jsonl, scores.jsonl).

  A prediction without a score, or with one of null, is kept as unjudged: it is in no mean until it has been
  judged. A score whose reasoning begins with an outcome ("[refused] ...") is a failure.

exit codes:
  0    every row is in the run directory
  1    the run directory is written, and rows were left out: each was named
  2    an argument or a file can't be used, or no row could be; nothing is written

examples:
  python -m evals.published output/boost.jsonl --scores score/boost.jsonl --dataset MetaphorVideo --out runs/p
  python -m evals.report runs/p
  python -m evals.compare runs/p runs/mine"""


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.published",
        description="Make a run directory of predictions and scores in the published layout. Asks no model.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("output", metavar="OUTPUT", help="predictions: output/NAME.jsonl")
    parser.add_argument("--scores", metavar="SCORE", help="their scores: score/NAME.jsonl")
    parser.add_argument(
        "--dataset",
        required=True,
        help="the data set that they are of: an installed name, a path, or module:attr",
    )
    parser.add_argument("--out", required=True, metavar="RUN", help="the run directory to make")
    parser.add_argument(
        "--graph", default="published", help="what tables call the method (default: %(default)s)"
    )
    parser.add_argument("--model", help="what tables call the model (default: the name of OUTPUT)")
    parser.add_argument(
        "--judge", default="published", help="what tables call the judge (default: %(default)s)"
    )
    return parser


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; ends the process where it can't be read."""
    return build_parser().parse_args(argv)
