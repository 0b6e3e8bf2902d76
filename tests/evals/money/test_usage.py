"""Tokens and money over a server on this machine: what it reported is what the run says it spent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evals.run import main
from evals.store.run_store import read_records
from tests.servers.brain import answer
from tests.servers.openai_like import OpenAILike

ONE = 150  # tokens of each answer as reported: 120 in (20 cached), 30 out (8 reasoning)


@pytest.fixture
def server() -> Iterator[OpenAILike]:
    with OpenAILike() as running:
        yield running


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    lines: list[str] = []
    for number, name in enumerate(("first", "second", "third")):
        folder = tmp_path / "ds" / "videos" / name
        folder.mkdir(parents=True)
        Image.new("RGB", (48, 32), (80 * number, 0, 0)).save(folder / "frame_000001.jpg")
        row = {
            "video_id": name,
            "title": name,
            "metaphor_type": ["Surreal_Narrative"],
            "golden_answers": ["g"],
        }
        lines.append(json.dumps(row))
    (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "p.yaml").write_text("- {model: pretend, input: 10, cached: 1, output: 20, reasoning: 30}\n")
    return tmp_path


def run(server: OpenAILike, *more: str, graph: str = "boost") -> int:
    model = ("--model", "openai:pretend", "--base-url", server.base_url, "--judge-k", "2")
    where = ("--dataset", "ds", "--run-dir", "r", "--quiet", "--concurrency", "1", "--max-retries", "0")
    return main(["--graph", graph, *model, *where, "--prices", "p.yaml", *more])


def spending(folder: str = "r") -> dict[str, Any]:
    return json.loads(Path(folder, "summary.json").read_text())["spending"]


def test_what_the_server_reported_is_what_was_spent(server: OpenAILike, data: Path) -> None:
    assert run(server) == 0
    asked, spent = len(server.requests), spending()
    tokens = {"input": 120, "cached": 20, "output": 30, "reasoning": 8, "total": ONE}
    assert spent["tokens"] == {name: asked * number for name, number in tokens.items()} | {"estimated": False}
    one = (100 * 10 + 20 * 1 + 22 * 20 + 8 * 30) / 1e6
    assert spent["money"]["USD"] == pytest.approx(asked * one)
    assert spent["models"]["openai:pretend"]["requests"] == asked
    records = list(read_records(data / "r" / "records.jsonl"))
    assert sum(record.usage.total_tokens for record in records) == asked * ONE


def test_a_sample_s_budget_ends_real_graphs_between_two_requests(server: OpenAILike, data: Path) -> None:
    assert run(server, "--max-sample-tokens", "300") == 3
    assert len(server.requests) == 6  # two a sample, and never a third
    records = list(read_records(data / "r" / "records.jsonl"))
    assert [(record.outcome, record.usage.total_tokens) for record in records] == [("budget", 300)] * 3
    assert spending()["tokens"]["total"] == 6 * ONE
    asked = len(server.requests)
    assert run(server, "--max-sample-tokens", "300", "--retry-errors") == 3
    assert len(server.requests) == asked


def test_a_judge_may_pass_a_sample_s_budget_by_what_it_asks_at_once(server: OpenAILike, data: Path) -> None:
    assert run(server, "--max-sample-tokens", "200", graph="baseline") == 0  # one call, then four at once
    assert len(server.requests) == 15


def test_where_the_server_reports_nothing_tokens_are_estimated_and_marked(data: Path) -> None:
    with OpenAILike("no_usage", "think_prefix") as server:
        assert run(server, graph="baseline") == 0
    spent = spending()
    assert spent["tokens"]["estimated"]
    assert spent["tokens"]["input"] > 765 * 3  # frames count too
    assert spent["tokens"]["output"] > spent["tokens"]["reasoning"] > 0
    assert all(record.usage.estimated for record in read_records(data / "r" / "records.jsonl"))


def test_an_answer_that_was_paid_before_the_service_failed_is_counted(data: Path) -> None:
    with OpenAILike("ignores_response_format") as server:

        def brain(ask: Any) -> Any:
            server.behaviours.add("server_error")  # from the second request on
            return answer(ask)

        server.brain = brain
        assert run(server, "--limit", "1", graph="baseline") == 3
    record = next(read_records(data / "r" / "records.jsonl"))
    assert record.outcome == "infrastructure"
    assert record.usage.total_tokens == ONE
    assert spending()["tokens"]["total"] == ONE


def test_kept_answers_cost_nothing_and_no_budget_counts_them(server: OpenAILike, data: Path) -> None:
    assert run(server) == 0
    asked = len(server.requests)
    limits = ("--max-tokens-total", "1", "--max-sample-tokens", "1", "--max-cost", "0.000001")
    assert run(server, "--run-dir", "again", *limits) == 0
    assert len(server.requests) == asked
    spent = spending("again")
    assert (spent["tokens"]["total"], spent["spared"]["total"]) == (0, asked * ONE)
    assert spent["models"]["openai:pretend"]["requests"] == 0
    assert not spent["money"]
    records = list(read_records(data / "again" / "records.jsonl"))
    assert [record.usage.total_tokens for record in records] == [0] * 3
    assert sum(record.cached.total_tokens for record in records) == asked * ONE


def test_what_was_kept_is_told_apart_from_what_was_spent(
    server: OpenAILike, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(server, "--limit", "2", graph="baseline") == 0
    asked = len(server.requests)
    assert run(server, "--run-dir", "again", "--json", graph="baseline") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    last = [event for event in told if event["event"] == "sample"][-1]
    assert (last["tokens"], last["cached_tokens"]) == (asked // 2 * ONE, asked * ONE)
    assert [event["tries"] for event in told if event["event"] == "sample"] == [0, 0, asked // 2]
    assert run(server, "--run-dir", "again", graph="baseline") == 0  # over all starts
    assert spending("again")["spared"]["total"] == asked * ONE
