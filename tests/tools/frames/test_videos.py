"""Videos made on the spot: how many frames, when, how large, which way up, under whatever name."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clips import (
    CORNERS,
    barcode,
    coloured_corners,
    number_of,
    numbers_of,
    write_clip,
    write_numbered,
)
from tools.frames import Sampling, read_frames


def test_fifty_frames_by_default(tmp_path: Path) -> None:
    read = read_frames(write_numbered(tmp_path / "clip.mp4", 120))
    assert len(read.frames) == 50
    assert (read.frames[0].ordinal, read.frames[-1].ordinal) == (0, 119)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_short_clips_give_every_frame_once(tmp_path: Path, count: int) -> None:
    read = read_frames(write_numbered(tmp_path / "clip.mp4", count))
    assert numbers_of(read.frames) == list(range(count))
    assert read.duration == pytest.approx(count * 0.04, abs=0.002)


def test_varying_frame_rate_is_sampled_by_time(tmp_path: Path) -> None:
    stamps = [*range(0, 1000, 50), *range(1000, 9001, 1000)]
    clip = write_numbered(tmp_path / "phone.mp4", len(stamps), stamps=stamps)
    read = read_frames(clip, Sampling(max_frames=4))
    assert [frame.timestamp for frame in read.frames] == pytest.approx([0.0, 3.0, 6.0, 9.0])
    assert numbers_of(read.frames) == [0, 22, 25, 28]


def test_time_starts_with_the_first_frame(tmp_path: Path) -> None:
    clip = write_numbered(tmp_path / "late.mkv", 3, stamps=[5000, 6000, 7000])
    assert [frame.timestamp for frame in read_frames(clip).frames] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("size", "scaled"),
    [
        ((1080, 1920), (576, 1024)),
        ((1920, 1080), (1024, 576)),
        ((1024, 768), (1024, 768)),
        ((64, 48), (64, 48)),
    ],
)
def test_frames_are_scaled_down_and_never_up(
    tmp_path: Path, size: tuple[int, int], scaled: tuple[int, int]
) -> None:
    clip = write_clip(tmp_path / "clip.mp4", [barcode(number, *size) for number in (5, 6)])
    frames = read_frames(clip).frames
    assert [(frame.width, frame.height) for frame in frames] == [scaled, scaled]
    assert [number_of(frame.jpeg) for frame in frames] == [5, 6]
    image = Image.open(io.BytesIO(frames[0].jpeg))
    assert (image.format, image.size, image.mode) == ("JPEG", scaled, "RGB")


def test_quality_is_that_of_the_sampling(tmp_path: Path) -> None:
    clip = write_numbered(tmp_path / "clip.mp4", 1)
    tables: list[object] = []
    for quality in (85, 40):
        picture = Image.open(io.BytesIO(read_frames(clip, Sampling(quality=quality)).frames[0].jpeg))
        reference = io.BytesIO()
        Image.new("RGB", (8, 8)).save(reference, "JPEG", quality=quality)
        assert picture.quantization == Image.open(reference).quantization  # pyright: ignore[reportAttributeAccessIssue]
        tables.append(picture.quantization)  # pyright: ignore[reportAttributeAccessIssue]
    assert tables[0] != tables[1]


def test_an_odd_angle_turns_the_picture_in_its_frame(tmp_path: Path) -> None:
    turn = (46341, 46341, 0, -46341, 46341, 0, 0, 0, 1 << 30)
    clip = write_clip(tmp_path / "askew.mp4", [coloured_corners(96, 96)] * 2, matrix=turn)
    read = read_frames(clip)
    assert read.warnings == ("it asks to be turned by 45°: its corners are cut off",)
    with Image.open(io.BytesIO(read.frames[0].jpeg)) as image:
        got = np.asarray(image).astype(int)
    assert got.shape == (96, 96, 3)
    middles = [got[16, 48], got[48, 80], got[48, 16], got[80, 48]]  # where the corners have come to
    assert np.abs(np.array(middles) - list(CORNERS.values())).max() < 40
    assert got[3, 3].max() < 10


@pytest.mark.parametrize(
    "name", ["a:b.mp4", "100%03d.jpg", "file:x.mp4", "no extension", "ä ß 蝋燭.mp4", "-i.mp4"]
)
def test_odd_names(tmp_path: Path, name: str) -> None:
    clip = write_numbered(tmp_path / "clip.mp4", 2).rename(tmp_path / name)
    assert numbers_of(read_frames(str(clip)).frames) == [0, 1]


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    name = tmp_path / b"\xff\xfe.mp4".decode("utf-8", "surrogateescape")
    try:
        write_numbered(tmp_path / "clip.mp4", 2).rename(name)
    except (OSError, UnicodeError):
        pytest.skip("the file system takes UTF-8 names only")
    assert numbers_of(read_frames(name).frames) == [0, 1]


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_numbered(tmp_path / "clip.mp4", 2)
    monkeypatch.chdir(tmp_path)
    read = read_frames("clip.mp4")
    assert (read.source, len(read.frames)) == ("clip.mp4", 2)
