"""Clips made on the spot: each frame carries its own number as a barcode, so a test knows which it got."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

if TYPE_CHECKING:
    from av.video.stream import VideoStream

BITS = 12
Picture = NDArray[np.uint8]

CORNERS = {
    "top left": (255, 0, 0),
    "top right": (0, 255, 0),
    "bottom left": (0, 0, 255),
    "bottom right": (255,) * 3,
}


def barcode(number: int, width: int = 192, height: int = 128) -> Picture:
    """A picture with `number` in its upper half, in black and white bars, on grey."""
    picture = np.full((height, width, 3), 96, np.uint8)
    picture[height // 2 :] = 40 + number * 7 % 160
    for bit in range(BITS):
        left, right = bit * width // BITS, (bit + 1) * width // BITS
        picture[: height // 2, left:right] = 255 if number >> bit & 1 else 0
    return picture


def number_of(jpeg: bytes) -> int:
    """Read the barcode back."""
    return number_in(np.asarray(Image.open(io.BytesIO(jpeg)).convert("L")))


def number_in(grey: Picture) -> int:
    """Read the barcode of a picture of one channel."""
    height, width = grey.shape
    row = grey[height // 8 : height * 3 // 8]
    bars = [row[:, width * (2 * bit + 1) // (2 * BITS)].mean() > 128 for bit in range(BITS)]
    return sum(1 << bit for bit, bar in enumerate(bars) if bar)


def numbers_of(frames: Iterable[object]) -> list[int]:
    """The barcodes of frames."""
    return [number_of(frame.jpeg) for frame in frames]  # pyright: ignore[reportAttributeAccessIssue]


def coloured_corners(width: int = 96, height: int = 64) -> Picture:
    """A picture with another colour in each quarter."""
    picture = np.empty((height, width, 3), np.uint8)
    halves = (
        (slice(None, height // 2), slice(height // 2, None)),
        (slice(None, width // 2), slice(width // 2, None)),
    )
    for place, colour in zip(((0, 0), (0, 1), (1, 0), (1, 1)), CORNERS.values(), strict=True):
        picture[halves[0][place[0]], halves[1][place[1]]] = colour
    return picture


def write_clip(
    path: Path,
    pictures: Sequence[Picture],
    *,
    stamps: Sequence[int] | None = None,
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    matrix: Sequence[int] | None = None,
    options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
) -> Path:
    """Encode pictures; `stamps` are their times in milliseconds (by default, 25 frames a second)."""
    height, width = pictures[0].shape[:2]
    with av.open(str(path), "w", container_options=container_options or {}) as container:
        stream = cast("VideoStream", container.add_stream(codec, rate=25, options=options or {}))
        stream.width, stream.height, stream.pix_fmt = width, height, pix_fmt
        stream.codec_context.time_base = tick = Fraction(1, 25) if stamps is None else Fraction(1, 1000)
        if matrix is not None:
            stream.set_display_matrix(matrix)
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number if stamps is None else stamps[number], tick
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def write_numbered(path: Path, count: int, **how: object) -> Path:
    """Encode `count` barcodes."""
    return write_clip(path, [barcode(number) for number in range(count)], **how)  # pyright: ignore[reportArgumentType]


def write_sound(path: Path) -> Path:
    """A second of silence, and nothing to see."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=16000, layout="mono")
        for number in range(16):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
            frame.sample_rate, frame.pts = 16000, number * 1024
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path
