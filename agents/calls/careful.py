"""Chat models that ask through a line, whichever provider's they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import PrivateAttr

from agents.calls.lines import Line, Patience
from agents.tokens import estimate_usage
from agents.video_files import video_blocks

__all__ = ["Way", "ask_through"]

_ANSWER = 500  # tokens that an answer is taken to have before there was one
_SENDING = 600.0  # more seconds for a try that may have to send a video first


@dataclass
class Way:
    """How a model is asked.

    Attributes:
        line: to its server.
        patience: of each call.
        answer: tokens of an answer, as the last ones had on average.
    """

    line: Line
    patience: Patience
    answer: float = _ANSWER

    def patience_for(self, messages: list[BaseMessage]) -> Patience:
        """More for a conversation with a video in it."""
        one = self.patience
        more = _SENDING if video_blocks(messages) else 0.0
        return Patience(one.timeout + more, one.max_retries, one.total)

    async def estimate(self, messages: list[BaseMessage]) -> int:
        """Tokens that a call will take; 0 where nobody counts them."""
        if not self.line.counts_tokens:
            return 0
        given = await asyncio.to_thread(estimate_usage, messages, "")
        return given.input_tokens + round(self.answer)

    def took(self, result: ChatResult) -> int | None:
        """Tokens that a call took, where the server says so."""
        message = result.generations[0].message if result.generations else None
        usage = message.usage_metadata if isinstance(message, AIMessage) else None
        if not usage:
            return None
        self.answer += (usage["output_tokens"] - self.answer) / 8
        return usage["total_tokens"]


def ask_through(model: BaseChatModel, way: Way) -> BaseChatModel:
    """Have a model ask through a line from now on; the same object is returned.

    Its own client must not try again by itself.
    """
    object.__setattr__(model, "__class__", _careful(type(model)))
    private = model.__pydantic_private__ or {}
    object.__setattr__(model, "__pydantic_private__", {**private, "_way": way})
    return model


@cache
def _careful(kind: type[BaseChatModel]) -> type[BaseChatModel]:
    """A model's class with its calls led through a line; it goes by the same name, in traces too."""

    class Careful(kind):
        _way: Way = PrivateAttr()

        async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
            way, whole = self._way, super()._agenerate
            return await way.line.ask(
                lambda: whole(messages, *args, **kwargs),
                patience=way.patience_for(messages),
                tokens=await way.estimate(messages),
                took=way.took,
            )

    class CarefulStream(Careful):
        async def _astream(
            self, messages: list[BaseMessage], *args: Any, **kwargs: Any
        ) -> AsyncIterator[ChatGenerationChunk]:
            way, whole = self._way, super()._astream

            async def begin() -> tuple[AsyncIterator[ChatGenerationChunk], ChatGenerationChunk | None]:
                chunks = whole(messages, *args, **kwargs)
                return chunks, await anext(chunks, None)

            patience = way.patience_for(messages)
            chunks, first = await way.line.ask(
                begin, patience=patience, tokens=await way.estimate(messages)
            )  # what was shown can't be taken back: only the beginning is tried again
            while first is not None:
                yield first
                async with asyncio.timeout(patience.timeout):
                    first = await anext(chunks, None)

    streams = getattr(kind, "_astream", None) is not getattr(BaseChatModel, "_astream", None)
    made = CarefulStream if streams else Careful
    made.__name__, made.__qualname__, made.__module__ = kind.__name__, kind.__qualname__, kind.__module__
    return made
