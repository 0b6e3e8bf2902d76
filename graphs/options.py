"""The command line's share of a context: the same flags wherever a graph is run. Imports nothing heavy."""

from __future__ import annotations

import argparse
from typing import Any

from agents.context import CallSettings, Context, FrameSettings
from agents.errors import UserError
from graphs.knowledge_options import add_knowledge_options, knowledge_settings, retrieval_settings

__all__ = ["add_judge_options", "add_model_options", "add_scaffold_options", "context_of"]


def add_model_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Add which model interprets, where it is asked, and how; ``several`` lets ``--model`` be a list."""
    group = parser.add_argument_group("models")
    told = "interpreting model: openai:NAME, google_genai:NAME or embedded (default; no key needed)"
    if several:
        group.add_argument(
            "--model", action="append", metavar="M[,M...]", help=f"{told}; several with commas, or repeated"
        )
    else:
        group.add_argument("--model", metavar="M", help=told)
    group.add_argument(
        "--base-url",
        metavar="U",
        help="OpenAI-compatible server (vLLM, Ollama, DashScope, DeepSeek, Ark, GLM); serves a judge too",
    )
    group.add_argument(
        "--temperature", type=float, metavar="T", help="of the interpreting model (default: 0.7)"
    )
    group.add_argument("--max-tokens", type=int, metavar="N", help="of an answer (default: the server's)")
    group.add_argument("--timeout", type=float, metavar="S", help="seconds one try may take (default: 180)")
    group.add_argument(
        "--max-retries", type=int, metavar="N", help="how often a failed call is tried again (default: 3)"
    )
    group.add_argument(
        "--patience",
        type=float,
        metavar="S",
        help="seconds that a failed call may wait between its tries, all together (default: 300)",
    )
    group.add_argument(
        "--rpm", type=int, metavar="N", help="requests a minute at most, for each model (default: no limit)"
    )
    group.add_argument(
        "--tpm", type=int, metavar="N", help="tokens a minute at most, for each model (default: no limit)"
    )


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """Add who judges, for commands that score."""
    group = parser.add_argument_group("judge")
    group.add_argument("--judge-model", metavar="J", help="the judge (default: the interpreting model)")
    group.add_argument(
        "--judge-base-url", metavar="U", help="the judge's server, where it is not the one of --base-url"
    )
    group.add_argument(
        "--judge-rpm", type=int, metavar="N", help="requests a minute of the judge (default: as --rpm)"
    )
    group.add_argument(
        "--judge-tpm", type=int, metavar="N", help="tokens a minute of the judge (default: as --tpm)"
    )
    group.add_argument(
        "--judge-k", type=int, metavar="K", help="judgements of each kind, averaged (default: 3)"
    )


def add_scaffold_options(parser: argparse.ArgumentParser) -> None:
    """Add what a graph lends the model: frames, tools, prompts, knowledge."""
    group = parser.add_argument_group("scaffold")
    group.add_argument(
        "--input",
        choices=["frames", "video"],
        help="show the model frames, or the video file itself: google_genai:NAME, or a server that takes "
        "video_url, such as vLLM's (default: frames)",
    )
    group.add_argument(
        "--frames", "--max-frames", type=int, metavar="N", help="at most N frames a video (default: 50)"
    )
    group.add_argument(
        "--max-side", type=int, metavar="PX", help="longest side of a frame in pixels (default: 1024)"
    )
    group.add_argument(
        "--reader", metavar="R", help="frame reader: auto, decord, or module:attr (default: auto)"
    )
    _add_sampling_options(group)
    group.add_argument(
        "--max-hops", type=int, metavar="N", help="rounds of exploration in boost (default: 4)"
    )
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
    add_knowledge_options(parser)


def _add_sampling_options(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--reader-fallback",
        action="store_true",
        help="let PyAV read the files that decord refuses, with a note in the record",
    )
    group.add_argument(
        "--sampling",
        choices=["uniform", "shots", "fps"],
        help="frames spread over time, over shots (each cut is found, no shot left out as far as N reaches), "
        "or at --fps (default: uniform)",
    )
    group.add_argument(
        "--fps", type=float, metavar="R", help="frames a second with --sampling fps (default: 1)"
    )
    group.add_argument(
        "--no-cache",
        action="store_true",
        help="decode and ask every time, and keep neither frames nor answers",
    )
    group.add_argument(
        "--cache-dir",
        metavar="DIR",
        help="keep encoded frames in DIR and answers in DIR/answers (default: the user's cache folder)",
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
            "input",
        )
        if (value := getattr(chosen, name, None)) is not None
    }
    hop = () if chosen.no_hop_tool else ("hop",)
    try:
        return Context(
            model=model,
            few_shot=None if chosen.few_shot is None else chosen.few_shot == "on",
            tools=tuple(dict.fromkeys([*hop, *chosen.tool])),
            prompts=tuple(_pair(text) for text in chosen.prompt),
            frames=_frame_settings(chosen),
            calls=_call_settings(chosen),
            knowledge=knowledge_settings(chosen),
            retrieval=retrieval_settings(chosen),
            **given,
        )
    except ValueError as error:
        raise UserError(_plain(error)) from error


def _frame_settings(chosen: argparse.Namespace) -> FrameSettings:
    if chosen.fps is not None and chosen.sampling != "fps":
        raise UserError("--fps goes with --sampling fps.")
    if chosen.no_cache and chosen.cache_dir is not None:
        raise UserError("--no-cache and --cache-dir exclude each other.")
    given: dict[str, Any] = {
        "max_frames": chosen.frames,
        "max_side": chosen.max_side,
        "reader": chosen.reader,
        "method": chosen.sampling,
        "fps": chosen.fps,
        "cache_dir": chosen.cache_dir,
    }
    return FrameSettings(
        reader_fallback=chosen.reader_fallback,
        cache=not chosen.no_cache,
        **{key: value for key, value in given.items() if value is not None},
    )


def _call_settings(chosen: argparse.Namespace) -> CallSettings:
    names = ("patience", "rpm", "tpm", "judge_rpm", "judge_tpm", "cache_dir")
    given = {name: value for name in names if (value := getattr(chosen, name, None)) is not None}
    return CallSettings(cache=not chosen.no_cache, **given)


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
    flags = {
        "max_frames": "frames",
        "hops": "retrieval-hops",
        "limit": "retrieval-limit",
        "max_tokens": "reference-tokens",
    }
    lines: list[str] = []
    for fault in errors():
        name = str(fault["loc"][-1]) if fault["loc"] else "?"
        lines.append(f"--{flags.get(name, name).replace('_', '-')} {fault['input']!r}: {fault['msg']}")
    return "; ".join(lines)
