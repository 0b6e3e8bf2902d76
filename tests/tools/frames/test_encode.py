"""Sizes and turns."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tools.frames.encode import fit, is_askew, turn_of, turned

ONE = 1 << 16


def matrix(a: int, b: int, c: int, d: int) -> bytes:
    return struct.pack("=9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)


@pytest.mark.parametrize(
    ("size", "fitted"),
    [
        ((1080, 1920), (576, 1024)),
        ((1920, 1080), (1024, 576)),
        ((1024, 64), (1024, 64)),
        ((9000, 2), (1024, 1)),
    ],
)
def test_the_longer_side_fits(size: tuple[int, int], fitted: tuple[int, int]) -> None:
    assert fit(*size, 1024) == fitted


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.integers(1, 2048))
def test_fitting_keeps_the_shape_and_never_enlarges(width: int, height: int, side: int) -> None:
    fitted = fit(width, height, side)
    assert max(fitted) == min(side, max(width, height))
    assert min(fitted) >= 1
    assert fit(*fitted, side) == fitted


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
    ],
)
def test_each_right_angle_and_mirror(numbers: tuple[int, int, int, int], expected: object) -> None:
    picture = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    bytes_of = matrix(*(number * ONE for number in numbers))
    image = turned(Image.fromarray(picture), turn_of(bytes_of))
    assert np.array_equal(np.asarray(image), expected(picture))  # pyright: ignore[reportCallIssue]
    assert not is_askew(bytes_of)


def test_an_odd_angle_is_left_and_told() -> None:
    forty_five = matrix(46341, 46341, -46341, 46341)
    assert turn_of(forty_five) is None
    assert is_askew(forty_five)


def test_no_matrix_is_upright() -> None:
    assert turn_of(None) is None
    assert not is_askew(None)
    assert not is_askew(b"short")
