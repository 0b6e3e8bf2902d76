"""How a node becomes part of a graph: it is handed its desk, which lies ready in the run's context."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from langgraph.graph import StateGraph
from langgraph.runtime import Runtime

from agents.context import Context
from agents.state import InterpretState, VideoInput
from graphs.resources import resources_of

__all__ = ["Step", "interpreting_graph", "step"]


class Step(Protocol):
    """A node as LangGraph calls it."""

    __name__: str

    def __call__(self, state: Any, *, runtime: Runtime[Context]) -> Awaitable[dict[str, Any]]:
        """Return the state's new part."""
        ...


def step(node: Callable[..., Awaitable[dict[str, Any]]], **settings: Any) -> Step:
    """Wrap a node for ``add_node``; ``settings`` are the node's own keyword arguments.

    Nothing is opened here, so a graph compiles in an empty environment.
    """

    async def run(state: Any, *, runtime: Runtime[Context]) -> dict[str, Any]:
        resources = resources_of(runtime.context)
        desk = resources.desk() if resources.is_ready else await asyncio.to_thread(resources.desk)
        return await node(state, desk, **settings)

    run.__name__, run.__doc__ = node.__name__, node.__doc__
    return run


def interpreting_graph() -> StateGraph[InterpretState, Context, VideoInput, InterpretState]:
    """An empty graph with the state, context and input that every interpreting variant shares."""
    return StateGraph(InterpretState, context_schema=Context, input_schema=VideoInput)
