"""Fakes for tests: a chat model that plays a script and writes down everything it was asked."""

from __future__ import annotations

import inspect
import itertools
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, Field, PrivateAttr

from tests.servers.brain import Ask, Brain, ToolCalls, answer

__all__ = ["Call", "ScriptedChatModel", "answering_model", "ask_of"]

_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Call:
    """One call as the model received it.

    Attributes:
        messages: the conversation.
        tools: names of the tools bound.
        schema: the JSON schema the answer was to follow, if any.
        method: ``json_schema``, ``function_calling``, ``tools`` or ``text``.
        options: everything else that was bound or passed.
    """

    messages: tuple[BaseMessage, ...]
    tools: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    method: str = "text"
    options: Mapping[str, Any] | None = None
    ask: Ask = field(default_factory=Ask)

    @property
    def text(self) -> str:
        """All the conversation's text."""
        return self.ask.text

    @property
    def images(self) -> tuple[str, ...]:
        """The base64 data of all images, in order."""
        return self.ask.images


def _parts(message: BaseMessage) -> tuple[list[str], list[str]]:
    """Texts and images of a message."""
    if isinstance(message.content, str):
        return [message.content], []
    blocks = [{"type": "text", "text": b} if isinstance(b, str) else b for b in message.content]
    texts = [str(b["text"]) for b in blocks if b.get("type") == "text"]
    images = [
        str(b.get("base64") or b.get("url") or b.get("image_url"))
        for b in blocks
        if "image" in str(b.get("type"))
    ]
    return texts, images


def ask_of(
    messages: Sequence[BaseMessage],
    *,
    schema: Mapping[str, Any] | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    model: str = "",
) -> Ask:
    """A conversation as a brain sees it."""
    parts = [_parts(message) for message in messages]
    return Ask(
        text="\n".join(text for texts, _ in parts for text in texts),
        images=tuple(image for _, images in parts for image in images),
        schema=schema,
        tools=tuple(tools),
        rounds=sum(1 for m in messages if isinstance(m, AIMessage) and m.tool_calls),
        model=model,
    )


class ScriptedChatModel(BaseChatModel):
    """Plays a list of replies in order, or asks one callable every time.

    A reply is a string, a dict or pydantic model (a structured answer), an ``AIMessage``,
    :class:`~tests.servers.brain.ToolCalls`, an exception (raised), or a callable that is given the
    :class:`Call` and returns any of these, perhaps as an awaitable. Safe to share between tasks
    and threads.

    Attributes:
        script: the replies, or one callable for all of them.
        loop: start over at the end instead of failing.
        native: whether ``with_structured_output`` works; NotImplementedError otherwise.
        tool_calling: whether ``bind_tools`` works; NotImplementedError otherwise.
        usage: reported with each reply; None reports none.
    """

    script: Any = Field(default_factory=list)
    loop: bool = False
    native: bool = True
    tool_calling: bool = True
    model_name: str = Field(default_factory=lambda: f"scripted-{next(_NUMBERS)}")
    usage: tuple[int, int] | None = (100, 10)

    _calls: list[Call] = PrivateAttr(default_factory=list)
    _taken: int = PrivateAttr(default=0)
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    @classmethod
    def of(cls, *script: Any, **options: Any) -> ScriptedChatModel:
        """A model that plays these replies: ``ScriptedChatModel.of("one", {"keywords": ["two"]})``."""
        return cls(script=list(script), **options)

    @property
    def calls(self) -> list[Call]:
        """All calls so far, in the order in which they came."""
        return list(self._calls)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools, in OpenAI's form."""
        if not self.tool_calling:
            raise NotImplementedError("this scripted model calls no tools")
        formatted = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=formatted, tool_choice=tool_choice, **kwargs)

    def with_structured_output(
        self,
        schema: dict[str, Any] | type,
        *,
        include_raw: bool = False,
        method: str = "json_schema",
        strict: bool | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, Any]:
        """Ask for a schema; returns a dict, or ``raw``, ``parsed`` and ``parsing_error``."""
        if not self.native:
            raise NotImplementedError("this scripted model constrains nothing")
        tool = convert_to_openai_tool(schema, strict=strict)
        if method == "function_calling":
            bound = self.bind_tools([tool], tool_choice=tool["function"]["name"], **kwargs)
        else:
            body = {
                **tool["function"],
                "schema": {"title": tool["function"]["name"], **tool["function"]["parameters"]},
            }
            body.pop("parameters")
            bound = self.bind(response_format={"type": "json_schema", "json_schema": body}, **kwargs)
        parse = RunnableLambda(_with_parsed)
        return bound | (parse if include_raw else parse | RunnableLambda(_parsed_only))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        call = self._record(messages, kwargs)
        reply = self._next(call)
        while callable(reply):
            reply = reply(call)
        return self._result(reply, call)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        call = self._record(messages, kwargs)
        reply = self._next(call)
        while callable(reply) or inspect.isawaitable(reply):
            reply = await reply if inspect.isawaitable(reply) else reply(call)
        return self._result(reply, call)

    def _record(self, messages: list[BaseMessage], options: dict[str, Any]) -> Call:
        options = dict(options)
        tools = [dict(tool["function"]) for tool in options.pop("tools", None) or []]
        response_format = options.pop("response_format", None) or {}
        schema, method = response_format.get("json_schema", {}).get("schema"), "json_schema"
        forced = [t for t in tools if options.get("tool_choice") == t["name"]]
        if schema is None and forced:
            schema, method = {"title": forced[0]["name"], **forced[0]["parameters"]}, "function_calling"
        elif schema is None:
            method = "tools" if tools else "text"
        call = Call(
            messages=tuple(messages),
            tools=tuple(tool["name"] for tool in tools),
            schema=schema,
            method=method,
            options=options,
            ask=ask_of(messages, schema=schema, tools=tools, model=self.model_name),
        )
        with self._lock:
            self._calls.append(call)
        return call

    def _next(self, call: Call) -> Any:
        if callable(self.script):
            return self.script
        with self._lock:
            taken = self._taken % len(self.script) if self.loop and self.script else self._taken
            self._taken += 1
        if taken >= len(self.script):
            raise AssertionError(
                f"{self.model_name} was asked {taken + 1} times, its script has {len(self.script)} replies; "
                f"the last call ({call.method}) ends in: ...{call.text[-200:]!r}"
            )
        return self.script[taken]

    def _result(self, reply: Any, call: Call) -> ChatResult:
        if isinstance(reply, BaseException) or (isinstance(reply, type) and issubclass(reply, BaseException)):
            raise reply
        message = _message(reply, call)
        if self.usage is not None and message.usage_metadata is None:
            given, made = self.usage
            message.usage_metadata = {
                "input_tokens": given,
                "output_tokens": made,
                "total_tokens": given + made,
            }
        return ChatResult(generations=[ChatGeneration(message=message)])


def _message(reply: Any, call: Call) -> AIMessage:
    if isinstance(reply, AIMessage):
        return reply.model_copy()
    if isinstance(reply, BaseModel):
        reply = reply.model_dump()
    if isinstance(reply, ToolCalls):
        number = next(_NUMBERS)
        calls = [
            {"name": name, "args": args, "id": f"call_{number}_{i}"}
            for i, (name, args) in enumerate(reply.calls)
        ]
        return AIMessage(content=reply.text, tool_calls=calls)
    if isinstance(reply, dict) and call.method == "function_calling":
        return AIMessage(
            content="", tool_calls=[{"name": call.tools[0], "args": reply, "id": f"call_{next(_NUMBERS)}"}]
        )
    return AIMessage(content=reply if isinstance(reply, str) else json.dumps(reply))


def _with_parsed(raw: AIMessage) -> dict[str, Any]:
    if raw.tool_calls:
        return {"raw": raw, "parsed": raw.tool_calls[0]["args"], "parsing_error": None}
    try:
        return {"raw": raw, "parsed": json.loads(raw.text), "parsing_error": None}
    except ValueError as exc:
        return {"raw": raw, "parsed": None, "parsing_error": exc}


def _parsed_only(answer: dict[str, Any]) -> Any:
    if answer["parsing_error"] is not None:
        raise answer["parsing_error"]
    return answer["parsed"]


def answering_model(brain: Brain = answer, **options: Any) -> ScriptedChatModel:
    """A model for whole runs: answers every schema and calls tools, from the prompt alone."""
    return ScriptedChatModel(script=lambda call: brain(call.ask), **options)
