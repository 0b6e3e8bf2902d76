"""Frames spread over shots, and at a fixed rate, as a caller gets them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.tools.frames.clips import write_clip
from tests.tools.frames.scenes import film, still, walk
from tools.errors import FrameError
from tools.frames import FrameSet, Sampling, read_frames

SHOTS = Sampling(max_frames=10, method="shots")


@pytest.fixture(scope="module")
def montage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shots of 3, 0.4, 1 and 0.6 seconds."""
    pictures, _ = film(walk(1, 75), still(2, 10), walk(5, 25), still(7, 15))
    return write_clip(tmp_path_factory.mktemp("montage") / "montage.mp4", pictures)


def shots_of(read: FrameSet) -> list[int | None]:
    return [frame.shot for frame in read.frames]


def test_no_shot_is_missed(montage: Path) -> None:
    read = read_frames(montage, SHOTS)
    assert (read.method, read.shots, read.reader, read.warnings) == ("shots", 4, "pyav", ())
    assert shots_of(read) == [0, 0, 0, 0, 0, 0, 1, 2, 2, 3]
    ordinals = [frame.ordinal for frame in read.frames]
    assert (ordinals[0], ordinals[-1]) == (0, 124)
    assert [(o >= 75) + (o >= 85) + (o >= 110) for o in ordinals] == shots_of(read)


def test_the_same_every_time(montage: Path) -> None:
    assert read_frames(montage, SHOTS) == read_frames(montage, SHOTS)


def test_uniform_frames_miss_a_short_shot_and_tell_no_shots(montage: Path) -> None:
    read = read_frames(montage, Sampling(max_frames=4))
    assert (read.method, read.shots, shots_of(read)) == ("uniform", None, [None] * 4)
    assert [frame.ordinal for frame in read.frames] == [0, 41, 83, 124]
    assert shots_of(read_frames(montage, Sampling(max_frames=4, method="shots"))) == [0, 1, 2, 3]


def test_fewer_frames_than_shots(montage: Path) -> None:
    read = read_frames(montage, Sampling(max_frames=3, method="shots"))
    assert (shots_of(read), read.shots) == ([0, 2, 3], 4), "the first, the last and the longest between"
    assert shots_of(read_frames(montage, Sampling(max_frames=1, method="shots"))) == [0]


def test_a_short_clip_is_taken_whole_and_its_shots_are_told(tmp_path: Path) -> None:
    pictures, _ = film(still(1, 6), still(2, 6))
    read = read_frames(write_clip(tmp_path / "clip.mp4", pictures), Sampling(method="shots"))
    assert [frame.ordinal for frame in read.frames] == list(range(12))
    assert shots_of(read) == [0] * 6 + [1] * 6


def test_folders_gif_and_webp(tmp_path: Path) -> None:
    pictures, _ = film(walk(1, 9), walk(2, 1), walk(5, 6))
    images = [Image.fromarray(picture) for picture in pictures]
    (tmp_path / "folder").mkdir()
    for number, image in enumerate(images):
        image.save(tmp_path / "folder" / f"{number}.png")
    images[0].save(tmp_path / "clip.webp", save_all=True, append_images=images[1:], duration=400)
    write_clip(tmp_path / "clip.gif", pictures, codec="gif", pix_fmt="rgb8", stamps=[*range(0, 6400, 400)])
    for name, reader in (("folder", "folder"), ("clip.webp", "pillow"), ("clip.gif", "pyav")):
        read = read_frames(tmp_path / name, Sampling(max_frames=5, method="shots"))
        assert (read.reader, read.shots, shots_of(read)) == (reader, 3, [0, 0, 1, 2, 2])
        assert [frame.ordinal for frame in read.frames][2] == 9


def test_folders_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(FrameError, match="the folder is empty"):
        read_frames(tmp_path, SHOTS)
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(FrameError, match=r"no picture in the folder, but notes\.txt"):
        read_frames(tmp_path, SHOTS)


def test_turned_videos_and_other_readers(tmp_path: Path) -> None:
    pictures, _ = film(still(1, 25), still(2, 25))
    turn = (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)
    clip = write_clip(tmp_path / "phone.mp4", pictures, matrix=turn)
    read = read_frames(clip, Sampling(max_frames=4, method="shots", reader="tools.frames.pyav_reader:read"))
    assert (read.reader, shots_of(read)) == ("tools.frames.pyav_reader:read", [0, 0, 1, 1])
    assert read.frames[0].height > read.frames[0].width


def test_at_a_fixed_rate(montage: Path) -> None:
    read = read_frames(montage, Sampling(method="fps", fps=2))
    assert [frame.timestamp for frame in read.frames] == pytest.approx(
        [0, 0.52, 1, 1.52, 2, 2.52, 3, 3.52, 4, 4.52, 4.96], abs=0.05
    )
    assert (read.method, read.shots) == ("fps", None)
    few = read_frames(montage, Sampling(max_frames=5, method="fps", fps=2))
    assert [frame.ordinal for frame in few.frames] == [0, 31, 62, 93, 124]
