"""Hostile names and inputs: each its own clear error, or the right frames."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.frames.boxes import box, encrypted
from tests.tools.frames.clips import barcode, numbers_of, write_clip, write_numbered
from tests.tools.frames.test_faults import fault_of
from tools.frames import Sampling, frames_digest, read_frames
from tools.frames.encryption import is_encrypted
from tools.frames.unreadable import reason

ODD = [
    "clip:with:colons.mp4",
    "http:%2F%2Fhost.mp4",
    "100%.mp4",
    "%05d.mp4",
    "%s%n.mp4",
    "two\nlines.mp4",
    "tab\tand\rreturn.mp4",
    "concat:a|b.mp4",
    "pipe:0",
    "-y.mp4",
    "quote'\"`$(x).mp4",
    "back\\slash.mp4",
    " spaces .mp4",
    "{brace},[bracket]*?.mp4",
    b"\xff\xfe\x80.mp4",
    b"caf\xe9 \n%d:.mp4",
]


def name_in(folder: Path, name: str | bytes) -> Path:
    path = folder / os.fsdecode(name)
    try:
        path.touch()
    except (OSError, UnicodeError):
        pytest.skip("the file system takes no such name")
    return path


@pytest.mark.parametrize("name", ODD, ids=repr)
def test_odd_names_of_files(tmp_path: Path, name: str | bytes) -> None:
    path = name_in(tmp_path, name)
    write_numbered(tmp_path / "made.mp4", 3).replace(path)
    read = read_frames(path)
    assert (numbers_of(read.frames), read.source) == ([0, 1, 2], str(path))
    assert read.digest == frames_digest(path)


@pytest.mark.parametrize("name", ODD, ids=repr)
def test_odd_names_of_folders(tmp_path: Path, name: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = name_in(tmp_path, name)
    folder.unlink()
    folder.mkdir()
    inner = name_in(folder, name)
    write_numbered(tmp_path / "made.mp4", 2).replace(inner)
    monkeypatch.chdir(folder)
    assert numbers_of(read_frames(inner.name).frames) == [0, 1]


def test_a_folder_named_like_a_video(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").mkdir()
    assert fault_of(tmp_path / "clip.mp4") == "the folder is empty"
    write_numbered(tmp_path / "clip.mp4" / "inner.mp4", 2)
    assert fault_of(tmp_path / "clip.mp4") == "no picture in the folder, but inner.mp4"


@pytest.mark.parametrize("name", ["list.mp4", "list.m3u8", "list.concat", "list.txt"])
@pytest.mark.parametrize(
    "text",
    [
        "#EXTM3U\n#EXTINF:1,\n{other}\n",
        "\n\n#EXTM3U\n{other}\n",
        "ffconcat version 1.0\nfile '{other}'\n",
        "file '{other}'\n",
        "[playlist]\nFile1={other}\n",
        "<?xml version='1.0'?><MPD><BaseURL>{other}</BaseURL></MPD>",
        "<smil><body><video src='{other}'/></body></smil>",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n",
    ],
)
def test_playlists_open_nothing_else(tmp_path: Path, name: str, text: str) -> None:
    other = write_numbered(tmp_path / "other.mp4", 2)
    (tmp_path / name).write_text(text.format(other=other))
    fault = fault_of(tmp_path / name)
    assert "not a video: name the video file itself" in fault or fault.startswith("not a readable video: ")


@pytest.mark.parametrize("scheme", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"movflags": "frag_keyframe+empty_moov"}], ids=["plain", "fragmented"]
)
def test_encrypted_videos(tmp_path: Path, scheme: bool, options: dict[str, str]) -> None:
    path = write_numbered(tmp_path / "locked.mp4", 12, container_options=options)
    assert not is_encrypted(str(path))
    path.write_bytes(encrypted(path.read_bytes(), scheme=scheme))
    assert is_encrypted(str(path))
    assert fault_of(path) == "the video is encrypted: decrypt it first"
    assert fault_of(path, Sampling(reader="decord")) == "the video is encrypted: decrypt it first"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"Once upon a time, " * 500, "it is text"),
        ("\u3042\u3044 \u3046 ".encode() * 900, "it is text"),
        (b"file 'other.mp4'\n", "it is text"),
        (bytes(5000), "it begins with nothing but zeros: it was not copied whole"),
        (b"%PDF-1.7\n\xe2\xe3", "it is a PDF"),
        (b"PK\x03\x04" + bytes(99), "it is a ZIP archive or an office document"),
        (bytes(range(256)) * 9, "Invalid data found when processing input"),
    ],
)
def test_what_is_no_video_is_told_for_what_it_is(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "clip.mp4").write_bytes(content)
    assert fault_of(tmp_path / "clip.mp4") == f"not a readable video: {why}"


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_an_index_that_was_cut_off(tmp_path: Path, share: float) -> None:
    path = write_numbered(tmp_path / "cut.mp4", 60)
    content = path.read_bytes()
    path.write_bytes(content[: int(content.index(b"moov") * share)])
    told = "its index is missing: it is cut short, or still being written"
    assert fault_of(path) == f"not a readable video: {told}"


@given(st.binary(min_size=1, max_size=300))
def test_any_bytes_have_a_reason_or_none(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.bin"
    for head in (b"", struct.pack(">I4s", 16, b"ftyp") + bytes(8)):
        path.write_bytes(head + content)
        assert isinstance(reason(str(path)), str)


def test_an_unknown_codec(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "odd.mp4", 3)
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzzz").replace(b"avcC", b"zzzz"))
    assert fault_of(path) == "no decoder is known for its video stream"


@given(st.binary(max_size=200), st.integers(0, 5))
def test_boxes_that_are_none(tmp_path_factory: pytest.TempPathFactory, noise: bytes, depth: int) -> None:
    for kind in (b"stbl", b"minf", b"mdia", b"trak", b"moov")[:depth]:
        noise = box(kind, noise)
    path = tmp_path_factory.getbasetemp() / "noise.mp4"
    path.write_bytes(noise)
    assert is_encrypted(str(path)) in (True, False)
    for kind in (b"stsd", b"stbl", b"minf", b"mdia", b"trak", b"moov"):
        noise = box(kind, bytes(8) + box(b"encv", noise) if kind == b"stsd" else noise)
    path.write_bytes(noise)
    assert is_encrypted(str(path))


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_bombs_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    (folder / "1.png").write_bytes(png_that_claims(8192, 8192))
    assert "8192x8192 is larger than the 38 megapixels that are decoded" in fault_of(folder)
    (folder / "1.png").write_bytes(png_that_claims(16384, 16384))
    assert "1.png (the picture is too large" in fault_of(folder)


def test_a_bomb_in_a_video(tmp_path: Path) -> None:
    picture = barcode(3, 16384, 2400)
    path = write_clip(tmp_path / "bomb.mkv", [picture], codec="mjpeg", pix_fmt="yuvj420p")
    assert fault_of(path) == "16384x2400 is larger than the 38 megapixels that are decoded"


def test_a_video_that_grows(tmp_path: Path) -> None:
    """The header tells of a small picture; the pictures themselves are larger than may be decoded."""
    small = tmp_path / "small.avi"
    large = write_clip(tmp_path / "large.avi", [barcode(1, 16384, 2400)], codec="mjpeg", pix_fmt="yuvj420p")
    content = large.read_bytes()
    claim = struct.pack("<II", 16384, 2400)
    assert claim in content
    small.write_bytes(content.replace(claim, struct.pack("<II", 64, 64)))
    assert "16384x2400 is larger than the 38 megapixels that are decoded" in fault_of(small)
