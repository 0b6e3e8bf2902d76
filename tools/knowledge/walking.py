"""Walks from what is seen to what it may mean.

A path's strength is the product of its edges' weights, the trust in the link it starts from, and `DECAY`
for every step after the first. Edges are walked from source to concept. Only the first step may go the
other way, from a concept back to what else stands for it; that costs `BACKWARD` and the ground says so.
A concept's rank sums its strongest path from each concept asked about, so what several share comes first,
divided by its popularity to the power `POPULARITY`, so that hubs such as "time" do not win everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tools.knowledge.edges import Association, Edge, HopResult, Link

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["walk"]

DECAY = 0.6
BACKWARD = 0.4
POPULARITY = 0.15
#: Added to every popularity, so that among rare concepts the weights decide.
SMOOTHING = 20
#: Paths of one length that are walked on from one concept: a hub's thousand neighbours are not.
BEAM = 200
#: Ways of linking that find a part of a phrase.
_PARTS = frozenset({"action", "head", "suffix", "modifier"})


class _Step(NamedTuple):
    edge: Edge
    backward: bool

    @property
    def ground(self) -> str:
        if not self.backward:
            return self.edge.ground
        return f"also shown by {self.edge.source}" + (f": {self.edge.ground}" if self.edge.ground else "")


class _Path(NamedTuple):
    nodes: tuple[str, ...]
    strength: float
    steps: tuple[_Step, ...] = ()

    @property
    def order(self) -> tuple[float, int, tuple[str, ...], str]:
        """Strongest first; then the shorter path, then names, so that ties never depend on the machine."""
        cultures = ",".join(step.edge.culture or "" for step in self.steps)
        return (-self.strength, len(self.nodes), self.nodes, cultures)


def walk(graph: MetaphorGraph, concepts: Iterable[str], hops: int, limit: int) -> HopResult:
    """Find and rank associations; see `MetaphorGraph.hop`."""
    if hops < 1 or limit < 1:
        msg = f"hops and limit are counted from 1, got hops={hops} and limit={limit}"
        raise ValueError(msg)
    linked: dict[str, str] = {}
    unknown: dict[str, list[str]] = {}
    starts: dict[str, float] = {}
    for concept in dict.fromkeys(concepts):
        links = graph.link(concept)
        if not links:
            unknown[concept] = graph.near(concept)
            continue
        linked[concept] = links[0].node
        for link in _seeds(links):
            starts[link.node] = max(link.score, starts.get(link.node, 0.0))

    best: dict[str, _Path] = {}
    support: dict[str, float] = {}
    for start, trust in starts.items():
        for concept, path in _reach(graph, start, trust, hops).items():
            if concept in starts:
                continue
            support[concept] = support.get(concept, 0.0) + path.strength
            if concept not in best or path.order < best[concept].order:
                best[concept] = path

    def rank(concept: str) -> tuple[float, str]:
        popular: float = (graph.popularity(concept) + SMOOTHING) ** POPULARITY
        return (-round(support[concept] / popular, 12), concept)

    ranked = sorted(best, key=rank)
    kept = tuple(_association(best[concept]) for concept in ranked[:limit])
    return HopResult(kept, max(len(ranked) - limit, 0), linked, unknown)


def _seeds(links: list[Link]) -> list[Link]:
    """Every part of a phrase that was linked, or the one node that the whole phrase names."""
    return [link for at, link in enumerate(links) if not at or link.how in _PARTS]


def _reach(graph: MetaphorGraph, start: str, trust: float, hops: int) -> dict[str, _Path]:
    """The strongest path to every node within `hops` steps of a start."""
    best: dict[str, _Path] = {}
    frontier = [_Path((start,), trust)]
    for _ in range(hops):
        layer: dict[str, _Path] = {}
        for path in frontier:
            for longer in _extend(graph, path):
                node = longer.nodes[-1]
                if node not in layer or longer.order < layer[node].order:
                    layer[node] = longer
        for node, path in layer.items():
            if node not in best or path.order < best[node].order:
                best[node] = path
        frontier = sorted(layer.values(), key=lambda path: path.order)[:BEAM]
    return best


def _extend(graph: MetaphorGraph, path: _Path) -> Iterable[_Path]:
    last = path.nodes[-1]
    first = len(path.nodes) == 1
    strength = path.strength if first else path.strength * DECAY
    for edge in graph.edges_from(last):
        if edge.target not in path.nodes:
            yield _Path((*path.nodes, edge.target), strength * edge.weight, (*path.steps, _Step(edge, False)))
    if first and not graph.symmetric:
        for edge in graph.edges_into(last):
            if edge.source not in path.nodes:
                back = strength * edge.weight * BACKWARD
                yield _Path((*path.nodes, edge.source), back, (*path.steps, _Step(edge, True)))


def _association(path: _Path) -> Association:
    edges = [step.edge for step in path.steps]
    cultures = dict.fromkeys(edge.culture for edge in edges if edge.culture)
    return Association(
        source=path.nodes[0],
        concept=path.nodes[-1],
        path=path.nodes,
        kind="cultural" if cultures else edges[0].kind,
        ground="; ".join(ground for step in path.steps if (ground := step.ground)),
        culture=", ".join(cultures) or None,
        weight=round(path.strength, 6),
        backward=path.steps[0].backward,
    )
