"""Frames are read in Ray's tasks and actors as anywhere else (tried with Ray 2.60.0 on Linux, Python 3.11).

Ray is no dependency of ours: the test is skipped where it isn't installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tools.frames.clips import write_numbered


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray isn't installed")
def test_tasks_and_actors_read_and_leave_nothing_behind(root: Path, tmp_path: Path) -> None:
    clips = [write_numbered(tmp_path / f"{count}.mp4", count) for count in (41, 61, 81)]
    (tmp_path / "no video.mp4").write_text("none")
    program = root / "tests/tools/frames/under_ray.py"
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "RAY_AUTH_MODE": "disabled",  # else it leaves a token in the home folder
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    with tempfile.TemporaryDirectory(prefix="ray") as folder:  # short: Ray puts sockets into it
        done = subprocess.run(
            [sys.executable, program, folder, *clips, tmp_path / "no video.mp4"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["tasks"] == told["actor"]
    *good, broken, hanging, crashing, again = told["tasks"]
    assert good == [[0, 10, 20, 30, 40], [0, 15, 30, 45, 60], [0, 20, 40, 60, 80]]
    assert broken.startswith("not a readable video: ")
    assert hanging == "not decoded within 5 s: the decoder was stopped"
    assert crashing.startswith("the decoder crashed (")
    assert again == told["after"] == good[0]
    assert told["alive"] == [True, True], "decoders stay for the next read"
    assert told["left"] == [], "decoders end with Ray's processes"
