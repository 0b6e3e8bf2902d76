"""Clips that the benchmarks make for themselves: each frame carries its number, so frames can be checked."""

from __future__ import annotations

import io
import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from av.video.stream import VideoStream

__all__ = ["CLIPS", "Clip", "number_in", "write"]

_BITS = 12
_BAND = 6
"""The barcode takes one part in so many of the picture's height, at the top."""

Picture = NDArray[np.uint8]


class Clip(NamedTuple):
    """What to encode."""

    name: str
    width: int
    height: int
    codec: str
    gop: int


CLIPS = (
    Clip("720p h264, GOP 250", 1280, 720, "libx264", 250),
    Clip("1080p h264, GOP 250", 1920, 1080, "libx264", 250),
    Clip("1080p h264, GOP 30", 1920, 1080, "libx264", 30),
    Clip("720p hevc, GOP 250", 1280, 720, "libx265", 250),
)


def write(clip: Clip, path: Path, frames: int, rate: int = 30) -> Path:
    """Encode a clip of coloured waves that drift, with a moving ball and grain: neither still nor noise."""
    import av

    scenes = _Scenes(clip.width, clip.height)
    options = {"preset": "veryfast", "g": str(clip.gop), "crf": "23"}
    if clip.codec == "libx265":
        options["x265-params"] = f"log-level=error:keyint={clip.gop}:pools=2"
    with av.open(str(path), "w") as container:
        stream = cast("VideoStream", container.add_stream(clip.codec, rate=rate, options=options))
        stream.width, stream.height, stream.pix_fmt = clip.width, clip.height, "yuv420p"
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(scenes.picture(number), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


class _Scenes:
    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        dice = np.random.default_rng(7)
        self._grain = dice.integers(0, 16, (height, width * 2, 1), np.uint8)
        x, y = np.meshgrid(np.arange(width * 2) / 90, np.arange(height) / 70)
        waves = np.stack([np.sin(x + y), np.sin(x * 0.7 - y), np.cos(x * 0.4 + y * 1.3)], axis=2)
        self._waves = (110 + 70 * waves).astype(np.uint8)

    def picture(self, number: int) -> Picture:
        """One frame, in RGB."""
        shift = number * 3 % self._width
        grain = (number * 131) % self._width
        view = slice(shift, shift + self._width)
        picture = self._waves[:, view] + self._grain[:, grain : grain + self._width]
        size = self._height // 5
        left = round((0.5 + 0.4 * math.sin(number / 25)) * (self._width - size))
        top = round((0.6 + 0.15 * math.cos(number / 17)) * (self._height - size))
        picture[top : top + size, left : left + size] = (240, 200, 60)
        for bit in range(_BITS):
            columns = slice(bit * self._width // _BITS, (bit + 1) * self._width // _BITS)
            picture[: self._height // _BAND, columns] = 255 if number >> bit & 1 else 0
        return picture


def number_in(jpeg: bytes) -> int:
    """The number that a frame carries."""
    from PIL import Image

    grey = np.asarray(Image.open(io.BytesIO(jpeg)).convert("L"))
    height, width = grey.shape
    rows = grey[height // (_BAND * 4) : height * 3 // (_BAND * 4)]
    bars = [rows[:, width * (2 * bit + 1) // (2 * _BITS)].mean() > 128 for bit in range(_BITS)]  # noqa: PLR2004
    return sum(1 << bit for bit, bar in enumerate(bars) if bar)
