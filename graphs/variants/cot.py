"""One call that leads the model through recognize, map, interpret (chain of thought)."""

from __future__ import annotations

from langgraph.graph import END, START

from agents.asked import ReasonedAnswer
from agents.nodes import interpret
from graphs.wiring import interpreting_graph, step

CALLS = {"fixed": 1}


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire interpret alone."""
    wiring = interpreting_graph()
    # step 1: read the video
    wiring.add_node("interpret", step(interpret, prompt="interpret_cot", schema=ReasonedAnswer))
    wiring.add_edge(START, "interpret")
    wiring.add_edge("interpret", END)
    return wiring.compile(name="cot")


graph = build()
