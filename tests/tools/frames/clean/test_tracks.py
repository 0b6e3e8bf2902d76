"""Words joined to lines, and lines followed through pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from tests.tools.frames.clean.material import SIZE, scene, written
from tools.frames.clean.spotting import Box, Line, joined
from tools.frames.clean.tracks import follow
from tools.frames.terms import Frame

pytest.importorskip("cv2", reason="the extra clean is not installed")

BELOW = Box(0.2, 0.83, 0.8, 0.93)


def pictures(words: Sequence[str]) -> list[Frame]:
    made: list[Frame] = []
    for number, text in enumerate(words):
        image = scene(number / 2)
        if text:
            written(image, text, (0.5, 0.88))
        file = io.BytesIO()
        image.save(file, "JPEG", quality=92)
        made.append(Frame(number, number / 2, file.getvalue(), *SIZE))
    return made


def test_words_of_a_row_become_a_line() -> None:
    words = [
        Line("left", Box(0.5, 0.8, 0.6, 0.85)),
        Line("nothing", Box(0.3, 0.805, 0.49, 0.855)),
        Line("EXIT", Box(0.9, 0.8, 1.0, 0.85)),
        Line("above", Box(0.3, 0.7, 0.5, 0.75)),
    ]
    assert [(line.text, line.box) for line in joined(words, 1.5)] == [
        ("above", Box(0.3, 0.7, 0.5, 0.75)),
        ("nothing left", Box(0.3, 0.8, 0.6, 0.855)),
        ("EXIT", Box(0.9, 0.8, 1.0, 0.85)),
    ]


def test_readings_of_one_text_are_one_track() -> None:
    said = ["", "nothing left", "nothing left", "nothing left", "", ""]
    read = [
        [],
        [Line("nothing left", BELOW)],
        [Line("nothina left", BELOW)],
        [Line("nothing left", BELOW)],
        [],
        [],
    ]
    (track,) = follow(read, pictures(said))
    assert (track.text, track.first, track.last, track.drift) == ("nothing left", 1, 3, 0)


def test_what_the_reader_overlooks_is_still_there() -> None:
    said = ["nothing left"] * 4 + ["", ""]
    line = Line("nothing left", BELOW)
    (track,) = follow([[line], [], [], [line], [], []], pictures(said))
    assert (sorted(track.lines), track.last) == ([0, 3], 3)
    (lone,) = follow([[line], [], [], [], [], []], pictures(said))
    assert (sorted(lone.lines), lone.last) == ([0], 3)


def test_other_words_at_the_same_place_are_another_track() -> None:
    said = ["nothing left", "nothing left", "but time itself", "but time itself"]
    tracks = follow([[Line(text, BELOW)] for text in said], pictures(said))
    assert [(track.text, track.first, track.last) for track in tracks] == [
        ("nothing left", 0, 1),
        ("but time itself", 2, 3),
    ]


def test_overlap_of_boxes() -> None:
    assert Box(0, 0, 2, 2).overlap(Box(1, 0, 3, 2)) == pytest.approx(1 / 3)
    assert Box(0, 0, 1, 1).overlap(Box(1, 0, 2, 1)) == 0
