"""Messages and states of graphs as a trace shows them: words whole, frames as lines, nothing said twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from agents.schemas import Mapping as MetaphorMapping
from evals.tracing.redaction import Redaction

__all__ = ["answer_of", "message_of", "output_of", "state_of"]

_TOLD_BELOW = frozenset({"calls", "hops", "messages"})
"""Keys of a state that calls of models and tools, which are spans of their own, say already: only counted."""

_LONGEST, _ITEMS = 1000, 12


def message_of(message: BaseMessage, redaction: Redaction, *, longest: int = 8000) -> dict[str, Any]:
    """A message in LangChain's own serialized form, which LangSmith shows as a conversation."""
    kept = {
        "content": _content(message.content, redaction),
        "type": message.type,
        "name": message.name,
        "tool_calls": getattr(message, "tool_calls", None),
        "tool_call_id": getattr(message, "tool_call_id", None),
        "status": getattr(message, "status", None) if message.type == "tool" else None,
        "usage_metadata": getattr(message, "usage_metadata", None),
        "additional_kwargs": message.additional_kwargs,
    }
    content = {key: redaction.value(value, longest=longest) for key, value in kept.items() if value}
    path = ["langchain", "schema", "messages", type(message).__name__]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": content}


def answer_of(response: LLMResult, redaction: Redaction) -> dict[str, Any]:
    """What a model answered."""
    made: list[list[dict[str, Any]]] = []
    for batch in response.generations:
        told: list[dict[str, Any]] = []
        for each in batch:
            message = (
                {"message": message_of(each.message, redaction)} if isinstance(each, ChatGeneration) else {}
            )
            told.append({"text": "", **message} if message else {"text": redaction.text(each.text)})
        made.append(told)
    return {"generations": made}


def output_of(output: object, redaction: Redaction) -> Any:
    """What a tool gave back: its words, without the artifact that the graph's own nodes read."""
    return message_of(output, redaction) if isinstance(output, BaseMessage) else redaction.value(output)


def state_of(state: object, redaction: Redaction) -> dict[str, Any]:
    """What a step brought, or was given."""
    if not isinstance(state, Mapping):
        return {"value": _shown(state, redaction)}
    shown: dict[str, Any] = {}
    for key, value in cast("Mapping[Any, Any]", state).items():
        name = redaction.text(str(key), 100)
        if name in _TOLD_BELOW and isinstance(value, Sequence) and not isinstance(value, str | bytes):
            shown[name] = f"[{len(cast('Sequence[Any]', value))}]"
        elif value or value == 0:
            shown[name] = _shown(value, redaction)
    return cast("dict[str, Any]", redaction.value(shown, longest=_LONGEST, items=_ITEMS))


def _shown(value: object, redaction: Redaction) -> Any:
    if isinstance(value, BaseMessage):
        return message_of(value, redaction, longest=_LONGEST)
    if isinstance(value, MetaphorMapping):
        return value.line
    if isinstance(value, list | tuple):
        listed = cast("Sequence[Any]", value)
        return (
            [_shown(each, redaction) for each in listed]
            if len(listed) <= 4 * _ITEMS
            else redaction.value(value)
        )
    return redaction.value(value, longest=_LONGEST, items=_ITEMS)


def _content(content: str | Sequence[Any], redaction: Redaction) -> Any:
    """Text as it is; a frame or video as a line of its moment, kind, size and digest, frames in one block."""
    if isinstance(content, str):
        return content
    shown: list[Any] = []
    for block in content:
        plain = _block(block, redaction)
        line = _reference_line(plain)
        before = _text_of(shown[-1]) if shown else ""
        if line and before.rpartition("\n")[2].startswith("Frame at") and not before.endswith("]"):
            shown[-1] = {"type": "text", "text": f"{before} {line}"}
        elif _text_of(plain).startswith("Frame at") and before.endswith("]"):
            shown[-1] = {"type": "text", "text": f"{before}\n{_text_of(plain)}"}
        else:
            shown.append(plain)
    return shown


def _block(block: Any, redaction: Redaction) -> Any:
    if not isinstance(block, Mapping) or str(block.get("type")) in {"text", "tool_use", "tool_call"}:
        return block
    plain = redaction.value(block)
    references = [each for each in _strings(plain) if each.startswith("[") and " sha256 " in each]
    return {"type": "text", "text": references[0]} if references else plain


def _text_of(block: Any) -> str:
    return str(block.get("text", "")) if isinstance(block, Mapping) and block.get("type") == "text" else ""


def _reference_line(block: Any) -> str:
    """The reference that a block is, if it is one."""
    text = _text_of(block)
    return text if text.startswith("[") and text.endswith("]") and " sha256 " in text else ""


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [each for part in inner for each in _strings(part)]
