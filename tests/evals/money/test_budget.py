"""Budgets, through the command: a graph that asks five times, 110 tokens each, and a judge of 60 a sample."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.store.records import RunRecord
from evals.store.run_store import read_records

GRAPH = ("--graph", "tests.evals.stubs:asking", "--model", "stub:m", "--dataset", "ds", "--concurrency", "1")
SAMPLE = 5 * 110 + 60
Run = Callable[..., int]
MakeSet = Callable[..., None]


def summary() -> dict[str, Any]:
    return json.loads(Path("r/summary.json").read_text())


def records() -> dict[str, RunRecord]:
    return {record.video_id: record for record in read_records(Path("r/records.jsonl"))}


def asked() -> Counter[str]:
    return Counter(line.rpartition(" ")[0] for line in Path("asked").read_text().splitlines())


def test_a_run_stops_at_its_tokens_and_goes_on_with_more(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "b", "c", "d")
    assert run(*GRAPH, "--run-dir", "r", "--max-tokens-total", "1000") == 4
    said = capsys.readouterr()
    assert "The budget is reached: 1,050 tokens are spent, and --max-tokens-total is 1,000." in said.err
    assert "give a higher one: python -m evals.run --run-dir r --max-tokens-total ..." in said.err
    assert "Not finished: 2 of 4 records are missing." in said.out
    assert sorted(records()) == ["a", "b"]
    assert records()["b"].ok  # what was in flight was finished
    before = asked()
    assert run("--run-dir", "r") == 4  # the limit holds over all starts
    assert "1,220 tokens are spent" in capsys.readouterr().err
    assert asked() == before
    assert run("--run-dir", "r", "--max-tokens-total", "100000") == 0
    assert "budget.max_tokens_total was 1000 and is now 100000" in capsys.readouterr().err
    assert summary()["spending"]["tokens"]["total"] == 4 * SAMPLE
    assert all(number == 5 for name, number in asked().items() if name.startswith("ask"))


def test_a_budget_that_is_spent_lets_failures_stay(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "judgefail-b")
    assert run(*GRAPH, "--run-dir", "r") == 0
    before = Path("r/records.jsonl").read_bytes()
    assert run("--run-dir", "r", "--retry-errors", "--max-tokens-total", "500") == 4
    assert "--max-tokens-total is 500. Nothing is begun." in capsys.readouterr().err
    assert Path("r/records.jsonl").read_bytes() == before
    assert not Path("r/failed.jsonl").exists()


def test_a_sample_s_money_ends_it(run: Run, make_set: MakeSet) -> None:
    make_set("a")
    Path("p.yaml").write_text("- {model: m, input: 1000, output: 10000, currency: EUR}\n")
    assert run(*GRAPH, "--run-dir", "r", "--max-sample-cost", "0.3", "--prices", "p.yaml") == 3
    record = records()["a"]
    assert (record.outcome, record.usage.total_tokens) == ("budget", 220)
    assert record.errors[0].message.endswith("0.40 EUR is spent, and --max-sample-cost is 0.3.")


def test_many_samples_at_once_pass_a_budget_by_what_is_in_flight_only(run: Run, make_set: MakeSet) -> None:
    make_set(*(f"v{i}" for i in range(40)))
    assert run(*GRAPH[:-1], "4", "--run-dir", "r", "--max-tokens-total", "2000") == 4
    spent = summary()["spending"]["tokens"]["total"]
    assert 2000 <= spent <= 2000 + 4 * SAMPLE
    assert spent == sum(record.usage.total_tokens for record in records().values())
    assert run("--run-dir", "r", "--max-tokens-total", "1000000") == 0
    assert summary()["spending"]["tokens"]["total"] == 40 * SAMPLE


def test_money_stops_a_run_too(run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]) -> None:
    make_set("a", "b", "c")
    rows = ["{model: stub, input: 0, output: 0}", "{model: m, input: 1000, output: 10000, currency: EUR}"]
    Path("p.yaml").write_text("".join(f"- {row}\n" for row in rows))
    assert run(*GRAPH, "--run-dir", "r", "--max-cost", "0.5", "--prices", "p.yaml") == 4
    assert "1.00 EUR is spent, and --max-cost is 0.5" in capsys.readouterr().err
    assert list(records()) == ["a"]
    spending = summary()["spending"]
    assert spending["money"] == {"EUR": 1.0}
    assert spending["models"]["stub:m"]["price"] == "your table"
    assert run("--run-dir", "r", "--max-cost", "50") == 0


def test_a_limit_of_money_without_a_price_is_refused(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    assert run(*GRAPH, "--run-dir", "r", "--max-cost", "1") == 2
    assert "none is known for stub:m. Give one with --prices FILE" in capsys.readouterr().err
    assert not Path("r").exists()


def test_a_sample_ends_at_its_budget_and_runs_again_with_a_higher_one_only(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "b")
    assert run(*GRAPH, "--run-dir", "r", "--max-sample-tokens", "300") == 3
    assert summary()["outcomes"] == {"budget": 2}
    record = records()["a"]
    assert record.usage.total_tokens == 330  # the third answer passes the limit; a fourth is not asked for
    assert record.errors[0].message == (
        "The sample's budget is used up: 330 tokens are spent, and --max-sample-tokens is 300."
    )
    capsys.readouterr()
    assert run("--run-dir", "r", "--retry-errors") == 3
    assert "2 budget stay as they are: the sample has spent what it may" in capsys.readouterr().err
    assert asked() == {"ask a": 3, "ask b": 3}
    assert run("--run-dir", "r", "--retry-errors", "--max-sample-tokens", "10000") == 0
    assert summary()["outcomes"] == {"ok": 2}
    assert summary()["usage"]["input_tokens"] == 2 * 550
    assert summary()["spending"]["tokens"]["total"] == 2 * (330 + SAMPLE)  # over all starts


def test_an_interpretation_that_is_judged_again_is_paid_once(
    run: Run, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_set("judgefail")
    assert run(*GRAPH, "--run-dir", "r") == 3
    assert summary()["spending"]["tokens"]["total"] == 550
    monkeypatch.setenv("STUB_JUDGE_MENDED", "1")
    assert run("--run-dir", "r", "--retry-errors") == 0
    assert summary()["spending"]["tokens"]["total"] == SAMPLE
    assert summary()["spending"]["models"]["stub:m"]["requests"] == 5


def test_the_table_and_the_summary_tell_what_was_spent(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    assert run(*GRAPH, "--run-dir", "r") == 0
    said = capsys.readouterr()
    assert "Outcomes: 1 ok." in said.out
    assert "Spent over all starts: 550 in, 60 out; cost unknown." in said.out
    assert "Spent over all starts" in Path("r/table.md").read_text()
    assert said.err.count("No price is known for stub:m: money is unknown.") == 1
    spending = summary()["spending"]
    assert spending["money"] is None
    assert spending["unpriced"] == ["stub", "stub:m"]


@pytest.mark.parametrize(
    ("flag", "value"),
    [("--max-tokens-total", "0"), ("--max-cost", "-1"), ("--max-cost", "nan"), ("--max-sample-cost", "inf")],
)
def test_a_limit_is_above_zero(run: Run, make_set: MakeSet, flag: str, value: str) -> None:
    make_set("a")
    with pytest.raises(SystemExit) as caught:
        run(*GRAPH, flag, value)
    assert caught.value.code == 2
