"""Hop: the step where the model's wishes meet the graph of metaphors, or another source of knowledge."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, InvalidToolCall, ToolMessage
from langchain_core.tools import ToolException
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import AsyncToolCallWrapper, ToolCallRequest, ToolInvocationError
from langgraph.runtime import Runtime
from langgraph.types import Command

from agents.answers import whole_characters
from agents.context import Context
from agents.known import Passage
from agents.nodes.explore import NO_TOOLS
from agents.schemas import Hop
from agents.schemas import Mapping as Found
from agents.state import InterpretState
from graphs.found import tool_message
from graphs.lookup import knowledge_use, mapping_of, passage_of
from graphs.resources import resources_of

if TYPE_CHECKING:
    from tools.knowledge import Association
    from tools.knowledge.sources import Passage as FoundPassage

__all__ = ["after_explore", "after_hop", "hop"]

_MOST_MAPPINGS = 40  # lines of associations that the interpreting prompt can hold without drowning the frames


def _for_the_model(error: ToolException) -> str:
    """Word an error that the model can mend; anything else is a bug and surfaces."""
    return error.message if isinstance(error, ToolInvocationError) else str(error)


async def hop(state: InterpretState, *, runtime: Runtime[Context]) -> dict[str, Any]:
    """Carry out the tool calls of the last turn; those that can't be read are answered too.

    Returns:
        ``messages`` (one tool message a call), ``hops`` (the same for the record), ``mappings`` (all found so
        far, best first, each element and concept once), ``passages`` likewise, and ``knowledge``.
    """
    asked = _last_turn(state["messages"])
    answers = [_unreadable(call) for call in asked.invalid_tool_calls]
    if asked.tool_calls:
        tools = await asyncio.to_thread(resources_of(runtime.context).tools)
        faults: list[Exception] = []
        node = ToolNode(tools, handle_tool_errors=_for_the_model, awrap_tool_call=_kept(faults))
        answers += (await node.ainvoke({"messages": state["messages"]}, get_config()))["messages"]
        if faults:
            raise faults[0]
    for answer in answers:
        answer.content = whole_characters(answer.content)  # a tool may hand on what can't be sent or stored
    arguments = {call["id"]: call["args"] for call in asked.tool_calls}
    hops = [_record(answer, arguments.get(answer.tool_call_id, {}), state["rounds"]) for answer in answers]
    every = [mapping for made in [*(state.get("hops") or ()), *hops] for mapping in made.mappings]
    new: dict[str, Any] = {"messages": answers, "hops": hops, "mappings": _distinct(every)}
    passages = [*(state.get("passages") or ()), *(found for answer in answers for found in _passages(answer))]
    if passages:
        new["passages"] = _best(passages)
    use = await asyncio.to_thread(knowledge_use, runtime.context or Context(), "explore")
    return {**new, "knowledge": use}


def _kept(faults: list[Exception]) -> AsyncToolCallWrapper:
    """Tools whose answers are kept in the sample's journal.

    Bugs go to ``faults``: of what is raised through it, a ToolNode makes words for the model.
    """

    async def answered(
        request: ToolCallRequest, call: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        asked = request.tool_call
        try:
            return await tool_message(asked, lambda: call(request))
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - it is raised when all calls have ended
            faults.append(error)
            return ToolMessage("", name=asked["name"], tool_call_id=asked["id"] or "", status="error")

    return answered


def _passages(answer: ToolMessage) -> Iterable[Passage]:
    found: Iterable[FoundPassage] = getattr(answer.artifact, "passages", ())
    return map(passage_of, found)


def _unreadable(call: InvalidToolCall) -> ToolMessage:
    return ToolMessage(
        content=f"The arguments of this call are no valid JSON object: {call['args']!r}. Call again.",
        tool_call_id=call["id"] or "",
        name=call["name"] or "",
        status="error",
    )


def _record(answer: ToolMessage, arguments: dict[str, Any], round_: int) -> Hop:
    found: Iterable[Association] = getattr(answer.artifact, "associations", ())
    return Hop(
        round=round_,
        tool=answer.name or "",
        arguments=arguments,
        answer=str(answer.text),
        # What else may show a concept is a hint for the next question, not a mapping of this video.
        mappings=tuple(mapping_of(each) for each in found if not each.backward),
        failed=answer.status == "error",
    )


def _last_turn(messages: list[Any]) -> AIMessage:
    return next(message for message in reversed(messages) if isinstance(message, AIMessage))


def _distinct(mappings: Iterable[Found]) -> list[Found]:
    """Each element and concept once, the strongest path of each, strongest first; ties as they came."""
    kept: dict[tuple[str, str], Found] = {}
    for mapping in mappings:
        key = (mapping.element, mapping.concept)
        if key not in kept or mapping.weight > kept[key].weight:
            kept[key] = mapping
    return sorted(kept.values(), key=lambda mapping: -mapping.weight)[:_MOST_MAPPINGS]


def _best(passages: Iterable[Passage]) -> list[Passage]:
    """Each sentence once, as it was best found, the best first; ties as they came."""
    kept: dict[str, Passage] = {}
    for passage in passages:
        if passage.text not in kept or passage.score > kept[passage.text].score:
            kept[passage.text] = passage
    return sorted(kept.values(), key=lambda passage: -passage.score)[:_MOST_MAPPINGS]


def after_explore(state: InterpretState) -> str:
    """To ``hop`` with tool calls, to ``retrieve`` when the model never called any, else to ``interpret``."""
    messages = state.get("messages") or []
    last = messages[-1] if messages else None
    if isinstance(last, AIMessage) and (last.tool_calls or last.invalid_tool_calls):
        return "hop"
    fell_back = any(note.startswith(NO_TOOLS) for note in state.get("notes") or ())
    return "retrieve" if fell_back else "interpret"


def after_hop(state: InterpretState, runtime: Runtime[Context]) -> str:
    """Back to ``explore`` while rounds are left, else to ``interpret``."""
    context = runtime.context or Context()
    return "explore" if state["rounds"] < context.max_hops else "interpret"
