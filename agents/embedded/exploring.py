"""Calls tools: the writer picks what to ask about, among what was seen and what earlier answers led to."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agents.embedded.embedder import embedder
from agents.embedded.evidence import anchored, weighed
from agents.embedded.filling import written_json
from agents.embedded.grammar import resolved
from agents.embedded.interpreting import Manner
from agents.embedded.reader import Question
from agents.embedded.writer import Turn, Writer

__all__ = ["Tool", "next_calls", "tools_of"]

_ROUNDS = 3  # after so many rounds of calls it answers
_POOL, _PICKS, _CALLS = 4, 3, 2  # candidates offered a call, picked a call, calls a round
_FOLLOWED = 4  # concepts of earlier answers that are offered
_PROMISING = 0.2  # weight an edge needs for its concept to be followed
_FITTING = 0.25  # cosine of a question and a tool's description from which the tool is called unasked
_NAMED = 0.5  # cosine from which a candidate is what an argument is called
_DEEPEST = 8  # levels of a schema that are closed
_LONGEST = 60  # characters of a free argument


class Tool(NamedTuple):
    """A bound tool: its name, what it does and the schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


def tools_of(bound: Sequence[Mapping[str, Any]]) -> list[Tool]:
    """Tools in the form that OpenAI knows, as bound to the model."""
    functions = [tool.get("function", tool) for tool in bound]
    return [
        Tool(
            f["name"], f.get("description") or "", f.get("parameters") or {"type": "object", "properties": {}}
        )
        for f in functions
    ]


def next_calls(
    question: Question, tools: Sequence[Tool], writer: Writer, manner: Manner, *, must: bool
) -> list[tuple[str, dict[str, Any]]]:
    """The next calls, as names and arguments; empty when it is time to answer.

    Args:
        question: with keywords to start from, and what tools answered so far.
        tools: that may be called, at least one.
        writer: picks.
        manner: how.
        must: whether at least one call has to be made.
    """
    pools = list(_pools(question))
    if not must and (len(question.called) >= _ROUNDS or not (pools or _asks_for_tool(question, tools))):
        return []
    calls: list[tuple[str, dict[str, Any]]] = []
    for pool in pools[:_CALLS] or [[]]:
        for some, candidates in _offered(question, tools, pool):
            call = _call(question, some, candidates, writer, manner)
            if call not in calls:
                calls.append(call)
    return calls


def _offered(
    question: Question, tools: Sequence[Tool], pool: list[str]
) -> Iterable[tuple[Sequence[Tool], list[str]]]:
    """Which tools may be asked about which candidates.

    Of several, the one whose description is nearest to the question takes any candidate; another takes those
    that are what its argument is called, as ``red`` is a ``color``.
    """
    if len(tools) == 1 or not pool or not question.turns:
        yield tools, pool
        return
    measure = embedder()
    near = measure.similarity([question.turns[0].what], [f"{tool.name} {tool.description}" for tool in tools])
    home = tools[int(near[0].argmax())]
    yield [home], pool
    for tool in tools:
        texts = [
            name for name, part in tool.schema.get("properties", {}).items() if part.get("type") == "string"
        ]
        if tool is home or not texts:
            continue
        alike = measure.similarity(pool, texts).max(axis=1)
        fitting = [candidate for candidate, score in zip(pool, alike, strict=True) if score >= _NAMED]
        if fitting:
            yield [tool], fitting


def _asks_for_tool(question: Question, tools: Sequence[Tool]) -> bool:
    """Whether a question without keywords is near what a tool does, and no tool has answered yet."""
    if question.keywords or question.called or not question.turns:
        return False
    said = question.turns[-1].what
    return bool(embedder().similarity([said], [f"{t.name} {t.description}" for t in tools]).max() >= _FITTING)


def _pools(question: Question) -> Iterable[list[str]]:
    """Candidates of one call each: what was seen and not yet asked; then concepts worth following."""
    asked = {text.lower() for call in itertools.chain(*question.called) for text in _strings(call)}
    fresh = [keyword for keyword in question.keywords if keyword.lower() not in asked]
    for start in range(0, len(fresh), _POOL):
        yield fresh[start : start + _POOL]
    if fresh or not question.links:
        return
    edges = weighed(anchored(question.links, question.keywords), question)
    promising = [edge.concept for edge, weight in edges if weight >= _PROMISING]
    follow = [concept for concept in dict.fromkeys(promising) if concept.lower() not in asked]
    if follow and len(question.called) < _ROUNDS:
        yield follow[:_FOLLOWED]


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from _strings(item)


def _call(
    question: Question, tools: Sequence[Tool], pool: list[str], writer: Writer, manner: Manner
) -> tuple[str, dict[str, Any]]:
    """Let the writer write one call under a grammar of all tools, in which open texts are the candidates."""
    options = [
        {
            "type": "object",
            "properties": {
                "tool": {"const": tool.name},
                "arguments": _closed(tool.schema, tool.schema, pool),
            },
            "required": ["tool", "arguments"],
        }
        for tool in tools
    ]
    described = "\n".join(
        f"{tool.name}: {tool.description.splitlines()[0] if tool.description else ''}" for tool in tools
    )
    if question.keywords:
        asked = f"A video shows: {', '.join(question.keywords)}. Which of these may mean more than it is?"
        turns = [Turn("system", f"You call tools.\n{described}"), Turn("user", asked)]
    else:
        turns = [Turn("system", f"You call tools.\n{described}"), *question.turns[-3:]]
    call: dict[str, Any] = written_json(turns, {"anyOf": options}, writer, manner)
    return call["tool"], call["arguments"]


def _closed(
    schema: Mapping[str, Any], root: Mapping[str, Any], pool: Sequence[str], depth: int = 0
) -> dict[str, Any]:
    """A schema whose open texts are the candidates: one of them, or a list of different ones."""
    schema = resolved(schema, root)
    if depth > _DEEPEST or "enum" in schema or "const" in schema:
        return dict(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return {**schema, key: [_closed(option, root, pool, depth + 1) for option in schema[key]]}
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        inner = {
            name: _closed(part, root, pool, depth + 1) for name, part in schema.get("properties", {}).items()
        }
        return {**schema, "properties": inner}
    if kind == "array":
        return _closed_list(schema, root, pool, depth)
    if kind == "string" and "format" not in schema:
        return {"enum": list(pool)} if pool else {"maxLength": _LONGEST, "minLength": 1, **schema}
    return dict(schema)


def _closed_list(
    schema: Mapping[str, Any], root: Mapping[str, Any], pool: Sequence[str], depth: int
) -> dict[str, Any]:
    items = resolved(schema.get("items") or {"type": "string"}, root)
    if not pool or items.get("type") != "string" or "enum" in items:
        return {**schema, "items": _closed(items, root, pool, depth + 1)}
    most = min(len(pool), _PICKS, int(schema.get("maxItems", _PICKS)))
    least = min(most, max(int(schema.get("minItems", 1)), 2))
    lists = [list(some) for size in range(most, least - 1, -1) for some in itertools.permutations(pool, size)]
    return {"enum": lists or [list(pool[:1])]}
