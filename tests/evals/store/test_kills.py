"""A run whose whole process group is killed at random moments asks for nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from evals.store.run_store import read_records
from tests.servers.fixtures import openai_server  # noqa: F401 - a fixture
from tests.servers.openai_like import OpenAILike

ROOT = Path(__file__).parents[3]
NUMBER, AT_ONCE, KILLS = 10, 4, 4
DELAY = 0.04
LATE = 0.25  # seconds in which an answer that was sent has surely been written down


def make_set(folder: Path) -> None:
    rows: list[str] = []
    for number in range(NUMBER):
        frames = folder / "ds" / "videos" / f"v{number}"
        frames.mkdir(parents=True)
        Image.new("RGB", (32, 24), (10 * number, 0, 0)).save(frames / "frame_000001.jpg")
        gold = {"analysis_1": f"The video presents candle {number}, implicitly expressing time."}
        row = {"video_id": f"v{number}", "title": f"Number {number}", "metaphor_type": ["Surreal_Narrative"]}
        rows.append(json.dumps(row | {"golden_answers": gold}))
    (folder / "ds" / "datas.jsonl").write_text("\n".join(rows), encoding="utf-8")


class Starts:
    """Starts the same run again and again."""

    def __init__(self, folder: Path, server: OpenAILike) -> None:
        self.words = ["--graph", "boost", "--model", "openai:m", "--base-url", server.base_url]
        self.words += ["--dataset", "ds", "--run-dir", "r", "--no-cache", "--quiet"]
        self.words += ["--concurrency", str(AT_ONCE), "--judge-k", "1"]
        self.parent = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forking.py"))],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.parent.stdout is not None
        assert self.parent.stdin is not None
        self.say, self.hear = self.parent.stdin, self.parent.stdout
        self.hear.readline()

    def start(self) -> int:
        self.say.write(json.dumps(self.words) + "\n")
        self.say.flush()
        return int(self.hear.readline())

    def ended(self) -> int:
        for line in self.hear:
            if line.strip().lstrip("-").isdigit():
                return int(line)
        raise AssertionError

    def close(self) -> None:
        self.say.close()
        self.parent.wait(timeout=30)
        self.hear.close()


def questions(server: OpenAILike) -> dict[str, list[float]]:
    """For each question, when it was answered."""
    found: dict[str, list[float]] = defaultdict(list)
    for asked in server.requests:
        found[json.dumps(asked.body["messages"])].append(asked.received + DELAY)
    return found


@pytest.mark.skipif(os.name == "nt", reason="process groups differ")
def test_no_answer_that_had_arrived_is_asked_for_again(
    openai_server: Callable[..., OpenAILike],  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    server, chance = openai_server(delay=DELAY), random.Random(7)
    make_set(tmp_path)
    starts, killed = Starts(tmp_path, server), list[float]()
    for _ in range(KILLS):
        before, process = len(server.requests), starts.start()
        end = time.monotonic() + 30
        while time.monotonic() < end and len(server.requests) < before + 2:
            time.sleep(0.005)
        time.sleep(chance.uniform(0.02, 0.3))
        killed.append(time.monotonic())
        os.killpg(process, signal.SIGKILL)
        assert starts.ended() == -signal.SIGKILL
    assert (tmp_path / "r" / "steps.jsonl").stat().st_size > 0
    starts.start()
    assert starts.ended() == 0
    starts.close()
    records = list(read_records(tmp_path / "r" / "records.jsonl"))
    assert sorted(record.video_id for record in records) == sorted(f"v{i}" for i in range(NUMBER))
    assert not (tmp_path / "r" / "steps.jsonl").exists()
    asked = questions(server)
    assert sum(call.attempts for record in records for call in record.calls) == len(asked)
    assert sum(record.usage.total_tokens for record in records) == 150 * len(asked)
    again = 0
    for sent in asked.values():
        for earlier in sent[:-1]:
            assert earlier > min(kill for kill in killed if kill > earlier - DELAY) - LATE
            again += 1
    assert again <= KILLS * 2 * AT_ONCE
