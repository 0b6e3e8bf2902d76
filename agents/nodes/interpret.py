"""Interpret: frames or the video, and what was found of them, in; entries out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.asked import InterpretationAnswer, ReasonedAnswer
from agents.desk import Desk
from agents.errors import ModelOutputError
from agents.messages import conversation, seen, system_text, with_sight
from agents.schemas import Entry, Interpretation

__all__ = ["interpret", "to_interpretation"]


def to_interpretation(
    answer: InterpretationAnswer | ReasonedAnswer, *, model: str, raw: str = ""
) -> Interpretation:
    """Make entries of an answer's parts, without repeats.

    Raises:
        ModelOutputError: when no entry has both its parts.
    """
    entries: dict[str, Entry] = {}
    for item in answer.entries:
        if not item.presents.strip(" .,;") or not item.expresses.strip(" .,;"):
            continue
        try:
            entry = Entry.of_parts(item.presents, item.expresses)
        except ValueError:  # a part that held nothing but the frame sentence
            continue
        entries.setdefault(entry.text.casefold(), entry)
    if not entries:
        raise ModelOutputError(f"{model} wrote no entry with both its parts", raw=raw)
    return Interpretation(entries=tuple(entries.values()))


async def interpret(
    state: Mapping[str, Any],
    desk: Desk,
    *,
    prompt: str,
    few_shot: bool = False,
    schema: type[InterpretationAnswer | ReasonedAnswer] = InterpretationAnswer,
) -> dict[str, Any]:
    """Ask the interpreting model for the reading of the video.

    Args:
        state: the graph's state; ``keywords``, ``mappings`` and ``passages`` are shown where they are there,
            as far as the context's budget of tokens reaches (published: 4,000 characters, cut within a line).
        desk: what the node works with.
        prompt: the prompt's name; the one factor in which the variants differ.
        few_shot: the variant's own choice of worked examples; the context's overrides it.
        schema: what is asked for; ``ReasonedAnswer`` gives the steps of a chain of thought a place.

    Returns:
        ``interpretation`` and ``calls``; what :func:`agents.messages.seen` says of the frames where no
        node before this one looked at them.
    """
    sheet = await desk.look(state["video_path"])
    chosen = desk.context.few_shot
    room = desk.context.retrieval.max_tokens
    lines, room, fewer = _within([mapping.line for mapping in state.get("mappings") or ()], room)
    sentences, _, fewer_said = _within([passage.line for passage in state.get("passages") or ()], room)
    rendered = desk.prompts.render(
        prompt,
        title=state.get("title", ""),
        keywords=[keyword.text for keyword in state.get("keywords") or ()],
        associations=lines,
        sentences=sentences,
        shots=desk.prompts.shots if (few_shot if chosen is None else chosen) else [],
    )
    messages = conversation(system_text(desk), with_sight(rendered.text, sheet))
    answer, call = await desk.ask("interpreter", "interpret", messages, schema, prompt=rendered.digest)
    try:
        interpretation = to_interpretation(answer.value, model=call.model, raw=answer.raw)
    except ModelOutputError as error:
        error.calls = (call,)
        raise
    new: dict[str, Any] = {"interpretation": interpretation, "calls": [call]}
    new["notes"] = [
        f"{what}: the {number} weakest were left out of the prompt"
        for what, number in (("associations", fewer), ("sentences", fewer_said))
        if number
    ]
    if "frames_digest" not in state:
        glance = seen(sheet)
        new |= {**glance, "notes": [*glance["notes"], *new["notes"]]}
    return new


def _within(lines: list[str], room: int) -> tuple[list[str], int, int]:
    """The first lines that fit into so many tokens, whole; the tokens that are left, and the lines out."""
    if not lines:
        return [], room, 0
    from agents.tokens import count_tokens

    kept, spent = 0, 0
    while kept < len(lines) and (more := count_tokens("\n".join(lines[: kept + 1]))) <= room:
        kept, spent = kept + 1, more
    return lines[:kept], room - spent, len(lines) - kept
