"""Which way up a picture stands: from the display matrix of its file to the picture as a player shows it."""

from __future__ import annotations

import struct
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image, Transpose

__all__ = ["odd_angle", "turn_of", "turned"]

_MATRIX = struct.Struct("=5i")
_LENGTH = 36
_SLACK = 1.0
"""Degrees by which a right angle may be off: the numbers in files are rounded."""

_HALF_TURN = 180


def turn_of(matrix: bytes | None) -> Transpose | None:
    """The turn or mirroring that a display matrix asks for.

    Args:
        matrix: nine 32-bit numbers, as containers hold them (ISO/IEC 14496-12, 8.3.2; rows are the images of
            the axes), or None where the stream has none.

    Returns:
        Pillow's name for it, or None where the picture is upright or its angle isn't a right one.
    """
    from PIL.Image import Transpose

    angle, is_mirrored = _attitude(matrix)
    quarters = round(angle / 90)
    if abs(angle - quarters * 90) > _SLACK:
        return None
    return {
        (0, True): Transpose.FLIP_LEFT_RIGHT,
        (1, False): Transpose.ROTATE_270,  # Pillow counts against the clock: this is 90 degrees clockwise
        (1, True): Transpose.TRANSVERSE,
        (2, False): Transpose.ROTATE_180,
        (2, True): Transpose.FLIP_TOP_BOTTOM,
        (3, False): Transpose.ROTATE_90,
        (3, True): Transpose.TRANSPOSE,
    }.get((quarters % 4, is_mirrored))


def odd_angle(matrix: bytes | None) -> int:
    """Degrees clockwise by which a display matrix turns, from -179 to 180, if not a right angle; else 0."""
    angle, _ = _attitude(matrix)
    if abs(angle - round(angle / 90) * 90) <= _SLACK:
        return 0
    whole = round(angle)
    return whole - 2 * _HALF_TURN if whole > _HALF_TURN else whole


def turned(image: Image, matrix: bytes | None) -> Image:
    """The image as its display matrix wants it.

    An odd angle turns it about its middle, and neither the size nor the shape changes: what sticks out is cut
    off, and the corners that come free are black. So do FFmpeg and the players built on it.
    """
    from PIL.Image import Resampling, Transpose

    turn = turn_of(matrix)
    if turn is not None:
        return image.transpose(turn)
    if not odd_angle(matrix):
        return image
    angle, is_mirrored = _attitude(matrix)
    upright = image.transpose(Transpose.FLIP_LEFT_RIGHT) if is_mirrored else image
    return upright.rotate(-angle, Resampling.BILINEAR)


def _attitude(matrix: bytes | None) -> tuple[float, bool]:
    """Degrees clockwise from 0 to below 360, and whether left and right change places before that."""
    if matrix is None or len(matrix) < _LENGTH:
        return 0.0, False
    a, b, _, c, d = _MATRIX.unpack_from(matrix)
    wide, high = hypot(a, c), hypot(b, d)  # it may stretch, too
    if not (wide and high):
        return 0.0, False
    is_mirrored = a * d < b * c
    sign = -1 if is_mirrored else 1
    return degrees(atan2(sign * b / high, sign * a / wide)) % 360, is_mirrored
