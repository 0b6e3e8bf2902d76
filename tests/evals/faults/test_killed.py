"""A run whose process group is killed again and again ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.faulty import Faulty

ROOT = Path(__file__).parents[3]
HANDS = 8
CALLS = 3
AT_ONCE = 2 * HANDS
"""Calls that may be open at a kill: a sample in flight has one, and two while it is judged."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no process groups")


class Starter:
    """Starts runs in process groups of their own."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "starter.py")],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, arguments: list[str]) -> int:
        """The process group of a new run."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"arguments": arguments, "log": str(self.log)}) + "\n")
        self.process.stdin.flush()
        return self._number()

    def ended(self) -> int:
        """The exit status of the run; waits for it."""
        return self._number()

    def _number(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[Starter]:
    made = Starter(tmp_path)
    yield made
    made.close()


def killed(
    server: Faulty, starter: Starter, arguments: list[str], kills: int, samples: int, seed: int
) -> int:
    """Kill so many runs at random moments and let the last one end; returns the kills that were made.

    A moment is a number of requests that the server has had since the start: kills fall anywhere, between the
    first request and the last, however fast the machine is.
    """
    draw = random.Random(seed)
    total = samples * CALLS
    moments = sorted(draw.sample(range(1, total - 5), kills))
    for moment in moments:
        group = starter.start(arguments)
        end = time.monotonic() + 60
        while sum(server.answered.values()) < moment and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(draw.random() * 0.02)
        os.killpg(group, signal.SIGKILL)
        status = starter.ended()
        assert os.WIFSIGNALED(status), starter.log.read_text()
    starter.start(arguments)
    assert os.waitstatus_to_exitcode(starter.ended()) == 0, starter.log.read_text()
    return kills


def check(folder: Path, server: Faulty, kills: int, samples: int) -> None:
    lines = (folder / "r" / "records.jsonl").read_text().splitlines()
    keys = Counter((record["video_id"], record["epoch"]) for record in map(json.loads, lines))
    assert keys == {(f"v{i}", 1): 1 for i in range(samples)}
    assert all(json.loads(line)["outcome"] == "ok" for line in lines)
    assert len(server.asked) == samples * CALLS
    repeated = server.asked.total() - samples * CALLS
    assert repeated <= kills * AT_ONCE
    print(f"{kills} kills, {repeated} calls repeated of {samples * CALLS}; bound {kills * AT_ONCE}")


def arguments(server: Faulty, *more: str) -> list[str]:
    given = ["--model", "openai:m", "--base-url", server.base_url, "--dataset", "ds", "--run-dir", "r"]
    limits = ["--concurrency", str(HANDS), "--judge-k", "1", "--quiet"]
    return ["--graph", "baseline", *given, *limits, *more]


@pytest.mark.parametrize("more", [("--cache-dir", "kept")], ids=["answers kept"])
def test_five_kills(data: Callable[[int], Path], starter: Starter, more: tuple[str, ...]) -> None:
    folder = data(40)
    with Faulty({"ok": 1}, seconds=0.01) as server:
        check(folder, server, killed(server, starter, arguments(server, *more), 5, 40, seed=3), 40)


@pytest.mark.slow
@pytest.mark.parametrize("more", [("--cache-dir", "kept")], ids=["answers kept"])
def test_25_kills(data: Callable[[int], Path], starter: Starter, more: tuple[str, ...]) -> None:
    """The whole of it: 200 samples. ``pytest tests/evals/faults/test_killed.py -m slow -s`` prints repeats."""
    folder = data(200)
    with Faulty({"ok": 1}, seconds=0.01) as server:
        check(folder, server, killed(server, starter, arguments(server, *more), 25, 200, seed=4), 200)
