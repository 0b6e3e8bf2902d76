"""Walks from what is seen to what it may mean.

A path's strength is the product of its edges' weights, the trust in the link it starts from, and `DECAY`
for every step after the first. Edges are walked from source to concept. Only the first step may go the
other way, from a concept back to what else stands for it; that costs `BACKWARD` and the ground says so.
A concept's rank sums its strongest path from each concept asked about, so what several share comes first,
divided by its popularity to the power `POPULARITY`, so that hubs such as "time" do not win everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tools.knowledge.edges import Association, Edge, HopResult, Link

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tools.knowledge.engine.arrays import GraphArrays
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["BACKWARD", "BEAM", "DECAY", "seeds_of", "walk"]

DECAY = 0.6
BACKWARD = 0.4
POPULARITY = 0.15
#: Added to every popularity, so that among rare concepts the weights decide.
SMOOTHING = 20
#: Paths of one length that are walked on from one concept: a hub's thousand neighbours are not.
BEAM = 200
#: Ways of linking that find a part of a phrase.
_PARTS = frozenset({"action", "head", "suffix", "modifier"})
#: Digits of a rank that count, so that ties never depend on the machine.
_DIGITS = 12


class _Paths(NamedTuple):
    """Paths of one length from one start, a row each.

    Attributes:
        nodes: int64, paths x (steps + 1): the nodes on the way.
        edges: int64, paths x steps: the edges walked; ~number for one that is walked backwards.
        strengths: float64, one a path.
    """

    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]
    strengths: NDArray[np.float64]

    def only(self, rows: NDArray[np.int64] | slice) -> _Paths:
        """Some of the paths."""
        return _Paths(self.nodes[rows], self.edges[rows], self.strengths[rows])


class _Found(NamedTuple):
    """The strongest path to one concept, and in what order it comes among paths from other starts."""

    order: tuple[float, int, list[int], list[int]]
    nodes: list[int]
    edges: list[int]


def walk(graph: MetaphorGraph, concepts: Iterable[str], hops: int, limit: int) -> HopResult:
    """Find and rank associations; see `MetaphorGraph.hop`."""
    if hops < 1 or limit < 1:
        msg = f"hops and limit are counted from 1, got hops={hops} and limit={limit}"
        raise ValueError(msg)
    linked: dict[str, str] = {}
    unknown: dict[str, list[str]] = {}
    starts: dict[int, float] = {}
    for concept in dict.fromkeys(concepts):
        links = graph.link(concept)
        if not links:
            unknown[concept] = graph.near(concept)
            continue
        linked[concept] = links[0].node
        for link in seeds_of(links):
            if (number := graph.node_id(link.node)) is not None:
                starts[number] = max(link.score, starts.get(number, 0.0))
    kept, left_out = _ranked(graph.arrays, starts, hops, limit)
    return HopResult(tuple(_association(graph, found) for found in kept), left_out, linked, unknown)


def seeds_of(links: list[Link]) -> list[Link]:
    """Every part of a phrase that was linked, or the one node that the whole phrase names."""
    return [link for at, link in enumerate(links) if not at or link.how in _PARTS]


def _ranked(arrays: GraphArrays, starts: dict[int, float], hops: int, limit: int) -> tuple[list[_Found], int]:
    """The best `limit` concepts around some starts, and how many more were found."""
    support, found = np.zeros(len(arrays.ranks)), np.zeros(len(arrays.ranks), bool)
    reached = [_reach(arrays, start, trust, hops) for start, trust in starts.items()]
    for layers in reached:
        # A start's strongest path to a concept is what counts.
        strongest = np.zeros_like(support)
        for layer in layers:
            np.maximum.at(strongest, layer.nodes[:, -1], layer.strengths)
            found[layer.nodes[:, -1]] = True
        support += strongest
    found[list(starts)] = False
    concepts = np.flatnonzero(found)
    popular = (arrays.popularities[concepts] + SMOOTHING) ** POPULARITY
    ranks = np.round(support[concepts] / popular, _DIGITS)
    best = concepts[np.lexsort((arrays.ranks[concepts], -ranks))[:limit]]
    return [_strongest(arrays, reached, int(concept)) for concept in best], max(len(concepts) - limit, 0)


def _strongest(arrays: GraphArrays, reached: list[list[_Paths]], concept: int) -> _Found:
    """The strongest of the paths to a concept, from any start."""
    found: list[_Found] = []
    for layer in (layer for layers in reached for layer in layers):
        for row in np.flatnonzero(layer.nodes[:, -1] == concept).tolist():
            nodes, edges = layer.nodes[row], layer.edges[row]
            ranks, cultures = arrays.ranks[nodes].tolist(), arrays.cultures[_forward(edges)].tolist()
            order = (-float(layer.strengths[row]), len(nodes), ranks, cultures)
            found.append(_Found(order, nodes.tolist(), edges.tolist()))
    return min(found)


def _reach(arrays: GraphArrays, start: int, trust: float, hops: int) -> list[_Paths]:
    """By length, the strongest path of that length to every node within `hops` steps of a start."""
    paths = _Paths(np.array([[start]], np.int64), np.empty((1, 0), np.int64), np.array([trust], np.float64))
    layers: list[_Paths] = []
    for step in range(hops):
        # Paths are in order, the strongest first.
        longer = _best(arrays, _extended(arrays, paths.only(slice(BEAM)), first=step == 0))
        layers.append(longer)
        paths = longer
    return layers


def _extended(arrays: GraphArrays, paths: _Paths, *, first: bool) -> _Paths:
    """Every path that is one step longer and meets no node twice."""
    last = paths.nodes[:, -1]
    strengths = paths.strengths if first else paths.strengths * DECAY
    edges = arrays.forward.positions(last)
    rows = np.repeat(np.arange(len(last)), arrays.forward.degrees(last))
    ends = arrays.forward.indices[edges].astype(np.int64)
    reached = strengths[rows] * arrays.weights[edges]
    if first and not arrays.symmetric:
        entries = arrays.backward.positions(last)
        back = arrays.arrivals[entries].astype(np.int64)
        rows_back = np.repeat(np.arange(len(last)), arrays.backward.degrees(last))
        rows, edges = np.concatenate((rows, rows_back)), np.concatenate((edges, ~back))
        ends = np.concatenate((ends, arrays.backward.indices[entries]))
        reached = np.concatenate((reached, strengths[rows_back] * arrays.weights[back] * BACKWARD))
    new = np.flatnonzero((paths.nodes[rows] != ends[:, None]).all(axis=1))
    rows = rows[new]
    return _Paths(
        np.column_stack((paths.nodes[rows], ends[new])).astype(np.int64, copy=False),
        np.column_stack((paths.edges[rows], edges[new])),
        reached[new],
    )


def _best(arrays: GraphArrays, paths: _Paths) -> _Paths:
    """The first path to each node: the strongest; then by names, then by cultures, then as they were met."""
    ends = paths.nodes[:, -1]
    strongest = np.zeros(len(arrays.ranks))
    np.maximum.at(strongest, ends, paths.strengths)
    paths = paths.only(np.flatnonzero(paths.strengths == strongest[ends]))
    cultures = arrays.cultures[_forward(paths.edges)]
    keys = [*cultures.T[::-1], *arrays.ranks[paths.nodes].T[::-1], -paths.strengths]
    paths = paths.only(np.lexsort(keys))
    _, at = np.unique(paths.nodes[:, -1], return_index=True)
    return paths.only(np.sort(at))


def _forward(edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """The edges' numbers, whichever way they are walked: ~number stands for one walked backwards."""
    return np.where(edges < 0, ~edges, edges)


def _association(graph: MetaphorGraph, found: _Found) -> Association:
    backward = [number < 0 for number in found.edges]
    edges = graph.edges_numbered(~number if number < 0 else number for number in found.edges)
    path = tuple(map(graph.node_name, found.nodes))
    cultures = dict.fromkeys(edge.culture for edge in edges if edge.culture)
    grounds = map(_ground, edges, backward)
    return Association(
        source=path[0],
        concept=path[-1],
        path=path,
        kind="cultural" if cultures else edges[0].kind,
        ground="; ".join(ground for ground in grounds if ground),
        culture=", ".join(cultures) or None,
        weight=round(-found.order[0], 6),
        backward=backward[0],
    )


def _ground(edge: Edge, backward: bool) -> str:
    if not backward:
        return edge.ground
    return f"also shown by {edge.source}" + (f": {edge.ground}" if edge.ground else "")
