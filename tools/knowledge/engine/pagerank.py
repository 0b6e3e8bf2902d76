"""Personalised PageRank on arrays, by pushing what is left to pass on instead of multiplying whole matrices.

A walk from the seeds stops at each step with probability alpha; a node's rank is the share of walks that
stop there. What a node has too little of to matter stops at once, so that only the seeds' surroundings are
ever touched (after Andersen, Chung and Lang, "Local graph partitioning using PageRank vectors", 2006).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tools.knowledge.engine.arrays import Csr

__all__ = ["personalised_pagerank"]

#: Share of the whole table from which filling it costs less than sorting what goes into it.
_DENSE = 8


def personalised_pagerank(
    csr: Csr,
    seeds: NDArray[np.floating],
    *,
    alpha: float = 0.5,
    iterations: int = 10,
    tolerance: float = 1e-6,
) -> NDArray[np.float64]:
    """The ranks around each row of seeds.

    Args:
        csr: entries go from a row's node to the node at the other end, in proportion to their weights.
        seeds: rows x nodes, 0 or more; each row is a query of its own and usually sums to 1.
        alpha: probability that a walk stops at a node, above 0 and up to 1.
        iterations: steps of a walk at most; it stops after the last.
        tolerance: a node with less mass than this times its degree keeps it all. 0 gives the ranks after
            `iterations` steps exactly.

    Returns:
        float64, rows x nodes; each row sums to what its seeds sum to.

    Raises:
        ValueError: if the seeds' shape doesn't fit the nodes, or alpha or iterations are out of range.
    """
    if seeds.ndim != 2 or seeds.shape[1] != csr.nodes:  # noqa: PLR2004
        msg = f"seeds have the shape {seeds.shape}, expected rows x {csr.nodes} nodes"
        raise ValueError(msg)
    if not 0 < alpha <= 1 or iterations < 0:
        msg = f"alpha is above 0 and up to 1, iterations 0 or more; got {alpha} and {iterations}"
        raise ValueError(msg)
    ranks = np.zeros(seeds.size)
    keys = np.flatnonzero(seeds)  # a row and a node in one number
    mass = seeds.reshape(-1)[keys].astype(np.float64)
    for _ in range(iterations):
        degrees = csr.degrees(keys % csr.nodes)
        stays = (degrees == 0) | (mass < tolerance * degrees)
        ranks[keys[stays]] += mass[stays]
        keys, mass = keys[~stays], mass[~stays]
        if not len(keys):
            break
        ranks[keys] += alpha * mass
        keys, mass = _pushed(csr, keys, (1 - alpha) * mass, seeds.size)
    ranks[keys] += mass
    return ranks.reshape(seeds.shape)


def _pushed(
    csr: Csr, keys: NDArray[np.int64], mass: NDArray[np.float64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Mass after one step, summed by row and node; every node has a neighbour."""
    nodes = keys % csr.nodes
    degrees = csr.degrees(nodes)
    positions = csr.positions(nodes)
    weights = csr.weights[positions].astype(np.float64)
    totals = np.add.reduceat(weights, np.cumsum(degrees) - degrees)
    passed = np.repeat(mass / totals, degrees) * weights
    arrived = np.repeat(keys - nodes, degrees) + csr.indices[positions]
    if len(arrived) * _DENSE < size:
        fresh, places = np.unique(arrived, return_inverse=True)
        return fresh, np.bincount(places, passed).astype(np.float64, copy=False)
    table = np.bincount(arrived, passed, minlength=size).astype(np.float64, copy=False)
    fresh = np.flatnonzero(table)
    return fresh, table[fresh]
