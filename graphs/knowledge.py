"""Grow the graph of metaphors from texts.

``python -m graphs.knowledge extract TEXTS... --model M --out PAIRS.jsonl.gz`` writes pairs of what is said
and what is meant; ``python -m tools.knowledge build`` makes a graph of them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from agents.context import CallSettings, Context
from agents.errors import MetaphorBoostError, UserError

__all__ = ["main"]

_EPILOG = """\
texts:
  .txt, .md, ...   plain text, split into sentences (English and Chinese punctuation)
  .jsonl, .ndjson  one object a line: text, sentence or context; and, where you have them, source (the
                   collection), licence, id
  .json            a list of such objects; CMDAG's raw layout is known
  any of them gzipped (.gz); - is standard input

beside --out PAIRS.jsonl.gz:
  PAIRS.journal.jsonl  every answer, as it came; a killed or stopped command goes on from it, and an
                       answer that is there is never asked for again. A kill repeats at most as many calls
                       as were in flight (--concurrency). Keep it: it is the cache too.
  PAIRS.report.json    what was rejected and why, every bad row, tokens
  PAIRS.lock           keeps a second process out

then: python -m tools.knowledge build PAIRS.jsonl.gz --out DIR

exit codes:
  0    every sentence was asked; the file of pairs is written (the report names sentences that failed)
  1    the run can't go on: a bad key, an unknown model, a full disk, 24 failed calls in a row
  2    an input can't be used
  3    every sentence failed
  4    a budget is reached
  130  interrupted (once: calls in flight are finished; twice: at once)
"""


def __getattr__(name: str) -> Any:
    """Import the graph when it is first asked for: LangGraph takes half a second, ``--help`` does not."""
    if name == "graph":
        from graphs.extraction.wiring import graph

        return graph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _number(kind: Callable[[str], Any], least: float) -> Callable[[str], Any]:
    """A parser of numbers from ``least`` on."""

    def parse(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not least <= value < float("inf"):
            word = "a whole number" if kind is int else "a number"
            raise argparse.ArgumentTypeError(f"{text!r} is not {word} from {least:g} on")
        return value

    return parse


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m graphs.knowledge", description="Grow the graph of metaphors from texts."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    extract = commands.add_parser(
        "extract",
        help="read texts for metaphors and write them down as pairs",
        description="Read texts for metaphors: what is seen or said, and what is meant by it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    extract.add_argument("texts", nargs="+", metavar="TEXTS", help="files of texts; - is standard input")
    extract.add_argument(
        "--out", required=True, metavar="PAIRS", help="file of pairs to write: .jsonl or .jsonl.gz"
    )
    extract.add_argument(
        "--format",
        choices=("auto", "text", "lines", "jsonl", "json"),
        default="auto",
        help="how all texts are laid out; lines is plain text with a sentence a line (default: by the name)",
    )
    extract.add_argument("--dataset", metavar="NAME", help="collection of rows that don't name theirs")
    extract.add_argument("--licence", metavar="L", help="licence of rows that don't name theirs")
    extract.add_argument(
        "--limit", type=_number(int, 1), metavar="N", help="only the first N different sentences"
    )
    extract.add_argument("--dry-run", action="store_true", help="tell calls, tokens and money; ask nothing")
    extract.add_argument("--quiet", action="store_true", help="no progress")
    _add_model(extract.add_argument_group("model"))
    _add_running(extract.add_argument_group("running"))
    return parser


def _add_model(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument("--model", metavar="M", help="openai:NAME, google_genai:NAME, ...; never embedded")
    group.add_argument("--base-url", metavar="U", help="OpenAI-compatible server (vLLM, Ollama, ...)")
    group.add_argument("--temperature", type=_number(float, 0), default=0.0, metavar="T", help="(default: 0)")
    group.add_argument(
        "--max-tokens", type=_number(int, 1), metavar="N", help="of an answer (default: the server's)"
    )
    group.add_argument(
        "--timeout",
        type=_number(float, 0.001),
        default=180.0,
        metavar="S",
        help="seconds of a call (default: 180)",
    )
    group.add_argument(
        "--max-retries",
        type=_number(int, 0),
        default=3,
        metavar="N",
        help="how often a failed call is tried again, by the provider's SDK (default: 3)",
    )
    group.add_argument(
        "--prompt",
        action="append",
        metavar="NAME=PATH",
        default=[],
        help="replace a prompt by a file: extract or extract_system; repeatable",
    )


def _add_running(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    def add(name: str, kind: Callable[[str], Any], metavar: str, words: str, default: Any = None) -> None:
        group.add_argument(name, type=kind, metavar=metavar, help=words, default=default)

    whole, money = _number(int, 1), _number(float, 0)
    add("--per-call", whole, "K", "sentences of a call (default: 8)", 8)
    add("--concurrency", whole, "N", "calls in flight at most (default: 8)", 8)
    add("--max-tokens-total", whole, "N", "tokens of input and output, all starts together")
    add("--max-cost", money, "X", "money, all starts together; needs both prices")
    add("--price-in", money, "P", "money for a million input tokens")
    add("--price-out", money, "P", "money for a million output tokens")
    group.add_argument(
        "--allow-partial", action="store_true", help="write the pairs there are even if sentences are pending"
    )
    group.add_argument(
        "--retry-failed", action="store_true", help="ask again for sentences whose calls failed before"
    )


def _context(options: argparse.Namespace) -> Context:
    from agents.models import EMBEDDED
    from agents.nodes.extract import refuse_embedded

    model = (options.model or EMBEDDED).strip()
    refuse_embedded(model)
    prompts: list[tuple[str, str]] = []
    for text in options.prompt:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise UserError(f"--prompt wants NAME=PATH, not {text!r}.")
        prompts.append((name, path))
    try:
        return Context(
            model=model,
            base_url=options.base_url,
            temperature=options.temperature,
            timeout=options.timeout,
            max_retries=options.max_retries,
            calls=CallSettings(concurrency=options.concurrency, cache=False),  # its journal keeps answers
            max_tokens=options.max_tokens,
            prompts=tuple(prompts),
        )
    except ValueError as error:
        faults = getattr(error, "errors", list)()
        told = "; ".join(
            f"--{str(f['loc'][-1]).replace('_', '-')} {f['input']!r}: {f['msg']}" for f in faults
        )
        raise UserError(told or str(error)) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns:
        The exit code, as ``extract --help`` lists them.
    """
    options = _parser().parse_args(arguments)
    try:
        context = _context(options)
        from graphs.extraction.command import run_extract

        return run_extract(options, context)
    except MetaphorBoostError as error:
        return _complain(error, 2)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # or the interpreter complains at its end
        return 1
    except OSError as error:
        return _complain(f"extraction can't go on: {error}. What was answered is kept; start again.", 1)


def _complain(what: object, code: int) -> int:
    sys.stderr.write(f"error: {what}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
