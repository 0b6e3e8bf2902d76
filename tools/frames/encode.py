"""From a decoded picture to a JPEG: the size it gets, the way up it stands, the file it becomes."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING

from tools.frames.terms import Frame

if TYPE_CHECKING:
    from PIL.Image import Image, Transpose

__all__ = ["fit", "is_askew", "jpeg", "turn_of", "turned"]

_UPRIGHT = (1, 0, 0, 1)


def fit(width: int, height: int, max_side: int) -> tuple[int, int]:
    """The size with the longer side at most `max_side`, in the same shape; never enlarged."""
    longer = max(width, height)
    if longer <= max_side:
        return width, height
    return max(1, round(width * max_side / longer)), max(1, round(height * max_side / longer))


def turn_of(matrix: bytes | None) -> Transpose | None:
    """The turn or mirroring that a display matrix asks for.

    Args:
        matrix: nine 32-bit numbers, as containers hold them (ISO/IEC 14496-12, 8.3.2; rows are the images of
            the axes), or None where the stream has none.

    Returns:
        Pillow's name for it, or None where the picture is upright or its angle isn't a right one.
    """
    from PIL.Image import Transpose

    return {
        (-1, 0, 0, 1): Transpose.FLIP_LEFT_RIGHT,
        (1, 0, 0, -1): Transpose.FLIP_TOP_BOTTOM,
        (-1, 0, 0, -1): Transpose.ROTATE_180,
        (0, 1, 1, 0): Transpose.TRANSPOSE,
        (0, 1, -1, 0): Transpose.ROTATE_270,  # Pillow counts against the clock: this is 90 degrees clockwise
        (0, -1, 1, 0): Transpose.ROTATE_90,
        (0, -1, -1, 0): Transpose.TRANSVERSE,
    }.get(_signs(matrix))


def is_askew(matrix: bytes | None) -> bool:
    """Whether a display matrix turns by an angle that isn't a right one; they are left as they lie."""
    signs = _signs(matrix)
    return signs != _UPRIGHT and turn_of(matrix) is None


def _signs(matrix: bytes | None) -> tuple[int, int, int, int]:
    if matrix is None or len(matrix) < struct.calcsize("=9i"):
        return _UPRIGHT
    a, b, _, c, d = struct.unpack_from("=5i", matrix)
    half = max(abs(a), abs(b), abs(c), abs(d)) / 2
    w, x, y, z = ((value > half) - (value < -half) for value in (a, b, c, d))
    return w, x, y, z


def turned(image: Image, turn: Transpose | None) -> Image:
    """The image, turned."""
    return image if turn is None else image.transpose(turn)


def jpeg(image: Image, ordinal: int, timestamp: float, quality: int) -> Frame:
    """Encode an RGB image as a `Frame`."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality)
    return Frame(ordinal, timestamp, file.getvalue(), image.width, image.height)
