"""A chat model that answers at once: what remains is the cost of everything around it."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda

__all__ = ["InstantModel"]

_ENTRY = {"presents": "a burning candle", "expresses": "the passing of time"}
_ANSWERS: dict[str, Any] = {
    "keywords": ["candle", "flame"],
    "entries": [_ENTRY],
    "reasoning": "complete and free of error",
    "strict_score": 1,
    "loose_score": 9,
}


class InstantModel(BaseChatModel):
    """Answers any of the project's schemas with the same words, in no time."""

    @property
    def _llm_type(self) -> str:
        return "instant"

    def _generate(
        self,
        messages: list[BaseMessage],  # noqa: ARG002 - whatever is asked
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(json.dumps(_ANSWERS)))])

    def with_structured_output(  # pyright: ignore[reportIncompatibleMethodOverride] - options are ignored
        self, schema: dict[str, Any], **_options: Any
    ) -> Runnable[LanguageModelInput, Any]:
        """Answer with the schema's properties, as far as they are known."""
        wanted = {name: _ANSWERS[name] for name in schema["properties"] if name in _ANSWERS}

        async def answer(_messages: LanguageModelInput) -> dict[str, Any]:
            return {"raw": AIMessage(json.dumps(wanted)), "parsed": wanted, "parsing_error": None}

        def refuse(_messages: LanguageModelInput) -> dict[str, Any]:
            raise NotImplementedError("only asked by async callers")

        return RunnableLambda(refuse, afunc=answer)
