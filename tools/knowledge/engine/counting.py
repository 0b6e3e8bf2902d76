"""Counts traversals of edges around nodes, on arrays: the arithmetic of MetaphorBoost's retrieval.

From each start breadth-first: a node is expanded once a start, and every traversal of an edge adds 1 to the
node it leads to. What is expanded is found for all starts together, a layer at a time; a hub that twenty
starts expand is then added up once, times twenty. Ties between counts go by what a search of one start after
the other, each to its end, would have met first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tools.knowledge.engine.arrays import Csr

__all__ = ["Expansions", "Traversals", "count_traversals", "expand"]


class Expansions(NamedTuple):
    """What is expanded around several starts; within one start in the order of the search.

    Attributes:
        owners: which start, as its place among the starts.
        nodes: the node that is expanded.
        parents: the entry whose expansion met it first; -1 for a start itself.
    """

    owners: NDArray[np.int64]
    nodes: NDArray[np.int64]
    parents: NDArray[np.int64]


class Traversals(NamedTuple):
    """The nodes most often arrived at.

    Attributes:
        nodes: their numbers, the highest count first; among equal counts the first met.
        counts: how often an edge into each was traversed.
        paths: for each, by the start's place among the starts, the path it was first met by, start to node.
    """

    nodes: list[int]
    counts: list[int]
    paths: list[dict[int, tuple[int, ...]]]


def count_traversals(
    around: Csr, starts: Mapping[int, int], hops: int, limit: int, *, without: Iterable[int] = ()
) -> Traversals:
    """The `limit` nodes that are arrived at most often, and how each is reached.

    Args:
        around: each node's neighbours.
        starts: nodes in an order that decides ties, each with what a traversal from it adds.
        hops: steps of a search, 1 or more.
        limit: nodes at most.
        without: nodes that are left out.
    """
    if not starts:
        return Traversals([], [], [])
    expansions = expand(around, list(starts), hops)
    arrivals = _arrivals(around, expansions, list(starts.values()))
    # Sums of whole numbers below 2 ** 53 are exact in float64.
    counts = np.bincount(arrivals.nodes, arrivals.times, minlength=around.nodes).astype(np.int64)
    counts[list(without)] = 0
    kept = _highest(counts, arrivals.nodes, limit)
    paths = [_paths(expansions, node, arrivals.leading_to(node, around.nodes)) for node in kept]
    return Traversals(kept, [int(counts[node]) for node in kept], paths)


def expand(around: Csr, starts: Sequence[int], hops: int) -> Expansions:
    """Every node within `hops` - 1 steps of each start, the start included."""
    size = np.int64(around.nodes)
    nodes = np.asarray(starts, np.int64)
    layer = Expansions(np.arange(len(nodes)), nodes, np.full(len(nodes), -1))
    layers, seen, first = [layer], layer.owners * size + nodes, 0
    for _ in range(hops - 1):
        sizes = around.degrees(layer.nodes)
        parents = np.repeat(np.arange(first, first + len(sizes)), sizes)
        owners = np.repeat(layer.owners, sizes)
        met = around.indices[around.positions(layer.nodes)].astype(np.int64)
        keys = owners * size + met
        fresh, at = np.unique(keys, return_index=True)
        at = np.sort(at[~np.isin(fresh, seen)])
        first += len(sizes)
        layer = Expansions(owners[at], met[at], parents[at])
        layers.append(layer)
        seen = np.concatenate((seen, keys[at]))
    return Expansions(*(np.concatenate(column) for column in zip(*layers, strict=True)))


class _Arrivals(NamedTuple):
    """Traversals of edges, those of a node's edges together, in the order in which they first happen.

    Attributes:
        nodes: the node arrived at.
        times: how often, over all starts.
        expanded: the nodes that are expanded, in that order, each once.
        ends: where the traversals from each of these end.
    """

    nodes: NDArray[np.int32]
    times: NDArray[np.float64]
    expanded: NDArray[np.int64]
    ends: NDArray[np.int64]

    def leading_to(self, node: int, count: int) -> NDArray[np.bool_]:
        """For each of `count` nodes whether it is expanded and an edge leads from it to a node."""
        leading = np.zeros(count, bool)
        leading[self.expanded[np.searchsorted(self.ends, np.flatnonzero(self.nodes == node), "right")]] = True
        return leading


def _arrivals(around: Csr, expansions: Expansions, times: Sequence[int]) -> _Arrivals:
    adds = np.asarray(times, np.float64)[expansions.owners]
    often = np.bincount(expansions.nodes, adds, minlength=around.nodes).astype(np.float64)
    # One start after the other, each to its end: stable, since within a start they are in order already.
    searched = expansions.nodes[np.argsort(expansions.owners, kind="stable")]
    distinct, at = np.unique(searched, return_index=True)
    expanded = distinct[np.argsort(at)]
    sizes = around.degrees(expanded)
    weights = np.repeat(often[expanded], sizes)
    return _Arrivals(around.indices[around.positions(expanded)], weights, expanded, np.cumsum(sizes))


def _highest(counts: NDArray[np.int64], arrived: NDArray[np.int32], limit: int) -> list[int]:
    """Nodes by count, the highest first, and by when they were first met; none with a count of 0."""
    # How many nodes have each count or a higher one: no sorting of a hub's ten thousand neighbours.
    as_high = np.cumsum(np.bincount(counts)[::-1])[::-1]
    least = max(int(np.count_nonzero(as_high >= limit)) - 1, 1)
    found = np.flatnonzero(counts >= least)
    wanted = np.zeros(len(counts), bool)
    wanted[found] = True
    nodes, met = np.unique(arrived[(places := np.flatnonzero(wanted[arrived]))], return_index=True)
    order = np.lexsort((places[met], -counts[nodes]))
    return nodes[order[:limit]].tolist()


def _paths(expansions: Expansions, node: int, leading: NDArray[np.bool_]) -> dict[int, tuple[int, ...]]:
    """The path by which each start's search first meets a node, by the start's place; starts as given."""
    entries = np.flatnonzero(leading[expansions.nodes])
    owners, at = np.unique(expansions.owners[entries], return_index=True)
    return {
        int(owner): (*_path(expansions, int(entry)), node)
        for owner, entry in zip(owners, entries[at], strict=True)
    }


def _path(expansions: Expansions, entry: int) -> tuple[int, ...]:
    backwards: list[int] = []
    while entry >= 0:
        backwards.append(int(expansions.nodes[entry]))
        entry = int(expansions.parents[entry])
    return tuple(reversed(backwards))
