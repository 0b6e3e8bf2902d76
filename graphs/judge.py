"""The judge, apart from what it judges: strict and loose asked k times each, averaged."""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agents.context import Context
from agents.nodes import judge
from agents.state import JudgeInput, JudgeState
from graphs.wiring import step


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire the judge node alone."""
    wiring = StateGraph(JudgeState, context_schema=Context, input_schema=JudgeInput)
    wiring.add_node("judge", step(judge))
    wiring.add_edge(START, "judge")
    wiring.add_edge("judge", END)
    return wiring.compile(name="judge")


graph = build()
