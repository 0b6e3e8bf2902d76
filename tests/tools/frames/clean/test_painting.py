"""Letters are found and filled in; not a pixel outside the box changes."""

from __future__ import annotations

import io
from fractions import Fraction

import av
import numpy as np
import pytest
from PIL import Image
from PIL.Image import Transpose

from tests.tools.frames.clean.material import SIZE, scene, written
from tools.frames.clean.painting import painted, planes
from tools.frames.clean.patches import Patch, patch_of, pixels
from tools.frames.clean.spotting import Box, Line
from tools.frames.clean.strokes import letters, likeness, strokes
from tools.frames.clean.tracks import Track
from tools.frames.terms import Frame

pytest.importorskip("cv2", reason="the extra clean is not installed")

BOX = Box(0.25, 0.84, 0.75, 0.92)
WORDS = "nothing left"


def frame(number: int, words: str = WORDS, turn: Transpose | None = None) -> Frame:
    image = scene(number / 2)
    if words:
        written(image, words, (0.5, 0.88))
    if turn is not None:
        image = image.transpose(turn)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=95)
    return Frame(number, number / 2, file.getvalue(), *image.size)


def a_patch(turn: Transpose | None = None) -> Patch:
    track = Track({number: Line(WORDS, BOX) for number in range(2, 6)}, 5)
    frames = [frame(number) for number in range(8)]
    return patch_of(track, frames, {f.ordinal: f for f in frames}, turn)


def decoded(number: int, words: str = WORDS, form: str = "yuv420p") -> av.VideoFrame:
    image = scene(number / 2)
    if words:
        written(image, words, (0.5, 0.88))
    made = av.VideoFrame.from_image(image).reformat(format=form)
    made.pts, made.time_base = number, Fraction(1, 2)
    return made


@pytest.mark.parametrize("form", ["yuv420p", "yuvj420p", "yuv444p"])
def test_letters_go_and_the_rest_stays_to_the_bit(form: str) -> None:
    patch = a_patch()
    before, clear = decoded(3, form=form), decoded(3, "", form)
    after = painted(before, 1.5, [patch])
    assert (after.pts, after.time_base, after.format.name) == (3, Fraction(1, 2), form)
    old, new, wanted = (planes(f.to_ndarray().astype(np.uint8), *SIZE) for f in (before, after, clear))
    height, width = patch.letters.shape
    inside = np.zeros(SIZE[::-1], bool)
    inside[patch.top : patch.top + height, patch.left : patch.left + width] = True
    assert np.array_equal(old[0][~inside], new[0][~inside])
    assert np.abs(old[0][inside].astype(int) - wanted[0][inside]).mean() > 12
    assert np.abs(new[0][inside].astype(int) - wanted[0][inside]).mean() < 6
    half = inside[::2, ::2] if form != "yuv444p" else inside
    assert np.array_equal(old[1][~half], new[1][~half])


def test_frames_without_the_text_are_not_touched() -> None:
    patch = a_patch()
    assert (patch.first, patch.last) == (1.0, 2.5)
    for number, words in ((0, WORDS), (7, WORDS), (1, ""), (6, "")):
        given = decoded(number, words)
        assert painted(given, number / 2, [patch]) is given
    for number in (1, 6):  # just before its first reading and just after its last
        given = decoded(number)
        assert painted(given, number / 2, [patch]) is not given


@pytest.mark.parametrize("turn", [None, *Transpose])
def test_patches_lie_where_the_file_stores_the_text(turn: Transpose | None) -> None:
    """The stored picture is the upright one turned back; the patch must cover the letters there."""
    patch = a_patch(turn)
    back = {Transpose.ROTATE_90: Transpose.ROTATE_270, Transpose.ROTATE_270: Transpose.ROTATE_90}
    way = None if turn is None else back.get(turn, turn)
    text, clear = (
        np.asarray(Image.open(io.BytesIO(frame(3, words, way).jpeg)).convert("L")).astype(int)
        for words in (WORDS, "")
    )
    changed = np.abs(text - clear) > 40
    covered = np.zeros(changed.shape, bool)
    height, width = patch.letters.shape
    assert (patch.top % 2, patch.left % 2) == (0, 0)
    covered[patch.top : patch.top + height, patch.left : patch.left + width] = patch.letters > 0
    assert changed.sum() > 500
    assert (changed & ~covered).sum() < changed.sum() * 0.02


def test_letters_are_told_from_what_is_behind() -> None:
    crops = [
        np.asarray(Image.open(io.BytesIO(frame(n).jpeg)).convert("L"))[240:268, 80:300] for n in range(4)
    ]
    mask = letters(crops)
    assert 0.1 < (mask > 0).mean() < 0.8
    assert (letters([np.full((30, 100), 90, np.uint8)] * 3) == 255).all()


def test_likeness_of_strokes() -> None:
    one, other = (
        strokes(np.asarray(Image.open(io.BytesIO(frame(n, words).jpeg)).convert("L"))[240:268, 80:300])
        for n, words in ((0, WORDS), (5, WORDS))
    )
    clear = strokes(np.asarray(Image.open(io.BytesIO(frame(5, "").jpeg)).convert("L"))[240:268, 80:300])
    assert likeness(one, other) > 0.9
    assert likeness(one, clear) < 0.3
    assert likeness(one, np.zeros_like(one)) == 0


def test_boxes_in_pixels_stay_inside() -> None:
    assert pixels(Box(0.1, 0.5, 0.2, 0.6), (100, 50)) == (10, 25, 20, 30)
    assert pixels(Box(0.0, 0.9, 1.0, 1.0), (100, 50), 1.0, 1.0) == (0, 40, 100, 50)
