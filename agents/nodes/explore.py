"""Explore: the model walks the graph of metaphors by calling tools, round by round.

The frames are not shown again here: the keywords stand for them, so that a round costs a few hundred
tokens and not another fifty pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage

from agents.desk import Desk
from agents.messages import system_text
from agents.turns import ToolsUnsupported

__all__ = ["NO_TOOLS", "explore"]

NO_TOOLS = "exploration: "
"""How a note begins that says why the model did not explore."""


async def explore(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Take one turn of the exploration: tool calls, or a closing remark.

    Returns:
        ``messages`` (the turn; the opening too in the first round), ``rounds`` and ``calls``; when the
        model can't or does not call tools in its first turn, or there are none to call, a note that
        begins with ``NO_TOOLS``.
    """
    tools = await desk.tools()
    if not tools:
        return {"notes": [f"{NO_TOOLS}no tool is offered (knowledge source {desk.context.knowledge.source})"]}
    said: list[AnyMessage] = list(state.get("messages") or ())
    prompt = desk.prompts.render(
        "explore",
        title=state.get("title", ""),
        keywords=[keyword.text for keyword in state["keywords"]],
        tools=[tool.name for tool in tools],
        max_hops=desk.context.max_hops,
    )
    opening: list[AnyMessage] = [] if said else [HumanMessage(prompt.text)]
    system = SystemMessage(system_text(desk))
    try:
        turn, call = await desk.turn(
            "interpreter", "explore", [system, *said, *opening], tools, prompt=prompt.digest
        )
    except ToolsUnsupported as error:
        return {"notes": [f"{NO_TOOLS}{error}; retrieval was used instead"]}
    new: dict[str, Any] = {"calls": [call], "messages": [*opening, turn.message]}
    called = bool(turn.message.tool_calls or turn.message.invalid_tool_calls)
    new["rounds"] = state.get("rounds", 0) + called
    if not called and not said:
        new["notes"] = [f"{NO_TOOLS}{call.model} made no tool call; retrieval was used instead"]
    return new
