"""Builds that are killed, stopped, or run twice at once: the folder is whole, or as it was."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.errors import KnowledgeError
from tools.knowledge.__main__ import main
from tools.knowledge.building import BuildOptions, build_graph
from tools.knowledge.building.writing import alone

ROOT = Path(__file__).resolve().parents[4]
posix = pytest.mark.skipif(os.name == "nt", reason="signals and locks differ")
#: Ends the process, as a kill would, at the n-th time that something is moved into place.
DYING = """
import os, pathlib, sys
from tools.knowledge.__main__ import main
left, rename = [int(sys.argv.pop(1))], pathlib.Path.rename
def dying(self, target):
    left[0] -= 1
    if not left[0]:
        os._exit(9)
    return rename(self, target)
pathlib.Path.rename = dying
sys.exit(main(sys.argv[1:]))
"""


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "tools.knowledge", "build", *map(str, arguments), "--quiet"]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def sha(folder: Path) -> str:
    whole = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(file.name.encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()


def beside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir() if path.name.startswith(f".{folder.name}"))


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    drawn = random.Random(5)
    names = [
        f"{one} {two}" for one in ["red", "old", "wet"] for two in ["sea", "leaf", "fire", "door", "mask"]
    ]
    rows = ([drawn.choice(names), drawn.choice(names), drawn.randint(1, 4), ["d"]] for _ in range(3000))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@posix
@pytest.mark.slow
def test_ten_kills_at_random_moments_end_with_the_same_bytes(tmp_path: Path, pairs: Path) -> None:
    wanted, out = tmp_path / "wanted", tmp_path / "out"
    began = time.monotonic()
    subprocess.run(command(pairs, "--out", wanted), env=environment(), check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - began
    drawn = random.Random(11)
    for _ in range(10):
        process = subprocess.Popen(
            command(pairs, "--out", out),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            process.wait(drawn.uniform(0.1, 1.1) * took)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        assert not out.exists() or sha(out) == sha(wanted)
    assert main(["build", str(pairs), "--out", str(out), "--quiet"]) == 0
    assert sha(out) == sha(wanted)
    assert beside(out) == []


@posix
@pytest.mark.parametrize("moment", [1, 2, 3])
def test_a_kill_between_two_moves(tmp_path: Path, pairs: Path, moment: int) -> None:
    out, before = tmp_path / "out", tmp_path / "before.jsonl"
    before.write_text('["fire", "love"]\n')
    build_graph([before], out, BuildOptions())
    build_graph([pairs], tmp_path / "wanted", BuildOptions())
    old = sha(out)
    dying = [sys.executable, "-c", DYING, str(moment), "build", str(pairs), "--out", str(out), "--quiet"]
    assert subprocess.run(dying, env=environment(), check=False).returncode == 9
    assert beside(out)
    if out.exists():
        assert sha(out) == old
    assert main(["build", str(pairs), "--out", str(out), "--quiet"]) == 0
    assert sha(out) == sha(tmp_path / "wanted")
    assert beside(out) == []


def test_a_stopped_build_leaves_the_folder_as_it_was(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tools.knowledge.building.writing.write_compiled", stopped)
    assert main(["build", str(pairs), "--out", str(out), "--quiet"]) == 130
    assert f"stopped; {out} is as it was" in capsys.readouterr().err
    assert not out.exists()
    assert beside(out) == []


@posix
def test_two_builds_of_one_folder(tmp_path: Path, pairs: Path) -> None:
    out = tmp_path / "out"
    with alone(out), pytest.raises(KnowledgeError, match="another build is writing it"):
        build_graph([pairs], out, BuildOptions())
    build_graph([pairs], out, BuildOptions())
    assert beside(out) == []


@posix
def test_a_folder_that_can_not_be_written_is_told(tmp_path: Path, pairs: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KnowledgeError, match="can't be written: "):
        build_graph([pairs], tmp_path / "file" / "out", BuildOptions())


@posix
def test_a_link_stays_a_link(tmp_path: Path, pairs: Path) -> None:
    build_graph([pairs], tmp_path / "real", BuildOptions())
    (tmp_path / "link").symlink_to(tmp_path / "real")
    build_graph([pairs], tmp_path / "link", BuildOptions(name="other"))
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "real" / "graph.json").read_text())["name"] == "other"
