"""Burnt-in subtitles, found by the real detector and painted over."""

from __future__ import annotations

import io
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clean.material import SIZE, Text, movie, scene, sounds
from tools.frames import Sampling, read_frames
from tools.frames.apart import apart
from tools.frames.clean.cleaning import clean_file
from tools.frames.clean.report import FileReport
from tools.frames.clean.wishes import Wishes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(find_spec(name) is None for name in ("rapidocr", "cv2", "onnxruntime")),
        reason='the text detector is not installed: pip install "metaphorboost[clean]"',
    ),
]

BELOW, ABOVE, LEFT = (0.5, 0.88), (0.5, 0.2), (0.2, 0.88)
SPOKEN: Text = (1.0, 3.0, "nothing left to lose", BELOW)
ANSWER: Text = (3.25, 4.5, "but time itself", BELOW)


def clean(clip: Path, wishes: Wishes | None = None) -> FileReport:
    out = clip.parent / "out" / clip.name
    out.parent.mkdir(exist_ok=True)
    partial = out.with_suffix(".partial")
    wishes = wishes or Wishes()
    return apart(clean_file, str(clip), str(partial), str(out), wishes, deadline=300.0, memory=6 << 30)


def difference(clip: Path, size: tuple[int, int] = SIZE) -> list[float]:
    """Mean difference of each frame of the cleaned clip to the scene without any text, in the lower third."""
    out = clip.parent / "out" / clip.name
    found: list[float] = []
    for frame in read_frames(out, Sampling(max_frames=200, quality=100)).frames:
        picture = np.asarray(Image.open(io.BytesIO(frame.jpeg)).convert("L"), np.float32)
        clear = np.asarray(scene(frame.timestamp, size).convert("L"), np.float32)
        third = slice(size[1] * 2 // 3, None)
        found.append(float(np.abs(picture[third] - clear[third]).mean()))
    return found


def test_subtitles_go_and_everything_else_stays(tmp_path: Path) -> None:
    clip = movie(tmp_path / "clip.mp4", 5.0, [SPOKEN, ANSWER, (0.0, 5.0, "LOGO", ABOVE)])
    report = clean(clip)
    assert (report.action, report.sound) == ("re-encoded", ("aac",))
    assert [finding.text.casefold() for finding in report.removed] == [SPOKEN[2], ANSWER[2]]
    assert [(finding.text, finding.reason) for finding in report.left] == [
        ("LOGO", "stands outside the subtitle band")
    ]
    first = report.removed[0]
    assert (first.first, first.last) == (1.0, 2.5)
    assert abs(first.box[1] + first.box[3] / 2 - 0.88 * SIZE[1]) < 10
    assert max(difference(clip)) < 4
    whole = Sampling(max_frames=200)
    before, after = read_frames(clip, whole), read_frames(tmp_path / "out" / "clip.mp4", whole)
    assert [f.timestamp for f in after.frames] == [f.timestamp for f in before.frames]
    assert sounds(tmp_path / "out" / "clip.mp4") == 0
    again = clean(tmp_path / "out" / "clip.mp4", Wishes(is_dry=True))
    assert [finding.text for finding in (*again.removed, *again.left)] == ["LOGO"]


def test_sound_can_be_kept(tmp_path: Path) -> None:
    clip = movie(tmp_path / "clip.mkv", 4.0, [SPOKEN])
    report = clean(clip, replace(Wishes(), mute=False))
    assert (report.action, report.sound, len(report.removed)) == ("re-encoded", (), 1)
    assert sounds(tmp_path / "out" / "clip.mkv") == 1


def test_phones_store_their_pictures_sideways(tmp_path: Path) -> None:
    clockwise = (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)
    clip = movie(tmp_path / "phone.mp4", 4.0, [SPOKEN], matrix=clockwise, sideways=True)
    assert len(clean(clip).removed) == 1
    frame = read_frames(tmp_path / "out" / "phone.mp4").frames[0]
    assert (frame.width, frame.height) == SIZE
    assert max(difference(clip)) < 4


def test_webm_stays_webm(tmp_path: Path) -> None:
    clip = movie(tmp_path / "clip.webm", 3.5, [SPOKEN], codec="libvpx-vp9")
    assert clean(clip).action == "re-encoded"
    assert read_frames(tmp_path / "out" / "clip.webm").duration == pytest.approx(3.5, abs=0.1)


@pytest.mark.parametrize(
    ("texts", "shots", "reason"),
    [
        ([(0.0, 4.0, "OPEN ALL NIGHT", BELOW)], (), "never changes: a sign, a logo or a watermark"),
        ([(1.0, 3.0, "EXIT HERE", LEFT)], (), "isn't centred: a sign or a logo"),
        (
            [(1.0, 3.0, "OPEN ALL NIGHT", BELOW)],
            (1.0, 3.0),
            "comes and goes with its picture: it may be a sign in the scene",
        ),
        ([(1.9, 2.1, "A FLASH OF TEXT", BELOW)], (), "read in one of the pictures only"),
    ],
)
def test_doubtful_texts_are_left(
    tmp_path: Path, texts: list[Text], shots: tuple[float, ...], reason: str
) -> None:
    clip = movie(tmp_path / "clip.mp4", 4.0, texts, shots=shots)
    report = clean(clip)
    assert (report.action, report.removed) == ("remuxed", ())
    assert [finding.reason for finding in report.left] == [reason]
    assert read_frames(tmp_path / "out" / "clip.mp4").frames == read_frames(clip).frames


def test_what_can_not_be_encoded_anew_is_left(tmp_path: Path) -> None:
    clip = movie(tmp_path / "clip.avi", 4.0, [SPOKEN], sound=False, codec="mpeg4")
    report = clean(clip)
    assert (report.action, report.removed, len(report.left)) == ("copied", (), 1)
    assert report.notes == ("subtitles in avi files are left: convert it to mp4 or mkv first",)
