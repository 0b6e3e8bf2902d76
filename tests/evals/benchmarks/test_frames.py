"""The benchmark of frames measures what it says: the right frames, and the CPU of children too."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from evals.benchmarks.clips import CLIPS, Clip, _Scenes, number_in, write
from evals.benchmarks.contenders import CONTENDERS, FRAMES, run, spread
from evals.benchmarks.frames import _absent, _print_clip
from tools.frames.sampling import uniform

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="costs are read from /proc")


@pytest.mark.parametrize("count", [1, 2, FRAMES, FRAMES + 1, 240, 361, 900, 4000])
def test_all_are_asked_for_the_frames_that_ours_chooses(count: int) -> None:
    assert spread(count) == uniform([number / 30 for number in range(count)], FRAMES)


@pytest.mark.parametrize("number", [0, 1, 77, 1365, 2730, 4095])
def test_frames_tell_their_number(number: int) -> None:
    file = io.BytesIO()
    Image.fromarray(_Scenes(320, 180).picture(number)).save(file, "JPEG", quality=60)
    assert number_in(file.getvalue()) == number


def test_clips_are_those_of_the_comparison() -> None:
    assert [(clip.height, clip.codec, clip.gop) for clip in CLIPS] == [
        (720, "libx264", 250),
        (1080, "libx264", 250),
        (1080, "libx264", 30),
        (720, "libx265", 250),
    ]


def test_a_contender_is_measured(tmp_path: Path) -> None:
    path = write(Clip("small", 320, 180, "libx264", 30), tmp_path / "clip.mp4", 60)
    found = run("ours", str(path), 1)
    assert found["numbers"] == spread(60)
    assert isinstance(found["peak"], int)
    assert found["peak"] > 20 << 20


def test_those_that_are_absent_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    absent = _absent()
    assert set(absent) == {"naive", "sized", "floor"}
    monkeypatch.undo()
    path = write(Clip("small", 320, 180, "libx264", 30), tmp_path / "clip.mp4", 10)
    _print_clip(CLIPS[0], path, 10, 1, {**absent, "sequential": "left out"})
    told = capsys.readouterr().out
    assert told.count("decord is not installed") == 2
    assert "the ffmpeg command is not installed" in told
    assert "10/10" in told
    assert len(CONTENDERS) == 5


def test_cpu_of_children_counts() -> None:
    code = (
        "import subprocess, sys\nfrom evals.benchmarks.costs import Watch\n"
        "with Watch() as watch:\n    before = watch.cpu()\n"
        "    burn = 'import time\\nwhile time.process_time() < 0.5: pass'\n"
        "    subprocess.run([sys.executable, '-c', burn])\n    print(watch.cpu() - before)\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root, env=os.environ
    )
    assert float(done.stdout) >= 0.45
