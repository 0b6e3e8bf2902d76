"""The diagnosis, apart from what it diagnoses: where thinking fails, with evidence that is looked up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.graph import END, START, StateGraph

from agents.context import Context
from agents.diagnoses import DiagnoseInput, DiagnoseState
from agents.nodes.diagnose import check_evidence, diagnose
from graphs.wiring import step


def _next(state: Mapping[str, Any]) -> str:
    return END if state.get("diagnosis") else "diagnose"


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire the question and the check of its evidence, which leads back a bounded number of times."""
    wiring = StateGraph(DiagnoseState, context_schema=Context, input_schema=DiagnoseInput)
    # step 1: ask for deficiencies, or again for those whose evidence does not hold
    wiring.add_node("diagnose", step(diagnose))
    # step 2: look every quotation up
    wiring.add_node("check_evidence", step(check_evidence))
    wiring.add_edge(START, "diagnose")
    wiring.add_edge("diagnose", "check_evidence")
    wiring.add_conditional_edges("check_evidence", _next, ["diagnose", END])
    return wiring.compile(name="diagnose")


graph = build()
