"""Why a keyword leads to a concept: the strongest way there, with the ground of every step.

A way's strength is the product of its edges' weights and the trust in the link it starts from, times `DECAY`
for every step after the first and `BACKWARD` for every step against an edge's direction, as in `walking`.
Its first or last step may be a synonym edge, which is weaker than any association and counts as no hop.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tools.knowledge.edges import Association
from tools.knowledge.retrieving.walking import BACKWARD, BEAM, DECAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tools.knowledge.edges import Edge
    from tools.knowledge.engine.arrays import Csr
    from tools.knowledge.graph import MetaphorGraph
    from tools.knowledge.retrieving.network import Network

__all__ = ["Ways", "explain"]

#: Strengths that differ by less than this are equal, and the shorter way wins.
_PLACES = 12
#: What is weaker rounds to nothing.
_LEAST = 0.5 * 10**-_PLACES


class _Way(NamedTuple):
    nodes: tuple[int, ...]
    strength: float


class Ways:
    """The ways from one keyword's nodes; what is within reach is found once."""

    def __init__(self, graph: MetaphorGraph, network: Network, seed: Mapping[int, float], hops: int) -> None:
        """Look around a keyword.

        Args:
            graph: the graph.
            network: its network, for synonym edges.
            seed: the nodes the keyword was linked to, with their trust.
            hops: associations a way may have, 1 or more.
        """
        arrays = graph.arrays
        self._network = network
        self._seed = dict(seed)
        self._out: list[tuple[Csr, float]] = [(arrays.forward, 1.0)]
        self._in: list[tuple[Csr, float]] = [(arrays.forward if arrays.symmetric else arrays.backward, 1.0)]
        if not arrays.symmetric:
            self._out.append((arrays.backward, BACKWARD))
            self._in.append((arrays.forward, BACKWARD))
        self._layers = [self._start(arrays.forward.nodes)]
        for _ in range(hops - 1):
            if not self._layers[-1].max(initial=0.0) >= _LEAST:
                break  # whatever is longer has no strength left to tell
            self._layers.append(self._next(self._layers[-1], 1.0 if len(self._layers) == 1 else DECAY))

    def to(self, concept: int) -> _Way | None:
        """The strongest way to a concept that has an association in it; None without one."""
        if (way := self._by_edges(concept)) is not None:
            return way
        likes = self._network.synonyms
        first, last = likes.indptr[concept : concept + 2]
        found = [
            _Way((*way.nodes, concept), way.strength * float(weight))
            for other, weight in zip(
                likes.indices[first:last].tolist(), likes.weights[first:last], strict=True
            )
            if other not in self._seed and (way := self._by_edges(other)) and concept not in way.nodes
        ]
        return min(
            found, key=lambda way: (-round(way.strength, _PLACES), len(way.nodes), way.nodes), default=None
        )

    def _start(self, nodes: int) -> NDArray[np.float64]:
        """Trust in the keyword's nodes and, weaker, in what is much like them."""
        layer = np.zeros(nodes)
        likes = self._network.synonyms
        for node, trust in self._seed.items():
            first, last = likes.indptr[node : node + 2]
            np.maximum.at(layer, likes.indices[first:last], trust * likes.weights[first:last])
        layer[list(self._seed)] = list(self._seed.values())
        return layer

    def _next(self, layer: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
        """The strongest ways one step longer, from the `BEAM` strongest."""
        found = np.flatnonzero(layer)
        nodes = found[np.lexsort((found, -layer[found]))[:BEAM]]
        longer = np.zeros(len(layer))
        for csr, factor in self._out:
            at = csr.positions(nodes)
            passed = np.repeat(layer[nodes] * factor * decay, csr.degrees(nodes)) * csr.weights[at]
            np.maximum.at(longer, csr.indices[at], passed)
        return longer

    def _by_edges(self, concept: int) -> _Way | None:
        best: tuple[float, int] | None = None
        for hops in range(1, len(self._layers) + 1):
            strength = round(self._arriving(concept, hops)[1], _PLACES)
            if strength > 0 and (best is None or strength > best[0]):
                best = strength, hops
        if best is None:
            return None
        nodes = self._back(concept, best[1])
        return _Way(nodes, best[0]) if len(set(nodes)) == len(nodes) else None

    def _arriving(self, node: int, hops: int) -> tuple[int, float]:
        """The node before this one on the strongest way of so many associations, and its strength."""
        layer, decay = self._layers[hops - 1], 1.0 if hops == 1 else DECAY
        found = (-1, 0.0)
        for csr, factor in self._in:
            first, last = csr.indptr[node : node + 2]
            if first == last:
                continue
            strengths = np.round(layer[csr.indices[first:last]] * csr.weights[first:last], _PLACES)
            at = int(np.argmax(strengths))
            if (strength := float(strengths[at]) * factor * decay) > found[1]:
                found = (int(csr.indices[first + at]), strength)
        return found

    def _back(self, node: int, hops: int) -> tuple[int, ...]:
        if hops == 0:
            return (node,) if node in self._seed else (self._liked(node), node)
        return (*self._back(self._arriving(node, hops)[0], hops - 1), node)

    def _liked(self, node: int) -> int:
        """The keyword's node that another is much like."""
        likes = self._network.synonyms
        first, last = likes.indptr[node : node + 2]
        weights = dict(
            zip(likes.indices[first:last].tolist(), likes.weights[first:last].tolist(), strict=True)
        )
        return max(self._seed, key=lambda own: self._seed[own] * weights.get(own, 0.0))


def explain(graph: MetaphorGraph, nodes: tuple[int, ...], strength: float | None = None) -> Association:
    """A way as an association, with the edges that it takes.

    Args:
        graph: the graph.
        nodes: the way, two nodes or more.
        strength: its strength, in (0, 1]; that of its edges, the link trusted, without one.
    """
    names = tuple(map(graph.node_name, nodes))
    edges: list[Edge] = []
    grounds: list[str] = []
    backward = False
    product = 1.0
    for at, (one, two) in enumerate(pairwise(names)):
        if edge := _between(graph, one, two):
            grounds.append(edge.ground)
            product *= edge.weight * (DECAY if at else 1.0)
        elif edge := _between(graph, two, one):
            grounds.append(f"also shown by {edge.source}" + (f": {edge.ground}" if edge.ground else ""))
            product *= edge.weight * BACKWARD * (DECAY if at else 1.0)
            backward = backward or at == 0
        else:
            grounds.append(f"{two} is much like {one}")
            continue
        edges.append(edge)
    cultures = dict.fromkeys(edge.culture for edge in edges if edge.culture)
    return Association(
        source=names[0],
        concept=names[-1],
        path=names,
        kind="cultural" if cultures else (edges[0].kind if edges else "symbol"),
        ground="; ".join(filter(None, grounds)),
        culture=", ".join(cultures) or None,
        weight=round(product if strength is None else strength, 6),
        backward=backward,
    )


def _between(graph: MetaphorGraph, source: str, target: str) -> Edge | None:
    """The heaviest edge from one node to another; of equals the first."""
    edges = [edge for edge in graph.edges_from(source) if edge.target == target]
    return max(edges, key=lambda edge: edge.weight, default=None)
