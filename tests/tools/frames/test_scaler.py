"""From a decoded picture to an RGB image: every pixel of it, in its true colours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.frames.encode import Scaler

av = pytest.importorskip("av")

LUMA = {"ITU709": (0.2126, 0.0722), "ITU601": (0.299, 0.114), "BT2020": (0.2627, 0.0593)}
TAGS = {"ITU709": 1, "ITU601": 6, "BT2020": 9}
"""The numbers of ITU-T H.273 for the matrices."""

LIMITED, FULL = 1, 2


def flat(size: tuple[int, int], pixel_format: str, values: tuple[int, int, int]) -> object:
    """A picture of one colour, of 8 or 10 bits, given in YCbCr."""
    frame = av.VideoFrame(*size, pixel_format)
    for plane, value in zip(frame.planes, values, strict=True):
        is_deep = pixel_format.endswith("10le")
        one = (value << 2).to_bytes(2, "little") if is_deep else bytes([value])
        plane.update(one * (plane.buffer_size // len(one)))
    return frame


def pixels(frame: object, width: int, height: int) -> NDArray[np.int16]:
    return np.asarray(Scaler().image(frame, width, height)).astype(np.int16)  # pyright: ignore[reportArgumentType]


@given(st.integers(1, 80), st.integers(1, 40), st.integers(1, 3), st.sampled_from(["yuv420p", "yuv444p"]))
def test_no_pixel_is_left_out(width: int, height: int, part: int, pixel_format: str) -> None:
    frame = flat((width * part, height * part), pixel_format, (180, 100, 150))
    picture = pixels(frame, width, height)
    assert picture.shape == (height, width, 3)
    assert int(np.abs(picture - picture[0, 0]).max()) <= 1


@pytest.mark.parametrize("size", [(64, 48), (32, 24)])
@pytest.mark.parametrize("pixel_format", ["yuv420p", "yuv420p10le", "yuv422p", "yuv444p"])
@pytest.mark.parametrize("extent", [LIMITED, FULL])
@pytest.mark.parametrize("matrix", LUMA)
def test_colours_are_true(matrix: str, extent: int, pixel_format: str, size: tuple[int, int]) -> None:
    values = (150, 90, 170)
    frame = flat((64, 48), pixel_format, values)
    frame.colorspace, frame.color_range = TAGS[matrix], extent  # pyright: ignore[reportAttributeAccessIssue]
    low, span, chroma = (16, 219, 224) if extent == LIMITED else (0, 255, 255)
    y, u, v = (values[0] - low) / span, (values[1] - 128) / chroma, (values[2] - 128) / chroma
    red, blue = LUMA[matrix]
    r, b = y + 2 * (1 - red) * v, y + 2 * (1 - blue) * u
    expected = np.array([r, (y - red * r - blue * b) / (1 - red - blue), b]) * 255
    assert np.abs(pixels(frame, *size) - expected).max() < 4


def test_the_scaled_picture_shows_the_whole() -> None:
    ramp = np.broadcast_to(np.linspace(16, 240, 640)[None, :, None], (360, 640, 3)).astype(np.uint8)
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(ramp), format="rgb24").reformat(format="yuv420p")
    expected = ramp.reshape(90, 4, 160, 4, 3).mean(axis=(1, 3))
    assert np.abs(pixels(frame, 160, 90) - expected).max() < 5
