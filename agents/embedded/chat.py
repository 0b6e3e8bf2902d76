"""The embedded model as a LangChain chat model: pictures, structured output, tools; no network, no key."""

from __future__ import annotations

import json
import queue
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.base import LangSmithParams
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCall
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, Field

from agents.embedded import wordpiece
from agents.embedded.structured import parsing

__all__ = ["PICTURE_TOKENS", "EmbeddedChatModel"]

#: What a picture counts in `usage_metadata`, whatever its size; texts count in word pieces of BERT.
PICTURE_TOKENS = 64

_Method = Literal["json_schema", "function_calling", "json_mode"]


class EmbeddedChatModel(BaseChatModel):
    """Small real models behind the ordinary interface of a chat model.

    It sees through an image classifier, people detectors and measures of light and cutting; it writes
    through a language model of 135 million parameters under grammars. Nothing is loaded before the first
    question, and the process loads each part once, however many of these objects there are.

    Asked to score a prediction it *measures* a similarity: ``response_metadata["proxy"]`` is then true.

    Attributes:
        model: the name that is reported.
        temperature: 0 always takes the likeliest word; above, words are drawn with `seed`.
        seed: of the drawing.
        max_tokens: of a free answer.
        stop: texts that end a free answer.
        timeout: taken for likeness with other chat models; there is no service to wait for.
        max_retries: likewise; the same question would fail the same way.
        cache_dir: where the writer's weights are kept, instead of the user's cache folder.
        may_fetch: whether the writer's weights may be fetched when they are absent.
    """

    judges_by_similarity: ClassVar[bool] = True

    model: str = Field(default="embedded", alias="model_name")
    temperature: float | None = Field(default=0.0, ge=0)
    seed: int = 0
    max_tokens: int | None = Field(default=None, ge=1)
    stop: list[str] | None = None
    timeout: float | None = None
    max_retries: int = 0
    cache_dir: Path | None = None
    may_fetch: bool = True

    model_config = ConfigDict(populate_by_name=True, protected_namespaces=())

    @property
    def _llm_type(self) -> str:
        return "metaphorboost-embedded"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
        }

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        params["ls_provider"] = "metaphorboost"
        params["ls_model_name"] = str(kwargs.get("model", self.model))
        return params

    def get_num_tokens(self, text: str) -> int:
        """Count the word pieces of a text."""
        return wordpiece.count(text)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | dict[str, Any] | bool | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools that the model may call.

        Args:
            tools: anything that LangChain can turn into a tool.
            tool_choice: ``auto`` (or None), ``none``, ``any`` (or ``required``, or True), or a tool's name.
            kwargs: bound as they are.
        """
        formatted = [convert_to_openai_tool(tool) for tool in tools]
        if tool_choice is not None:
            kwargs["tool_choice"] = tool_choice
        return self.bind(tools=formatted, **kwargs)

    def with_structured_output(
        self,
        schema: dict[str, Any] | type,
        *,
        include_raw: bool = False,
        method: _Method = "json_schema",
        strict: bool | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, dict[str, Any] | BaseModel]:
        """Answer in the form of a schema.

        Args:
            schema: a pydantic class, a TypedDict, a function's schema or a JSON schema with a title.
            include_raw: give ``{"raw", "parsed", "parsing_error"}`` instead of the parsed answer.
            method: ``json_schema`` or ``json_mode`` answer as text, ``function_calling`` as a tool call; the
                grammar is the same.
            strict: taken for likeness with other chat models; the answer always follows the schema.
            kwargs: bound as they are.
        """
        del strict
        tool = convert_to_openai_tool(schema)
        name: str = tool["function"]["name"]
        marked = {"kwargs": {"method": method}, "schema": tool}
        if method == "function_calling":
            bound = self.bind_tools([schema], tool_choice=name, ls_structured_output_format=marked, **kwargs)
        else:
            form = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": tool["function"]["parameters"]},
            }
            bound = self.bind(response_format=form, ls_structured_output_format=marked, **kwargs)
        return parsing(bound, schema, name, called=method == "function_calling", include_raw=include_raw)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Answer; `agenerate` runs this in a thread, so that no event loop waits for it."""
        del run_manager
        message = self._answer(messages, stop, kwargs, None)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        """Stream a free answer word by word; an answer in a form comes whole."""
        heard: queue.SimpleQueue[str | AIMessage | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                heard.put(self._answer(messages, stop, kwargs, heard.put))
            except BaseException as fault:  # noqa: BLE001 - raised again where the stream is read
                heard.put(fault)

        threading.Thread(target=work, daemon=True).start()
        streamed = ""
        while isinstance(item := heard.get(), str):
            streamed += item
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=item))
            if run_manager:
                run_manager.on_llm_new_token(item, chunk=chunk)
            yield chunk
        if isinstance(item, BaseException):
            raise item
        yield ChatGenerationChunk(message=_last_chunk(item, streamed))

    def _answer(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None,
        asked: Mapping[str, Any],
        hear: Callable[[str], None] | None,
    ) -> AIMessage:
        from agents.embedded.answering import Request, respond
        from agents.embedded.interpreting import Manner

        request = Request.of(
            messages,
            asked,
            manner=Manner(
                _first(asked.get("temperature"), self.temperature, 0.0),
                _first(asked.get("seed"), self.seed, 0),
            ),
            most=_first(asked.get("max_tokens"), self.max_tokens, 160),
            stop=tuple(stop or self.stop or ()),
        )
        answer = respond(request, cache_dir=self.cache_dir, may_fetch=self.may_fetch, hear=hear)
        calls = [
            ToolCall(name=name, args=args, id=_call_id(name, args, at), type="tool_call")
            for at, (name, args) in enumerate(answer.calls)
        ]
        written = answer.text + "".join(json.dumps(args) for _, args in answer.calls)
        pictures = len(request.question.pictures)
        read = sum(wordpiece.count(turn.what) for turn in request.question.turns) + PICTURE_TOKENS * pictures
        wrote = wordpiece.count(written)
        return AIMessage(
            content=answer.text,
            tool_calls=calls,
            usage_metadata=UsageMetadata(input_tokens=read, output_tokens=wrote, total_tokens=read + wrote),
            response_metadata={
                "model_name": self.model,
                "model_provider": "metaphorboost",
                "finish_reason": "tool_calls" if calls else "stop" if answer.finished else "length",
                "proxy": answer.proxy,
            },
        )


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _call_id(name: str, args: Mapping[str, Any], at: int) -> str:
    """The same call at the same place has the same id, so that a run can be repeated to the letter."""
    said = f"{at}:{name}:{json.dumps(args, sort_keys=True)}"
    return f"call_{uuid.uuid5(uuid.NAMESPACE_OID, said).hex[:20]}"


def _last_chunk(message: AIMessage, streamed: str) -> AIMessageChunk:
    """What was not streamed yet: the calls, the count of tokens, the text of an answer in a form."""
    return AIMessageChunk(
        content=str(message.content)[len(streamed) :],
        tool_call_chunks=[
            {
                "name": call["name"],
                "args": json.dumps(call["args"]),
                "id": call["id"],
                "index": at,
                "type": "tool_call_chunk",
            }
            for at, call in enumerate(message.tool_calls)
        ],
        usage_metadata=message.usage_metadata,
        response_metadata=message.response_metadata,
        chunk_position="last",
    )
