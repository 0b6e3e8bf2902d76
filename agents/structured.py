"""Ask a model for an answer of a given schema, whatever its server can and cannot do.

Servers differ: some constrain an answer to a JSON schema, some refuse the parameter, some ignore it;
some know no tools, or answer as if none were bound. So three ways are tried in turn: the server's own
``json_schema``, a call of one function, plain text that carries the schema. Which were refused, or
ignored twice in a row, is remembered for each model and server while the process lives. An answer that
does not fit goes back to the model with its fault, a bounded number of times. The result is never None.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, ValidationError

from agents.answers import NoAnswerError, read_answer, split_thinking, whole_characters
from agents.calls.replies import Reply, earlier_reply, keep_reply
from agents.constrained import constrained
from agents.errors import MetaphorBoostError, ModelOutputError, RefusedError
from agents.faults import translate, unsupported
from agents.json_schema import answer_schema, instruction
from agents.meter import request, took
from agents.replies import check_refusal, text_of, thinking_of, usage_of, was_cut_off
from agents.schemas import Usage
from agents.ways import METHODS, Method, forget_methods, learn, methods_left, model_key, refuses

__all__ = ["METHODS", "Answer", "Method", "forget_methods", "structured"]

T = TypeVar("T", bound=BaseModel)

_SHOWN = 4000  # characters of a bad answer that the model is shown again


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A valid answer and how it came about.

    Attributes:
        value: the answer.
        raw: the last reply's text, whole; for a function call its arguments as JSON.
        thinking: what came apart from the answer.
        method: the way that worked.
        attempts: requests made, refused parameters and repairs included.
        usage: tokens of all of them.
        seconds: wall time of all of them.
    """

    value: T
    raw: str
    thinking: str
    method: Method
    attempts: int
    usage: Usage
    seconds: float


class _CannotAskSoError(Exception):
    """The model or its server does not know this way of asking."""


@dataclass(frozen=True)
class _Fault:
    """Why a reply was not accepted; ``silent`` when the way of asking seems to have been ignored."""

    reason: str
    raw: str
    silent: bool


@dataclass
class _Inquiry(Generic[T]):
    """One question on its way to a valid answer."""

    model: BaseChatModel
    messages: Sequence[BaseMessage]
    schema: type[T]
    name: str
    attempts: int = 0
    usage: Usage = field(default_factory=Usage)
    thinking: str = ""
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.json_schema = answer_schema(self.schema)
        self.key = model_key(self.model)

    async def put(self, repairs: int) -> Answer[T]:
        """Ask until an answer fits or the repairs are used up; an error says what was spent in vain."""
        try:
            return await self._put(repairs)
        except MetaphorBoostError as error:
            error.usage, error.attempts = self.usage, self.attempts
            raise

    async def _put(self, repairs: int) -> Answer[T]:
        methods, fault = methods_left(self.key), None
        passed: list[Method] = []
        while True:
            method = methods[0]
            earlier = await earlier_reply()
            try:
                reply = earlier or await self._ask(method, fault)
            except _CannotAskSoError:
                refuses(self.key, method)
                methods = methods[1:]
                continue
            outcome = await self._heard(reply, is_new=earlier is None)
            if isinstance(outcome, Answer):
                learn(self.key, outcome.method, passed if outcome.method == method else [*passed, method])
                return outcome
            fault, repairs = outcome, repairs - 1
            if repairs < 0:
                raise self._given_up(outcome)
            if outcome.silent and len(methods) > 1 and reply.method == method:
                passed.append(method)
                methods = methods[1:]

    def _given_up(self, fault: _Fault) -> ModelOutputError:
        shown = _shortened(fault.raw, 200)
        return ModelOutputError(
            f"{self.name} gave no valid {self.schema.__name__} in {self.attempts} attempts: {fault.reason}\n"
            f"Its last answer: {shown!r}",
            raw=fault.raw,
        )

    async def _ask(self, method: Method, fault: _Fault | None) -> Reply:
        """Send one request."""
        sent = self._conversation(method, fault)
        try:
            runnable = self._runnable(method)
            with request(self.name):
                self.attempts += 1
                reply = await runnable.ainvoke(sent)
        except _CannotAskSoError:
            raise
        except Exception as exc:
            needed = "tools" if method == "function_calling" else "json_schema"
            if method != "text" and unsupported(exc, needed):
                raise _CannotAskSoError from exc
            known = translate(exc, model=self.name)
            if known is None or known is exc:
                raise
            raise known from exc
        result = cast("dict[str, Any]", {"raw": reply} if isinstance(reply, BaseMessage) else reply)
        message = cast("AIMessage", result["raw"])
        return Reply(message, took(self.name, await usage_of(message, sent)), method, result.get("parsed"))

    async def _heard(self, reply: Reply, *, is_new: bool) -> Answer[T] | _Fault:
        """Read a reply; what is of no use was paid for all the same, and is kept where it is new."""
        self.attempts += not is_new
        self.usage += reply.usage
        self.thinking = thinking_of(reply.message)
        try:
            check_refusal(reply.message, model=self.name)
            outcome = self._read(reply)
        except RefusedError:
            if is_new:
                await keep_reply(reply)
            raise
        if is_new and isinstance(outcome, _Fault):
            await keep_reply(reply)
        return outcome

    def _runnable(self, method: Method) -> Any:
        if method == "text":
            return self.model
        try:
            return constrained(self.model, self.schema, method)
        except (NotImplementedError, TypeError, ValueError) as exc:  # nothing was sent: it can't be built
            raise _CannotAskSoError from exc

    def _conversation(self, method: Method, fault: _Fault | None) -> list[BaseMessage]:
        messages = list(self.messages)
        if method == "text":
            messages = _with_words(messages, instruction(self.json_schema))
        if fault is None:
            return messages
        answer = split_thinking(fault.raw)[1]
        if answer:
            messages.append(AIMessage(content=_shortened(answer)))
        words = f"That answer can't be used: {fault.reason}\nAnswer again, the whole of it."
        if method != "text":
            words += f" It must follow this JSON schema:\n{json.dumps(self.json_schema, ensure_ascii=False)}"
        return _with_words(messages, words)

    def _read(self, reply: Reply) -> Answer[T] | _Fault:
        message, method = reply.message, cast("Method", reply.method)
        given, raw = _content(message, str(self.json_schema["title"]))
        if method == "function_calling" and given is raw:
            method = "text"  # no function was called: the words did it
        if not raw and reply.parsed is not None:
            given, raw = reply.parsed, json.dumps(reply.parsed, default=str)
        cut = " It was cut off at the token limit: be brief." if was_cut_off(message) else ""
        try:
            value = read_answer(given, self.schema, self.json_schema)
        except NoAnswerError:
            reason = "it holds no complete JSON object." if raw else "it is empty."
            return _Fault(reason + cut, raw, silent=not cut)
        except ValidationError as exc:
            # A server that held the answer to the schema could break a bound, but not leave out a field.
            ignored = method == "json_schema" and any(error["type"] == "missing" for error in exc.errors())
            return _Fault(_told(exc) + cut, raw, silent=ignored)
        return Answer(
            value=value,
            raw=raw,
            thinking=self.thinking,
            method=method,
            attempts=self.attempts,
            usage=self.usage,
            seconds=time.monotonic() - self.started,
        )


def _content(message: AIMessage, title: str) -> tuple[object, str]:
    """What to read the answer from, and the same as text: a function's arguments, else the words."""
    for call in message.tool_calls:
        if call["name"] == title:
            args = whole_characters(call["args"])
            return args, json.dumps(args, ensure_ascii=False)
    for broken in message.invalid_tool_calls:
        if text := whole_characters(str(broken.get("args") or "")):
            return text, text
    text = text_of(message)
    return text, text


def _told(exc: ValidationError) -> str:
    """A validation error in words for the model: where, what is wrong, what was given."""
    faults = [
        f"{'.'.join(map(str, error['loc'])) or 'the object'}: {error['msg']} "
        f"(given: {_shortened(repr(error['input']), 120)})"
        for error in exc.errors(include_url=False)[:8]
    ]
    return "; ".join(faults) + "."


def _shortened(text: str, limit: int = _SHOWN) -> str:
    return text if len(text) <= limit else f"{text[: limit // 2]} ... {text[-limit // 2 :]}"


def _with_words(messages: Sequence[BaseMessage], words: str) -> list[BaseMessage]:
    """A copy of a conversation that ends in these words of the user.

    They join a last message of the user's: some chat templates refuse two in a row.
    """
    *before, last = messages or [HumanMessage(content="")]
    if not isinstance(last, HumanMessage):
        return [*messages, HumanMessage(content=words)]
    if isinstance(last.content, str):
        joined: Any = f"{last.content}\n\n{words}" if last.content else words
    else:
        joined = [*last.content, {"type": "text", "text": words}]
    return [*before, last.model_copy(update={"content": joined})]


async def structured(
    model: BaseChatModel, messages: Sequence[BaseMessage], schema: type[T], *, name: str, repairs: int = 2
) -> Answer[T]:
    """Ask for an answer of a schema and return it valid, or raise.

    Args:
        model: any chat model.
        messages: the question; left as it is.
        schema: a pydantic class with a docstring; bounds the server can't hold are checked here.
        name: the model's name as its user gave it, for messages.
        repairs: how often an answer that does not fit is sent back.

    Raises:
        ModelOutputError: when no answer fits after all repairs; ``raw`` holds the last one.
        RefusedError: when the model or a filter declined.
        UserError: for a bad key, an unknown model, a request that is not accepted.
        ProviderError: when the service failed.
    """
    return await _Inquiry(model, messages, schema, name).put(repairs)
