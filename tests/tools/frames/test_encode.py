"""Sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.frames.encode import fit


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
