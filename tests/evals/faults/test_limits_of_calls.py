"""Limits of calls as the server sees them: how many at once, how many a minute, how long, how often."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.models import close_chat_model, open_chat_model
from evals.run import main
from evals.store.run_store import read_records
from tests.evals.faults.starting import Starter
from tests.servers.faulty import Faulty
from tests.warm.starting import Warm

posix = pytest.mark.skipif(os.name == "nt", reason="signals differ")


@pytest.fixture
def starter(warm: Warm, tmp_path: Path) -> Starter:
    return Starter(warm, tmp_path)


async def _asked(
    server: Faulty, calls: int, *, after: int = -1, then: Callable[[], Any] = lambda: None, **options: Any
) -> None:
    """Ask so many questions at once; ``then`` is called when some of them are answered."""
    model = open_chat_model("openai:m", base_url=server.base_url, max_retries=20, timeout=10, **options)
    done = 0

    async def one() -> None:
        nonlocal done
        await model.ainvoke("hello")
        done += 1
        if done == after:
            then()

    try:
        await asyncio.gather(*(one() for _ in range(calls)))
    finally:
        await close_chat_model(model)


async def test_it_backs_off_to_what_a_server_bears_and_grows_again() -> None:
    bears = 6
    with Faulty({"ok": 1}, seconds=0.2, bears=bears, retry_after="0.01") as server:
        turned: list[int] = []

        def mend() -> None:
            turned.append(len(server.crowd))
            server.bears = 1_000

        await _asked(server, 300, after=60, then=mend, concurrency=32)
        before, afterwards = server.crowd[: turned[0]], server.crowd[turned[0] :]
    assert max(before) > bears
    assert statistics.median(before[len(before) // 2 :]) <= bears + 1
    assert 2 * bears <= max(afterwards) <= 32
    assert server.served["429"] < 60


async def test_no_more_requests_a_minute_reach_the_server_than_are_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agents.calls.rates.SPAN", 0.5)  # the minute
    with Faulty({"ok": 9, "500": 1}) as server:
        await _asked(server, 18, rpm=5)
        moments = server.moments
    assert len(moments) >= 18
    assert all(later - earlier > 0.4 for earlier, later in zip(moments, moments[5:], strict=False))


def run(server: Faulty, graph: str, folder: str, *more: str) -> int:
    given = ["--model", "openai:m", "--base-url", server.base_url, "--dataset", "ds", "--run-dir", folder]
    return main(["--graph", graph, *given, "--judge-k", "1", "--quiet", *more])


@pytest.mark.parametrize("kind", ["hang", "drip"])
def test_a_server_that_never_answers_can_not_hang_a_run(
    kind: str, data: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.calls.lines._SLACK", 0.1)
    data(6)
    with Faulty({kind: 1}) as server:
        assert run(server, "baseline", "r", "--timeout", "0.2", "--max-retries", "1", "--no-cache") == 3
        assert server.served == {kind: 12}
    records = list(read_records(Path("r") / "records.jsonl"))
    assert [str(record.outcome) for record in records] == ["infrastructure"] * 6
    assert all(call.faults == ("timeout", "timeout") for record in records for call in record.calls)


def test_a_sample_has_a_deadline_whatever_its_calls_may_take(data: Callable[[int], Path]) -> None:
    data(4)
    with Faulty({"hang": 1}) as server:
        assert run(server, "baseline", "r", "--timeout", "600", "--sample-timeout", "0.3", "--no-cache") == 3
        assert server.served == {"hang": 4}
    (told,) = {record.errors[0].message for record in read_records(Path("r") / "records.jsonl")}
    assert told == "it took longer than --sample-timeout allows (0.3 s)"


def test_variants_share_what_was_perceived(data: Callable[[int], Path]) -> None:
    data(3)
    with Faulty({"ok": 1}) as server:
        seen = [(f"v{i}", "keywords") for i in range(3)]
        assert run(server, "boost_retrieval", "one", "--cache-dir", "kept") == 0
        asked = server.asked.total()
        assert run(server, "boost", "two", "--cache-dir", "kept") == 0
        assert [server.asked[key] for key in seen] == [1, 1, 1]
        assert server.asked.total() < 2 * asked
        assert run(server, "boost_retrieval", "three", "--no-cache") == 0
        assert [server.asked[key] for key in seen] == [2, 2, 2]


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_two_signals_end_a_run_whose_server_hangs(
    number: int, data: Callable[[int], Path], starter: Starter
) -> None:
    data(4)
    with Faulty({"hang": 1}) as server:
        given = ["--model", "openai:m", "--base-url", server.base_url, "--dataset", "ds", "--run-dir", "r"]
        process = starter.start(["--graph", "baseline", *given, "--no-cache"])
        wait_until(lambda: server.busy == 4)
        os.kill(process, number)
        wait_until(lambda: "Stopping: samples in flight are finished and saved." in starter.said())
        assert server.busy == 4
        os.kill(process, number)
        assert os.waitstatus_to_exitcode(starter.ended()) == 130
        said = starter.said()
    assert "Stopping at once: samples in flight are given up; what is saved stays." in said
    assert "Continue with: python -m evals.run --run-dir r" in said
    assert "Traceback" not in said
    assert (Path("r") / "records.jsonl").read_text() == ""


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
