"""Where elements begin: on rings around what the picture is about, each branch in a sector of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["rings"]

#: A turn that no number of turns makes whole, so that no two places are the same.
_GOLDEN = np.pi * (3 - 5**0.5)
#: How far from the middle several elements begin that a picture is about.
_INNER = 0.6


def rings(steps: Sequence[int], pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Places by steps away, all distinct.

    Args:
        steps: of each element, 0 for those in the middle.
        pairs: which elements are joined.

    Returns:
        float64, elements x 2; one unit a step.
    """
    children = _tree(steps, pairs)
    sectors = _sectors(children)
    middle = np.array([sum(sectors[number]) / 2 for number in range(len(steps))])
    away = np.array(steps, np.float64)
    if len(children[-1]) > 1:
        away = np.maximum(away, _INNER)
    places = away[:, None] * np.column_stack((np.cos(2 * np.pi * middle), np.sin(2 * np.pi * middle)))
    # Hardly to be seen, but what stands in one place could not be told apart.
    angles = np.arange(len(steps)) * _GOLDEN
    return places + 0.02 * np.column_stack((np.cos(angles), np.sin(angles)))


def _tree(steps: Sequence[int], pairs: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """Each element's children: those that were met from it first; at -1 those that were met from none."""
    joined: dict[int, list[int]] = {number: [] for number in range(len(steps))}
    for one, other in pairs:
        joined[one].append(other)
        joined[other].append(one)
    children: dict[int, list[int]] = {number: [] for number in range(-1, len(steps))}
    for number, own in enumerate(steps):
        nearer = [other for other in joined[number] if steps[other] < own]
        parent = max(nearer, key=lambda other: (steps[other], -other), default=-1)
        children[parent].append(number)
    return children


def _leaves(children: dict[int, list[int]]) -> dict[int, int]:
    """How many ends each branch has."""
    counts: dict[int, int] = {}
    waiting = [number for number in children if number >= 0]
    while waiting:
        number = waiting.pop()
        missing = [child for child in children[number] if child not in counts]
        if missing:
            waiting += [number, *missing]
        else:
            counts[number] = max(sum(counts[child] for child in children[number]), 1)
    return counts


def _sectors(children: dict[int, list[int]]) -> dict[int, tuple[float, float]]:
    """Each element's sector, as shares of a full turn: the larger, the more ends its branch has."""
    leaves = _leaves(children)
    sectors = {-1: (0.0, 1.0)}
    waiting = [-1]
    while waiting:
        parent = waiting.pop()
        first, last = sectors[parent]
        own = children[parent]
        total = sum(leaves[child] for child in own)
        for child in own:
            end = first + (last - sectors[parent][0]) * leaves[child] / total
            sectors[child] = first, end
            first = end
        waiting += own
    return sectors
