"""What is in a model's reply, whichever provider it came from: words, thinking, tokens, a refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import ValidationError

from agents.answers import split_thinking, whole_characters
from agents.errors import RefusedError
from agents.schemas import Usage
from agents.tokens import estimate_usage

__all__ = ["check_refusal", "text_of", "thinking_of", "usage_of", "was_cut_off"]

_REFUSED = frozenset(
    {
        "blocklist",
        "content_filter",
        "image_safety",
        "prohibited_content",
        "refusal",
        "safety",
        "sensitive",
        "spii",
    }
)
_CUT_OFF = frozenset({"length", "max_tokens"})


def text_of(message: AIMessage) -> str:
    """The reply's text, thinking in tags included, reasoning blocks not."""
    return whole_characters(str(message.text))


def thinking_of(message: AIMessage) -> str:
    """The reply's thinking, from wherever the provider put it."""
    blocks = [str(b.get("reasoning") or "") for b in message.content_blocks if b["type"] == "reasoning"]
    beside = message.additional_kwargs.get("reasoning_content")
    parts = [*blocks, beside if isinstance(beside, str) else "", split_thinking(text_of(message))[0]]
    return whole_characters("\n".join(dict.fromkeys(part.strip() for part in parts if part.strip())))


def _finish(message: AIMessage) -> str:
    metadata = message.response_metadata
    return str(metadata.get("finish_reason") or metadata.get("stop_reason") or "").lower()


def was_cut_off(message: AIMessage) -> bool:
    """Whether the reply ended at a token limit."""
    return _finish(message) in _CUT_OFF


def _blocked_prompt(message: AIMessage) -> str:
    """Why Gemini did not even start, empty when it did."""
    feedback: Any = message.response_metadata.get("prompt_feedback") or {}
    reason = feedback.get("block_reason") if isinstance(feedback, dict) else None
    return str(getattr(reason, "name", reason) or "")


def check_refusal(message: AIMessage, *, model: str) -> None:
    """Raise when the model, or the filter in front of it, declined.

    Raises:
        RefusedError: with the refusal's words, or the reason that the service gave.
    """
    words = whole_characters(str(message.additional_kwargs.get("refusal") or ""))
    if words:
        raise RefusedError(f"{model} declined to answer: {words}", raw=words)
    if blocked := _blocked_prompt(message):
        raise RefusedError(f"{model}: the service blocked the request ({blocked}).")
    finish = _finish(message)
    if finish in _REFUSED:
        raise RefusedError(f"{model}: the service stopped the answer ({finish}).", raw=text_of(message))


def _reported(message: AIMessage) -> Usage | None:
    """Tokens as the server counted them; None when it did not, or not in whole numbers from 0."""
    counts = message.usage_metadata
    if not counts:
        return None
    try:
        return Usage(
            input_tokens=counts["input_tokens"],
            output_tokens=counts["output_tokens"],
            reasoning_tokens=_part(counts.get("output_token_details"), "reasoning"),
            cached_tokens=_part(counts.get("input_token_details"), "cache_read") or _cache_hits(message),
        )
    except (ValidationError, TypeError):
        return None


def _part(details: object, name: str) -> int:
    """Tokens of one kind; LangChain writes a service tier before it: ``flex_cache_read``."""
    if not isinstance(details, dict):
        return 0
    told = cast("dict[str, Any]", details)
    return sum(told.get(key) or 0 for key in (name, f"flex_{name}", f"priority_{name}"))


def _cache_hits(message: AIMessage) -> int:
    """Cached tokens as DeepSeek reports them, beside OpenAI's details."""
    told: Any = message.response_metadata.get("token_usage")
    hits = cast("dict[str, Any]", told).get("prompt_cache_hit_tokens") if isinstance(told, dict) else None
    return hits if isinstance(hits, int) and hits > 0 else 0


async def usage_of(message: AIMessage, sent: Sequence[BaseMessage]) -> Usage:
    """Tokens of one call, as reported or else estimated (in a thread: the tables are read from disk)."""
    if (reported := _reported(message)) is not None:
        return reported
    calls = [f"{call['name']}{call['args']}" for call in message.tool_calls]
    said, thinking = whole_characters("".join([_answer_of(message), *calls])), thinking_of(message)
    return await asyncio.to_thread(estimate_usage, sent, said, thinking)


def _answer_of(message: AIMessage) -> str:
    """The reply's text without thinking in tags."""
    return split_thinking(text_of(message))[1]
