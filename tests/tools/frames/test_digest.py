"""The key of a video's frames."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.frames.clips import write_numbered
from tools.frames import Sampling, frames_digest, read_frames


def test_the_same_content_and_sampling_give_the_same_digest(tmp_path: Path) -> None:
    first = write_numbered(tmp_path / "a.mp4", 3)
    second = tmp_path / "b.mp4"
    second.write_bytes(first.read_bytes())
    digest = frames_digest(first)
    assert len(digest) == 64
    assert digest == frames_digest(second) == read_frames(first).digest
    second.write_bytes(first.read_bytes() + b"\0")
    assert digest != frames_digest(second)


@pytest.mark.parametrize(
    "other",
    [
        Sampling(max_frames=49),
        Sampling(max_side=512),
        Sampling(quality=84),
        Sampling(reader="pyav"),
        Sampling(method="shots"),
        Sampling(fps=2.0),
        Sampling(reader_fallback=True),
    ],
)
def test_another_sampling_gives_another_digest(tmp_path: Path, other: Sampling) -> None:
    clip = write_numbered(tmp_path / "a.mp4", 3)
    assert frames_digest(clip, Sampling()) != frames_digest(clip, other)


def test_a_folder_is_its_names_and_contents(tmp_path: Path) -> None:
    digests: list[str] = []
    for number, names in enumerate((("1.png", "2.png"), ("1.png", "2.png"), ("1.png", "3.png"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in names:
            (folder / name).write_bytes(name[:1].encode() if name != "3.png" else b"2")
        (folder / ".hidden").write_text(str(number))
        digests.append(frames_digest(folder))
    assert digests[0] == digests[1] != digests[2]
