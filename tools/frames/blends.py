"""Slow changes of shot: dissolves of one picture into another, and fades through one colour."""

from __future__ import annotations

from collections.abc import Sequence

from tools.frames.looks import Look, correlation, difference

__all__ = ["blend_of"]

_HALF, _OUTER, _LEEWAY = 0.5, 0.9, 0.2
"""Seconds before and after the middle of a blend at which is compared: at its ends, and outside of it; and by
how much a look may be off."""

_CHANGED = 12.0
"""Grey levels, in place, by which the picture differs before and after."""

_UNLIKE = 0.6
"""Correlation below which two pictures show different things. A slow pan leaves more than that."""

_MIXED = 0.4
"""How far the middle may be from half the one and half the other picture, as a share of their difference.
Measured: up to 0.31 in dissolves, cameras and things moving or not; from 0.54 on in pans of any speed."""

_STEADY = 0.4
"""How much may change outside of the blend, as a share of what it changes. A camera that moves on doesn't
stop there: where there is little but soft light and shade, that alone tells a pan from a dissolve."""

_CONTRAST = 0.5
"""The one picture's standard deviation against the other's: less is left of a picture on its way to black."""

_FLAT, _DETAILED = 4.0, 8.0
"""Standard deviation in grey levels of a picture of one colour at most, and of one that shows something."""


def blend_of(centre: Look, window: Sequence[Look | None]) -> float | None:
    """How surely a look is the middle of a blend: 0 at best, up to 1; None if it isn't one.

    What is seen half a second before must differ from what is seen half a second after, both must show
    something and have been seen a little longer, and the look between must be half the one and half the
    other, or all of one colour. So none is found within 0.7 s of an end of the video.
    """
    import numpy as np

    offsets = (-_OUTER, -_HALF, _HALF, _OUTER)
    earlier, before, after, later = (_near(centre.timestamp + offset, window) for offset in offsets)
    if earlier is None or before is None or after is None or later is None:
        return None
    change = difference(before, after)[0]
    if change < _CHANGED:
        return None
    mixed = float(np.abs(centre.pixels - (before.pixels + after.pixels) / 2).mean()) / change / _MIXED
    is_flat = float(centre.pixels.std(axis=0).max()) <= _FLAT
    if mixed > 1 and not is_flat:
        return None
    less, more = sorted((float(before.pixels.std()), float(after.pixels.std())))
    if less < _DETAILED or less < _CONTRAST * more:
        return None
    if not is_flat and max(difference(earlier, before)[0], difference(after, later)[0]) > _STEADY * change:
        return None
    return (0.0 if is_flat else mixed) if correlation(before, after) < _UNLIKE else None


def _near(moment: float, window: Sequence[Look | None]) -> Look | None:
    found = min((look for look in window if look is not None), key=lambda look: abs(look.timestamp - moment))
    return found if abs(found.timestamp - moment) <= _LEEWAY else None
