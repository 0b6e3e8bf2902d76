"""What `probe` tells of files."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clips import barcode, coloured_corners, write_clip, write_numbered, write_sound
from tools.frames import read_frames
from tools.frames.probe import probe
from tools.frames.shown import clock, described, printable
from tools.frames.terms import Fault

ONE = 1 << 16


def test_a_plain_clip(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "clip.mp4", 50, options={"g": "10", "sc_threshold": "0"})
    seen = probe(str(path))
    assert (seen.kind, seen.codec, seen.pixels) == ("video", "h264 (High)", "yuv420p")
    assert seen.container.startswith("mov,mp4")
    assert (seen.coded, seen.shown, seen.rotation, seen.is_mirrored) == ((192, 128), (192, 128), 0, False)
    assert (seen.frames, seen.duration, seen.rate, seen.is_constant) == (50, 2.0, pytest.approx(25), True)
    assert (seen.key_frames, seen.sound, seen.warnings, seen.decord) == (5, (), (), ())
    assert seen.size == path.stat().st_size
    assert seen.duration == read_frames(path).duration


def test_a_varying_rate(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "vfr.mkv", 5, stamps=[0, 40, 80, 1080, 2080])
    seen = probe(str(path))
    assert (seen.is_constant, seen.steps, seen.frames) == (False, (0.04, 1.0), 5)
    assert "varying (steps of 40 to 1000 ms)" in described(seen)


@pytest.mark.parametrize(
    ("numbers", "rotation", "is_mirrored"),
    [
        ((0, 1, -1, 0), 90, False),
        ((-1, 0, 0, -1), 180, False),
        ((0, -1, 1, 0), 270, False),
        ((-1, 0, 0, 1), 0, True),
        ((1, 0, 0, -1), 180, True),
        ((0, 1, 1, 0), 270, True),
        ((0, -1, -1, 0), 90, True),
    ],
)
def test_turns(tmp_path: Path, numbers: tuple[int, ...], rotation: int, is_mirrored: bool) -> None:
    a, b, c, d = (number * ONE for number in numbers)
    path = write_clip(
        tmp_path / "turned.mp4", [coloured_corners()] * 2, matrix=(a, b, 0, c, d, 0, 0, 0, 1 << 30)
    )
    seen = probe(str(path))
    frame = read_frames(path).frames[0]
    assert (seen.rotation, seen.is_mirrored) == (rotation, is_mirrored)
    assert (seen.coded, seen.shown) == ((96, 64), (frame.width, frame.height))
    upright = np.rot90(np.fliplr(coloured_corners()) if is_mirrored else coloured_corners(), -rotation // 90)
    with Image.open(io.BytesIO(frame.jpeg)) as image:
        got = np.asarray(image).astype(float)
    assert np.abs(got[8, 8] - upright[8, 8]).mean() < 20


def test_what_surprises_is_told(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "cut.mkv", 200, options={"g": "10"})
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    seen = probe(str(path))
    assert any(warning.startswith("damaged: ") for warning in seen.warnings)
    assert any("the file ends" in reason for reason in seen.decord)
    askew = (46341, 46341, 0, -46341, 46341, 0, 0, 0, 1 << 30)
    turned = write_clip(tmp_path / "askew.mp4", [coloured_corners()] * 2, matrix=askew)
    assert probe(str(turned)).warnings == ("it asks to be turned by 45°: its corners are cut off",)


def test_folders_and_webp(tmp_path: Path) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for number in (1, 2, 4):
        Image.fromarray(barcode(number)).save(folder / f"{number}.png")
    seen = probe(str(folder))
    assert (seen.kind, seen.frames, seen.shown, seen.duration) == ("folder", 3, (192, 128), 3.0)
    assert seen.warnings == ("numbers are missing after 2.png",)
    pictures = [Image.fromarray(barcode(number)) for number in range(4)]
    pictures[0].save(tmp_path / "a.webp", save_all=True, append_images=pictures[1:], duration=200)
    seen = probe(str(tmp_path / "a.webp"))
    assert (seen.kind, seen.frames, seen.rate, seen.duration) == ("webp", 4, pytest.approx(5), 0.8)


def test_a_folder_whose_first_picture_is_broken(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(b"no picture")
    with pytest.raises(Fault, match=r"no picture can be decoded: 1\.jpg"):
        probe(str(tmp_path))
    for number in (2, 3):
        Image.fromarray(barcode(number)).save(tmp_path / f"{number}.png")
    seen = probe(str(tmp_path))
    assert (seen.frames, seen.shown, seen.duration) == (3, (192, 128), 3.0)
    assert seen.warnings == ("damaged: 1.jpg (not a picture that Pillow can read)",)


def test_codecs_go_by_their_own_names(tmp_path: Path) -> None:
    av1 = write_numbered(tmp_path / "clip.mp4", 5, codec="libsvtav1", options={"preset": "12"})
    seen = probe(str(av1))
    assert (seen.codec, seen.decord) == ("av1 (Main)", ("codec av1",))


def test_no_video(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="it holds sound only"):
        probe(str(write_sound(tmp_path / "sound.mp4")))
    with pytest.raises(Fault, match="no such file or folder"):
        probe(str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ä 蝋燭.mp4", "plain ä 蝋燭.mp4"),
        ("two\nlines\x1b[31m\r", "two\\nlines\\x1b[31m\\r"),
        (b"\xff.mp4".decode("utf-8", "surrogateescape"), "\\xff.mp4"),
        ("\u202egpj", "\\u202egpj"),
    ],
)
def test_nothing_moves_the_cursor(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_clock() -> None:
    assert [clock(value) for value in (0, 1.5, 59.999, 62.25, 3600)] == [
        "0:00.00", "0:01.50", "1:00.00", "1:02.25", "60:00.00",
    ]  # fmt: skip
