"""Which texts are subtitles, on tracks and pictures made by hand."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from PIL import Image

from tools.frames.clean.judging import judge
from tools.frames.clean.spotting import Box, Line
from tools.frames.clean.tracks import Track
from tools.frames.terms import Frame

BAND = (0.6, 1.0)
BELOW = Box(0.3, 0.85, 0.7, 0.92)


def frames(levels: Sequence[int]) -> list[Frame]:
    """A flat picture of each grey level, twice a second."""
    made: list[Frame] = []
    for number, level in enumerate(levels):
        file = io.BytesIO()
        Image.new("RGB", (160, 90), (level,) * 3).save(file, "JPEG")
        made.append(Frame(number, number / 2, file.getvalue(), 160, 90))
    return made


def track(
    numbers: Sequence[int], box: Box = BELOW, text: str = "some words", last: int | None = None
) -> Track:
    return Track({number: Line(text, box) for number in numbers}, max(numbers) if last is None else last)


STILL = frames([90] * 10)
CUT = frames([30] * 3 + [200] * 4 + [90] * 3)


@pytest.mark.parametrize(
    ("found", "pictures", "is_subtitle", "reason"),
    [
        (track([3, 4, 5]), STILL, True, "comes while the picture stays"),
        (track([0, 1, 2]), STILL, True, "goes while the picture stays"),
        (track([2, 3, 4]), CUT, True, "comes while the picture stays"),
        (track([0, 1, 2, 3, 4, 5, 6]), CUT, True, "stays while the picture changes"),
        (track([3, 4, 5, 6]), CUT, False, "comes and goes with its picture: it may be a sign in the scene"),
        (track([3, 4], text="W"), STILL, False, "too short to be told from texture"),
        (track([4]), STILL, False, "read in one of the pictures only"),
        (track(range(10)), STILL, False, "never changes: a sign, a logo or a watermark"),
        (track([3, 5], last=9), STILL, True, "comes while the picture stays"),
        (track([3, 4], Box(0.3, 0.1, 0.7, 0.2)), STILL, False, "stands outside the subtitle band"),
        (track([3, 4], Box(0.05, 0.85, 0.3, 0.92)), STILL, False, "isn't centred: a sign or a logo"),
    ],
)
def test_one_text(found: Track, pictures: list[Frame], is_subtitle: bool, reason: str) -> None:
    assert judge([found], pictures, BAND) == [(is_subtitle, reason)]


def test_a_text_that_moves() -> None:
    moved = Track({3: Line("words", BELOW), 4: Line("words", Box(0.36, 0.85, 0.76, 0.92))}, 4)
    assert judge([moved], STILL, BAND) == [(False, "moves with the picture: part of the scene")]


def test_a_row_speaks_for_its_texts() -> None:
    """One subtitle is proven; the other, which comes and goes with a shot, stands in the same row."""
    pictures = frames([30] * 3 + [200] * 4 + [90] * 5)
    proven, doubtful = track([8, 9]), track([3, 4, 5, 6], Box(0.2, 0.86, 0.8, 0.92))
    higher = track([3, 4, 5, 6], Box(0.2, 0.66, 0.8, 0.72))
    verdicts = judge([proven, doubtful, higher], pictures, BAND)
    assert [verdict.is_subtitle for verdict in verdicts] == [True, True, False]
    assert verdicts[1].reason == "stands in the row of another subtitle"


def test_the_band_is_ones_own() -> None:
    high = track([3, 4], Box(0.3, 0.1, 0.7, 0.2))
    assert judge([high], STILL, (0.0, 0.3))[0].is_subtitle
