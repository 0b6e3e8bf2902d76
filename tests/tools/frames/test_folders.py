"""Folders of pictures, and WebP."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clips import barcode, coloured_corners, numbers_of
from tools.errors import FrameError
from tools.frames import Sampling, frames_digest, read_frames
from tools.frames.digest import content_digest
from tools.frames.probe import probe
from tools.frames.terms import Source


def fill(folder: Path, names: dict[str, int]) -> Path:
    """Write a barcode under each name."""
    folder.mkdir(exist_ok=True)
    for name, number in names.items():
        Image.fromarray(barcode(number)).save(folder / name)
    return folder


def test_natural_order_and_one_second_each(tmp_path: Path) -> None:
    read = read_frames(fill(tmp_path / "shots", {f"{number}.jpg": number for number in range(1, 13)}))
    assert numbers_of(read.frames) == list(range(1, 13))
    assert [frame.timestamp for frame in read.frames] == list(range(12))
    assert [frame.ordinal for frame in read.frames] == list(range(12))
    assert (read.duration, read.reader, read.warnings) == (12.0, "folder", ())


def test_at_most_so_many_with_the_first_and_the_last(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {f"f{number:03}.png": number for number in range(41)})
    assert numbers_of(read_frames(folder, Sampling(max_frames=5)).frames) == [0, 10, 20, 30, 40]


def test_gaps_are_told(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {f"f{number}.png": number for number in (1, 2, 5, 6, 9)})
    read = read_frames(folder)
    assert numbers_of(read.frames) == [1, 2, 5, 6, 9]
    assert read.warnings == ("numbers are missing after f2.png, f6.png",)


def test_every_tenth_frame_is_no_gap(tmp_path: Path) -> None:
    assert read_frames(fill(tmp_path / "shots", {"f0.png": 0, "f10.png": 1, "f20.png": 2})).warnings == ()


def test_seconds_in_the_names_are_the_time(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {"shot_2.0s.png": 0, "shot_2.5s.png": 1, "shot_10.0s.png": 2})
    read = read_frames(folder)
    assert [frame.timestamp for frame in read.frames] == [0.0, 0.5, 8.0]
    assert (read.duration, read.warnings) == (12.0, ())


def test_formats_may_be_mixed(tmp_path: Path) -> None:
    names = ["1.bmp", "2.gif", "3.jpeg", "4.png", "5.tiff", "6.webp", "7.JPG", "8.ppm"]
    read = read_frames(fill(tmp_path / "shots", {name: number for number, name in enumerate(names)}))
    assert numbers_of(read.frames) == list(range(8))
    assert {Image.open(io.BytesIO(frame.jpeg)).format for frame in read.frames} == {"JPEG"}


def test_other_files_are_told_and_hidden_ones_passed_over(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {"1.png": 1})
    for name in (".DS_Store", "._1.png", "notes.txt", "page.eps"):
        (folder / name).write_text("%!PS")
    (folder / "more.png").mkdir()
    read = read_frames(folder)
    assert numbers_of(read.frames) == [1]
    assert read.warnings == ("not pictures: more.png, notes.txt, page.eps",)


def test_links_that_lead_nowhere_are_left_out(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {"1.png": 1, "3.png": 3})
    for name, target in (("2.png", "2.png"), ("4.png", "none.png"), ("5.png", "."), ("6.png", "3.png")):
        (folder / name).symlink_to(target)
    read = read_frames(folder)
    assert numbers_of(read.frames) == [1, 3, 3]
    assert read.warnings == ("numbers are missing after 3.png", "not pictures: 2.png, 4.png, 5.png")
    assert read.digest == frames_digest(folder)
    assert probe(str(folder)).frames == 3


def test_a_file_that_may_not_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fill(tmp_path / "shots", {"1.png": 1, "2.png": 2})
    whole = content_digest(Source(str(folder), "folder"))
    real = Path.open

    def guarded(path: Path, *how: object) -> object:
        if path.name == "2.png":
            raise PermissionError(13, "Permission denied")
        return real(path, *how)  # pyright: ignore[reportArgumentType, reportCallIssue]

    monkeypatch.setattr(Path, "open", guarded)
    assert content_digest(Source(str(folder), "folder")) != whole


def test_small_jpegs_pass_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    Image.fromarray(barcode(1)).save(folder / "1.jpg", quality=97)
    Image.fromarray(barcode(2, 1500, 1000)).save(folder / "2.jpg", quality=97)
    small, large = read_frames(folder).frames
    assert small.jpeg == (folder / "1.jpg").read_bytes()
    assert (large.width, large.height) == Image.open(io.BytesIO(large.jpeg)).size == (1024, 683)
    assert numbers_of([small, large]) == [1, 2]


@pytest.mark.parametrize("size", [(96, 64), (1500, 1000)])
def test_exif_turns_a_picture(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    picture = coloured_corners(*size)
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side: to be turned clockwise
    Image.fromarray(picture).save(folder / "1.jpg", exif=exif)
    (frame,) = read_frames(folder).frames
    got = np.asarray(Image.open(io.BytesIO(frame.jpeg))).astype(int)
    assert frame.height > frame.width
    quarter = got[frame.height // 4, frame.width * 3 // 4]
    assert np.abs(quarter - (255, 0, 0)).max() < 30, "the top left corner has come to the top right"
    assert Image.open(io.BytesIO(frame.jpeg)).getexif().get(0x0112) is None


def test_what_shows_through_is_white_and_16_bits_become_8(tmp_path: Path) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    Image.new("RGBA", (16, 16), (0, 0, 0, 0)).save(folder / "1.png")
    Image.fromarray(np.full((16, 16), 128 << 8, np.uint16)).save(folder / "2.png")
    Image.new("CMYK", (16, 16), (0, 0, 0, 0)).save(folder / "3.jpg")
    greys = [np.asarray(Image.open(io.BytesIO(frame.jpeg))).mean() for frame in read_frames(folder).frames]
    assert greys == pytest.approx([255, 128, 255], abs=2)


def test_broken_pictures_are_left_out_and_told(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {"1.jpg": 1, "2.jpg": 2, "3.jpg": 3})
    (folder / "2.jpg").write_bytes((folder / "2.jpg").read_bytes()[:900])
    (folder / "3.jpg").write_bytes(b"no picture")
    read = read_frames(folder)
    assert numbers_of(read.frames) == [1]
    (warning,) = read.warnings
    assert warning.startswith("damaged: 2.jpg (the picture can't be decoded: ")
    assert "3.jpg (not a picture that Pillow can read)" in warning


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({}, "the folder is empty"),
        ({"a.txt": b"x", "b.csv": b"y"}, "no picture in the folder, but a.txt, b.csv"),
        ({"1.png": b"x"}, "no picture can be decoded: 1.png (not a picture that Pillow can read)"),
    ],
)
def test_folders_without_a_picture(tmp_path: Path, files: dict[str, bytes], fault: str) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    with pytest.raises(FrameError) as caught:
        read_frames(folder)
    assert (caught.value.path, caught.value.fault) == (str(folder), fault)


def test_a_picture_too_large_is_not_decoded(tmp_path: Path) -> None:
    folder = fill(tmp_path / "shots", {"1.png": 1})
    Image.new("1", (9000, 5000)).save(folder / "2.png")
    read = read_frames(folder)
    assert len(read.frames) == 1
    assert read.warnings == ("damaged: 2.png (9000x5000 is larger than the 38 megapixels that are decoded)",)


def test_animated_webp(tmp_path: Path) -> None:
    path = tmp_path / "clip.webp"
    pictures = [Image.fromarray(barcode(number)) for number in range(21)]
    durations = [100] * 20 + [500]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=durations, lossless=True)
    read = read_frames(path, Sampling(max_frames=5, max_side=96))
    assert numbers_of(read.frames) == [0, 5, 10, 15, 20]
    assert [frame.timestamp for frame in read.frames] == pytest.approx([0, 0.5, 1.0, 1.5, 2.0])
    assert (read.duration, read.reader) == (pytest.approx(2.5), "pillow")
    assert {frame.width for frame in read.frames} == {96}


def test_webp_that_is_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "clip.webp"
    pictures = [Image.fromarray(barcode(number)) for number in range(8)]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(FrameError, match=r"clip\.webp: "):
        read_frames(path)
