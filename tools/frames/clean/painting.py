"""Painting over: letters are filled in from what surrounds them, plane by plane, nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tools.frames.clean.patches import Patch

if TYPE_CHECKING:
    import numpy as np
    from av.video.frame import VideoFrame
    from numpy.typing import NDArray

    Grey = NDArray[np.uint8]

__all__ = ["painted", "planes"]

_ROOM = 16
"""Pixels around a patch that the filling may look at."""


def painted(frame: VideoFrame, time: float, patches: Sequence[Patch]) -> VideoFrame:
    """The frame without the texts that stand in it; the frame itself where none does.

    Args:
        frame: in yuv420p, yuvj420p, yuv444p or yuvj444p.
        time: its seconds since the first frame.
        patches: of the whole video.
    """
    import numpy as np

    near = [patch for patch in patches if patch.first - 1 <= time <= patch.last + 1]
    if not near:
        return frame
    pixels = cast("Grey", np.array(frame.to_ndarray(), order="C"))  # planes are views of it
    parts = planes(pixels, frame.width, frame.height)
    due = [patch for patch in near if patch.is_due(time, parts[0])]
    if not due:
        return frame
    for patch in due:
        for plane in parts:
            _fill(plane, patch, plane.shape[0] < frame.height)
    return _again(pixels, frame)


def planes(pixels: Grey, width: int, height: int) -> list[Grey]:
    """Views of the three planes: brightness, and two of colour at full or half size."""
    flat = pixels.reshape(-1)
    sizes = [(height, width)] * 3
    if flat.size < 3 * width * height:
        sizes[1:] = [((height + 1) // 2, (width + 1) // 2)] * 2
    found: list[Grey] = []
    start = 0
    for rows, columns in sizes:
        found.append(flat[start : start + rows * columns].reshape(rows, columns))
        start += rows * columns
    return found


def _fill(plane: Grey, patch: Patch, is_half: bool) -> None:
    import cv2
    import numpy as np

    mask, left, top = patch.letters, patch.left, patch.top
    if is_half:
        left, top = left // 2, top // 2
        size = ((mask.shape[1] + 1) // 2, (mask.shape[0] + 1) // 2)
        mask = (cv2.resize(mask, size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8) * 255
        mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    rows = slice(max(0, top - _ROOM), min(plane.shape[0], top + mask.shape[0] + _ROOM))
    columns = slice(max(0, left - _ROOM), min(plane.shape[1], left + mask.shape[1] + _ROOM))
    crop = plane[rows, columns]
    holes = np.zeros(crop.shape, np.uint8)
    inner = holes[top - rows.start :, left - columns.start :]
    inner[: mask.shape[0], : mask.shape[1]] = mask[: inner.shape[0], : inner.shape[1]]
    radius = max(3, mask.shape[0] * 0.08)
    plane[rows, columns] = cv2.inpaint(np.ascontiguousarray(crop), holes, radius, cv2.INPAINT_TELEA)


def _again(pixels: Grey, frame: VideoFrame) -> VideoFrame:
    from av.video.frame import VideoFrame as Frame

    made = Frame.from_ndarray(pixels, format=frame.format.name)
    made.pts, made.time_base, made.duration = frame.pts, frame.time_base, frame.duration
    made.colorspace, made.color_range = frame.colorspace, frame.color_range
    made.color_primaries, made.color_trc = frame.color_primaries, frame.color_trc
    return made
