"""Hop and retrieve: the steps where the model's wishes meet the graph of metaphors."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Protocol

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import ToolException
from langgraph.config import get_config
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolInvocationError
from langgraph.runtime import Runtime

from agents.context import Context
from agents.nodes.explore import NO_TOOLS
from agents.schemas import Hop
from agents.schemas import Mapping as Found
from agents.state import InterpretState
from graphs.resources import resources_of

__all__ = ["after_explore", "after_hop", "hop", "retrieve"]

_MOST_MAPPINGS = 40  # lines of associations that the interpreting prompt can hold without drowning the frames


class _Association(Protocol):
    source: str
    concept: str
    path: tuple[str, ...]
    ground: str
    weight: float


def _mapping(found: _Association) -> Found:
    return Found(
        element=found.source, concept=found.concept, path=found.path, ground=found.ground, weight=found.weight
    )


def _for_the_model(error: ToolException) -> str:
    """Word an error that the model can mend; anything else is a bug and surfaces."""
    return error.message if isinstance(error, ToolInvocationError) else str(error)


async def hop(state: InterpretState, *, runtime: Runtime[Context]) -> dict[str, Any]:
    """Carry out the tool calls of the last turn.

    Returns:
        ``messages`` (one tool message a call), ``hops`` (the same for the record) and ``mappings`` (all
        found so far, best first, each element and concept once).
    """
    tools = await asyncio.to_thread(resources_of(runtime.context).tools)
    node = ToolNode(tools, handle_tool_errors=_for_the_model)
    answered = await node.ainvoke({"messages": state["messages"]}, get_config())
    asked = _last_turn(state["messages"])
    calls = {call["id"]: call for call in asked.tool_calls}
    hops: list[Hop] = []
    for message in answered["messages"]:
        assert isinstance(message, ToolMessage)  # noqa: S101 - what ToolNode promises
        associations: Iterable[_Association] = getattr(message.artifact, "associations", ())
        hops.append(
            Hop(
                round=state["rounds"],
                tool=message.name or "",
                arguments=calls[message.tool_call_id]["args"],
                answer=str(message.text),
                mappings=tuple(_mapping(found) for found in associations),
                failed=message.status == "error",
            )
        )
    every = [mapping for made in [*(state.get("hops") or ()), *hops] for mapping in made.mappings]
    return {"messages": answered["messages"], "hops": hops, "mappings": _distinct(every)}


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


def after_explore(state: InterpretState) -> str:
    """To ``hop`` with tool calls, to ``retrieve`` when the model never called any, else to ``interpret``."""
    messages = state.get("messages") or []
    if messages and isinstance(messages[-1], AIMessage) and messages[-1].tool_calls:
        return "hop"
    fell_back = any(note.startswith(NO_TOOLS) for note in state.get("notes") or ())
    return "retrieve" if fell_back else "interpret"


def after_hop(state: InterpretState, runtime: Runtime[Context]) -> str:
    """Back to ``explore`` while rounds are left, else to ``interpret``."""
    context = runtime.context or Context()
    return "explore" if state["rounds"] < context.max_hops else "interpret"


async def retrieve(state: InterpretState, *, runtime: Runtime[Context]) -> dict[str, Any]:
    """Retrieve references for the keywords as published: counts within h hops, the z highest.

    Returns:
        ``mappings``, in the order of their counts.
    """
    from tools.knowledge import retrieve_published

    context = runtime.context or Context()
    keywords = [keyword.text for keyword in state["keywords"]]
    settings = context.retrieval

    def search() -> list[Found]:
        references = retrieve_published(
            resources_of(context).knowledge(),
            keywords,
            hops=settings.hops,
            limit=settings.limit,
            clean=not settings.parity,
        )
        return [
            Found(
                element=reference.keywords[0],
                concept=reference.concept,
                path=(", ".join(reference.keywords), reference.concept),
                weight=reference.count,
                keywords=reference.keywords,
            )
            for reference in references
        ]

    return {"mappings": await asyncio.to_thread(search)}
