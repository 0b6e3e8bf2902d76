"""The hop tool: the model asks, as often as it likes, what something seen may stand for.

`hop_tool` is a factory: given a graph, it gives a LangChain tool. Faults in the model's own call come back
to it as tool messages that say how to mend them; anything else surfaces as the bug it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from tools.knowledge.edges import HopResult  # at run time too: LangGraph's ToolNode reads the annotations
from tools.knowledge.retrieving.lines import association_line, fit_lines
from tools.tokens import Counter, count_tokens

if TYPE_CHECKING:
    from pydantic.v1 import ValidationError as ValidationErrorV1

    from tools.knowledge import MetaphorGraph

__all__ = ["MAX_CONCEPTS", "MAX_HOPS", "MAX_LIMIT", "NAME", "HopArguments", "HopError", "hop_tool"]

NAME = "explore_metaphors"
MAX_HOPS = 3
MAX_LIMIT = 50
MAX_CONCEPTS = 20
_MAX_QUOTE = 60
_EXAMPLE = '{"concepts": ["candle", "wilting flower"], "hops": 1, "limit": 8}'
_DESCRIPTION = f"""Look up what something seen may stand for in a graph of metaphorical associations.

Use it when you have seen an object, gesture, light, weather, place or act that may mean more than it \
shows. Ask for one or several things at once, in short singular noun phrases ("candle", "empty chair"). \
Read the answers, keep those that fit this video, and call again with a concept that you were given to \
follow it further, or with hops=2 to see what lies behind it.

Each line is one association and its reason: candle -> passing of time (burns down as time passes). \
The associations are suggestions from convention: the video decides which of them holds.

Example arguments: {_EXAMPLE}"""


class HopError(ToolException):
    """A fault in the model's own call, worded so that the model can mend it."""


def _as_list(given: object) -> object:
    """A bare string, which small models tend to send, as the list it stands for."""
    return given.split(",") if isinstance(given, str) else given


class HopArguments(BaseModel):
    """What the model may ask. Ranges are checked by the tool itself, since not every provider takes them."""

    concepts: Annotated[list[str], BeforeValidator(_as_list)] = Field(
        description="Names of what was seen, or of concepts from an earlier answer: short noun phrases."
    )
    hops: int = Field(
        default=1,
        description=f"How many steps to go, 1 to {MAX_HOPS}: 1 for direct meanings, 2 for those behind.",
    )
    limit: int = Field(default=8, description=f"How many associations to return at most, 1 to {MAX_LIMIT}.")


def hop_tool(graph: MetaphorGraph, *, max_tokens: int = 600, count: Counter = count_tokens) -> BaseTool:
    """A tool over a graph that a model may call again and again.

    Args:
        graph: the graph it walks.
        max_tokens: longest answer, in tokens; whole lines are left out, and counted, to keep to it.
        count: counts a text's tokens; by o200k_base unless given.

    Returns:
        The tool "explore_metaphors"; its message's content is text and its artifact a `HopResult`.
    """

    def explore(concepts: list[str], hops: int = 1, limit: int = 8) -> tuple[str, HopResult]:
        asked = _checked(concepts, hops, limit)
        result = graph.hop(asked, hops, limit)
        if not result.associations:
            raise HopError(fit_lines(_nothing(result), max_tokens, size=count))
        return _answer(result, max_tokens, count), result

    return StructuredTool.from_function(
        explore,
        name=NAME,
        description=_DESCRIPTION,
        args_schema=HopArguments,
        response_format="content_and_artifact",
        handle_tool_error=True,
        handle_validation_error=_mend,
    )


def _checked(concepts: list[str], hops: int, limit: int) -> list[str]:
    asked = list(dict.fromkeys(name for concept in concepts if (name := concept.strip())))
    if not asked:
        msg = f"concepts is empty: name at least one thing that was seen, for example {_EXAMPLE}."
        raise HopError(msg)
    if len(asked) > MAX_CONCEPTS:
        msg = f"{len(asked)} concepts at once are too many: ask for the {MAX_CONCEPTS} most telling ones."
        raise HopError(msg)
    for name, value, most in (("hops", hops, MAX_HOPS), ("limit", limit, MAX_LIMIT)):
        if not 1 <= value <= most:
            msg = f"{name}={value} is out of range: give a whole number from 1 to {most}."
            raise HopError(msg)
    return asked


def _answer(result: HopResult, max_tokens: int, count: Counter) -> str:
    """The associations, then how names were read and which are unknown, within `max_tokens`."""
    # Notes may take a third at most: the associations are what was asked for.
    notes = fit_lines(_notes(result), max_tokens // 3, size=count)

    def whole(lines: str) -> str:
        return "\n".join(part for part in (lines, notes) if part)

    # A seam between two texts can cost or save a token, so what is counted is the whole.
    associations = map(association_line, result.associations)
    return whole(fit_lines(associations, max_tokens, result.left_out, lambda lines: count(whole(lines))))


def _notes(result: HopResult) -> list[str]:
    read = [
        f"{_quoted(asked)} was read as {node}."
        for asked, node in result.linked.items()
        if asked.casefold() != node.casefold()
    ]
    return read + _unknown(result)


def _unknown(result: HopResult) -> list[str]:
    return [
        f"{_quoted(asked)} is not in the graph" + (f"; names near it: {', '.join(near)}." if near else ".")
        for asked, near in result.unknown.items()
    ]


def _quoted(asked: str) -> str:
    return f'"{asked}"' if len(asked) <= _MAX_QUOTE else f'"{asked[:_MAX_QUOTE].rstrip()}..."'


def _nothing(result: HopResult) -> list[str]:
    lines = [f"{node} leads nowhere else in the graph." for node in dict.fromkeys(result.linked.values())]
    return ["Nothing found. Try simpler or more general names.", *lines, *_unknown(result)]


def _mend(error: ValidationError | ValidationErrorV1) -> str:
    """What the model is told of arguments that don't fit the schema."""
    faults = [
        f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors()
    ]
    return f"These arguments can't be used. {'; '.join(faults)}. Call again like this: {_EXAMPLE}"
