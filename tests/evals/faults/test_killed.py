"""A run whose process group is killed again and again ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.evals.faults.starting import Starter
from tests.servers.faulty import Faulty
from tests.warm.starting import Warm

HANDS = 8
"""Samples in flight at most, and calls in flight."""
CALLS = 3
AT_ONCE = 2 * HANDS
"""Calls that may be made again after a kill: those that were open, at most two in each sample in flight."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no process groups")


@pytest.fixture
def starter(warm: Warm, tmp_path: Path) -> Starter:
    return Starter(warm, tmp_path)


def killed(
    server: Faulty, starter: Starter, given: list[str], moments: list[int], draw: random.Random
) -> None:
    """Kill a run at each of the moments and go on with it; the last start ends it.

    A moment is a number of answers that the server has sent since the start, and up to 20 ms more: kills fall
    anywhere between the first request and the last, however fast the machine is.
    """
    for moment in moments:
        group = starter.start(given)
        end = time.monotonic() + 60
        while sum(server.answered.values()) < moment and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(draw.random() * 0.02)
        os.killpg(group, signal.SIGKILL)
        status = starter.ended()
        assert os.WIFSIGNALED(status), starter.said()
    starter.start(given)
    assert os.waitstatus_to_exitcode(starter.ended()) == 0, starter.said()


def check(folder: Path, server: Faulty, kills: int, samples: int) -> None:
    """Each sample has one record, and no call was made again but those that were open at a kill."""
    lines = (folder / "r" / "records.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    keys = Counter((record["video_id"], record["epoch"]) for record in records)
    assert keys == {(f"v{i}", 1): 1 for i in range(samples)}
    assert {record["outcome"] for record in records} == {"ok"}
    assert len(server.asked) == samples * CALLS
    repeated = server.asked.total() - samples * CALLS
    sys.stdout.write(f"{kills} kills: {repeated} of {samples * CALLS} calls were made again\n")
    assert repeated <= kills * AT_ONCE


def run_killed(folder: Path, starter: Starter, more: tuple[str, ...], kills: int, samples: int) -> None:
    draw = random.Random(kills)
    moments = sorted(draw.sample(range(1, samples * CALLS - 5), kills))
    with Faulty({"ok": 1}, seconds=0.01) as server:
        given = ["--model", "openai:m", "--base-url", server.base_url, "--dataset", "ds", "--run-dir", "r"]
        limits = ["--concurrency", str(HANDS), "--judge-k", "1", "--quiet", *more]
        killed(server, starter, ["--graph", "baseline", *given, *limits], moments, draw)
        check(folder, server, kills, samples)


@pytest.mark.parametrize(
    "more", [("--no-cache",), ("--cache-dir", "kept")], ids=["journal alone", "answers kept"]
)
def test_five_kills(data: Callable[[int], Path], starter: Starter, more: tuple[str, ...]) -> None:
    run_killed(data(40), starter, more, kills=5, samples=40)


@pytest.mark.slow
def test_25_kills_in_one_run_of_200_samples(data: Callable[[int], Path], starter: Starter) -> None:
    """``pytest tests/evals/faults/test_killed.py -m slow -s`` says how many calls were made again."""
    run_killed(data(200), starter, ("--no-cache",), kills=25, samples=200)
