"""The command line of ``evals.run``: flags, and a help text that knows what is installed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from evals.listings import listings
from evals.store.records import Outcome
from evals.tracing.options import TRACE_OPTIONS, add_trace_options
from graphs.catalog import variants
from graphs.options import add_judge_options, add_model_options, add_scaffold_options
from graphs.parsing import Parser

__all__ = [
    "BUDGETS",
    "CHANGEABLE",
    "LIMITS",
    "SETTINGS",
    "add_budget_options",
    "build_parser",
    "given_settings",
    "read_arguments",
]

CHANGEABLE = frozenset({"base_url", "judge_base_url", "timeout", "max_retries"})
"""Settings of the context that may change when a run is continued: no answer depends on them."""

LIMITS = frozenset({"patience", "rpm", "tpm", "judge_rpm", "judge_tpm"})
"""The same of the calls."""

BUDGETS = frozenset({"max_tokens_total", "max_cost", "max_sample_tokens", "max_sample_cost"})

SETTINGS = frozenset(
    {
        *("limit", "concurrency", "epochs", "run_dir", "retry_errors", "fail_on_error", "sample_timeout"),
        *("json", "quiet", "dry_run", "prices", "seed"),
        *CHANGEABLE,
        *LIMITS,
        *BUDGETS,
        *TRACE_OPTIONS,
    }
)
"""Flags that may come with ``--run-dir`` alone when a run is continued."""

_OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome.failed)

_EXIT_CODES = """\
exit codes:
  0    the run is finished, even where samples failed: the table counts them
  1    the run broke (a full disk, or a model that can't be had); what was recorded stays
  2    an argument, the data set, a key or another input can't be used; nothing was asked of a model
  3    the run is finished and every sample failed
  4    the run's budget is reached; what was in flight is saved; give a higher one to continue
  5    the run is finished, and more samples failed than --fail-on-error allows
  130  interrupted (Ctrl-C, SIGTERM); start again with the same --run-dir to continue
  Of several graphs or models, the first that holds of any: 130, 4, 1, 3, 5."""

_CONFIG = """\
--config FILE: settings of this command and of what graphs are told, by their names, in YAML; or the
run.json (or the directory) of an earlier run, which it then repeats. A flag comes before the file. Relative
paths in the file are relative to the file. --dry-run prints every setting in this form.
  graph: [baseline, boost]          # a list of graphs or models: several, run together
  model: openai:gpt-5
  judge_model: openai:gpt-5-mini
  dataset: path/to/MetaphorVU-Bench
  limit: 100
  frames: {max_frames: 16}
  retrieval: {limit: 10}
  budget: {max_cost: 20}"""

_EXAMPLES = """\
examples:
  python -m evals.run --graph boost --limit 5
  python -m evals.run --graph boost --model openai:gpt-5 --dataset path/to/MetaphorVU-Bench --dry-run
  python -m evals.run --graph baseline --model openai:Qwen3-VL-8B-Thinking \\
      --base-url http://localhost:8000/v1 --judge-model openai:deepseek-chat \\
      --judge-base-url https://api.deepseek.com --run-dir runs/baseline
  python -m evals.run --graph baseline,cot,boost --model openai:gpt-5,openai:gpt-5-mini \\
      --judge-model openai:gpt-5 --run-dir runs/all           # six runs in one, compared at the end
  python -m evals.run --config run.yaml --limit 5
  python -m evals.run --run-dir runs/baseline                  # continue it
  python -m evals.run --run-dir runs/baseline --retry-errors   # only what failed
  python -m evals.run --run-dir runs/baseline --max-cost 20    # with a higher budget"""


class _Parser(Parser):
    """Finds out what is installed only when its help is shown."""

    argv: Sequence[str] = ()

    def format_help(self) -> str:
        """The help text, with graphs, data sets and tools."""
        self.epilog = "\n\n".join([*listings(self.argv), _CONFIG, _EXIT_CODES, _EXAMPLES])
        return super().format_help()


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser; ``argv`` tells its help which tools are named on the same command line."""
    parser = _Parser(
        prog="python -m evals.run",
        description="Interpret and judge every video of a data set; durable, and continued by its --run-dir.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.argv = argv
    parser.add_argument(
        "--graph",
        action="append",
        metavar="G[,G...]",
        help="a graph of those below, or module:attr of a compiled one; several with commas, or repeated: "
        "each with each model, sample by sample, under one budget",
    )
    parser.add_argument(
        "--config", metavar="FILE", help="settings from a YAML file or an earlier run, see below"
    )
    _add_data_options(parser)
    _add_run_options(parser)
    _add_progress_options(parser)
    add_budget_options(parser)
    add_trace_options(parser)
    add_model_options(parser, several=True)
    add_judge_options(parser)
    add_scaffold_options(parser)
    return parser


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    parser = build_parser(argv)
    options = parser.parse_args(argv)
    if options.graph is None and options.run_dir is None and options.config is None:
        parser.error(f"--graph is missing. Known: {', '.join(variants())}; or module:attr of your own.")
    if options.retry_errors is not None and options.run_dir is None:
        parser.error("--retry-errors needs the --run-dir whose failed samples are to run again.")
    return options


def given_settings(options: argparse.Namespace) -> list[str]:
    """Flags that were given and decide what a run is."""
    parser = build_parser()
    return [
        "--" + name.replace("_", "-")
        for name, value in vars(options).items()
        if name not in SETTINGS and value != parser.get_default(name)
    ]


def _add_data_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("data")
    group.add_argument(
        "--dataset",
        metavar="D",
        help="a name below, the folder of datas.jsonl (or test.jsonl) and videos/, or module:attr "
        "(default: mini)",
    )
    group.add_argument(
        "--limit",
        type=_positive,
        metavar="N",
        help="N samples, the types in turn and the first ones of each (default: all)",
    )
    group.add_argument(
        "--type",
        nargs="+",
        action="extend",
        metavar="T",
        default=[],
        help="only these metaphor types: keys such as Body_Language, or BL AL CS NS CM AM SN PN",
    )
    group.add_argument(
        "--epochs", type=_positive, metavar="E", help="how often each sample is run (default: 1)"
    )


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run")
    group.add_argument(
        "--run-dir",
        metavar="DIR",
        help="where records go, and how a run is continued (default: a new one in ./runs)",
    )
    group.add_argument(
        "--concurrency",
        type=_positive,
        metavar="C",
        help="samples in flight, and calls in flight of each model on its server; a server that complains "
        "is asked less at once, and more again when it answers (default: 8; 2 for the embedded model)",
    )
    group.add_argument(
        "--sample-timeout",
        type=float,
        metavar="S",
        help="seconds that a sample may take, judging included (default: no limit)",
    )
    group.add_argument(
        "--retry-errors",
        nargs="*",
        choices=_OUTCOMES,
        metavar="OUTCOME",
        help="run failed samples of --run-dir again; without an outcome all but refusals, and bad input only "
        f"where it has changed. Outcomes: {', '.join(_OUTCOMES)}",
    )
    group.add_argument(
        "--fail-on-error",
        type=_tolerance,
        metavar="RATE|N",
        help="exit code 5 when more samples fail than a share of the finished ones (0.1 or 10%%) or than N",
    )
    group.add_argument(
        "--seed",
        type=_seed,
        metavar="S",
        help="of statistics: the same seed and records give the same intervals (default: 0)",
    )


def _add_progress_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is shown")
    group.add_argument(
        "--json",
        action="store_true",
        help="events on stdout, one JSON object a line (evals/progress/EVENTS.md)",
    )
    group.add_argument("--quiet", action="store_true", help="no progress; the table and errors only")
    group.add_argument(
        "--dry-run", action="store_true", help="print settings, calls, tokens and money expected; ask nothing"
    )


def add_budget_options(parser: argparse.ArgumentParser) -> None:
    """Add limits of tokens and money, and where prices are written."""
    group = parser.add_argument_group(
        "budget",
        "Over all starts of a run. At the limit no sample is begun any more,\n"
        "and those in flight are finished.",
    )
    group.add_argument("--max-tokens-total", type=_tokens, metavar="N", help="tokens the run may spend")
    group.add_argument("--max-cost", type=_amount, metavar="M", help="money the run may spend")
    group.add_argument(
        "--max-sample-tokens",
        type=_tokens,
        metavar="N",
        help="tokens one sample may spend; beyond, it ends with outcome budget",
    )
    group.add_argument("--max-sample-cost", type=_amount, metavar="M", help="the same in money")
    group.add_argument(
        "--prices",
        metavar="FILE",
        help="your prices of tokens, before those in evals/money/prices.yaml (same layout)",
    )


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no amount above zero; without the flag there is no limit"
        )
    return value


def _tokens(text: str) -> int:
    try:
        return _positive(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}; without the flag there is no limit") from error


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**63):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to 2^63 - 1")
    return int(text)


def _tolerance(text: str) -> float | int:
    """A whole number of samples, or a share between 0 and 1."""
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else int(text) if text.isdigit() else float(text)
    except ValueError:
        value = -1.0
    if value < 0 or (isinstance(value, float) and not value <= 1):
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a share (0.1, 10%) nor a whole number of samples"
        )
    return value


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return value
