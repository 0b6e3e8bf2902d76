"""From a decoded picture to a JPEG: the size it gets, the file it becomes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, cast

from tools.frames.terms import Frame

if TYPE_CHECKING:
    from av.video.frame import VideoFrame
    from PIL.Image import Image

__all__ = ["Scaler", "fit", "jpeg"]

_FAST = {"yuv420p": "yuv420p", "yuvj420p": "yuvj420p", "yuv420p10le": "yuv420p"}
"""The pixel formats of nearly all videos, and what swscale is quick to make RGB of where the size stays."""


class Scaler:
    """Scales decoded pictures of a video, and makes images of them."""

    def __init__(self) -> None:
        from av.video.reformatter import VideoReformatter

        self._scaler, self._painter = VideoReformatter(), VideoReformatter()

    def image(self, frame: VideoFrame, width: int, height: int) -> Image:
        """The picture as an RGB image of a size in pixels."""
        from PIL.Image import frombuffer

        way = "AREA" if width < frame.width else "BILINEAR"
        fast = _FAST.get(frame.format.name)
        if fast is not None:
            # Scaled first, turned to RGB after: a third of the work of both at once.
            frame = self._scaler.reformat(frame, width, height, fast, interpolation=way, threads=1)
        # Not "rgb0", which would be cheaper still: up to 4 columns at the right stay empty where the width
        # isn't a multiple of 8.
        painted = self._painter.reformat(frame, width, height, "rgb24", interpolation=way, threads=1)
        plane = painted.planes[0]
        pixels = cast("bytes", plane)  # any buffer will do
        return frombuffer("RGB", (width, height), pixels, "raw", "RGB", plane.line_size, 1)


def fit(width: int, height: int, max_side: int) -> tuple[int, int]:
    """The size with the longer side at most `max_side`, in the same shape; never enlarged."""
    longer = max(width, height)
    if longer <= max_side:
        return width, height
    return max(1, round(width * max_side / longer)), max(1, round(height * max_side / longer))


def jpeg(image: Image, ordinal: int, timestamp: float, quality: int) -> Frame:
    """Encode an RGB image as a `Frame`."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality)
    return Frame(ordinal, timestamp, file.getvalue(), image.width, image.height)
