"""The command as a process: what it imports, and what it survives."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.store.run_store import read_records

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NUMBER = 40

posix = pytest.mark.skipif(os.name == "nt", reason="signals differ")


def python(*arguments: str, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | env,
    )


LOADED = """
import sys
from evals.run import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
heavy = "langgraph langchain_openai langchain_google_genai openai google.genai networkx av".split()
print("LOADED", code, [name for name in heavy if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--help",), 0),
        (("--graf", "x"), 2),
        ((), 2),
        (("--graph", "boots", "--model", "m"), 2),
        (("--graph", "boost", "--model", "m", "--dataset", "mimi"), 2),
        (("--graph", "boost", "--model", "m", "--limit", "0"), 2),
        (("--graph", "boost", "--model", "m", "--judge-k", "0"), 2),
        (("--graph", "boost", "--model", "qwen"), 2),
        (("--graph", "boost", "--model", "openai:x"), 2),
        (("--graph", "boost", "--reader", "decrod"), 2),
        (("--graph", "boost", "--base-url", "http://127.0.0.1:9/v1"), 2),
    ],
)
def test_help_and_argument_errors_import_nothing_heavy(argv: tuple[str, ...], code: int) -> None:
    done = python("-c", LOADED, *argv)
    assert done.stdout.splitlines()[-1] == f"LOADED {code} []"


def test_help_names_what_there_is() -> None:
    text = python("-m", "evals.run", "--help").stdout
    for part in (
        "boost_retrieval",
        "As published: keywords",
        "mini",
        "tools.hop:hop_tool",
        "exit codes:",
        "  130 ",
    ):
        assert part in text


def test_help_describes_a_tool_named_on_the_same_line(tmp_path: Path) -> None:
    (tmp_path / "own_tool.py").write_text(
        'def smell(thing: str) -> str:\n    """Say what a thing smells of."""\n'
    )
    text = python("-m", "evals.run", "--tool", "own_tool:smell", "--help", PYTHONPATH=str(tmp_path)).stdout
    assert "own_tool:smell   Say what a thing smells of." in text
    text = python("-m", "evals.run", "--tool", "nothing:here", "--help").stdout
    assert "nothing:here     can't be used: nothing:here: there is no module 'nothing'" in text


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "ds" / "videos").mkdir(parents=True)
    with (tmp_path / "ds" / "datas.jsonl").open("w") as file:
        for i in range(NUMBER):
            row = {"video_id": f"v{i}", "title": "", "metaphor_type": "Body_Language", "golden_answers": "g"}
            file.write(json.dumps(row) + "\n")
            (tmp_path / "ds" / "videos" / f"v{i}.mp4").write_bytes(b"x")
    return tmp_path


COMMAND = (
    str(HERE / "stub_run.py"),
    "--graph",
    "stubs:graph",
    "--model",
    "stub:m",
    "--dataset",
    "ds",
    "--run-dir",
    "r",
    "--concurrency",
    "2",
)


@pytest.fixture
def slow(data: Path) -> Iterator[subprocess.Popen[str]]:
    """A run of samples that take a while, with some of them recorded."""
    env = os.environ | {"STUB_SECONDS": "0.1", "STUB_LOG": "asked"}
    process = subprocess.Popen(
        [sys.executable, *COMMAND],
        cwd=data,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    path = data / "r" / "records.jsonl"
    end = time.monotonic() + 60
    while time.monotonic() < end and (not path.exists() or path.read_bytes().count(b"\n") < 4):
        time.sleep(0.02)
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def keys(data: Path) -> list[str]:
    return [record.video_id for record in read_records(data / "r" / "records.jsonl")]


def lines(data: Path) -> list[str]:
    return [json.loads(line)["video_id"] for line in (data / "r" / "records.jsonl").read_text().splitlines()]


def test_kill_9_and_a_restart_end_with_each_sample_once(data: Path, slow: subprocess.Popen[str]) -> None:
    slow.kill()
    slow.wait()
    before = keys(data)
    assert 4 <= len(before) < NUMBER
    with (data / "r" / "records.jsonl").open("a") as file:
        file.write('{"version":1,"video_id":"v3')
    again = python(*COMMAND, cwd=data, STUB_LOG="asked")
    assert again.returncode == 0
    assert "ended in a torn line" in again.stderr
    assert sorted(lines(data)) == sorted(f"v{i}" for i in range(NUMBER))
    assert lines(data)[: len(before)] == before
    asked = Counter(
        line for line in (data / "asked").read_text().splitlines() if line.startswith("interpret")
    )
    assert all(asked[f"interpret {video_id}"] == 1 for video_id in before)
    assert asked.total() <= NUMBER + 2  # what was in flight at the kill is asked again


def test_a_second_process_on_the_same_directory_is_refused(data: Path) -> None:
    env = os.environ | {"STUB_SECONDS": "600", "STUB_LOG": "asked"}
    first = subprocess.Popen([sys.executable, *COMMAND], cwd=data, env=env, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (data / "asked").exists():
        time.sleep(0.02)
    second = python(*COMMAND, cwd=data)
    assert second.returncode == 2
    assert f"r is in use by another run (process {first.pid})" in second.stderr
    first.kill()
    first.wait()
    assert python(*COMMAND, cwd=data).returncode == 0


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_saves_what_is_in_flight(data: Path, slow: subprocess.Popen[str], number: int) -> None:
    slow.send_signal(number)
    out, err = slow.communicate(timeout=60)
    assert slow.returncode == 130
    assert "Stopping: samples in flight are finished and saved." in err
    assert "Continue with: python -m evals.run --run-dir r" in err
    asked = [line for line in (data / "asked").read_text().splitlines() if line.startswith("interpret")]
    assert sorted(keys(data)) == sorted(line.split()[1] for line in asked)
    assert f"Not finished: {NUMBER - len(asked)} of {NUMBER} records are missing." in out
    summary = json.loads((data / "r" / "summary.json").read_text())
    assert (summary["complete"], summary["missing"]) == (False, NUMBER - len(asked))
    assert python(*COMMAND, cwd=data).returncode == 0
    assert sorted(lines(data)) == sorted(f"v{i}" for i in range(NUMBER))


@posix
def test_two_signals_stop_at_once_and_leave_whole_lines(data: Path) -> None:
    env = os.environ | {"STUB_SECONDS": "600", "STUB_LOG": "asked"}
    process = subprocess.Popen(
        [sys.executable, *COMMAND], cwd=data, env=env, stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not (data / "asked").exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    said = iter(process.stderr.readline, "")
    assert any("Stopping:" in line for line in said)
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "Stopping at once" in rest
    assert "Continue with: python -m evals.run --run-dir r" in rest
    assert lines(data) == []
    assert python(*COMMAND, cwd=data).returncode == 0
    assert sorted(lines(data)) == sorted(f"v{i}" for i in range(NUMBER))


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--knowledge", "/nope.json"), "/nope.json"),
        (("--tool", "nope:x"), "no module 'nope'"),
        (("--prompt", "perceive=/nope.md"), "/nope.md"),
        (("--graph", "nosuch.mod:x"), "'nosuch.mod' can't be imported"),
        (("--model", "openai:x"), "OPENAI_API_KEY"),
    ],
)
@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["run", "dry run"])
def test_what_is_wrong_with_a_whole_run_is_said_before_it_begins(
    flags: tuple[str, ...], words: str, dry: tuple[str, ...], tmp_path: Path, embedded_model: None
) -> None:
    done = python("-m", "evals.run", "--graph", "boost", *flags, *dry, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()
