"""Turns and mirrors, as display matrices ask for them."""

from __future__ import annotations

import struct
from math import cos, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.tools.frames.clips import Picture
from tools.frames.turns import odd_angle, turn_of, turned

ONE = 1 << 16


def matrix(a: float, b: float, c: float, d: float) -> bytes:
    return struct.pack("=9i", *(round(n * ONE) for n in (a, b, 0, c, d, 0, 0, 0)), 1 << 30)


def tilt(degrees: float, *, is_mirrored: bool = False) -> bytes:
    """The matrix that turns by so many degrees clockwise, after left and right changed places."""
    x, y = cos(radians(degrees)), sin(radians(degrees))
    return matrix(-x, -y, -y, x) if is_mirrored else matrix(x, y, -y, x)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((1, 0, 0, 1), lambda p: p),
        ((0, 1, -1, 0), lambda p: np.rot90(p, -1)),
        ((-1, 0, 0, -1), lambda p: np.rot90(p, 2)),
        ((0, -1, 1, 0), lambda p: np.rot90(p, 1)),
        ((-1, 0, 0, 1), np.fliplr),
        ((1, 0, 0, -1), np.flipud),
        ((0, 1, 1, 0), lambda p: np.swapaxes(p, 0, 1)),
        ((0, -1, -1, 0), lambda p: np.rot90(np.swapaxes(p, 0, 1), 2)),
        ((2, 0, 0, 1), lambda p: p),
        ((0, 1, -3, 0), lambda p: np.rot90(p, -1)),
    ],
)
def test_each_right_angle_and_mirror(numbers: tuple[int, int, int, int], expected: object) -> None:
    picture = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    image = turned(Image.fromarray(picture), matrix(*numbers))
    assert np.array_equal(np.asarray(image), expected(picture))  # pyright: ignore[reportCallIssue]
    assert odd_angle(matrix(*numbers)) == 0


@given(st.floats(-0.9, 0.9), st.integers(0, 3), st.booleans())
def test_angles_may_be_a_little_off(off: float, quarters: int, is_mirrored: bool) -> None:
    exact, near = (tilt(90 * quarters + more, is_mirrored=is_mirrored) for more in (0, off))
    assert turn_of(exact) == turn_of(near)
    assert odd_angle(near) == 0


@given(st.integers(-179, 180).filter(lambda angle: min(angle % 90, -angle % 90) > 1), st.booleans())
def test_odd_angles_are_told(angle: int, is_mirrored: bool) -> None:
    assert odd_angle(tilt(angle, is_mirrored=is_mirrored)) == angle
    assert turn_of(tilt(angle, is_mirrored=is_mirrored)) is None


def bar(x: int, y: int) -> Picture:
    """A bright line from the middle towards a corner or an edge, on a picture 101 pixels wide and high."""
    picture = np.full((101, 101, 3), 90, np.uint8)
    for step in range(-2, 41):
        picture[50 + y * step - 2 : 53 + y * step, 50 + x * step - 2 : 53 + x * step] = 255
    return picture


@pytest.mark.parametrize(
    ("angle", "is_mirrored", "before", "after"),
    [
        (45, False, (1, 0), (1, 1)),
        (-45, False, (1, 0), (1, -1)),
        (135, False, (1, 0), (-1, 1)),
        (45, True, (-1, 0), (1, 1)),
        (45, True, (0, -1), (1, -1)),
    ],
)
def test_an_odd_angle_turns_about_the_middle(
    angle: int, is_mirrored: bool, before: tuple[int, int], after: tuple[int, int]
) -> None:
    image = turned(Image.fromarray(bar(*before)), tilt(angle, is_mirrored=is_mirrored))
    got = np.asarray(image).astype(int)
    assert got.shape == (101, 101, 3)
    assert got[50 + after[1] * 20, 50 + after[0] * 20].min() > 240
    assert got[50 - after[1] * 20, 50 - after[0] * 20].max() < 100
    assert got[0, 0].max() == got[100, 100].max() == 0, "corners that come free are black"


def test_no_matrix_is_upright() -> None:
    for none in (None, b"short", matrix(0, 0, 0, 0), matrix(1, 0, 0, 0)):
        assert turn_of(none) is None
        assert odd_angle(none) == 0
