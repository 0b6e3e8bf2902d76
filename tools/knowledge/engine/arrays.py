"""A graph as arrays: what walking, counting and ranking work on, in memory or mapped from disk.

Nodes are numbered from 0 in the order of `MetaphorGraph.nodes`, and edges in the order of
`MetaphorGraph.edges`, which is by source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tools.knowledge.edges import Edge

__all__ = ["Csr", "EdgeColumns", "GraphArrays", "arrays_of", "build_arrays"]

_MOST_NODES = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Csr:
    """A sparse matrix by rows: node i's entries stand at `indptr[i]` up to `indptr[i + 1]`.

    Attributes:
        indptr: int64, nodes + 1.
        indices: int32, one an entry: the node at the other end.
        weights: float32, one an entry, in (0, 1].
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float32]

    @property
    def nodes(self) -> int:
        """The number of rows."""
        return len(self.indptr) - 1

    @property
    def entries(self) -> int:
        """The number of entries in all rows."""
        return len(self.indices)

    def row(self, node: int) -> NDArray[np.int32]:
        """The nodes at the other ends of one node's entries, in their order."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def degrees(self, nodes: NDArray[np.integer] | None = None) -> NDArray[np.int64]:
        """How many entries each of some nodes has; each of all nodes without `nodes`."""
        if nodes is None:
            return np.diff(self.indptr)
        return self.indptr[nodes + 1] - self.indptr[nodes]

    def positions(self, nodes: NDArray[np.integer]) -> NDArray[np.int64]:
        """Where the entries of some nodes stand in `indices` and `weights`, row after row.

        Args:
            nodes: any nodes in any order, also more than once.

        Returns:
            int64, the sum of the nodes' degrees.
        """
        sizes = self.degrees(nodes)
        ends = np.cumsum(sizes)
        total = int(ends[-1]) if len(ends) else 0
        return np.arange(total) + np.repeat(self.indptr[nodes] - ends + sizes, sizes)


@dataclass(frozen=True, slots=True, eq=False)
class GraphArrays:
    """Every array of a graph of n nodes and m edges.

    Attributes:
        forward: each node's edges to its targets; entry k is edge k.
        backward: each node's edges from their sources, in the order of `MetaphorGraph.edges_into`.
        around: each node's distinct neighbours whatever the direction, in the order of
            `MetaphorGraph.neighbours` (targets before sources); the weight is the largest of the edges
            that are joined.
        arrivals: int32, m: the edge that each entry of `backward` is.
        weights: float64, m: the edges' weights in full.
        cultures: int32, m: 0 for an edge of no culture, else the rank of its culture's name, from 1.
        ranks: int32, n: each node's rank among all names in alphabetical order.
        symmetric: whether edges have no direction, as `MetaphorGraph.symmetric`.
    """

    forward: Csr
    backward: Csr
    around: Csr
    arrivals: NDArray[np.int32]
    weights: NDArray[np.float64]
    cultures: NDArray[np.int32]
    ranks: NDArray[np.int32]
    symmetric: bool

    @property
    def popularities(self) -> NDArray[np.int64]:
        """How many edges arrive at each node, as `MetaphorGraph.popularity` (int64, n)."""
        return (self.forward if self.symmetric else self.backward).degrees()


class EdgeColumns(NamedTuple):
    """A graph's m edges, one array a column, by source.

    Attributes:
        sources: int32, never falling.
        targets: int32.
        weights: float64.
        cultures: int32, as in `GraphArrays`.
    """

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    weights: NDArray[np.float64]
    cultures: NDArray[np.int32]


def arrays_of(nodes: Sequence[str], edges: Iterable[Edge], *, symmetric: bool) -> GraphArrays:
    """The arrays of nodes and edges.

    Args:
        nodes: every node's name once.
        edges: the edges by source, sources in the order of `nodes`.
        symmetric: whether the edges have no direction.
    """
    numbers = {node: number for number, node in enumerate(nodes)}
    kept = edges if isinstance(edges, list) else list(edges)
    cultures = {name: rank for rank, name in enumerate(sorted({edge.culture or "" for edge in kept} | {""}))}
    columns = EdgeColumns(
        sources=np.fromiter((numbers[edge.source] for edge in kept), np.int32, len(kept)),
        targets=np.fromiter((numbers[edge.target] for edge in kept), np.int32, len(kept)),
        weights=np.fromiter((edge.weight for edge in kept), np.float64, len(kept)),
        cultures=np.fromiter((cultures[edge.culture or ""] for edge in kept), np.int32, len(kept)),
    )
    return build_arrays(nodes, columns, symmetric=symmetric)


def build_arrays(nodes: Sequence[str], edges: EdgeColumns, *, symmetric: bool) -> GraphArrays:
    """The arrays of edges that are numbered already."""
    count = len(nodes)
    if count > _MOST_NODES:
        msg = f"{count} nodes are more than {_MOST_NODES}"
        raise ValueError(msg)
    sources, targets, weights, cultures = edges
    light = weights.astype(np.float32)
    arrivals = np.argsort(targets, kind="stable").astype(np.int32)
    ranks = np.empty(count, np.int32)
    ranks[sorted(range(count), key=nodes.__getitem__)] = np.arange(count, dtype=np.int32)
    return GraphArrays(
        forward=Csr(_indptr(sources, count), targets, light),
        backward=Csr(_indptr(targets, count), sources[arrivals], light[arrivals]),
        around=_around(edges, light, count, symmetric=symmetric),
        arrivals=arrivals,
        weights=weights,
        cultures=cultures,
        ranks=ranks,
        symmetric=symmetric,
    )


def _indptr(rows: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count)))).astype(np.int64)


def _around(edges: EdgeColumns, weights: NDArray[np.float32], count: int, *, symmetric: bool) -> Csr:
    """Distinct neighbours in the order they are met, each with the largest weight."""
    rows, columns, values = edges.sources, edges.targets, weights
    if not symmetric:
        # The arriving edges go after the leaving ones, by the number of the edge.
        rows, columns = np.concatenate((rows, columns)), np.concatenate((columns, rows))
        values = np.concatenate((weights, weights))
    keys = rows.astype(np.int64) * count + columns
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    largest = np.zeros(len(first), np.float32)
    np.maximum.at(largest, inverse, values)
    order = np.lexsort((first, rows[first]))
    kept = first[order]
    return Csr(_indptr(rows[kept], count), columns[kept].astype(np.int32), largest[order])
