from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.schemas import ModelCall, Usage
from evals.datasets import Sample
from evals.money.accounts import Accounts
from evals.money.earlier import earlier_records
from evals.money.ledger import Ledger, new_calls, usage_text
from evals.money.prices import Price, Prices
from evals.running.attempt import Job
from evals.store.records import RunRecord
from tests.evals.records_for_tests import failed, scored

PRICES = Prices((Price(model="a", input=1, cached=0.5, output=2), Price(model="b", input=3, output=4)))

usages = st.builds(
    lambda given, cached, made, thought: Usage(
        input_tokens=given + cached,
        cached_tokens=cached,
        output_tokens=made + thought,
        reasoning_tokens=thought,
    ),
    *(st.integers(0, 10**6) for _ in range(4)),
)
calls = st.lists(
    st.builds(
        lambda model, usage, seconds: ModelCall(
            step="s", model=model, method="text", attempts=1, seconds=seconds, usage=usage
        ),
        st.sampled_from(["openai:a", "openai:b", "embedded", "openai:free-of-price"]),
        usages,
        st.floats(0, 100),
    ),
    max_size=6,
)


def record_of(number: int, made: list[ModelCall]) -> RunRecord:
    return scored(f"v{number}", calls=tuple(made), usage=sum((call.usage for call in made), Usage()))


@given(st.lists(calls, max_size=8))
def test_the_total_is_the_sum_over_records_to_the_token(groups: list[list[ModelCall]]) -> None:
    records = [record_of(number, made) for number, made in enumerate(groups)]
    ledger = Ledger(PRICES)
    for record in earlier_records([], records):
        ledger.add_record(record)
    assert ledger.total == sum((record.usage for record in records), Usage())
    summary = ledger.summary()
    assert sum(model["tokens"]["total"] for model in summary["models"].values()) == summary["tokens"]["total"]
    asked = {call.model for record in records for call in record.calls if call.usage.total_tokens}
    assert (summary["money"] is None) == ("openai:free-of-price" in asked)


@given(calls, calls, calls)
def test_what_is_judged_again_is_counted_once(
    first: list[ModelCall], vain: list[ModelCall], again: list[ModelCall]
) -> None:
    before = failed("v", phase="judge", calls=(*first, *vain))
    after = scored("v", calls=(*before.calls, *again), interpretation=before.interpretation)
    ledger = Ledger(PRICES)
    for record in earlier_records([before, before], [after]):
        ledger.add_record(record)
    assert ledger.total == sum((call.usage for call in [*first, *vain, *again]), Usage())
    assert new_calls(after, before) == tuple(again)


def test_a_sample_that_was_run_anew_is_counted_twice() -> None:
    made = (
        ModelCall(
            step="s", model="openai:a", method="text", attempts=1, seconds=0.1, usage=Usage(input_tokens=7)
        ),
    )
    before, after = failed("v", calls=made), scored("v", calls=made)
    ledger = Ledger(PRICES)
    for record in earlier_records([before], [after]):
        ledger.add_record(record)
    assert ledger.total.input_tokens == 14


@given(calls, st.integers(0, 6))
def test_what_is_in_flight_makes_way_for_the_record(made: list[ModelCall], seen: int) -> None:
    accounts = Accounts(booked=Ledger(PRICES))
    sample = Sample("v0", "", ("Body_Language",), ("g",), None)
    flight = accounts.open(Job(sample))
    for call in made[:seen]:
        flight.add(call.model, call.usage)
    assert accounts.tokens == sum(call.usage.total_tokens for call in made[:seen])
    accounts.book(record_of(0, made))
    assert accounts.tokens == sum(call.usage.total_tokens for call in made)
    assert accounts.flight == {}


def test_money_is_told_as_it_is_known() -> None:
    ledger = Ledger(PRICES)
    assert ledger.money_said() == ""
    ledger.add("embedded", Usage(input_tokens=5))
    assert ledger.money_said() == "0 USD"
    ledger.add("openai:a", Usage(input_tokens=1_000_000, cached_tokens=500_000))
    assert ledger.money_said() == "0.75 USD"
    ledger.add("openai:zzz", Usage(input_tokens=5))
    assert ledger.money_said() == "0.75 USD + unknown"
    assert ledger.summary()["models"]["openai:zzz"]["money"] is None
    assert ledger.summary()["models"]["openai:a"]["money"] == {"USD": 0.75}


def test_usage_for_a_person() -> None:
    usage = Usage(
        input_tokens=12_000, cached_tokens=2000, output_tokens=300, reasoning_tokens=100, estimated=True
    )
    assert usage_text(usage) == (
        "12,000 in (2,000 cached), 300 out (100 reasoning), partly estimated with tiktoken"
    )
    assert usage_text(Usage()) == "0 in, 0 out"


def test_the_oldest_call_is_known() -> None:
    now = [0.0]
    accounts = Accounts(clock=lambda: now[0])
    first = accounts.asked(("a", 1), "m")
    now[0] = 5
    accounts.asked(("b", 1), "n")
    now[0] = 7
    assert (accounts.waiting, accounts.oldest) == (2, ("a", "m", 7))
    accounts.answered(first)
    assert accounts.oldest == ("b", "n", 2)
    assert accounts.waiting == pytest.approx(1)
