"""`python -m tools.frames`: what is printed, and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.tools.frames.clips import barcode, write_clip, write_numbered
from tools.frames.command import main


def test_good_files_are_told_and_bad_ones_are_one_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write_numbered(tmp_path / "clip.mp4", 5)
    bad = tmp_path / "two\nlines.mp4"
    bad.write_text("no video")
    assert main(["probe", str(tmp_path / "nowhere.mp4"), str(bad), str(good)]) == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        f"error: {tmp_path}/nowhere.mp4: no such file or folder",
        f"error: {tmp_path}/two\\nlines.mp4: not a readable video: it is text",
    ]
    assert "h264 (High), yuv420p" in told.out
    assert "5 frames, 25 a second, constant" in told.out
    assert "decord  safe" in told.out


def test_json_is_a_line_for_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write_numbered(tmp_path / "clip.mp4", 5)
    assert main(["probe", "--json", str(good), str(tmp_path / "nowhere.mp4")]) == 1
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["path"], first["frames"], first["shown"]) == (str(good), 5, [192, 128])
    assert second == {"path": str(tmp_path / "nowhere.mp4"), "error": "no such file or folder"}


def test_names_that_no_terminal_knows(tmp_path: Path, root: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\n.mp4"
    write_numbered(tmp_path / "clip.mp4", 2).replace(Path(os.fsdecode(name)))
    command = [sys.executable, "-m", "tools.frames", "probe", name, name + b"?"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, check=False, cwd=root, env=environment)
    assert done.returncode == 1
    assert b"/\\xff\\n.mp4\n  video   h264" in done.stdout
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.endswith(b"/\\xff\\n.mp4?: no such file or folder\n")


def test_the_sheet_shows_what_the_model_sees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [barcode(number) for number in range(12)] + [255 - barcode(number) for number in range(12)]
    clip = write_clip(tmp_path / "clip.mp4", pictures)
    out = tmp_path / "sheets" / "sheet.png"
    command = ["show", str(clip), "--out", str(out), "--frames", "8", "--sampling", "shots", "--columns", "4"]
    assert main(command) == 0
    with Image.open(out) as sheet:
        assert (sheet.format, sheet.mode) == ("PNG", "RGB")
        width, height = sheet.size
    assert width > height
    assert f"8 frames of 0.96 s in {out} ({width}x{height})" in capsys.readouterr().out
    assert main(["show", str(clip), "--out", str(out), "--frames", "1"]) == 0
    assert f"1 frame of 0.96 s in {out}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--out", "{folder}/sheet.pdf"], "a sheet is written as .png, .jpg, .jpeg, .webp"),
        (["--out", "{folder}/clip.png"], "the sheet would overwrite the video"),
        (["--out", "{folder}/clip.png/sheet.png"], "the sheet can't be written"),
        (["--out", "{folder}/sheet.png", "--reader", "opencv"], "opencv"),
    ],
)
def test_what_show_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    clip = write_numbered(tmp_path / "clip.mp4", 2).replace(tmp_path / "clip.png")
    before = clip.read_bytes()
    assert main(["show", str(clip), *(text.format(folder=tmp_path) for text in arguments)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert complaint in told
    assert told.count("\n") == 1
    assert clip.read_bytes() == before


def test_show_tells_of_a_bad_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(tmp_path / "nowhere.mp4"), "--out", str(tmp_path / "sheet.png")]) == 1
    assert capsys.readouterr().err == f"error: {tmp_path}/nowhere.mp4: no such file or folder\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["probe"],
        ["show", "clip.mp4"],
        ["show", "clip.mp4", "--out", "x.png", "--frames", "0"],
        ["show", "clip.mp4", "--out", "x.png", "--sampling", "random"],
        ["clean", "clip.mp4"],
        ["clean", "clip.mp4", "--out", "x", "--band", "0.9:0.2"],
        ["clean", "clip.mp4", "--out", "x", "--crf", "90"],
        ["probe", "clip.mp4", "--deadline", "0"],
    ],
)
def test_arguments_that_can_not_be(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m tools.frames" in capsys.readouterr().err


def test_help_loads_no_heavy_library(root: Path) -> None:
    code = (
        "import sys\nfrom tools.frames.command import main\n"
        "try:\n    main(['clean', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'av', 'PIL', 'numpy', 'cv2', 'rapidocr', 'decord'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_missing_extra_is_told_with_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.frames.clean.spotting.find_spec", lambda name: None)
    assert main(["clean", str(tmp_path / "clip.mp4"), "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert 'pip install "metaphorboost[clean]"' in told
    assert told.count("\n") == 1
