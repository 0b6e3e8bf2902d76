"""One video: ``python -m graphs.interpret clip.mp4`` prints its keywords, the hops taken, and the entries."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import MetaphorBoostError
from graphs.catalog import load, variants
from graphs.checks import check
from graphs.idle import idle_flags
from graphs.options import add_model_options, add_scaffold_options, context_of
from graphs.parsing import Parser
from graphs.untraced import untraced
from tools.errors import ToolboxError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.context import Context

__all__ = ["interpret_video", "main"]

_RECURSION_LIMIT = 250  # a backstop only: the rounds are counted in the state


async def interpret_video(
    video: str | Path, *, graph: str = "boost", title: str = "", context: Context | None = None
) -> dict[str, Any]:
    """Run one graph over one video.

    Args:
        video: a video file, or a folder of frames.
        graph: a variant's name, or ``module:attr``.
        title: the brief title, which may be empty.
        context: settings; the defaults when None.

    Returns:
        The final state: ``keywords``, ``hops``, ``mappings``, ``passages``, ``knowledge``,
        ``interpretation``, ``calls``, ``notes``.

    Raises:
        UserError: for an unknown graph or model.
        FrameError: when the video can't be read.
        ModelOutputError: when the model's answer can't be used.
    """
    path = Path(video)
    state = {"video_path": str(path), "video_id": path.stem, "title": title}
    config = {"recursion_limit": _RECURSION_LIMIT, "run_name": f"{graph}:{path.stem}"}
    return await load(graph).ainvoke(state, context=context, config=config)


async def _interpret_and_close(chosen: argparse.Namespace, context: Context) -> dict[str, Any]:
    from graphs.resources import resources_of

    try:
        if getattr(variants().get(chosen.graph), "associate", 0):
            await asyncio.to_thread(resources_of(context).source)  # a file that is missing costs no call
        return await interpret_video(chosen.video, graph=chosen.graph, title=chosen.title, context=context)
    finally:
        await resources_of(context).close()


def _plain(state: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "video_id": state["video_id"],
        "title": state.get("title", ""),
        **({"video": state["video"].model_dump(mode="json")} if "video" in state else {}),
        "keywords": [keyword.text for keyword in state.get("keywords", ())],
        "hops": [hop.model_dump(mode="json") for hop in state.get("hops", ())],
        "mappings": [mapping.model_dump(mode="json") for mapping in state.get("mappings", ())],
        "passages": [passage.model_dump(mode="json") for passage in state.get("passages", ())],
        **({"knowledge": state["knowledge"].model_dump(mode="json")} if "knowledge" in state else {}),
        "entries": [entry.text for entry in state["interpretation"].entries],
        "notes": list(state.get("notes", ())),
        "tokens": sum(call.usage.total_tokens for call in state["calls"]),
    }


def _show(state: Mapping[str, Any]) -> str:
    lines: list[str] = []
    if state.get("keywords"):
        lines += ["Keywords", "  " + ", ".join(keyword.text for keyword in state["keywords"]), ""]
    if state.get("hops"):
        lines.append("Hops")
        for hop in state["hops"]:
            asked = ", ".join(f"{key}={value}" for key, value in hop.arguments.items())
            lines.append(f"  round {hop.round}: {hop.tool}({asked})")
            lines += [f"       {line}" for line in hop.answer.splitlines()]
        lines.append("")
    elif state.get("mappings"):
        lines += ["References", *(f"  {mapping.line}" for mapping in state["mappings"]), ""]
    elif state.get("passages"):
        lines += ["Sentences", *(f"  {passage.line}" for passage in state["passages"]), ""]
    lines += ["Entries", *(f"  - {entry.text}" for entry in state["interpretation"].entries)]
    if state.get("notes"):
        lines += ["", "Notes", *(f"  {note}" for note in state["notes"])]
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m graphs.interpret",
        description="Say what one video means: its visual keywords, the hops taken, and the entries.",
        epilog="graphs:\n" + "\n".join(f"  {v.name:16} {v.summary}" for v in variants().values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("video", help="a video file, or a folder of frames")
    parser.add_argument(
        "--graph", default="boost", metavar="G", help="a graph of those below, or module:attr"
    )
    parser.add_argument("--title", default="", help="a brief title, as the benchmark gives one")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    add_model_options(parser)
    add_scaffold_options(parser)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns 0, or 2 when the input or the model's answer could not be used."""
    chosen = _parser().parse_args(arguments)
    try:
        from agents.models import default_model

        name, sentence = (chosen.model, "") if chosen.model else default_model(os.environ)
        if sentence:
            print(sentence, file=sys.stderr)  # noqa: T201 - the command's own words
        context = context_of(chosen, model=name)
        check(context)
        for sentence in filter(None, (untraced("graphs.interpret"), *idle_flags(chosen, context))):
            print(sentence, file=sys.stderr)  # noqa: T201
        state = asyncio.run(_interpret_and_close(chosen, context))
    except (MetaphorBoostError, ToolboxError) as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except KeyboardInterrupt:
        return 130
    print(json.dumps(_plain(state), ensure_ascii=False, indent=2) if chosen.json else _show(state))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
