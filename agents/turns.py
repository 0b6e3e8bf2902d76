"""One turn of a conversation in which the model may call tools."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall
from langchain_core.tools import BaseTool

from agents.answers import NoAnswerError, extract_json, split_thinking, whole_characters
from agents.calls.replies import Reply, earlier_reply, keep_reply
from agents.errors import AnsweredError, UserError
from agents.faults import translate, unsupported
from agents.meter import request, took
from agents.replies import check_refusal, thinking_of, usage_of
from agents.schemas import Usage

__all__ = ["ToolsUnsupported", "Turn", "call_tools_turn"]


_SPOKEN = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


class ToolsUnsupported(UserError):  # noqa: N818 - reads as the condition it is
    """The model, or its server, can't be given tools."""


@dataclass(frozen=True)
class Turn:
    """What the model did with its turn.

    Attributes:
        message: words and tool calls, without thinking in tags; goes into the conversation as it is.
        usage: tokens of the call.
        seconds: wall time.
        thinking: what came apart from the words.
    """

    message: AIMessage
    usage: Usage
    seconds: float
    thinking: str


async def call_tools_turn(
    model: BaseChatModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool], *, name: str
) -> Turn:
    """Let the model answer or call tools, as it decides.

    Calls that a server left in the text (``<tool_call>``) are lifted out of it. Calls whose arguments are
    almost JSON are mended; those beyond that stay in the message's ``invalid_tool_calls`` and want an
    answer too.

    Args:
        model: any chat model.
        messages: the conversation; left as it is.
        tools: what may be called.
        name: the model's name as its user gave it, for messages.

    Raises:
        ToolsUnsupported: when the model binds no tools or the server refuses them.
        RefusedError, UserError, ProviderError: as in :func:`agents.structured.structured`.
    """
    started, reply = time.monotonic(), None
    earlier = await earlier_reply()
    try:
        reply = earlier or await _asked(model, messages, tools, name)
        check_refusal(reply.message, model=name)
    except AnsweredError as error:
        error.usage, error.attempts = reply.usage if reply else Usage(), 1
        if reply and not earlier:
            await keep_reply(reply)
        raise
    return Turn(
        message=_cleaned(reply.message, frozenset(tool.name for tool in tools)),
        usage=reply.usage,
        seconds=time.monotonic() - started,
        thinking=thinking_of(reply.message),
    )


async def _asked(
    model: BaseChatModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool], name: str
) -> Reply:
    """The model's reply as it came; what is raised instead is told in the project's errors."""
    try:
        bound = model.bind_tools(list(tools))
        with request(name):
            message = await bound.ainvoke(list(messages))
    except Exception as exc:
        if unsupported(exc, "tools"):
            raise ToolsUnsupported(
                f"{name} can't be given tools, which this graph needs for exploring. Choose another --model, "
                "or a graph that retrieves instead, such as boost_retrieval."
            ) from exc
        known = translate(exc, model=name)
        if known is None or known is exc:
            raise
        raise known from exc
    return Reply(message, took(name, await usage_of(message, messages)), "tools")


def _cleaned(message: AIMessage, tools: frozenset[str]) -> AIMessage:
    """The message as it can go into a conversation and back to the server.

    Thinking in tags is taken out, calls are mended or lifted out of the text, and each has an id of its
    own. The message's id is dropped: a server that repeats it would have an earlier turn replaced.
    """
    content = whole_characters(message.content)
    spoken: list[ToolCall] = []
    if isinstance(content, str) and content:
        content = split_thinking(content)[1]
        spoken = [] if message.tool_calls else _spoken(content, tools)
        content = _SPOKEN.sub("", content).strip() if spoken else content
    mended = [(broken, _mended(broken)) for broken in message.invalid_tool_calls]
    calls = [*message.tool_calls, *spoken, *(call for _, call in mended if call is not None)]
    invalid = [broken for broken, call in mended if call is None]
    taken: set[str] = set()
    return message.model_copy(
        update={
            "id": None,
            "content": content,
            "additional_kwargs": whole_characters(message.additional_kwargs),
            "tool_calls": [{**whole_characters(call), "id": _own_id(call["id"], taken)} for call in calls],
            "invalid_tool_calls": [
                {**whole_characters(call), "id": _own_id(call["id"], taken)} for call in invalid
            ],
        }
    )


def _own_id(given: str | None, taken: set[str]) -> str:
    """The id that a server gave a call, or a new one where it gave none or the same twice."""
    own = given if given and given not in taken else f"call_{uuid.uuid4().hex}"
    taken.add(own)
    return own


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = extract_json(text)
    except NoAnswerError:
        return None
    return value if isinstance(value, dict) else None


def _mended(broken: InvalidToolCall) -> ToolCall | None:
    """A call whose arguments are almost JSON; None when they can't be had."""
    args = _object(broken.get("args") or "")
    if args is None or not broken["name"]:
        return None
    return ToolCall(name=broken["name"], args=args, id=broken["id"], type="tool_call")


def _spoken(words: str, tools: frozenset[str]) -> list[ToolCall]:
    """Calls in the model's own notation, which some servers pass on as text."""
    calls: list[ToolCall] = []
    for piece in _SPOKEN.findall(words):
        said = _object(piece) or {}
        args = said.get("arguments", said.get("parameters"))
        if said.get("name") in tools and isinstance(args, dict):
            calls.append(
                ToolCall(name=said["name"], args=args, id=f"spoken_{uuid.uuid4().hex}", type="tool_call")
            )
    return calls
