"""Decides what a question asks for, and has it answered: a form, tool calls, or free text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from langchain_core.messages import BaseMessage

from agents.embedded.evidence import anchored, weighed
from agents.embedded.exploring import Tool, next_calls, tools_of
from agents.embedded.filling import answer, is_measured, needs_writer
from agents.embedded.interpreting import Manner, summary
from agents.embedded.reader import Question, read
from agents.embedded.writer import Turn, Writer, writer
from agents.errors import UserError

__all__ = ["Answer", "Request", "respond"]

_ANY = frozenset({"any", "required", "true"})


@dataclass(frozen=True)
class Answer:
    """What the model says.

    Attributes:
        text: JSON where a form was asked for.
        calls: names and arguments of tool calls.
        proxy: whether a score in it is a measured similarity.
        finished: false when the text was cut off.
    """

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    proxy: bool = False
    finished: bool = True


@dataclass(frozen=True)
class Request:
    """A question and the form in which it is to be answered.

    Attributes:
        question: the conversation, read.
        form: JSON schema of the answer; None for free text.
        tools: that may be called.
        forced: name of the tool that has to be called; empty for any.
        must: whether a tool has to be called.
        manner: how to write.
        most: tokens of a free answer.
        stop: texts that end it.
    """

    question: Question
    form: Mapping[str, Any] | None
    tools: tuple[Tool, ...]
    forced: str
    must: bool
    manner: Manner
    most: int
    stop: tuple[str, ...]

    @classmethod
    def of(
        cls,
        messages: Sequence[BaseMessage],
        asked: Mapping[str, Any],
        *,
        manner: Manner,
        most: int,
        stop: tuple[str, ...],
    ) -> Self:
        """Read messages and what is bound to the model.

        Raises:
            UserError: when ``tool_choice`` or ``response_format`` says something that can't be.
        """
        tools = tuple(tools_of(asked.get("tools") or ()))
        must, forced = _chosen(asked.get("tool_choice"), tools)
        if asked.get("tool_choice") == "none":
            tools = ()
        return cls(
            question=read(messages),
            form=_form(asked.get("response_format")),
            tools=tools,
            forced=forced,
            must=must and bool(tools),
            manner=manner,
            most=most,
            stop=stop,
        )


def _chosen(choice: Any, tools: Sequence[Tool]) -> tuple[bool, str]:
    """Whether a call has to be made, and of which tool (empty for any)."""
    if isinstance(choice, Mapping):
        choice = choice.get("function", choice).get("name", "")
    if choice in (None, False, "", "auto", "none"):
        return False, ""
    if choice is True or str(choice).lower() in _ANY:
        return True, tools[0].name if len(tools) == 1 else ""
    if choice not in [tool.name for tool in tools]:
        raise UserError(
            f"tool_choice names {choice!r}, which is not bound; bound: {[tool.name for tool in tools]}"
        )
    return True, str(choice)


def _form(given: Any) -> Mapping[str, Any] | None:
    """The JSON schema in ``response_format``; an object of any form for ``json_object``."""
    if given is None:
        return None
    kind = given.get("type") if isinstance(given, Mapping) else None
    if kind == "json_schema":
        inner = given.get("json_schema", given)
        return inner.get("schema", inner)
    if kind == "json_object":
        return {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    if kind == "text":
        return None
    raise UserError(f"response_format {given!r} is not known; json_schema, json_object and text are")


def respond(
    request: Request, *, cache_dir: Path | None, may_fetch: bool, hear: Callable[[str], None] | None = None
) -> Answer:
    """Answer a request.

    Args:
        request: what is asked.
        cache_dir: where the writer's weights are kept.
        may_fetch: whether they may be fetched.
        hear: is called with each piece of a free answer.

    Raises:
        UserError: when a part of the model is missing.
        ModelOutputError: when the writer refused or did not finish.
    """

    def opened() -> Writer:
        return writer(cache_dir, may_fetch=may_fetch)

    if request.form is not None:
        return _formed(request, request.form, opened)
    if request.tools:
        called = _called(request, opened)
        if called is not None:
            return called
    if request.tools and request.question.keywords:
        edges = weighed(anchored(request.question.links, request.question.keywords), request.question)
        return Answer(summary(edges))
    written = opened().write(
        request.question.turns or (Turn("user", "Say nothing."),),
        most=request.most,
        stop=request.stop,
        hear=hear,
        **request.manner._asdict(),
    )
    return Answer(written.text, finished=written.finished)


def _formed(request: Request, form: Mapping[str, Any], opened: Callable[[], Writer]) -> Answer:
    question = request.question
    pen = opened() if needs_writer(question, form) else None
    said = answer(question, form, pen, request.manner)
    return Answer(json.dumps(said, ensure_ascii=False), proxy=is_measured(question, form))


def _called(request: Request, opened: Callable[[], Writer]) -> Answer | None:
    """The calls to make; None when it is time for words."""
    tools = [tool for tool in request.tools if request.forced in ("", tool.name)]
    if request.forced and _is_answer(request, tools[0]):
        said = _formed(request, tools[0].schema, opened)
        return Answer(calls=((tools[0].name, json.loads(said.text)),), proxy=said.proxy)
    calls = next_calls(request.question, tools, opened(), request.manner, must=request.must)
    return Answer(calls=tuple(calls)) if calls else None


def _is_answer(request: Request, tool: Tool) -> bool:
    """Whether a forced tool is the form of an answer rather than something to explore with."""
    known = {"keywords", "entries", "strict_score", "loose_score", "deficiencies"}
    return bool(known & set(tool.schema.get("properties") or {})) or not request.question.keywords
