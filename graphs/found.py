"""What tools and sources found, kept in a journal: they may be slow, paid for, or change their minds.

A tool's message is kept with its artifact where that is one of the project's own or plain data. What another
artifact holds can't be written down; its tool is called again.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolMessage
from pydantic import TypeAdapter

from agents.answers import whole_characters
from agents.calls.journal import Finished, current_journal, digest_of
from agents.known import KnowledgeUse, Passage
from agents.schemas import Mapping as Found

if TYPE_CHECKING:
    from langchain_core.messages import ToolCall

__all__ = ["found_before", "tool_message"]

_OWN = ("HopResult", "Findings")
_PLAIN = (dict, list, str, int, float, bool)
_PARTS: dict[str, TypeAdapter[Any]] = {
    "mappings": TypeAdapter(list[Found]),
    "passages": TypeAdapter(list[Passage]),
    "knowledge": TypeAdapter(KnowledgeUse),
}


async def tool_message(call: ToolCall, ask: Callable[[], Awaitable[Any]]) -> Any:
    """What a tool answers a call, or answered it before this start.

    Args:
        call: of the model; its id tells it from the same one made again.
        ask: calls the tool.

    Raises:
        OSError: when a journal is kept, and the disk refuses.
    """
    journal = current_journal()
    if journal is None:
        return await ask()
    key = digest_of("tool", call["name"], call["args"], call["id"])
    kept = await journal.recall("found", key)
    if kept is not None:
        with contextlib.suppress(ValueError, TypeError, KeyError):  # the work of another version
            return await asyncio.to_thread(_message, kept.result)
    answer = await ask()
    plain = await asyncio.to_thread(_plain, answer) if isinstance(answer, ToolMessage) else None
    if plain is not None:
        await journal.keep(Finished("hop", "found", key, plain))
    return answer


async def found_before(asked: object, look_up: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    """What a source of knowledge gives, as the part of a state, or gave before this start.

    Args:
        asked: all that the result depends on, as plain data.
        look_up: asks the source.

    Raises:
        OSError: when a journal is kept, and the disk refuses.
    """
    journal = current_journal()
    if journal is None:
        return await look_up()
    key = digest_of("retrieve", asked)
    kept = await journal.recall("found", key)
    if kept is not None:
        with contextlib.suppress(ValueError, TypeError, KeyError):
            return {name: _PARTS[name].validate_python(part) for name, part in kept.result.items()}
    new = await look_up()
    plain = {name: _PARTS[name].dump_python(part, mode="json") for name, part in new.items()}
    await journal.keep(Finished("retrieve", "found", key, plain))
    return new


def _plain(answer: ToolMessage) -> dict[str, Any] | None:
    """A message as plain data; None where its artifact can't be had back as it is."""
    said = {
        "content": whole_characters(answer.content),
        "name": answer.name,
        "tool_call_id": answer.tool_call_id,
        "status": answer.status,
    }
    artifact: Any = answer.artifact
    if artifact is None:
        return said
    kind = type(artifact).__name__
    if kind in _OWN and isinstance(artifact, _own(kind)[0]):
        return {**said, "kind": kind, "artifact": _own(kind)[1].dump_python(artifact, mode="json")}
    with contextlib.suppress(ValueError, TypeError):
        if type(artifact) in _PLAIN and json.loads(json.dumps(artifact)) == artifact:
            return {**said, "kind": "plain", "artifact": artifact}
    return None


def _message(kept: Mapping[str, Any]) -> ToolMessage:
    said = dict(kept)
    kind, artifact = said.pop("kind", None), said.pop("artifact", None)
    if kind in _OWN:
        artifact = _own(kind)[1].validate_python(artifact)
    return ToolMessage(**said, artifact=artifact)


@functools.cache
def _own(kind: str) -> tuple[type[Any], TypeAdapter[Any]]:
    """A class of what the project's own tools find, and how it is written; imported where one was called."""
    from tools.knowledge.edges import HopResult, Reference

    if kind == "HopResult":
        return HopResult, TypeAdapter(HopResult)
    from tools.knowledge.sources.protocol import Findings

    adapter = TypeAdapter(Findings)
    adapter.rebuild(_types_namespace={"Reference": Reference})  # the class imports it for checkers only
    return Findings, adapter
