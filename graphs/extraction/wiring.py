"""The extraction graph: one call that reads sentences for their metaphors, and checks that need no model."""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agents.context import Context
from agents.nodes import extract
from agents.state import ExtractInput, ExtractState
from graphs.extraction.checks import check_node
from graphs.wiring import step

__all__ = ["build", "graph"]


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire extract and check."""
    wiring = StateGraph(ExtractState, context_schema=Context, input_schema=ExtractInput)
    # step 1: ask for the metaphors of all sentences at once
    wiring.add_node("extract", step(extract))
    # step 2: keep what holds, and say why the rest does not
    wiring.add_node("check", check_node)
    wiring.add_edge(START, "extract")
    wiring.add_edge("extract", "check")
    wiring.add_edge("check", END)
    return wiring.compile(name="extract")


graph = build()
