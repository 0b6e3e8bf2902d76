"""The strokes of letters: thin, and much lighter or darker than what they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grey = NDArray[np.uint8]

__all__ = ["letters", "likeness", "strokes"]

_CONTRAST = 40
"""Grey levels by which a stroke stands out at least."""

_PALE = 0.4
"""Part of the strongest contrast in the box that a letter has at least; what is behind has less."""

_WEAKEST, _STRONGEST = 0.2, 0.97
"""Quantiles: over pictures, since letters stay while the background changes; over pixels."""

_FINE = 0.06
"""Size of what counts as detail, in heights of the box."""

_FEW, _MANY = 0.04, 0.75
"""Shares of the box that letters cover; with fewer or more, they weren't told from the background."""


def strokes(grey: Grey) -> Grey:
    """How much each pixel stands out from its surroundings, thin things only (top hat and black hat)."""
    import cv2

    size = max(3, round(grey.shape[0] * 0.3) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))
    light = cv2.morphologyEx(grey, cv2.MORPH_TOPHAT, kernel)
    dark = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, kernel)
    return cast("Grey", cv2.max(light, dark))


def likeness(one: Grey, other: Grey) -> float:
    """Correlation of the fine detail of two pictures of strokes, -1 to 1; 0 where one of them is flat.

    Without the coarse, since any two texts are alike in having a row of letters between empty rows.
    """
    a, b = _detail(one), _detail(other)
    scale = float((a * a).sum() * (b * b).sum()) ** 0.5
    return float((a * b).sum()) / scale if scale > 0 else 0.0


def _detail(picture: Grey) -> NDArray[np.float32]:
    import cv2

    sharp = picture.astype("float32")
    coarse = cv2.GaussianBlur(sharp, (0, 0), max(1.0, picture.shape[0] * _FINE))
    return cast("NDArray[np.float32]", sharp - coarse)


def letters(crops: Sequence[Grey]) -> Grey:
    """Which pixels belong to the letters of a text, outline and soft edge included.

    Args:
        crops: the box of the text in several pictures, all of one size.

    Returns:
        255 for letters, 0 elsewhere; the whole box where letters can't be told from what is behind them.
    """
    import cv2
    import numpy as np

    weight = np.quantile(np.stack([strokes(crop) for crop in crops]), _WEAKEST, axis=0)
    lasting = weight >= max(_CONTRAST, _PALE * float(np.quantile(weight, _STRONGEST)))
    share = float(lasting.mean())
    if not _FEW <= share <= _MANY:
        return np.full(crops[0].shape, 255, np.uint8)
    reach = max(3, round(crops[0].shape[0] * 0.13) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    return cast("Grey", cv2.dilate(lasting.astype(np.uint8) * 255, kernel))
