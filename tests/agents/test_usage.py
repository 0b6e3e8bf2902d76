"""Tokens in a reply, in the shapes that LangChain gives them, and what is told to a meter."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from agents.errors import BudgetExceeded
from agents.meter import metered, request, took
from agents.replies import usage_of
from agents.schemas import Usage


def reply(text: str = "Time passes.", metadata: dict[str, Any] | None = None, **usage: Any) -> AIMessage:
    return AIMessage(text, usage_metadata=usage or None, response_metadata=metadata or {})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("usage", "cached", "reasoning"),
    [
        ({}, 0, 0),
        ({"input_token_details": {"cache_read": 20}, "output_token_details": {"reasoning": 8}}, 20, 8),
        (
            {
                "input_token_details": {"flex": 100, "flex_cache_read": 20},
                "output_token_details": {"flex": 22, "flex_reasoning": 8},
            },
            20,
            8,
        ),
        ({"output_token_details": {"priority_reasoning": 8}}, 0, 8),
        ({"input_token_details": {"cache_read": 0, "audio": 64}}, 0, 0),
    ],
)
async def test_reasoning_and_cached_tokens_are_told_apart(
    usage: dict[str, Any], cached: int, reasoning: int
) -> None:
    message = reply(input_tokens=120, output_tokens=30, total_tokens=150, **usage)
    assert await usage_of(message, []) == Usage(
        input_tokens=120, output_tokens=30, cached_tokens=cached, reasoning_tokens=reasoning
    )


@pytest.mark.parametrize(("hits", "cached"), [(64, 64), (0, 0), (None, 0), (-3, 0), ("64", 0)])
async def test_deepseek_s_cache_hits_count(hits: object, cached: int) -> None:
    metadata = {"token_usage": {"prompt_cache_hit_tokens": hits}}
    message = reply(metadata=metadata, input_tokens=120, output_tokens=30, total_tokens=150)
    assert (await usage_of(message, [])).cached_tokens == cached


async def test_what_is_not_reported_is_estimated_with_thinking_apart() -> None:
    usage = await usage_of(reply("<think>a candle burns</think> Time passes."), [HumanMessage("Why?")])
    assert usage.estimated
    assert (usage.reasoning_tokens, usage.output_tokens) == (3, 6)
    assert usage.input_tokens == 4 + 2


class Meter:
    """Allows two requests."""

    def __init__(self) -> None:
        self.said: list[object] = []

    def begin(self, model: str) -> int:
        if len(self.said) >= 5:
            raise BudgetExceeded("no more")
        self.said.append(f"begin {model}")
        return len(self.said)

    def end(self, number: int) -> None:
        self.said.append(f"end {number}")

    def took(self, model: str, usage: Usage) -> None:
        self.said.append(usage.total_tokens)


def test_a_meter_is_told_of_each_request_and_may_refuse_one() -> None:
    meter = Meter()
    with request("unheard"):
        took("unheard", Usage(input_tokens=9))
    with metered(meter):
        with request("a"):
            pass
        took("a", Usage(input_tokens=5))
        with pytest.raises(ConnectionError), request("b"):
            raise ConnectionError
        with pytest.raises(BudgetExceeded), request("c"):
            pytest.fail("it was made")
    with request("unheard"):
        pass
    assert meter.said == ["begin a", "end 1", 5, "begin b", "end 4"]
