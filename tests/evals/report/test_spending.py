"""Money in the report: by the price table, in its own currency, and never guessed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.schemas import ModelCall, Usage
from evals.report import Frames, Thumbnails, csv_text, gather, render
from evals.report.charts import common_currency, effort
from evals.report.content import detail, row
from evals.report.figures import figures
from evals.report.spending import Spent, amount_text, spent_on
from tests.evals.records_for_tests import scored
from tests.evals.report.making import make_run

DAY = "2026-02-01T10:00:00.000+00:00"
YUAN = (
    "[{model: ernie, currency: CNY, input: 1, output: 2}, {model: paid, currency: USD, input: 1, output: 2}]"
)


def call(model: str = "openai:gpt-5", given: int = 1000, made: int = 100, **more: Any) -> ModelCall:
    usage = Usage(input_tokens=given, output_tokens=made, estimated=more.pop("estimated", False))
    settled = {"step": "interpret", "method": "text", "attempts": 1, "seconds": 2.0} | more
    return ModelCall(model=model, usage=usage, **settled)


def priced(folder: Path, calls: list[ModelCall], prices: str = "", number: int = 2) -> Path:
    usage = sum((each.usage for each in calls), Usage())
    records = [scored(f"v{i}", calls=tuple(calls), usage=usage, started=DAY) for i in range(number)]
    run = make_run(folder, records)
    said = json.loads((run / "run.json").read_text())
    if prices:
        said["spec"]["prices"] = str(folder / "prices.yaml")
        (folder / "prices.yaml").write_text(prices)
    (run / "run.json").write_text(json.dumps(said))
    return run


def test_a_run_a_sample_and_a_call_are_priced(tmp_path: Path) -> None:
    gathered = gather([priced(tmp_path / "r", [call(), call(step="judge_loose", given=0, made=50)])])
    found = figures(gathered.runs[0])
    each = (1000 * 1.25 + 150 * 10) / 1e6
    assert found.spent.amount == pytest.approx(2 * each)
    assert (found.spent.currency, found.spent_each.text) == ("USD", "0.0027 USD")
    assert row(gathered.groups[0], gathered)[3][0][5] == pytest.approx(each)
    record = detail(gathered.groups[0], gathered)["runs"][0][0]
    assert record["cost"] == "0.0027 USD"
    assert [made["cost"] for made in record["calls"]] == ["0.0022 USD", "0.00050 USD"]
    (line, _) = [text.split(",") for text in csv_text(gathered).splitlines()[1:]]
    assert (float(line[-3]), *line[-2:]) == (pytest.approx(each), "USD", "false")


def test_an_unknown_price_is_unknown_and_never_nothing(tmp_path: Path) -> None:
    runs = [priced(tmp_path / "a", [call()]), priced(tmp_path / "b", [call(), call("openai:mine")])]
    gathered = gather(runs)
    known, mixed = map(figures, gathered.runs)
    assert (mixed.spent.text, mixed.spent.amount, mixed.spent.unpriced) == (
        "0.0045 USD + unknown",
        None,
        ("openai:mine",),
    )
    assert common_currency([known]) == "USD"
    assert common_currency([known, mixed]) == ""
    assert "tokens a sample" in effort([known, mixed])
    assert "USD a sample" in effort([known])
    assert row(gathered.groups[0], gathered)[3][1][5] is None


def test_currencies_are_not_added(tmp_path: Path) -> None:
    run = priced(tmp_path / "r", [call("openai:ernie"), call("openai:paid")], YUAN, number=1)
    spent = figures(gather([run]).runs[0]).spent
    assert (spent.text, spent.amount, spent.currency) == ("0.0012 CNY + 0.0012 USD", None, "")


def test_estimated_tokens_are_marked_and_what_is_free_is_free(tmp_path: Path) -> None:
    run = priced(tmp_path / "r", [call(estimated=True)])
    assert figures(gather([run]).runs[0]).spent.text == "≈ 0.0045 USD"
    free = priced(tmp_path / "f", [call("embedded", estimated=True)])
    found = figures(gather([free]).runs[0])
    assert (found.spent.text, found.spent.amount, common_currency([found])) == ("free", 0.0, "")


def test_the_page_marks_estimated_tokens_whatever_they_cost(tmp_path: Path) -> None:
    marked = re.compile('data-label="Tokens a sample">([^<]*)<')
    for name, estimated in (("counted", True), ("reported", False)):
        run = priced(tmp_path / name, [call("openai:nobody-knows", estimated=estimated)])
        gathered = gather([run])
        page = render(gathered, Thumbnails(Frames.NONE).strips(gathered))
        (told,) = marked.findall(page)
        assert told.startswith("≈ ") is estimated
        assert ("a server reported no tokens" in page) is estimated


def test_a_file_of_prices_that_is_gone_is_said(tmp_path: Path) -> None:
    run = priced(tmp_path / "r", [call()], YUAN)
    assert figures(gather([run]).runs[0]).spent.text == "0.0045 USD"
    (run / "prices.yaml").unlink()
    gathered = gather([run])
    assert any("money is told by the project's own prices" in notice for notice in gathered.notices)
    assert figures(gathered.runs[0]).spent.currency == "USD"


def test_the_server_of_a_price_is_the_run_s(tmp_path: Path) -> None:
    run = priced(tmp_path / "r", [call("openai:deepseek-chat")])
    assert figures(gather([run]).runs[0]).spent.text == "unknown"
    said = json.loads((run / "run.json").read_text())
    said["spec"]["context"] |= {"model": "openai:deepseek-chat", "base_url": "https://api.deepseek.com/v1"}
    (run / "run.json").write_text(json.dumps(said))
    assert figures(gather([run]).runs[0]).spent.currency == "USD"


def test_a_kept_answer_costs_nothing() -> None:
    from evals.money.prices import load_prices

    kept = call(given=0, made=0, attempts=0)
    (spent,) = spent_on([kept], DAY, load_prices())
    assert (spent.amount, spent.unpriced) == (0, ())


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (12.3456, "12.35 X"),
        (0.0123, "0.012 X"),
        (0.00123, "0.0012 X"),
        (0.000456, "0.00046 X"),
        (0.0, "0.00 X"),
    ],
)
def test_amounts_as_text(amount: float, text: str) -> None:
    assert amount_text(amount, "X") == text


def test_a_share_of_what_was_spent() -> None:
    assert (Spent({"USD": 3.0, "CNY": 9.0}) / 3).money == {"USD": 1.0, "CNY": 3.0}
