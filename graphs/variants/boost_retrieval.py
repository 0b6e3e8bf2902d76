"""As published: keywords, the z most counted concepts within h hops, interpret; no tool calls.

``--retrieval MODE`` ranks otherwise. Like the published prompt it carries three worked examples; ``--few-shot
off`` takes them out, so that the graph's part of the gain can be told apart (paper, section 4; appendix).
"""

from __future__ import annotations

from functools import partial

from langgraph.graph import END, START

from agents.nodes import associate, interpret, perceive
from graphs.lookup import by_source, retrieve
from graphs.wiring import interpreting_graph, step

CALLS = {"fixed": 2, "associate": 1}


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire perceive, retrieve and interpret in a row."""
    wiring = interpreting_graph()
    # step 1: list the visual elements
    wiring.add_node("perceive", step(perceive))
    # step 2: count what lies within h hops of them, as published, or rank it as --retrieval says
    wiring.add_node("retrieve", partial(retrieve, mode="published"))
    # or ask the model itself, with --knowledge-source self
    wiring.add_node("associate", step(associate))
    # step 3: read the video with the references
    wiring.add_node("interpret", step(interpret, prompt="interpret_boost", few_shot=True))
    wiring.add_edge(START, "perceive")
    wiring.add_conditional_edges("perceive", by_source("retrieve"), ["retrieve", "associate"])
    wiring.add_edge("retrieve", "interpret")
    wiring.add_edge("associate", "interpret")
    wiring.add_edge("interpret", END)
    return wiring.compile(name="boost_retrieval")


graph = build()
