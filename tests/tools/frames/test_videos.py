"""Videos made on the spot: the very frames that were asked for, upright, at the right size and time."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clips import (
    barcode,
    coloured_corners,
    number_of,
    numbers_of,
    write_clip,
    write_numbered,
)
from tools.frames import Frame, Sampling, read_frames

ONE = 1 << 16


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("b-frames.mp4", {"options": {"g": "12", "bf": "3"}}),
        ("one group.mp4", {"options": {"g": "250"}}),
        ("open groups.mp4", {"options": {"x264-params": "open-gop=1:keyint=10:bframes=3:scenecut=0"}}),
        (
            "open groups.mkv",
            {"codec": "libx265", "options": {"x265-params": "open-gop=1:keyint=10:log-level=0"}},
        ),
        ("vp9.webm", {"codec": "libvpx-vp9", "options": {"g": "20", "deadline": "realtime"}}),
        ("vp8.webm", {"codec": "libvpx", "options": {"g": "20", "auto-alt-ref": "1", "lag-in-frames": "8"}}),
        ("mpeg4.avi", {"codec": "mpeg4", "options": {"bf": "2"}}),
        ("stream.ts", {"codec": "mpeg2video"}),
        ("animated.gif", {"codec": "gif", "pix_fmt": "rgb8"}),
    ],
)
def test_the_very_frames(tmp_path: Path, name: str, how: dict[str, object]) -> None:
    clip = write_numbered(tmp_path / name, 91, **how)
    read = read_frames(clip, Sampling(max_frames=10))
    assert numbers_of(read.frames) == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
    assert [frame.ordinal for frame in read.frames] == numbers_of(read.frames)
    assert [frame.timestamp for frame in read.frames] == pytest.approx(
        [n * 0.4 for n in range(10)], abs=0.002
    )
    assert read.duration == pytest.approx(91 * 0.04, abs=0.05)
    assert read.warnings == ()
    assert (read.source, read.reader) == (str(clip), "pyav")


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


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((0, 1, -1, 0), lambda p: np.rot90(p, -1)),
        ((-1, 0, 0, -1), lambda p: np.rot90(p, 2)),
        ((0, -1, 1, 0), lambda p: np.rot90(p, 1)),
        ((-1, 0, 0, 1), np.fliplr),
    ],
)
@pytest.mark.parametrize("name", ["clip.mp4", "clip.mkv"])
def test_phones_turn_their_pictures(
    tmp_path: Path, name: str, numbers: tuple[int, int, int, int], expected: object
) -> None:
    a, b, c, d = (number * ONE for number in numbers)
    picture = coloured_corners()
    clip = write_clip(tmp_path / name, [picture] * 3, matrix=(a, b, 0, c, d, 0, 0, 0, 1 << 30))
    frame = read_frames(clip).frames[0]
    upright = expected(picture)  # pyright: ignore[reportCallIssue]
    assert (frame.width, frame.height) == (upright.shape[1], upright.shape[0])
    assert _distance(frame, upright) < 20


def test_an_odd_angle_is_left_and_told(tmp_path: Path) -> None:
    turn = (46341, 46341, 0, -46341, 46341, 0, 0, 0, 1 << 30)
    read = read_frames(write_clip(tmp_path / "askew.mp4", [coloured_corners()] * 2, matrix=turn))
    assert _distance(read.frames[0], coloured_corners()) < 20
    assert read.warnings == ("it asks to be turned by an odd angle: left as it lies",)


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


def _distance(frame: Frame, picture: np.ndarray) -> float:
    """Mean difference of the middles of the quarters, where no edge blurs the colours."""
    got = np.asarray(Image.open(io.BytesIO(frame.jpeg))).astype(float)
    height, width = picture.shape[:2]
    places = [(y * height // 4, x * width // 4) for y in (1, 3) for x in (1, 3)]
    return float(np.mean([np.abs(got[place] - picture[place]).mean() for place in places]))
