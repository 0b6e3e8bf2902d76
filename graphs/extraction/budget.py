"""What extraction costs: told before, counted while it runs, and held to a limit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.asked import ExtractionAnswer
from agents.json_schema import answer_schema
from agents.nodes.extract import question
from agents.prompts import Prompts
from agents.schemas import Usage
from agents.tokens import count_tokens
from graphs.extraction.splitting import is_chinese

__all__ = ["Budget", "Expected", "Forecast", "Price"]

_ITEM = 75
"""Output tokens of one sentence's items: 1.2 items of 60 tokens of JSON."""
_ENVELOPE = 12
_TRANSLATED = 1.3  # tokens of a translation for each token of the Chinese sentence


@dataclass(frozen=True, slots=True)
class Expected:
    """Tokens that calls will take, as far as can be told before."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Expected) -> Expected:
        """Sum two."""
        return Expected(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)

    @property
    def total(self) -> int:
        """Both together."""
        return self.input_tokens + self.output_tokens


class Forecast:
    """Expects the tokens of a call: its input by o200k, its output by flat rates."""

    def __init__(self, prompts: Prompts) -> None:
        schema = json.dumps(answer_schema(ExtractionAnswer))
        self._fixed = sum(count_tokens(part) for part in (*question(prompts, []), schema))

    def of(self, sentences: Sequence[str]) -> Expected:
        """The tokens of one call over these sentences."""
        given, answered = self._fixed, _ENVELOPE
        for sentence in sentences:
            tokens = count_tokens(sentence)
            given += tokens + 4
            answered += _ITEM + (round(tokens * _TRANSLATED) if is_chinese(sentence) else 0)
        return Expected(given, answered)


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens, in whatever currency your provider bills."""

    given: float
    answered: float

    def of(self, tokens: Usage | Expected) -> float:
        """The price of these tokens."""
        return (tokens.input_tokens * self.given + tokens.output_tokens * self.answered) / 1e6


@dataclass
class Budget:
    """Limits over all starts together, and what is on its way.

    A call is begun only when what was spent, what is in flight and the call itself stay within the limit,
    each taken at the expected size times how far expectations have been exceeded.

    Attributes:
        max_tokens: of input and output; None for no limit.
        max_cost: in the price's currency; None for no limit.
        price: for a million tokens; None when not told.
    """

    max_tokens: int | None = None
    max_cost: float | None = None
    price: Price | None = None
    _flying: Expected = field(default_factory=Expected)
    _expected: int = 0
    _used: int = 0

    def refuses(self, spent: Usage, call: Expected) -> str:
        """Why a call may not be begun; empty when it may."""
        surprise = max(1.0, self._used / self._expected) if self._expected else 1.0
        ahead = self._flying + call
        if self.max_tokens is not None:
            tokens = spent.total_tokens + ahead.total * surprise
            if tokens > self.max_tokens:
                return f"--max-tokens-total {self.max_tokens:,}: {spent.total_tokens:,} are spent"
        if self.max_cost is not None and self.price is not None:
            cost = self.price.of(spent) + self.price.of(ahead) * surprise
            if cost > self.max_cost:
                return f"--max-cost {self.max_cost:g}: {self.price.of(spent):.4f} are spent"
        return ""

    def begin(self, call: Expected) -> None:
        """A call is on its way."""
        self._flying += call

    def end(self, call: Expected, usage: Usage | None) -> None:
        """A call is over; None when it was given up and nothing is known of it."""
        self._flying += Expected(-call.input_tokens, -call.output_tokens)
        if usage is not None:
            self._expected += call.total
            self._used += usage.total_tokens
