"""What makes two questions the same: a digest of all that an answer depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agents.video_files import VIDEO_BLOCK

__all__ = ["question_keys"]

_VERSION = 1  # of how questions are put; a new one leaves all kept answers behind
_LONG = 512  # characters from which what is no text goes in by its digest


def question_keys(  # noqa: PLR0913 - all that an answer depends on
    *,
    model: str,
    server: str | None,
    settings: Mapping[str, Any],
    messages: Sequence[BaseMessage],
    wanted: object,
    draw: Sequence[int],
) -> tuple[str, str]:
    """Hex SHA-256 over a question and all else that its answer depends on; the same without the server.

    Pictures go in by their digest, videos by that of the file. Ids and accounts of messages are left out,
    and of a server's address what may be secret: user, password, query. A run may move to another address of
    the same model, which must not make its questions others.

    Args:
        model: ``provider:model``.
        server: its address; None for the provider's own.
        settings: the parameters, temperature above all.
        messages: the conversation.
        wanted: the schema of the answer, or the tools that may be called, as plain data.
        draw: which of several draws of the same question.
    """
    whole = {
        "version": _VERSION,
        "model": model,
        "settings": dict(settings),
        "messages": [_message(message) for message in messages],
        "wanted": wanted,
        "draw": list(draw),
    }
    return _digest({**whole, "server": _public(server)}), _digest(whole)


def _digest(whole: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()


def _public(server: str | None) -> str | None:
    if server is None:
        return None
    parts = urlsplit(server)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def _message(message: BaseMessage) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "type": message.type,
        "name": message.name,
        "content": _content(message.content),
        "more": _shortened(message.additional_kwargs),
    }
    if isinstance(message, AIMessage):
        plain["calls"] = [*message.tool_calls, *message.invalid_tool_calls]
    if isinstance(message, ToolMessage):
        plain["answers"] = message.tool_call_id
    return plain


def _content(content: str | list[Any]) -> object:
    if isinstance(content, str):
        return content
    return [_block(block) if isinstance(block, dict) else block for block in content]


def _block(block: dict[str, Any]) -> object:
    if block.get("type") == VIDEO_BLOCK:  # the same file may lie elsewhere
        return {name: value for name, value in block.items() if name != "path"}
    return block if block.get("type") == "text" else _shortened(block)


def _shortened(value: object) -> object:
    """A value with long strings, which hold pictures, as their digests."""
    if isinstance(value, dict):
        return {name: _shortened(part) for name, part in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_shortened(part) for part in cast("list[Any]", value)]
    if isinstance(value, str) and len(value) > _LONG:
        return f"sha256:{hashlib.sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return value
