"""The command line of ``evals.run``: flags, and a help text that knows what is installed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence

from agents.metaphor_types import MetaphorType
from evals.datasets import known_datasets
from evals.store.records import Outcome
from evals.tracing.options import TRACE_OPTIONS, add_trace_options
from graphs.catalog import variants
from graphs.options import add_judge_options, add_model_options, add_scaffold_options

__all__ = ["BUDGETS", "CHANGEABLE", "LIMITS", "SETTINGS", "build_parser", "given_settings", "read_arguments"]

CHANGEABLE = frozenset({"base_url", "judge_base_url", "timeout", "max_retries"})
"""Settings of the context that may change when a run is continued: no answer depends on them."""

LIMITS = frozenset({"patience", "rpm", "tpm", "judge_rpm", "judge_tpm"})
"""The same of the calls."""

BUDGETS = frozenset({"max_tokens_total", "max_cost", "max_sample_tokens", "max_sample_cost"})

SETTINGS = frozenset(
    {
        *("limit", "concurrency", "epochs", "run_dir", "retry_errors", "fail_on_error", "sample_timeout"),
        *("json", "quiet", "dry_run", "prices"),
        *CHANGEABLE,
        *LIMITS,
        *BUDGETS,
        *TRACE_OPTIONS,
    }
)
"""Flags that may come with ``--run-dir`` alone when a run is continued."""

_OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.OK)

_EXIT_CODES = """\
exit codes:
  0    the run is finished, even where samples failed: the table counts them
  1    the run broke (a full disk, say); what was recorded stays
  2    an argument, the data set, a key or another input can't be used; nothing was asked of a model
  3    the run is finished and every sample failed
  4    the run's budget is reached; what was in flight is saved; give a higher one to continue
  5    the run is finished, and more samples failed than --fail-on-error allows
  130  interrupted (Ctrl-C, SIGTERM); start again with the same --run-dir to continue"""

_EXAMPLES = """\
examples:
  python -m evals.run --graph boost --limit 5
  python -m evals.run --graph boost --model openai:gpt-5 --dataset path/to/MetaphorVU-Bench --dry-run
  python -m evals.run --graph baseline --model openai:Qwen3-VL-8B-Thinking \\
      --base-url http://localhost:8000/v1 --judge-model openai:deepseek-chat \\
      --judge-base-url https://api.deepseek.com --run-dir runs/baseline
  python -m evals.run --run-dir runs/baseline                  # continue it
  python -m evals.run --run-dir runs/baseline --retry-errors   # only what failed
  python -m evals.run --run-dir runs/baseline --max-cost 20    # with a higher budget"""


class _Parser(argparse.ArgumentParser):
    """Finds out what is installed only when its help is shown."""

    argv: Sequence[str] = ()

    def format_help(self) -> str:
        """The help text, with graphs, data sets and tools."""
        self.epilog = "\n\n".join([*_listings(self.argv), _EXIT_CODES, _EXAMPLES])
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
        "--graph", metavar="G", help="a graph of those below, or module:attr of a compiled one"
    )
    _add_data_options(parser)
    _add_run_options(parser)
    _add_budget_options(parser)
    add_trace_options(parser)
    add_model_options(parser)
    add_judge_options(parser)
    add_scaffold_options(parser)
    return parser


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; exits with code 2 and one sentence when they can't be used."""
    parser = build_parser(argv)
    options = parser.parse_args(argv)
    if options.graph is None and options.run_dir is None:
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
        "--json",
        action="store_true",
        help="events on stdout, one JSON object a line (evals/progress/EVENTS.md)",
    )
    group.add_argument("--quiet", action="store_true", help="no progress; the table and errors only")
    group.add_argument(
        "--dry-run", action="store_true", help="print settings, calls, tokens and money expected; ask nothing"
    )


def _add_budget_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "budget",
        "Over all starts of a run. At the limit no sample is begun any more,\n"
        "and those in flight are finished.",
    )
    group.add_argument("--max-tokens-total", type=_positive, metavar="N", help="tokens the run may spend")
    group.add_argument("--max-cost", type=_amount, metavar="M", help="money the run may spend")
    group.add_argument(
        "--max-sample-tokens",
        type=_positive,
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
        raise argparse.ArgumentTypeError(f"{text!r} is no amount above zero")
    return value


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


def _listings(argv: Sequence[str]) -> Iterator[str]:
    yield _listing("graphs", {variant.name: variant.summary for variant in variants().values()})
    yield _listing("data sets", known_datasets())
    yield _listing("types", {f"{kind.short} {kind.value}": kind.definition for kind in MetaphorType})
    yield _listing("tools", _tools(argv))
    yield _listing("knowledge sources", _sources())


def _listing(title: str, entries: dict[str, str]) -> str:
    width = max([16, *(len(name) for name in entries)])
    return "\n".join([f"{title}:", *(f"  {name:{width}} {text}" for name, text in entries.items())])


def _sources() -> dict[str, str]:
    """Installed sources of knowledge by where they are."""
    from tools.errors import ToolboxError
    from tools.knowledge.sources import installed_sources

    try:
        return installed_sources()
    except ToolboxError as error:
        return {"": str(error)}


def _tools(argv: Sequence[str]) -> dict[str, str]:
    """Installed tools by where they are; those named on this command line by what they say of themselves."""
    from tools.errors import ToolboxError
    from tools.plugins import installed_tools, load_tool

    try:
        found = installed_tools()
    except ToolboxError as error:
        found = {"": str(error)}
    named = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    named.add_argument("--tool", action="append", default=[])
    for spec in named.parse_known_args(argv)[0].tool:
        try:
            from tools.knowledge import open_knowledge

            found[spec] = load_tool(spec, open_knowledge()).description.strip().partition("\n")[0]
        except ToolboxError as error:
            found[spec] = f"can't be used: {error}"
    return found
