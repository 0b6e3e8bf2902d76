"""What a run has spent: tokens of each kind and money, by model, over all its starts."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from agents.schemas import ModelCall, Usage
from evals.money.prices import Money, Prices, money_text
from evals.store.records import RunKey, RunRecord

__all__ = ["Ledger", "cut_short", "earlier_records", "money_said", "new_calls", "usage_text"]


@dataclass
class Ledger:
    """Adds up calls.

    Attributes:
        prices: what tokens cost.
        usage: tokens by model, of what was asked and paid.
        spared: tokens of answers that were kept from before, and cost nothing.
        calls: requests by model, repairs included.
        money: by currency, of what has a price.
        unpriced: models without a price whose tokens were counted.
        sources: where the prices that were used are written.
    """

    prices: Prices
    usage: dict[str, Usage] = field(default_factory=dict[str, Usage])
    spared: Usage = field(default_factory=Usage)
    calls: Counter[str] = field(default_factory=Counter[str])
    money: Money = field(default_factory=dict[str, float])
    unpriced: set[str] = field(default_factory=set[str])
    sources: dict[str, str] = field(default_factory=dict[str, str])
    _by_model: dict[str, Money] = field(default_factory=lambda: defaultdict[str, Money](dict))

    def add(self, model: str, usage: Usage, *, requests: int = 1, day: dt.date | None = None) -> None:
        """Add the tokens of one or more requests to a model."""
        self.usage[model] = self.usage.get(model, Usage()) + usage
        self.calls[model] += requests
        if not usage.total_tokens:
            return
        price = self.prices.price(model, day, usage.input_tokens // max(requests, 1))
        if price is None:
            self.unpriced.add(model)
            return
        self.sources[model] = price.told
        for money in (self.money, self._by_model[model]):
            money[price.currency] = money.get(price.currency, 0.0) + price.of(usage)

    def add_calls(self, calls: Iterable[ModelCall], day: dt.date | None = None) -> None:
        """Add what a record says of its calls."""
        for call in calls:
            self.add(call.model, call.usage, requests=call.attempts, day=day)
            self.spared += call.cached or Usage()

    def add_record(self, record: RunRecord) -> None:
        """Add all calls of a record, at the prices of its day."""
        self.add_calls(record.calls, _day(record))

    def include(self, other: Ledger) -> None:
        """Add all that another ledger holds, at the prices that were counted there."""
        for model, usage in other.usage.items():
            self.usage[model] = self.usage.get(model, Usage()) + usage
            self.calls[model] += other.calls[model]
            for currency, amount in other._by_model.get(model, {}).items():
                for money in (self.money, self._by_model[model]):
                    money[currency] = money.get(currency, 0.0) + amount
        self.spared += other.spared
        self.unpriced |= other.unpriced
        self.sources |= other.sources

    @property
    def total(self) -> Usage:
        """Tokens of all models."""
        return sum(self.usage.values(), Usage())

    @property
    def known(self) -> bool:
        """Whether all that was spent has a price."""
        return not self.unpriced

    def money_said(self) -> str:
        """Money for a person."""
        return money_said(self.money, self.unpriced)

    def summary(self) -> dict[str, Any]:
        """For ``summary.json``: money is null where a part of it is unknown."""
        return {
            "tokens": _tokens(self.total),
            "spared": _tokens(self.spared),
            "money": _rounded(self.money) if self.known else None,
            "unpriced": sorted(self.unpriced),
            "models": {
                model: {
                    "requests": self.calls[model],
                    "tokens": _tokens(usage),
                    "money": None if model in self.unpriced else _rounded(self._by_model[model]),
                    "price": self.sources.get(model),
                }
                for model, usage in self.usage.items()
            },
        }


def money_said(money: Money, unpriced: Collection[str]) -> str:
    """An amount, ``cost unknown``, or both; empty before anything is spent."""
    if not unpriced:
        return money_text(money) if money else ""
    return f"{money_text(money)} + unknown" if any(money.values()) else "cost unknown"


def usage_text(usage: Usage) -> str:
    """Tokens for a person: ``12,000 in (2,000 cached), 3,000 out (1,000 reasoning)``; estimates say so."""
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    thought = f" ({usage.reasoning_tokens:,} reasoning)" if usage.reasoning_tokens else ""
    told = ", partly estimated with tiktoken" if usage.estimated else ""
    return f"{usage.input_tokens:,} in{cached}, {usage.output_tokens:,} out{thought}{told}"


def new_calls(record: RunRecord, before: RunRecord | None) -> tuple[ModelCall, ...]:
    """The calls of a record that an earlier record of its sample had not made.

    An interpretation that is judged again takes all earlier calls along.
    """
    if before is None or record.interpretation is None or record.interpretation != before.interpretation:
        return record.calls
    number = len(before.calls)
    return record.calls[number:] if record.calls[:number] == before.calls else record.calls


def cut_short(counted: Ledger, calls: Iterable[ModelCall]) -> tuple[ModelCall, ...]:
    """What was counted as answers came and no call tells of: a call for each model, for the record.

    A question that ``--sample-timeout`` ends leaves no account of the answers it has been given by then.

    Args:
        counted: the tokens of all answers.
        calls: that were made meanwhile, as their record has them.
    """
    told = Ledger(counted.prices)
    told.add_calls(calls)
    return tuple(
        ModelCall(
            step="cut_short",
            model=model,
            method="failed",
            attempts=max(counted.calls[model] - told.calls[model], 1),
            seconds=0.0,
            usage=rest,
        )
        for model, usage in counted.usage.items()
        if (rest := _less(usage, told.usage.get(model, Usage()))).total_tokens
    )


def _less(usage: Usage, part: Usage) -> Usage:
    counts = (
        max(getattr(usage, name) - getattr(part, name), 0)
        for name in ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")
    )
    given, made, thought, cached = counts
    return Usage(
        input_tokens=given,
        output_tokens=made,
        reasoning_tokens=min(thought, made),
        cached_tokens=min(cached, given),
        estimated=usage.estimated,
    )


def earlier_records(aside: Iterable[RunRecord], current: Iterable[RunRecord]) -> Iterator[RunRecord]:
    """All records of a run, each with those calls alone that it made itself.

    Args:
        aside: records set aside for another try, in the order of time.
        current: records that count.
    """
    last: dict[RunKey, RunRecord] = {}
    for record in aside:
        before = last.get(record.key)
        if before != record:  # a kill while records were moved leaves one twice
            last[record.key] = record
            yield record.model_copy(update={"calls": new_calls(record, before)})
    for record in current:
        before = last.get(record.key) if last else None
        if before != record:
            yield record.model_copy(update={"calls": new_calls(record, before)}) if before else record


def _day(record: RunRecord) -> dt.date | None:
    try:
        return dt.datetime.fromisoformat(record.started).date()
    except ValueError:
        return None


def _tokens(usage: Usage) -> dict[str, int | bool]:
    return {
        "input": usage.input_tokens,
        "cached": usage.cached_tokens,
        "output": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
        "total": usage.total_tokens,
        "estimated": usage.estimated,
    }


def _rounded(money: Money) -> Money:
    """What is free in one currency is left out beside what is paid in another."""
    paid = {currency: round(amount, 6) for currency, amount in money.items() if amount}
    return paid or dict.fromkeys(money, 0.0)
