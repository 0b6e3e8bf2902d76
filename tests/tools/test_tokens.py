"""Tokens are counted as tiktoken counts them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import tokens
from tools.tokens import count_tokens

TEXTS = (
    "candle -> passing of time (burns down as time passes)",
    "IT'S the Grandfather's 1234567 clocks,\r\n\r\n  don't  you see?\t\t",
    "蜡烛 -> 时间的流逝",
    "a <|endoftext|> b",
    "\u00e9t\u00e9 \u0301 \U0001f56f\ufe0f//\n",
    "",
)


@pytest.mark.parametrize("text", TEXTS)
def test_counts_are_those_of_the_other_counter(text: str) -> None:
    assert count_tokens(text) == tokens.count_tokens(text)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_counts_agree_on_any_text(text: str) -> None:
    assert count_tokens(text) == tokens.count_tokens(text)


def test_half_a_character_counts_too() -> None:
    assert count_tokens("a \ud83d b") > 0
