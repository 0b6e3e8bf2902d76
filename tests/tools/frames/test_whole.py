"""What is known of a video file before it is handed on whole, and which files are none."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from typing import Any, cast

import av
import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clips import barcode, coloured_corners, write_clip, write_numbered, write_sound
from tools.errors import FrameError
from tools.frames import read_frames, whole
from tools.frames.whole import Clip, aread_clip, read_clip


def write_late(path: Path, first: int) -> Path:
    """A second of pictures from `first` milliseconds on, and three seconds of silence from the start."""
    with av.open(str(path), "w") as container:
        video = cast("Any", container.add_stream("libx264", rate=25))
        video.width, video.height, video.pix_fmt = 192, 128, "yuv420p"
        video.codec_context.max_b_frames = 0
        sound = cast("Any", container.add_stream("aac", rate=16000, layout="mono"))
        for number in range(25):
            frame = av.VideoFrame.from_ndarray(barcode(number), format="rgb24")
            frame.pts = number + first * 25 // 1000
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        for number in range(47):
            silence = av.AudioFrame.from_ndarray(
                np.zeros((1, 1024), np.float32), format="fltp", layout="mono"
            )
            silence.sample_rate, silence.pts = 16000, number * 1024
            container.mux(sound.encode(silence))
        container.mux(sound.encode(None))
    return path


def test_a_plain_clip(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "clip.mp4", 50)
    content = path.read_bytes()
    assert read_clip(path) == Clip(
        source=str(path),
        digest=hashlib.sha256(content).hexdigest(),
        size=len(content),
        container="mov,mp4,m4a,3gp,3g2,mj2",
        mime_type="video/mp4",
        duration=2.0,
        start=0.0,
        length=2.0,
        frames=50,
        rate=pytest.approx(25),  # pyright: ignore[reportArgumentType]
        sound=False,
        rotation=0,
    )
    assert read_clip(path).duration == read_frames(path).duration


@pytest.mark.parametrize(
    ("name", "codec", "mime_type"),
    [
        ("a.mov", "libx264", "video/quicktime"),
        ("a.3gp", "libx264", "video/3gpp"),
        ("a.mkv", "libx264", "video/x-matroska"),
        ("a.webm", "libvpx-vp9", "video/webm"),
        ("a.avi", "mpeg4", "video/x-msvideo"),
        ("a.flv", "libx264", "video/x-flv"),
        ("a.ts", "libx264", "video/mp2t"),
        ("a.mpg", "mpeg2video", "video/mpeg"),
        ("a.wmv", "mpeg4", "video/x-ms-asf"),
        ("a.h264", "libx264", ""),
    ],
)
def test_the_type_is_told_by_the_content(name: str, codec: str, mime_type: str, tmp_path: Path) -> None:
    path = write_numbered(tmp_path / name, 5, codec=codec)
    renamed = path.rename(tmp_path / "no ending")
    assert read_clip(renamed).mime_type == mime_type


def test_sound_that_begins_first_shifts_the_clock(tmp_path: Path) -> None:
    clip = read_clip(write_late(tmp_path / "late.mp4", 1000))
    assert clip.start == pytest.approx(1.0, abs=0.07), "a sound track may begin a little before its zero"
    assert clip.duration == pytest.approx(1.0, abs=0.001)
    assert clip.length == pytest.approx(3.0, abs=0.1)
    assert clip.sound
    assert "its sound is handed on too" in clip.warnings
    assert read_frames(tmp_path / "late.mp4").frames[0].timestamp == 0.0


def test_a_clock_that_begins_late_alone_shifts_nothing(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "late.ts", 25)  # a transport stream never begins at zero
    assert read_clip(path).start == pytest.approx(0.0, abs=0.05)
    assert read_clip(path).warnings == (), "what our own reader finds hard is no concern of another's"


def test_a_turn_is_left_to_who_decodes(tmp_path: Path) -> None:
    one = 1 << 16
    matrix = (0, one, 0, -one, 0, 0, 0, 0, 1 << 30)
    clip = read_clip(write_clip(tmp_path / "turned.mp4", [coloured_corners()] * 2, matrix=matrix))
    assert clip.rotation == 90
    assert clip.warnings == ("it asks to be turned by 90 degrees, which is left to who decodes it",)
    mirror = (-one, 0, 0, 0, one, 0, 0, 0, 1 << 30)
    mirrored = read_clip(write_clip(tmp_path / "mirrored.mp4", [coloured_corners()] * 2, matrix=mirror))
    assert "turned by 0 degrees and mirrored" in mirrored.warnings[0]


def test_what_is_no_video_file_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    pictures = [Image.new("RGB", (32, 32), (level, 0, 0)) for level in (0, 200)]
    for name in ("a.gif", "a.webp"):
        pictures[0].save(tmp_path / name, save_all=True, append_images=pictures[1:], duration=100)
    os.mkfifo(tmp_path / "pipe.mp4")
    (tmp_path / "list.mp4").write_text("#EXTM3U\nother.ts\n")
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("words " * 100)
    write_sound(tmp_path / "sound.mp4")
    for name, told in {
        "frames": "a folder of pictures, no video file that --input video could hand on: --input frames",
        "a.gif": r"a moving picture \(gif\), no video file that .*--input frames reads it",
        "a.webp": "a WebP picture, no video file that .*--input frames reads it",
        "pipe.mp4": "a named pipe",
        "list.mp4": "an HLS playlist",
        "empty.mp4": "the file is empty",
        "text.mp4": "not a readable video",
        "sound.mp4": "sound only",
        "missing.mp4": "no such file",
    }.items():
        with pytest.raises(FrameError, match=rf"{name}: .*{told}"):
            read_clip(tmp_path / name)


def test_a_second_look_costs_nothing_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looks = write_numbered(tmp_path / "clip.mp4", 5), list[object]()
    look = whole.apart

    def counted(*args: Any, **options: Any) -> Any:
        looks.append(args)
        return look(*args, **options)

    monkeypatch.setattr(whole, "apart", counted)
    first = read_clip(path)
    assert read_clip(path) == first
    assert len(looks) == 1
    write_numbered(path, 9)
    assert read_clip(path).frames == 9
    assert len(looks) == 2


def test_a_look_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "clip.mp4", 5)
    with pytest.raises(FrameError, match=r"not done within 0\.001 s"):
        read_clip(path, deadline=0.001)
    assert read_clip(path).frames == 5


async def test_a_look_does_not_hold_up_the_event_loop(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "clip.mp4", 5)
    looking = asyncio.create_task(aread_clip(path))
    turns = 0
    while not looking.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert (await looking).frames == 5
    assert turns > 1


def test_names_are_taken_as_they_are(tmp_path: Path) -> None:
    for name in ("a:b%03d\n.mp4", os.fsdecode(b"\xff\xfe.mp4")):
        path = write_numbered(tmp_path / "clip.mp4", 3).rename(tmp_path / name)
        clip = read_clip(path)
        assert (clip.source, clip.frames) == (str(path), 3)
