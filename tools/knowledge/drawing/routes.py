"""Lines between boxes: curves that leave and reach boxes at their borders, and keep clear of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["at_share", "curve", "points", "routes"]

#: Bends that are tried, the straightest first.
_BENDS = (0.06, -0.06, 0.16, -0.16, 0.28, -0.28, 0.42, -0.42)
#: Lines between the same two boxes bend this much more each.
_MORE = 0.14
#: Between a line's end and the box it points at.
_GAP = 3.0
_SAMPLES = 24


def routes(
    centers: NDArray[np.float64], sizes: NDArray[np.float64], pairs: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """How each line is bent: the least that crosses the fewest boxes.

    Args:
        centers: elements x 2.
        sizes: elements x 2.
        pairs: the elements that each line joins, from source to concept.

    Returns:
        float64, one a line; the control point stands so far to the line's left, as a share of its length.
    """
    bends = np.zeros(len(pairs))
    met: dict[tuple[int, int], int] = {}
    for number, (one, other) in enumerate(pairs):
        low, high = min(one, other), max(one, other)
        before = met.get((low, high), 0)
        met[low, high] = before + 1
        if before:
            # Seen from either end, lines of one pair fan out to the two sides in turn.
            side = (1 if before % 2 else -1) * (1 if one == low else -1)
            bends[number] = side * (0.06 + _MORE * ((before + 1) // 2))
            continue
        others = np.ones(len(centers), bool)
        others[[one, other]] = False
        crossed = [_crossed(centers, sizes, (one, other), bend, others) for bend in _BENDS]
        bends[number] = _BENDS[int(np.argmin(crossed))]
    return bends


def _crossed(
    centers: NDArray[np.float64],
    sizes: NDArray[np.float64],
    pair: tuple[int, int],
    bend: float,
    others: NDArray[np.bool_],
) -> int:
    """How many other boxes a line would run behind."""
    ends = curve(centers, sizes, pair, bend)
    inside = np.abs(points(ends, _SAMPLES)[:, None] - centers[others]) < sizes[others] / 2
    return int(inside.all(axis=2).any(axis=0).sum())


def curve(
    centers: NDArray[np.float64], sizes: NDArray[np.float64], pair: tuple[int, int], bend: float
) -> NDArray[np.float64]:
    """A quadratic curve between two boxes.

    Returns:
        float64, 3 x 2: where it leaves the first box, its control point, and where it reaches the second.
    """
    one, other = pair
    first, last = centers[one], centers[other]
    along = last - first
    control = (first + last) / 2 + bend * np.array([along[1], -along[0]])
    return np.stack(
        (_border(first, sizes[one], control, 0), control, _border(last, sizes[other], control, _GAP))
    )


def points(ends: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """So many points along a curve, from its begin to its end."""
    at = np.linspace(0, 1, count)[:, None]
    return (1 - at) ** 2 * ends[0] + 2 * at * (1 - at) * ends[1] + at**2 * ends[2]


def at_share(ends: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """The point of a curve at a share of its way."""
    return (1 - share) ** 2 * ends[0] + 2 * share * (1 - share) * ends[1] + share**2 * ends[2]


def _border(
    center: NDArray[np.float64], size: NDArray[np.float64], towards: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """Where the way from a box's middle leaves the box."""
    way = towards - center
    shares = (size / 2 + gap) / np.maximum(np.abs(way), 1e-6)
    return center + way * min(float(shares.min()), 1.0)
