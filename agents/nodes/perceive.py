"""Perceive: frames or the video in, visual keywords out. What is seen, not yet what it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agents.asked import KeywordAnswer
from agents.desk import Desk
from agents.errors import ModelOutputError
from agents.messages import conversation, seen, system_text, with_sight
from agents.schemas import Keyword

__all__ = ["perceive", "tidy_keywords"]


def tidy_keywords(texts: Iterable[str]) -> list[Keyword]:
    """Trim keywords and drop repeats that differ by case or space alone; order kept."""
    kept: dict[str, Keyword] = {}
    for text in texts:
        plain = " ".join(text.split()).strip(" .,;:\"'*-")
        if plain:
            kept.setdefault(plain.casefold(), Keyword(text=plain))
    return list(kept.values())


async def perceive(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Ask the interpreting model for the visual elements of the video.

    Returns:
        ``keywords`` (at least one), ``calls``, and what :func:`agents.messages.seen` says of the frames.

    Raises:
        ModelOutputError: when no keyword is left after tidying.
    """
    sheet = await desk.look(state["video_path"])
    prompt = desk.prompts.render("perceive", title=state.get("title", ""))
    messages = conversation(system_text(desk), with_sight(prompt.text, sheet))
    answer, call = await desk.ask("interpreter", "perceive", messages, KeywordAnswer, prompt=prompt.digest)
    keywords = tidy_keywords(answer.value.keywords)
    if not keywords:
        error = ModelOutputError(f"{call.model} named no visual element", raw=answer.raw)
        error.calls = (call,)
        raise error
    return {
        "keywords": keywords,
        "calls": [call],
        **seen(sheet),
    }
