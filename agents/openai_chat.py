"""ChatOpenAI for the many servers that speak OpenAI's protocol, with what they add kept.

vLLM, SGLang, DashScope, DeepSeek, Ark and GLM send the model's reasoning beside its answer, which
langchain-openai drops; here it stays in ``additional_kwargs["reasoning_content"]``.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Mapping
from typing import Any, cast

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr

__all__ = ["OpenAICompatibleChat", "quiet_advice"]

_BACKOFF = 8.0  # the longest pause of the SDK between two tries, seconds


def _reasoning(message: Mapping[str, Any]) -> str:
    """The reasoning in a message or delta: ``reasoning_content``, or ``reasoning`` as newer vLLM has it."""
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            return str(message[key])
    return ""


def quiet_advice() -> None:
    """Silence langchain-openai's advice to change ``method=``: the chain of methods does that itself."""
    for message in (
        "This model does not support OpenAI's structured output",
        "Cannot use method='json_schema'",
    ):
        warnings.filterwarnings("ignore", message=message, category=UserWarning)


class OpenAICompatibleChat(ChatOpenAI):
    """ChatOpenAI that keeps reasoning, parses nothing by itself and never waits without an end."""

    _loop: asyncio.AbstractEventLoop | None = PrivateAttr(default=None)

    def _settle(self) -> None:
        """Take fresh connections in a new event loop: those of a closed one fail when they are used again."""
        loop = asyncio.get_running_loop()
        if self._loop is not None and self._loop is not loop:
            self.http_async_client = openai.DefaultAsyncHttpxClient(timeout=cast("Any", self.request_timeout))
            self.root_async_client = self.root_async_client.copy(http_client=self.http_async_client)
            self.async_client = self.root_async_client.chat.completions
        self._loop = loop

    async def aclose(self) -> None:
        """Close the connections; the model can't be asked afterwards."""
        if self.http_async_client is not None:
            await self.http_async_client.aclose()

    @property
    def _deadline(self) -> float | None:
        """Seconds for one call with all its tries; some servers keep a dead connection warm."""
        one, tries = self.request_timeout, (self.max_retries if self.max_retries is not None else 2) + 1
        return one * tries + _BACKOFF * (tries - 1) + 1 if isinstance(one, int | float) else None

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._settle()
        async with asyncio.timeout(self._deadline):
            return await super()._agenerate(messages, stop, run_manager, **kwargs)

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Hand ``response_format`` past the SDK's parser, and a turn's reasoning back to its server.

        The parser raises on answers that are cut off or filtered, and so hides what they said.
        DeepSeek answers 400 when the reasoning before a tool call does not come back.
        """
        payload = super()._get_request_payload(input_, stop=stop, **kwargs)
        if "messages" not in payload:
            return payload
        if isinstance(payload.get("response_format"), dict):
            body = {**(payload.get("extra_body") or {}), "response_format": payload.pop("response_format")}
            payload["extra_body"] = body
        for sent, message in zip(payload["messages"], self._convert_input(input_).to_messages(), strict=True):
            reasoning = message.additional_kwargs.get("reasoning_content")
            if isinstance(message, AIMessage) and message.tool_calls and reasoning:
                sent["reasoning_content"] = reasoning
        return payload

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        result = super()._create_chat_result(response, generation_info)
        whole = response if isinstance(response, dict) else response.model_dump(warnings=False)
        for generation, choice in zip(result.generations, whole["choices"], strict=True):
            if reasoning := _reasoning(choice["message"]):
                generation.message.additional_kwargs["reasoning_content"] = reasoning
        return result

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or []
        if made is not None and choices and (reasoning := _reasoning(choices[0].get("delta") or {})):
            made.message.additional_kwargs["reasoning_content"] = reasoning
        return made
