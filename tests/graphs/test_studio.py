"""``langgraph dev`` serves every graph of ``langgraph.json``, offline and without a key."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from graphs.catalog import langgraph_json

_PATIENCE = 90.0  # seconds until the server must answer


def ask(port: int, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.slow
def test_the_server_serves_all_graphs_and_runs_them(root: Path, tmp_path: Path, embedded_model: None) -> None:
    command = shutil.which("langgraph", path=str(Path(sys.executable).parent))
    assert command, "langgraph-cli[inmem] is part of the dev extra"
    port = free_port()
    log = tmp_path / "log"
    environment = {**os.environ, "LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false"}
    words = [command, "dev", "--no-browser", "--no-reload", "--port", str(port)]
    with log.open("wb") as out:
        served = subprocess.Popen(words, cwd=root, env=environment, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                found = ask(port, "/assistants/search", {})
                break
            except OSError:
                assert served.poll() is None, log.read_text(errors="replace")
                assert time.monotonic() < deadline, log.read_text(errors="replace")
                time.sleep(0.3)
        assert sorted(each["graph_id"] for each in found) == sorted(langgraph_json()["graphs"])
        run = {"assistant_id": "baseline", "input": {"video_path": "nowhere.mp4"}}
        answer = ask(port, "/runs/wait", {**run, "context": {"model": "embedded"}})
        assert answer["__error__"]["error"] == "FrameError"
        assert "nowhere.mp4" in log.read_text(errors="replace")  # the server keeps messages to itself
        clip = root / "evals/datasets/mini/videos/candle_chair.mp4"
        run = {"assistant_id": "boost", "input": {"video_path": str(clip)}}
        context = {"model": "embedded", "frames": {"max_frames": 3}, "max_hops": 1}
        state = ask(port, "/runs/wait", {**run, "context": context})
        assert state["interpretation"]["entries"][0]["presents"]
        assert state["hops"][0]["tool"] == "explore_metaphors"
        assert "BlockingError" not in log.read_text(errors="replace")
    finally:
        served.terminate()
        served.wait(timeout=20)
        shutil.rmtree(root / ".langgraph_api", ignore_errors=True)
