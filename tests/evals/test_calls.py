"""Limits of calls as a run's user meets them: deadlines, kept answers, flags."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.calls import LineState
from agents.meter import request, took
from agents.schemas import ModelCall, Usage
from evals.arguments import read_arguments
from evals.datasets.sample import Sample
from evals.money.accounts import Accounts, keeping_to
from evals.progress.tally import Tally
from evals.progress.traffic import traffic_line
from evals.run import main
from evals.running.attempt import Job, Labels, attempt
from evals.spec import RunFile, RunSpec, changes
from evals.store.records import Outcome, RunRecord
from evals.store.run_store import read_records
from graphs.options import context_of
from tests.evals.records_for_tests import scored
from tests.fakes import answering_model
from tests.servers.fixtures import openai_server  # noqa: F401 - a fixture
from tests.servers.openai_like import OpenAILike
from tests.virtual_time import run_virtually

SAMPLE = Sample(video_id="a", types=("Body_Language",), title="", gold=("g",), video=Path("a.mp4"))


def test_a_sample_that_hangs_is_given_up_and_what_it_found_is_kept() -> None:
    async def interpret(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        yield {"keywords": [{"text": "candle"}]}
        await asyncio.sleep(1e9)
        yield {}

    async def judge(*_: Any) -> Mapping[str, Any]:
        raise AssertionError

    record = run_virtually(attempt(Job(SAMPLE), Labels("g", "m", "j"), interpret, judge, within=30))
    assert (record.outcome, record.keywords) == (Outcome.INFRASTRUCTURE, ("candle",))
    assert record.errors[0].message == "it took longer than --sample-timeout allows (30 s)"


def test_a_sample_that_is_cut_short_is_charged_for_what_had_been_answered() -> None:
    used = Usage(input_tokens=100, output_tokens=10)

    async def interpret(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        told = ModelCall(step="perceive", model="m", method="text", attempts=1, seconds=0, usage=used)
        for number in range(3):
            with request("m"):
                await asyncio.sleep(1)
            took("m", used)
            if not number:
                yield {"calls": [told]}
        await asyncio.sleep(1e9)

    async def judge(*_: Any) -> Mapping[str, Any]:
        raise AssertionError

    async def work(job: Job) -> RunRecord:
        return await attempt(job, Labels("g", "m", "j"), interpret, judge, within=30)

    accounts = Accounts()
    record = run_virtually(keeping_to(accounts, work)(Job(SAMPLE)))
    assert [(call.step, call.attempts, call.usage) for call in record.calls] == [
        ("perceive", 1, used),
        ("cut_short", 2, used + used),
    ]
    assert record.usage == used + used + used
    accounts.book(record)
    assert (accounts.tokens, accounts.booked.calls["m"]) == (330, 3)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "ds" / "videos" / "first"
    folder.mkdir(parents=True)
    for number in (1, 2):
        Image.new("RGB", (48, 32), (80 * number, 0, 0)).save(folder / f"frame_{number:06d}.jpg")
    gold = {"analysis_1": "The video presents a candle, implicitly expressing the passing of time."}
    row = {"video_id": "first", "title": "", "metaphor_type": "Body_Language", "golden_answers": gold}
    (tmp_path / "ds" / "datas.jsonl").write_text(json.dumps(row), encoding="utf-8")
    return tmp_path


def run(graph: str, folder: str, *more: str) -> int:
    given = ["--graph", graph, "--model", "openai:scripted", "--dataset", "ds", "--run-dir", folder, *more]
    return main([*given, "--cache-dir", "kept"] if "--no-cache" not in more else given)


def test_a_second_variant_is_not_charged_for_what_the_first_saw(
    data: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    model = answering_model()
    play(model)
    assert run("boost", "one") == 0
    asked = len(model.calls)
    assert run("boost_retrieval", "two") == 0
    (record,) = read_records(data / "two" / "records.jsonl")
    perceived = record.calls[0]
    assert (perceived.step, perceived.usage, perceived.cached) == (
        "perceive",
        Usage(),
        Usage(input_tokens=100, output_tokens=10),
    )
    assert record.usage == sum((call.usage for call in record.calls), Usage())
    assert record.cached.total_tokens >= 110
    assert "Answers that were kept from before spared" in capsys.readouterr().err
    assert len(model.calls) < 2 * asked
    again = len(model.calls)
    assert run("boost_retrieval", "three", "--no-cache") == 0
    assert len(model.calls) == again + len(record.calls)


def test_flags_say_the_limits() -> None:
    limits = "--rpm 60 --tpm 9000 --judge-rpm 5 --patience 20 --cache-dir d --sample-timeout 9"
    chosen = read_arguments(["--graph", "boost", *limits.split()])
    context = context_of(chosen, model="openai:x")
    assert context.rates_for("interpreter") == (60, 9000)
    assert context.rates_for("judge") == (5, 9000)
    assert (context.calls.patience, context.calls.cache_dir, context.calls.cache) == (20, "d", True)
    assert chosen.sample_timeout == 9
    chosen = read_arguments(["--graph", "boost", "--no-cache"])
    assert context_of(chosen, model="openai:x").calls.cache is False


@pytest.mark.parametrize(
    "flag",
    ["--rpm 0", "--tpm -1", "--judge-rpm 0", "--patience -1", "--sample-timeout 0"],
)
def test_limits_out_of_range_are_refused_by_name(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--graph", "boost", "--model", "openai:x", "--dry-run", *flag.split()]) == 2
    assert flag.split(maxsplit=1)[0] in capsys.readouterr().err


def test_limits_may_change_when_a_run_goes_on_and_servers_are_asked_no_more_than_samples() -> None:
    spec = RunSpec(graph="boost", concurrency=5)
    assert spec.context.calls.concurrency == 5
    again = RunSpec.model_validate(
        {**spec.model_dump(), "concurrency": 50, "sample_timeout": 3.0}
        | {"context": {**spec.context.model_dump(), "calls": {"rpm": 7, "cache": False, "patience": 1}}}
    )
    assert again.context.calls.concurrency == 50
    old, new = (RunFile(spec=each, dataset_digest="d", started="s") for each in (spec, again))
    assert changes(old, new) == []


def test_a_run_that_goes_on_may_be_given_other_rates(data: Path, play: Callable[..., None]) -> None:
    play(answering_model())
    assert run("baseline", "r") == 0
    assert main(["--run-dir", "r", "--rpm", "7", "--patience", "9", "--sample-timeout", "60"]) == 0
    spec = RunFile.read(data / "r" / "run.json").spec
    calls = spec.context.calls
    assert (calls.rpm, calls.patience, calls.cache_dir, spec.sample_timeout) == (7, 9, "kept", 60)


def test_the_end_tells_how_tries_failed(
    data: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = openai_server("rate_limited_once")
    given = ["--graph", "baseline", "--model", "openai:m", "--base-url", server.base_url, "--dataset", "ds"]
    assert main([*given, "--run-dir", "r", "--judge-k", "1"]) == 0
    assert "Tries of calls that failed for passing reasons: 1 rate_limited." in capsys.readouterr().err
    (record,) = read_records(data / "r" / "records.jsonl")
    assert (record.calls[0].attempts, record.calls[0].tries) == (1, 2)
    assert sum(call.tries for call in record.calls) == len(server.requests)
    server.behaviours.add("server_error")
    assert main([*given, "--run-dir", "s", "--max-retries", "2", "--no-cache"]) == 3
    (record,) = read_records(data / "s" / "records.jsonl")
    assert record.errors[0].message.endswith("(3 tries, 0 s waited)")
    assert record.calls[-1].faults == ("server_error",) * 3


def test_progress_tells_of_tries_and_of_what_was_kept() -> None:
    states = [
        LineState("openai:x", 4, 0, 4, 3, "rate_limited"),
        LineState("openai:judge", 1, 0, 8, 0, None),
    ]
    tally = Tally(total=2, traffic=lambda: traffic_line(states))
    tally.finished(scored("a", cached=Usage(input_tokens=1000, output_tokens=34)))
    assert "0 tokens (1,034 more from kept answers)" in tally.line()
    assert tally.line().endswith("openai:x tried again 3 times (last: rate_limited), 4 at once")
