"""As published: keywords, the z most counted concepts within h hops, interpret; no tool calls.

Like the published prompt it carries three worked examples; ``--few-shot off`` takes them out, so that the
graph's part of the gain can be told apart (paper, section 4; appendix).
"""

from __future__ import annotations

from langgraph.graph import END, START

from agents.nodes import interpret, perceive
from graphs.hops import retrieve
from graphs.wiring import interpreting_graph, step

CALLS = {"fixed": 2}


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire perceive, retrieve and interpret in a row."""
    wiring = interpreting_graph()
    # step 1: list the visual elements
    wiring.add_node("perceive", step(perceive))
    # step 2: count what lies within h hops of them
    wiring.add_node("retrieve", retrieve)
    # step 3: read the video with the references
    wiring.add_node("interpret", step(interpret, prompt="interpret_boost", few_shot=True))
    wiring.add_edge(START, "perceive")
    wiring.add_edge("perceive", "retrieve")
    wiring.add_edge("retrieve", "interpret")
    wiring.add_edge("interpret", END)
    return wiring.compile(name="boost_retrieval")


graph = build()
