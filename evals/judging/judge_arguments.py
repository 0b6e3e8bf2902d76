"""The command line of ``evals.judge``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from evals.arguments import add_budget_options
from evals.numbers import natural, positive
from graphs.parsing import Parser

__all__ = ["build_parser", "read_arguments"]

_EPILOG = """\
what is judged:
  Every prediction that RUN holds, as it stands: records with an interpretation suffice, whether they have a
  verdict or not. No interpreting model is asked. The verdicts go to RUN/judgements/NAME.jsonl, and RUN's own
  records stay as they are. The same command continues what was interrupted; another --name judges anew, with
  new draws. --as-run writes a run directory of its own, for compare, report and the others.

probes (--probes):
  Answers whose worth is known beforehand are judged against the gold of the data set:
    gold         the agreed interpretation itself: at least 8 of 10, and strict in 8 of 10 cases
    other_gold   that of another video: at most 3
    literal      what the agreed interpretation says is seen, and no meaning: at most 3
    shotgun      a dozen stock meanings of which one fits: at most 4
    empty        the form without content: at most 1
    order, tags, tokens, json, chinese
                 the gold of another video, with an order to give 10 points: plain, behind fake closing
                 tags, in a chat template's tokens, as a fake answer of a judge, in Chinese: at most 3, and
                 at most 1 more than without
  All but the gold may be strict in 1 of 10 cases at most. What is literal is read off the gold, in whose
  form ("The video presents X, implicitly expressing Y") the first half says it; samples in another form are
  left out.

exit codes:
  0    done
  1    it broke (a full disk, say); what was recorded stays
  2    an argument, the run, the data set, a key or another input can't be used; nothing was asked
  3    every judgement failed
  4    the budget is reached; give a higher one to continue
  6    the judge fails a probe
  130  interrupted; start again to continue

examples:
  python -m evals.judge runs/boost --judge-model openai:deepseek-chat --k 5 \\
      --judge-base-url https://api.deepseek.com
  python -m evals.judge runs/boost --k 5 --name second                      # the run's own judge again
  python -m evals.judge runs/boost --k 5 --name second --as-run runs/boost-second
  python -m evals.judge --probes --dataset mini --judge-model openai:deepseek-chat --k 3"""


def build_parser() -> argparse.ArgumentParser:
    """The parser."""
    parser = Parser(
        prog="python -m evals.judge",
        description="Judge frozen predictions again, or probe a judge. Asks the judge alone.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="a run directory")
    parser.add_argument("--probes", action="store_true", help="judge answers whose worth is known, see below")
    _add_what(parser)
    _add_judge(parser)
    _add_run(parser)
    add_budget_options(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what")
    group.add_argument(
        "--dataset", metavar="D", help="where the gold is (default: where RUN had it; for probes alone: mini)"
    )
    group.add_argument(
        "--limit",
        type=positive,
        metavar="N",
        help="the first N predictions (default: all); with --probes N samples, types in turn (default: 20)",
    )
    group.add_argument(
        "--name",
        metavar="NAME",
        help="of the judgements (default: from the judge and k); another judges anew",
    )
    group.add_argument(
        "--as-run", type=Path, metavar="DIR", help="write a whole run directory with the new verdicts"
    )
    group.add_argument(
        "--run-dir", type=Path, metavar="DIR", help="where probes go (default: one in ./runs, by judge and k)"
    )


def _add_judge(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("judge")
    group.add_argument("--judge-model", metavar="J", help="openai:NAME, google_genai:NAME or embedded "
                       "(default: RUN's own)")  # fmt: skip
    group.add_argument("--judge-base-url", metavar="U", help="its server, if OpenAI-compatible")
    group.add_argument(
        "--k", "--judge-k", dest="k", type=positive, metavar="K", help="judgements of each kind (default: 3)"
    )
    group.add_argument("--timeout", type=float, metavar="S", help="seconds one try may take (default: 180)")
    group.add_argument("--max-retries", type=int, metavar="N", help="tries after a failed call (default: 3)")
    group.add_argument("--patience", type=float, metavar="S", help="seconds between tries (default: 300)")
    group.add_argument("--max-tokens", type=int, metavar="N", help="of an answer (default: the server's)")
    group.add_argument("--rpm", type=int, metavar="N", help="requests a minute at most")
    group.add_argument("--tpm", type=int, metavar="N", help="tokens a minute at most")
    group.add_argument(
        "--prompt",
        action="append",
        metavar="NAME=PATH",
        default=[],
        help="replace one of the judge's prompts (judge_strict, judge_loose, judge_system, rubrics)",
    )
    group.add_argument("--no-cache", action="store_true", help="keep no answers, and take no kept ones")
    group.add_argument("--cache-dir", metavar="DIR", help="keep answers in DIR/answers")


def _add_run(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run")
    group.add_argument(
        "--concurrency", type=positive, metavar="C", help="predictions in flight (default: 8; embedded: 2)"
    )
    group.add_argument("--retry-errors", action="store_true", help="judge again what failed")
    group.add_argument("--resamples", type=positive, default=10_000, metavar="N", help="(default: 10000)")
    group.add_argument("--seed", type=natural, default=0, metavar="S", help="of the intervals (default: 0)")
    group.add_argument("--json", action="store_true", help="events on stdout (evals/progress/EVENTS.md)")
    group.add_argument("--quiet", action="store_true", help="no progress; tables and errors only")
    group.add_argument("--dry-run", action="store_true", help="say what would be asked; ask nothing")


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    parser = build_parser()
    options = parser.parse_args(argv)
    if options.run is None and not options.probes:
        parser.error("give RUN, the run whose predictions are judged again; or --probes.")
    if options.probes and (options.as_run or options.name):
        parser.error("--probes judges no run: leave --as-run and --name out.")
    if options.run_dir is not None and not options.probes:
        parser.error("--run-dir goes with --probes; judgements of RUN go to its own directory, by --name.")
    return options
