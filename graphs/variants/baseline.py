"""One call: frames and title in, entries out. What a model does unaided."""

from __future__ import annotations

from langgraph.graph import END, START

from agents.nodes import interpret
from graphs.wiring import interpreting_graph, step

CALLS = {"fixed": 1}


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire interpret alone."""
    wiring = interpreting_graph()
    # step 1: read the video
    wiring.add_node("interpret", step(interpret, prompt="interpret_baseline"))
    wiring.add_edge(START, "interpret")
    wiring.add_edge("interpret", END)
    return wiring.compile(name="baseline")


graph = build()
