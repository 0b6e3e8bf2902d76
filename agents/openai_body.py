"""What is sent to a server that speaks OpenAI's protocol, written without a detour through general forms.

langchain-openai looks at each part of a message several times to find out what it may be, which takes
longer than to send it; a conversation of ours holds text and pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

__all__ = ["body_and_options", "plain_parts", "without_parts"]

_AS_THEY_ARE = frozenset({"image_url", "video_url"})
_SAID = frozenset({"type", "text"})
_OPTIONS = {"extra_headers": "headers", "extra_query": "params", "timeout": "timeout"}


def plain_parts(message: BaseMessage) -> list[dict[str, Any]] | None:
    """The parts of a message as the protocol has them; None where they are not all text, picture or video."""
    if not isinstance(message.content, list) or not isinstance(message, HumanMessage | SystemMessage):
        return None
    parts = [_part(part) for part in message.content]
    return [part for part in parts if part is not None] if None not in parts else None


def _part(part: str | dict[str, Any]) -> dict[str, Any] | None:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    kind = part.get("type")
    if kind == "text" and part.keys() == _SAID:
        return part
    if kind == "image" and part.keys() == {"type", "base64", "mime_type"}:
        return {
            "type": "image_url",
            "image_url": {"url": f"data:{part['mime_type']};base64,{part['base64']}"},
        }
    return part if kind in _AS_THEY_ARE else None


def without_parts(
    messages: Sequence[BaseMessage],
) -> tuple[list[BaseMessage], dict[int, list[dict[str, Any]]]]:
    """A conversation without the parts that can be written here, and those parts by message."""
    parts = {i: found for i, message in enumerate(messages) if (found := plain_parts(message)) is not None}
    lean = [
        message.model_copy(update={"content": ""}) if i in parts else message
        for i, message in enumerate(messages)
    ]
    return lean, parts


def body_and_options(payload: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON of a request, and the SDK's options beside it, of arguments of ``chat.completions.create``."""
    apart = {"extra_body", "stream", *_OPTIONS}
    body = {name: value for name, value in payload.items() if name not in apart}
    options = {name: payload[key] for key, name in _OPTIONS.items() if payload.get(key) is not None}
    return {**body, **(payload.get("extra_body") or {})}, options
