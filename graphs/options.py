"""The command line's share of a context: the same flags wherever a graph is run. Imports nothing heavy."""

from __future__ import annotations

import argparse
from typing import Any

from agents.context import Context, FrameSettings, RetrievalSettings
from agents.errors import UserError

__all__ = ["add_model_options", "add_scaffold_options", "context_of"]


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add which models are asked, where, and how."""
    group = parser.add_argument_group("models")
    group.add_argument(
        "--model",
        metavar="M",
        help="interpreting model: openai:NAME, google_genai:NAME or embedded (default; no key needed)",
    )
    group.add_argument("--judge-model", metavar="J", help="the judge (default: the interpreting model)")
    group.add_argument(
        "--base-url",
        metavar="U",
        help="OpenAI-compatible server (vLLM, Ollama, DashScope, DeepSeek, Ark, GLM); serves the judge too",
    )
    group.add_argument("--judge-base-url", metavar="U", help="the judge's server, where it differs")
    group.add_argument(
        "--temperature", type=float, metavar="T", help="of the interpreting model (default: 0.7)"
    )
    group.add_argument(
        "--judge-k", type=int, metavar="K", help="judgements of each kind, averaged (default: 3)"
    )
    group.add_argument("--max-tokens", type=int, metavar="N", help="of an answer (default: the server's)")
    group.add_argument("--timeout", type=float, metavar="S", help="seconds one call may take (default: 180)")
    group.add_argument(
        "--max-retries", type=int, metavar="N", help="how often a failed call is tried again (default: 3)"
    )


def add_scaffold_options(parser: argparse.ArgumentParser) -> None:
    """Add what a graph lends the model: frames, knowledge, tools, prompts."""
    group = parser.add_argument_group("scaffold")
    group.add_argument(
        "--frames", "--max-frames", type=int, metavar="N", help="at most N frames a video (default: 50)"
    )
    group.add_argument(
        "--max-side", type=int, metavar="PX", help="longest side of a frame in pixels (default: 1024)"
    )
    group.add_argument(
        "--reader", metavar="R", help="frame reader: auto, decord, or module:attr (default: auto)"
    )
    group.add_argument(
        "--max-hops", type=int, metavar="N", help="rounds of exploration in boost (default: 4)"
    )
    group.add_argument(
        "--knowledge", metavar="G", help="graph of metaphors: starter or a path (default: starter)"
    )
    group.add_argument(
        "--retrieval-hops",
        type=int,
        metavar="H",
        help="h of boost_retrieval, and of boost's fall-back (default: 2)",
    )
    group.add_argument("--retrieval-limit", type=int, metavar="Z", help="z of the same (default: 10)")
    group.add_argument(
        "--few-shot", choices=["on", "off"], help="worked examples in the prompt (default: the variant's own)"
    )
    group.add_argument(
        "--tool",
        action="append",
        metavar="T",
        default=[],
        help="one more tool for the exploring model: an installed name or module:attr; repeatable",
    )
    group.add_argument(
        "--no-hop-tool", action="store_true", help="leave out our own hop tool and offer only those of --tool"
    )
    group.add_argument(
        "--prompt",
        action="append",
        metavar="NAME=PATH",
        default=[],
        help="replace a prompt by a file, e.g. perceive=mine.md; repeatable",
    )


def context_of(chosen: argparse.Namespace, *, model: str) -> Context:
    """The context that the flags say; what was not given keeps its default.

    Args:
        chosen: the parsed flags of both groups.
        model: the interpreting model, with the default already decided.

    Raises:
        UserError: for a value out of its range, or a ``--prompt`` without ``=``.
    """
    given: dict[str, Any] = {
        name: value
        for name in (
            "judge_model",
            "base_url",
            "judge_base_url",
            "temperature",
            "judge_k",
            "max_tokens",
            "timeout",
            "max_retries",
            "max_hops",
            "knowledge",
        )
        if (value := getattr(chosen, name)) is not None
    }
    hop = () if chosen.no_hop_tool else ("hop",)
    frames = {"max_frames": chosen.frames, "max_side": chosen.max_side, "reader": chosen.reader}
    retrieval = {"hops": chosen.retrieval_hops, "limit": chosen.retrieval_limit}
    try:
        return Context(
            model=model,
            few_shot=None if chosen.few_shot is None else chosen.few_shot == "on",
            tools=tuple(dict.fromkeys([*hop, *chosen.tool])),
            prompts=tuple(_pair(text) for text in chosen.prompt),
            frames=FrameSettings(**{key: value for key, value in frames.items() if value is not None}),
            retrieval=RetrievalSettings(
                **{key: value for key, value in retrieval.items() if value is not None}
            ),
            **given,
        )
    except ValueError as error:
        raise UserError(_plain(error)) from error


def _pair(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise UserError(f"--prompt wants NAME=PATH, not {text!r}.")
    return name, path


def _plain(error: ValueError) -> str:
    """A validation error in one line a fault: the flag, the value, and what it must be."""
    errors = getattr(error, "errors", None)
    if errors is None:
        return str(error)
    flags = {"max_frames": "frames", "hops": "retrieval-hops", "limit": "retrieval-limit"}
    lines: list[str] = []
    for fault in errors():
        name = str(fault["loc"][-1]) if fault["loc"] else "?"
        lines.append(f"--{flags.get(name, name).replace('_', '-')} {fault['input']!r}: {fault['msg']}")
    return "; ".join(lines)
