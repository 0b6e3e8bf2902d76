"""Perceive, let the model explore the graph of metaphors by tool calls, interpret with what it found.

Where a model can't call tools, or calls none, retrieval takes the place of exploration and the record's
notes say so.
"""

from __future__ import annotations

from langgraph.graph import END, START

from agents.nodes import associate, explore, interpret, perceive
from graphs.hops import after_explore, after_hop, hop
from graphs.lookup import by_source, retrieve
from graphs.wiring import interpreting_graph, step

CALLS = {"fixed": 2, "per_hop": 1, "associate": 1}


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire perceive, the loop of explore and hop, and interpret."""
    wiring = interpreting_graph()
    # step 1: list the visual elements
    wiring.add_node("perceive", step(perceive))
    # step 2: the model asks the graph, again and again, at most max_hops rounds
    wiring.add_node("explore", step(explore))
    wiring.add_node("hop", hop)
    wiring.add_node("retrieve", retrieve)
    # or is asked itself, with --knowledge-source self
    wiring.add_node("associate", step(associate))
    # step 3: read the video with the mappings found
    wiring.add_node("interpret", step(interpret, prompt="interpret_boost"))
    wiring.add_edge(START, "perceive")
    wiring.add_conditional_edges("perceive", by_source("explore"), ["explore", "associate"])
    wiring.add_conditional_edges("explore", after_explore, ["hop", "retrieve", "interpret"])
    wiring.add_conditional_edges("hop", after_hop, ["explore", "interpret"])
    wiring.add_edge("retrieve", "interpret")
    wiring.add_edge("associate", "interpret")
    wiring.add_edge("interpret", END)
    return wiring.compile(name="boost")


graph = build()
