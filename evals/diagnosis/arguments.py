"""The command line of ``evals.diagnose``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from evals.numbers import whole
from graphs.parsing import Parser

__all__ = ["FORMATS", "build_parser", "read_arguments"]

FORMATS = ("json", "csv", "markdown", "latex")

_EPILOG = """\
what is counted:
  wrong recognition     something visible is taken for what it is not, or named and not there
  missing mapping       an element of the gold is led to no meaning
  superficial mapping   it is led in the right direction, and not as far as what is meant
  improper mapping      it is led to a meaning that it does not have here
  Each stands on a quotation of the model's own thinking (or its steps and entries), which is looked up: one
  that does not occur is asked for again, and dropped in the end. Diagnoses are kept in RUN/diagnosis.jsonl,
  so that a sample is paid for once; the figures are in RUN/diagnosis.json too.

the score without a judge:
  recognition   elements of the gold that were named: as keywords, in the thinking, in the entries
  reach         concepts of the gold that hops reached, or that the interpreting step was given
  use           concepts of the gold that an entry expresses
  Matched by words, dictionary forms, head nouns and the graph's synonyms; by meaning too with --embeddings.

several runs:
  Each is diagnosed and shown, and all are compared with the first, on the videos that both have: paired
  bootstrap and sign test, p corrected over the four kinds (Holm). Fewer is better.

exit codes:
  0    done, failed samples included: they are counted
  1    it broke: the disk, the judge's key or name
  2    an argument or a file can't be used; nothing was asked
  3    every sample that was to be diagnosed failed
  4    the budget is reached; start again with a higher one to go on
  130  interrupted; start again to go on

examples:
  python -m evals.diagnose runs/boost --judge-model openai:deepseek-chat --base-url https://api.deepseek.com
  python -m evals.diagnose runs/baseline runs/boost            # fewer bad mappings with boost?
  python -m evals.diagnose runs/boost --dry-run                # what it would ask
  python -m evals.diagnose runs/boost --score-only --embeddings embedded
  python -m evals.diagnose runs/baseline runs/boost --latex > mappings.tex"""

_FORMAT_HELP = {
    "json": "everything, disagreements included, as one object",
    "csv": "a line a figure, not rounded",
    "markdown": "tables for a document",
    "latex": "tables that need the package booktabs",
}


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.diagnose",
        description="Say where a run's thinking fails between what is seen and what is meant, by a judge.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run directory, finished or not")
    _add_judge(parser)
    _add_work(parser)
    _add_score(parser)
    group = parser.add_argument_group("output").add_mutually_exclusive_group()
    for name in FORMATS:
        group.add_argument(
            f"--{name}", dest="form", action="store_const", const=name, help=_FORMAT_HELP[name]
        )
    parser.add_argument("--svg", metavar="FILE", help="draw the shares of the kinds, the paper's below them")
    return parser


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    return build_parser().parse_args(argv)


def _add_judge(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("judge")
    group.add_argument(
        "--judge-model", metavar="J", help="who diagnoses (default: who did so before, else the run's judge)"
    )
    group.add_argument(
        "--base-url",
        "--judge-base-url",
        dest="base_url",
        metavar="U",
        help="its server (default: that of the run's judge)",
    )
    group.add_argument("--judge-temperature", type=float, metavar="T", help="(default: 0)")
    group.add_argument(
        "--transcript-tokens",
        type=whole(500, 1_000_000),
        metavar="N",
        help="of a sample's thinking, shown at most; what is longer loses its middle (default: 24000)",
    )
    group.add_argument("--max-tokens", type=whole(1), metavar="N", help="of an answer")
    group.add_argument("--timeout", type=float, metavar="S", help="seconds one try may take (default: 180)")
    group.add_argument("--max-retries", type=whole(0), metavar="N", help="of a failed call (default: 3)")
    group.add_argument("--rpm", type=whole(1), metavar="N", help="requests a minute at most")
    group.add_argument("--tpm", type=whole(1), metavar="N", help="tokens a minute at most")
    group.add_argument("--no-cache", action="store_true", help="ask every time, and keep no answers")
    group.add_argument("--cache-dir", metavar="DIR", help="keep answers in DIR/answers")
    group.add_argument(
        "--prompt",
        action="append",
        metavar="NAME=PATH",
        default=[],
        help="replace diagnose, diagnose_system or diagnose_again by a file; repeatable",
    )


def _add_work(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("work")
    group.add_argument("--limit", type=whole(1), metavar="N", help="diagnose the first N samples of a run")
    group.add_argument(
        "--concurrency", type=whole(1, 1024), metavar="C", help="samples in flight (default: 8; embedded: 2)"
    )
    group.add_argument("--retry-errors", action="store_true", help="diagnose samples again that failed")
    group.add_argument(
        "--again", action="store_true", help="diagnose all anew; what there is goes to diagnosis.N.jsonl"
    )
    group.add_argument("--dataset", metavar="D", help="where gold is read from (default: as the run says)")
    group.add_argument("--max-tokens-total", type=whole(1), metavar="N", help="tokens it may spend, all told")
    group.add_argument("--max-cost", type=amount(), metavar="M", help="the same in money")
    group.add_argument("--max-sample-tokens", type=whole(1), metavar="N", help="tokens a sample may spend")
    group.add_argument("--prices", metavar="FILE", help="your prices of tokens")
    group.add_argument("--dry-run", action="store_true", help="say what it would ask; ask nothing")
    group.add_argument("--quiet", action="store_true", help="no progress")


def _add_score(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("score and figures")
    group.add_argument("--score-only", action="store_true", help="ask no judge; show what there is")
    group.add_argument(
        "--embeddings", metavar="E", help="match by meaning too: embedded, openai:NAME or module:attr"
    )
    group.add_argument("--embeddings-base-url", metavar="U", help="of the server of openai:NAME")
    group.add_argument(
        "--floor",
        type=amount(1),
        default=0.6,
        metavar="F",
        help="cosine that counts as the same (default: 0.6)",
    )
    group.add_argument("--graph", metavar="G", help="graph whose synonyms count (default: the first run's)")
    group.add_argument("--resamples", type=whole(100), default=10_000, metavar="N", help="(default: 10000)")
    group.add_argument("--seed", type=whole(0), default=0, metavar="S", help="of the resamples (default: 0)")


class amount:  # noqa: N801 - likewise
    """A finite number above zero."""

    def __init__(self, most: float = math.inf) -> None:
        self.most = most

    def __call__(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (0 < value <= self.most and math.isfinite(value)):
            upper = "" if self.most == math.inf else f" and up to {self.most:g}"
            raise argparse.ArgumentTypeError(f"{text!r} is no number above 0{upper}")
        return value
