"""Where a line's culture is written: on the line, where it covers no box and no other note."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tools.knowledge.drawing.labels import width_of
from tools.knowledge.drawing.routes import curve, points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["SIZE", "notes"]

#: Font size.
SIZE = 12
#: Shares of a line that are tried.
_SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
_SAMPLES = 51
_GAP = 3.0


def notes(
    centers: NDArray[np.float64],
    sizes: NDArray[np.float64],
    pairs: Sequence[tuple[int, int]],
    bends: NDArray[np.float64],
    texts: Sequence[str],
) -> NDArray[np.float64]:
    """Find room for notes.

    Args:
        centers: of the boxes, elements x 2.
        sizes: of the boxes, elements x 2.
        pairs: the elements that each line joins.
        bends: of the lines.
        texts: one a line; empty for none.

    Returns:
        float64, one a line: the share of the line at which its note stands; nan where there is no room.
    """
    found = np.full(len(pairs), np.nan)
    taken, rooms = centers, sizes
    for number, (pair, text) in enumerate(zip(pairs, texts, strict=True)):
        if not text:
            continue
        size = np.array([width_of(text, SIZE), SIZE * 1.2])
        way = points(curve(centers, sizes, pair, float(bends[number])), _SAMPLES)
        for share in _SHARES:
            place = way[round(share * (_SAMPLES - 1))]
            if not (np.abs(taken - place) < (rooms + size) / 2 + _GAP).all(axis=1).any():
                found[number] = share
                taken, rooms = np.vstack((taken, place)), np.vstack((rooms, size))
                break
    return found
