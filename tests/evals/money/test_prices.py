from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from agents.context import Context
from agents.errors import UserError
from agents.schemas import Usage
from evals.money.budget import Budget, check_budget
from evals.money.prices import Price, Prices, load_prices, money_text

DAY = dt.date(2026, 1, 1)


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_row_of_our_own_table_says_since_when_and_where_it_is_written() -> None:
    rows = load_prices().rows
    assert len(rows) >= 15
    assert all(
        row.valid_from and row.source and row.output > row.input > (row.cached or 0) > 0 for row in rows
    )


def test_kinds_of_tokens_are_priced_apart() -> None:
    price = Price(model="m", input=2.0, cached=0.5, output=8.0, reasoning=4.0)
    usage = Usage(
        input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, reasoning_tokens=25_000
    )
    assert price.of(usage) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.075 * 8 + 0.025 * 4)


def test_cached_and_reasoning_cost_as_their_kind_where_nothing_else_is_said() -> None:
    price = Price(model="m", input=2.0, output=8.0)
    usage = Usage(input_tokens=1000, cached_tokens=400, output_tokens=100, reasoning_tokens=25)
    assert price.of(usage) == pytest.approx(0.0028)


def test_known_unknown_and_embedded() -> None:
    prices = load_prices()
    known = prices.price("openai:gpt-5", DAY)
    assert known is not None
    assert (known.input, known.cached, known.output, known.currency) == (1.25, 0.125, 10.0, "USD")
    assert prices.price("openai:gpt-6", DAY) is None
    free = prices.price("embedded", DAY)
    assert free is not None
    assert free.of(Usage(input_tokens=10**9)) == 0


def test_an_open_model_has_its_maker_s_price_at_its_maker_alone() -> None:
    context = Context(model="openai:deepseek-chat", base_url="https://api.deepseek.com/v1")
    assert load_prices(None, context).price("openai:deepseek-chat", DAY) is not None
    elsewhere = Context(model="openai:deepseek-chat", base_url="http://127.0.0.1:8000/v1")
    prices = load_prices(None, elsewhere)
    assert prices.price("openai:deepseek-chat", DAY) is None
    assert prices.name("openai:deepseek-chat") == "openai:deepseek-chat at 127.0.0.1:8000"


def test_the_day_of_the_call_decides() -> None:
    old = Price(model="m", input=2, output=2, valid_from=dt.date(2025, 1, 1))
    new = Price(model="m", input=1, output=1, valid_from=dt.date(2025, 6, 1))
    prices = Prices((new, old))
    assert prices.price("openai:m", dt.date(2025, 5, 31)) is old
    assert prices.price("openai:m", dt.date(2025, 6, 1)) is new
    assert prices.price("openai:m", dt.date(2024, 12, 31)) is None


def test_long_requests_may_cost_more() -> None:
    prices = load_prices()
    short, long = (prices.price("google_genai:gemini-2.5-pro", DAY, n) for n in (200_000, 200_001))
    assert short is not None
    assert long is not None
    assert (short.input, long.input) == (1.25, 2.5)


def test_your_rows_come_first(tmp_path: Path) -> None:
    path = write(
        tmp_path / "p.yaml",
        "- {model: gpt-5, input: 9, output: 9, currency: EUR, valid_from: 2020-01-01}\n"
        "- {model: mine, input: 1, output: 2}\n",
    )
    prices = load_prices(path)
    gpt, mine = prices.price("openai:gpt-5", DAY), prices.price("openai:mine", DAY)
    assert gpt is not None
    assert mine is not None
    assert (gpt.input, gpt.currency, mine.output) == (9, "EUR", 2)
    assert prices.price("openai:gpt-5-mini", DAY) is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- {model: a, input: -1, output: 2}", "prices.0.input"),
        ("- {model: a, input: 1, output: 2, colour: red}", "prices.0.colour"),
        ("- {model: a, input: .inf, output: 2}", "prices.0.input"),
        ("- {model: a, input: 1, output: 2, currency: dollars}", "prices.0.currency"),
        ("just words", "A row is, for example"),
        ("a: [", "is no YAML"),
        ("- {model: a, input: 1, output: 2, valid_from: 2026-13-45}", "month must be in 1..12"),
        ("- {model: a, input: 1, output: 2, input: 9}", "input stands on line 1 already"),
        ("- {model: a, input: " + "9" * 5000 + ", output: 2}", "Exceeds the limit (4300 digits)"),
    ],
)
def test_a_bad_table_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        load_prices(write(tmp_path / "p.yaml", text))
    assert says in str(caught.value)
    assert "p.yaml" in str(caught.value)


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none.yaml can't be read: No such file"):
        load_prices(str(tmp_path / "none.yaml"))


def test_a_limit_of_money_needs_prices_in_one_currency() -> None:
    prices = Prices(
        (Price(model="a", input=1, output=1), Price(model="b", input=1, output=1, currency="CNY"))
    )
    check_budget(Budget(max_cost=1), prices, ["openai:a", "embedded"])
    check_budget(Budget(max_tokens_total=1), prices, ["openai:zzz"])
    with pytest.raises(UserError, match="none is known for openai:zzz"):
        check_budget(Budget(max_cost=1), prices, ["openai:zzz"])
    with pytest.raises(UserError, match="CNY and USD"):
        check_budget(Budget(max_sample_cost=1), prices, ["openai:a", "openai:b"])


def test_money_for_a_person() -> None:
    assert money_text({"USD": 1234.5, "CNY": 0.0001}) == "1,234.50 USD + 0.000100 CNY"
    assert money_text({"USD": 0.0}) == "0 USD"
    assert money_text({"USD": 0.0, "CNY": 2.0}) == "2.00 CNY"
