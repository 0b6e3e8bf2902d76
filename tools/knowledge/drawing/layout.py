"""Where everything stands: a deterministic layout, whose boxes never overlap.

Elements begin on rings around what the picture is about, are moved until distances in the picture are like
those in the graph (stress majorization by SMACOF: Gansner, Koren and North, Graph Drawing by Stress
Majorization, 2004), stretched to the shape of the canvas, and put down one by one in the nearest free
place. Lines are bent around boxes where a bend helps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tools.knowledge.drawing.labels import box_of
from tools.knowledge.drawing.notes import notes
from tools.knowledge.drawing.rings import rings
from tools.knowledge.drawing.routes import routes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tools.knowledge.drawing.picture import Picture

__all__ = ["TALL", "WIDE", "Layout", "layout"]

#: Canvases at least this large, as width and height: of a screen, and of a phone.
WIDE, TALL = (1600, 1000), (760, 1240)
#: A picture of few elements needs no more than this share of either side.
_LEAST = 0.5
#: Around everything.
_MARGIN = 28.0
#: Between two boxes.
_GAP = (18.0, 14.0)
#: The canvas is so many times larger than all boxes.
_ROOMY = 7.0
#: A step is at most this long, unless the canvas is large.
_STEP = 360.0
_ROUNDS = 80
#: Places that are tried around the wished one, ring by ring.
_RINGS, _SPOKES = 120, 24
#: Of these, so many together.
_AT_ONCE = 8 * _SPOKES


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Places in a canvas whose origin is at the top left, in pixels.

    Attributes:
        width: of the canvas.
        height: of the canvas.
        centers: float64, elements x 2: the middles of the boxes.
        sizes: float64, elements x 2: widths and heights of the boxes.
        bends: float64, one an association: how far its line's control point stands to its left, as a share
            of its length; see `routes.curve`.
        notes: float64, one an association: the share of its line at which its culture is written, or nan.
    """

    width: float
    height: float
    centers: NDArray[np.float64]
    sizes: NDArray[np.float64]
    bends: NDArray[np.float64]
    notes: NDArray[np.float64]


def layout(picture: Picture, shape: tuple[int, int] = WIDE) -> Layout:
    """Place a picture's elements; the same picture and shape give the same places.

    Args:
        picture: what is drawn.
        shape: width and height of the canvas, whose proportions are kept to while there is room; it grows
            for many elements and shrinks for few.

    Returns:
        Places that are finite and inside the canvas; no two boxes overlap.
    """
    elements = picture.elements
    sizes = np.array([box_of(one.name, one.steps) for one in elements], np.float64).reshape(-1, 2)
    numbers = {element.name: number for number, element in enumerate(elements)}
    pairs = [(numbers[edge.source], numbers[edge.target]) for edge in picture.associations]
    steps = [element.steps for element in elements]
    wished = _stressed(rings(steps, pairs), _distances(len(elements), pairs))
    centers = _apart(_stretched(wished, sizes, shape), sizes, steps, shape[0] / shape[1])
    low = (centers - sizes / 2).min(axis=0, initial=0.0 if not len(elements) else np.inf)
    high = (centers + sizes / 2).max(axis=0, initial=0.0 if not len(elements) else -np.inf)
    least = np.array(shape) * _LEAST
    canvas = np.ceil(np.maximum(high - low + 2 * _MARGIN, least))
    centers = np.round(centers + (canvas - low - high) / 2, 1)
    bends = routes(centers, sizes, pairs)
    shares = notes(centers, sizes, pairs, bends, [edge.culture or "" for edge in picture.associations])
    return Layout(float(canvas[0]), float(canvas[1]), centers, sizes, bends, shares)


def _distances(count: int, pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Steps between any two elements; a step more than the longest way where there is none."""
    steps = np.full((count, count), np.inf)
    np.fill_diagonal(steps, 0)
    for one, other in pairs:
        steps[one, other] = steps[other, one] = min(steps[one, other], 1)
    for middle in range(count):
        np.minimum(steps, steps[:, middle, None] + steps[None, middle, :], out=steps)
    longest = steps[np.isfinite(steps)].max(initial=1)
    steps[~np.isfinite(steps)] = longest + 1
    return steps


def _stressed(places: NDArray[np.float64], distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move places until the distances between them are like the given ones."""
    count = len(places)
    if count < 2:  # noqa: PLR2004 - one element has nothing to keep away from
        return places
    with np.errstate(divide="ignore"):
        pulls = np.where(distances > 0, distances**-2.0, 0.0)
    totals = pulls.sum(axis=1)[:, None]
    for _ in range(_ROUNDS):
        apart = places[:, None] - places[None]
        lengths = np.sqrt((apart**2).sum(axis=2))
        ratio = distances / np.maximum(lengths, 1e-3)
        # Each element goes to the mean of where its pulls would have it.
        moved = (pulls[:, :, None] * (places[None] + ratio[:, :, None] * apart)).sum(axis=1) / totals
        places = 0.3 * places + 0.7 * moved
    return places


def _stretched(
    places: NDArray[np.float64], sizes: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Spread places over a canvas that is large enough for the boxes, around the first of them."""
    if not len(places):
        return places
    area = float((sizes + _GAP).prod(axis=1).sum()) * _ROOMY
    aspect = shape[0] / shape[1]
    width = max((area * aspect) ** 0.5, shape[0] * _LEAST)
    canvas = np.array([width, width / aspect]) - 2 * _MARGIN - sizes.mean(axis=0)
    offsets = _drawn_in(places - places[0])
    across, along = np.ptp(offsets, axis=0).tolist()
    if (across < along) == (aspect > 1):
        # The longer side lies along the canvas's longer side.
        offsets = offsets[:, ::-1]
    extent = np.ptp(offsets, axis=0)
    # Few elements on one line are not drawn out to the edges.
    step = max(area**0.5 / 4, _STEP)
    scale = np.minimum(
        canvas / np.maximum(extent, 1e-6), (step, step * 0.7) if aspect > 1 else (step * 0.7, step)
    )
    return offsets * np.maximum(scale, 1.0)


def _drawn_in(offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same directions, with what lies far out drawn nearer: stragglers would make all else small."""
    away = np.hypot(offsets[:, 0], offsets[:, 1])
    usual = float(np.sqrt((away**2).mean()))
    share = np.maximum(away / max(usual, 1e-6), 1.0) ** -0.5
    return offsets * share[:, None]


def _apart(
    wished: NDArray[np.float64], sizes: NDArray[np.float64], steps: Sequence[int], wider: float
) -> NDArray[np.float64]:
    """Put boxes down, those in the middle first, each in the free place that is nearest to its wish."""
    placed = wished.copy()
    tries = _tries(wider)
    order = np.lexsort((np.arange(len(wished)), (wished**2).sum(axis=1), np.minimum(steps, 1)))
    for turn, number in enumerate(order.tolist()):
        done = order[:turn]
        room = (sizes[done] + sizes[number]) / 2 + _GAP
        reach, first = 1.0, 0
        while True:
            places = wished[number] + tries[first : first + _AT_ONCE] * reach
            clash = (np.abs(places[:, None] - placed[done]) < room).all(axis=2)
            free = ~np.any(clash, axis=-1)
            if free.any():
                placed[number] = places[int(np.argmax(free))]
                break
            first += _AT_ONCE
            if first >= len(tries):
                reach, first = reach * 2, 0
    return placed


def _tries(wider: float) -> NDArray[np.float64]:
    """Steps away from a place, the nearest first; those to the sides are so many times as wide."""
    radii = np.arange(1, _RINGS + 1) * 6.0
    angles = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radius, angle = np.meshgrid(radii, angles, indexing="ij")
    around = np.stack((radius * np.cos(angle) * wider, radius * np.sin(angle)), axis=2).reshape(-1, 2)
    return np.concatenate((np.zeros((1, 2)), around)).astype(np.float64)
