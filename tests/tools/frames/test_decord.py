"""decord reads what it reads right, and nothing else."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tools.frames.clips import numbers_of, write_numbered
from tools.errors import FrameError
from tools.frames import Sampling, read_frames

DECORD = Sampling(max_frames=10, reader="decord")

pytestmark = pytest.mark.skipif(find_spec("decord") is None, reason="decord has no wheel for this system")


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("b-frames.mp4", {"options": {"g": "12", "x264-params": "open-gop=0:bframes=3"}}),
        ("mjpeg.mov", {"codec": "mjpeg", "pix_fmt": "yuvj420p"}),
        ("turned.mp4", {"matrix": (-65536, 0, 0, 0, -65536, 0, 0, 0, 1 << 30)}),
    ],
)
def test_on_safe_videos_it_agrees_with_pyav(tmp_path: Path, name: str, how: dict[str, object]) -> None:
    clip = write_numbered(tmp_path / name, 91, **how)
    read, reference = read_frames(clip, DECORD), read_frames(clip, Sampling(max_frames=10))
    assert (read.reader, reference.reader) == ("decord", "pyav")
    assert numbers_of(read.frames) == numbers_of(reference.frames)
    for ours, theirs in zip(read.frames, reference.frames, strict=True):
        assert (ours.ordinal, ours.width, ours.height) == (theirs.ordinal, theirs.width, theirs.height)
        assert ours.timestamp == theirs.timestamp
    assert read.duration == pytest.approx(reference.duration)


@pytest.mark.parametrize(
    ("name", "how", "reason"),
    [
        (
            "open.mkv",
            {"codec": "libx265", "options": {"x265-params": "open-gop=1:keyint=10:log-level=0"}},
            "open groups of pictures",
        ),
        ("mirrored.mp4", {"matrix": (-65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)}, "a mirrored picture"),
        ("askew.mp4", {"matrix": (46341, 46341, 0, -46341, 46341, 0, 0, 0, 1 << 30)}, "an odd angle"),
        (
            "turned.mkv",
            {"matrix": (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)},
            "a turned picture in matroska",
        ),
        ("clip.webm", {"codec": "libvpx-vp9", "options": {"deadline": "realtime"}}, "codec vp9"),
        ("clip.avi", {"codec": "mjpeg", "pix_fmt": "yuvj420p"}, "container avi"),
    ],
)
def test_elsewhere_it_is_refused_with_the_reason(
    tmp_path: Path, name: str, how: dict[str, object], reason: str
) -> None:
    clip = write_numbered(tmp_path / name, 40, **how)
    with pytest.raises(FrameError) as caught:
        read_frames(clip, DECORD)
    assert caught.value.path == str(clip)
    assert caught.value.fault.startswith("decord can't be trusted with it (")
    assert reason in caught.value.fault
    assert caught.value.fault.endswith("use --reader auto")
    assert read_frames(clip).frames[-1].ordinal == 39


def test_with_a_fallback_pyav_steps_in_and_it_is_told(tmp_path: Path) -> None:
    clip = write_numbered(tmp_path / "clip.webm", 91, codec="libvpx-vp9", options={"deadline": "realtime"})
    read = read_frames(clip, Sampling(max_frames=10, reader="decord", reader_fallback=True))
    reference = read_frames(clip, Sampling(max_frames=10))
    assert (read.reader, read.frames) == ("pyav", reference.frames)
    (told,) = read.warnings
    assert told == "decord can't be trusted with it (codec vp9): read with PyAV instead"


def test_a_fallback_changes_nothing_where_decord_is_safe(tmp_path: Path) -> None:
    clip = write_numbered(tmp_path / "clip.mp4", 12, options={"x264-params": "open-gop=0"})
    read = read_frames(clip, Sampling(reader="decord", reader_fallback=True))
    assert (read.reader, read.warnings) == ("decord", ())


def test_a_fallback_helps_no_broken_file(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_text("no video")
    with pytest.raises(FrameError, match="not a readable video"):
        read_frames(tmp_path / "clip.mp4", Sampling(reader="decord", reader_fallback=True))


@pytest.mark.parametrize("how", [{"method": "shots"}, {"method": "fps", "fps": 5.0}])
def test_it_takes_the_frames_of_every_sampling(tmp_path: Path, how: dict[str, object]) -> None:
    clip = write_numbered(tmp_path / "clip.mp4", 60, options={"x264-params": "open-gop=0:bframes=3"})
    of = {
        reader: read_frames(clip, Sampling(max_frames=12, reader=reader, **how))  # pyright: ignore[reportArgumentType]
        for reader in ("decord", "auto")
    }
    assert of["decord"].reader == "decord"
    assert [(f.ordinal, f.shot) for f in of["decord"].frames] == [
        (f.ordinal, f.shot) for f in of["auto"].frames
    ]


def test_folders_do_not_need_it(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (8, 8)).save(tmp_path / "1.png")
    assert read_frames(tmp_path, DECORD).reader == "folder"
