"""What can't be read raises a FrameError with the path and the fault; what is damaged gives what there is."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import av
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.frames.clips import barcode, numbers_of, write_clip, write_numbered, write_sound
from tools.errors import FrameError, ToolboxError
from tools.frames import FrameSet, Sampling, aread_frames, frames_digest, read_frames


def fault_of(path: Path | str, sampling: Sampling | None = None) -> str:
    """The fault that a read raises, after a check that it names the path."""
    with pytest.raises(FrameError) as caught:
        read_frames(path, sampling or Sampling())
    assert caught.value.path == str(path)
    assert isinstance(caught.value, ToolboxError)
    return caught.value.fault


def test_missing(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "nowhere.mp4") == "no such file or folder"
    (tmp_path / "link.mp4").symlink_to(tmp_path / "nowhere.mp4")
    assert fault_of(tmp_path / "link.mp4") == "no such file or folder"


async def test_missing_for_async_callers(tmp_path: Path) -> None:
    with pytest.raises(FrameError, match=r"nowhere\.mp4: no such file or folder"):
        await aread_frames(tmp_path / "nowhere.mp4")


def test_missing_has_no_digest(tmp_path: Path) -> None:
    with pytest.raises(FrameError, match=r"nowhere\.mp4: no such file or folder"):
        frames_digest(tmp_path / "nowhere.mp4")


def test_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    assert fault_of(tmp_path / "empty.mp4") == "the file is empty"


def test_no_path() -> None:
    assert fault_of("a\0b.mp4").startswith("not a path: ")
    assert fault_of("") == "no file is named"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_forbidden(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "clip.mp4", 1)
    path.chmod(0)
    assert fault_of(path) == "Permission denied"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_named_pipes_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    assert fault_of(tmp_path / "pipe.mp4") == "not a regular file but a named pipe"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets in the file system here")
def test_sockets_and_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("s.mp4")
        assert fault_of("s.mp4") == "not a regular file but a socket"
    assert fault_of("/dev/zero") == "not a regular file but a device"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("#EXTM3U\n#EXT-X-VERSION:3\nother.ts\n", "an HLS playlist"),
        ("\ufeff  #EXTM3U\nother.ts\n", "an HLS playlist"),
        ("ffconcat version 1.0\nfile other.mp4\n", "an ffconcat script"),
        ('<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>', "a DASH manifest"),
        ("v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n", "an SDP description"),
    ],
)
def test_playlists_are_not_followed(tmp_path: Path, text: str, fault: str) -> None:
    write_numbered(tmp_path / "other.mp4", 2)
    (tmp_path / "clip.mp4").write_text(text, encoding="utf-8")
    assert fault_of(tmp_path / "clip.mp4") == f"{fault}, not a video: name the video file itself"


def test_a_concat_script_without_its_header_opens_no_other_file(tmp_path: Path) -> None:
    write_numbered(tmp_path / "other.mp4", 2)
    (tmp_path / "clip.mp4").write_text("# ours\nffconcat version 1.0\nfile other.mp4\n")
    assert fault_of(tmp_path / "clip.mp4").startswith("not a readable video: ")


def test_text_named_as_a_video(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("to do: film the candle\n" * 50)
    assert fault_of(tmp_path / "notes.mp4") == "not a readable video: it is text"


@pytest.mark.parametrize("name", ["sound.mp4", "sound.mkv", "sound.mov"])
def test_sound_only(tmp_path: Path, name: str) -> None:
    assert fault_of(write_sound(tmp_path / name)) == "it holds sound only"


def test_too_large(tmp_path: Path) -> None:
    picture = barcode(1, 8200, 4700)
    path = write_clip(tmp_path / "huge.avi", [picture], codec="mjpeg", pix_fmt="yuvj420p")
    assert fault_of(path) == "8200x4700 is larger than the 38 megapixels that are decoded"


def test_a_cut_file_gives_the_frames_it_has(tmp_path: Path) -> None:
    path = write_numbered(
        tmp_path / "cut.mp4", 100, options={"g": "10"}, container_options={"movflags": "faststart"}
    )
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    read = read_frames(path, Sampling(max_frames=10))
    numbers = numbers_of(read.frames)
    assert numbers == [frame.ordinal for frame in read.frames]
    assert (len(numbers), numbers[0]) == (10, 0)
    assert 40 < numbers[-1] < 70
    assert read.warnings[0].startswith("damaged: ")
    assert "lie beyond the end of the file" in read.warnings[0]


def test_a_cut_matroska_is_told_too(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "cut.mkv", 200, options={"g": "10"})
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    read = read_frames(path, Sampling(max_frames=10))
    assert numbers_of(read.frames) == [frame.ordinal for frame in read.frames]
    assert any(warning.startswith("damaged: ") for warning in read.warnings)


def test_a_video_without_its_index(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "cut.mp4", 50)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert fault_of(path).startswith("not a readable video: ")


def test_spoiled_frames_are_told(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "spoiled.mp4", 60, options={"g": "10", "bf": "0"})
    with av.open(str(path)) as container:
        spots = [(packet.pos or 0, packet.size) for packet in container.demux(video=0) if packet.size]
    content = bytearray(path.read_bytes())
    for position, size in spots[25:30]:
        content[position + 4 : position + size] = bytes(size - 4)
    path.write_bytes(content)
    read = read_frames(path)
    assert (read.frames[0].ordinal, len(read.frames) > 40) == (0, True)
    assert any(warning.startswith("damaged: ") for warning in read.warnings)


def test_no_frame_at_all(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "dead.mp4", 10)
    with av.open(str(path)) as container:
        spots = [(packet.pos or 0, packet.size) for packet in container.demux(video=0) if packet.size]
    content = bytearray(path.read_bytes())
    for position, size in spots:
        content[position : position + size] = bytes(size)
    path.write_bytes(content)
    assert fault_of(path).startswith("no frame can be decoded")


CLIPS: dict[str, bytes] = {}


@given(st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_damage_gives_frames_or_a_frame_error(tmp_path: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["clip.mp4", "clip.mkv", "clip.webp"]))
    path = tmp_path / name
    if name not in CLIPS:
        if name == "clip.webp":
            from PIL import Image

            pictures = [Image.fromarray(barcode(number)) for number in range(4)]
            pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100)
        else:
            write_numbered(path, 12, options={"g": "4"})
        CLIPS[name] = path.read_bytes()
    content = bytearray(CLIPS[name])
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    read = _frames_or_fault(path)
    if isinstance(read, FrameError):
        assert read.path == str(path)
        assert read.fault
    else:
        assert 1 <= len(read.frames) <= 4
        assert [frame.timestamp for frame in read.frames] == sorted(frame.timestamp for frame in read.frames)


def _frames_or_fault(path: Path) -> FrameSet | FrameError:
    try:
        return read_frames(path, Sampling(max_frames=4))
    except FrameError as error:
        return error
