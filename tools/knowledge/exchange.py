"""To and from networkx, without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.collector import collector_paused
from tools.knowledge.edges import KINDS, Edge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["from_networkx", "to_networkx"]

_FIELDS = ("kind", "culture", "weight", "ground", "sentences")


def to_networkx(graph: MetaphorGraph) -> Any:
    """A `networkx.MultiDiGraph` with the same nodes and edges in the same order.

    Directed even when the graph is symmetric (both directions are there), since an undirected graph would
    forget the order of a node's neighbours, and multi, since two cultures may give one edge each.
    """
    import networkx as nx

    twin: Any = nx.MultiDiGraph(symmetric=graph.symmetric, name=graph.name)
    twin.add_nodes_from(graph.nodes)
    with collector_paused():
        twin.add_edges_from(
            (edge.source, edge.target, dict(zip(_FIELDS, edge[2:], strict=True))) for edge in graph.edges
        )
    return twin


def from_networkx(graph: Any, name: str = "networkx") -> MetaphorGraph:
    """A `MetaphorGraph` of any networkx graph; see `MetaphorGraph.from_networkx`."""
    from tools.knowledge.graph import MetaphorGraph

    for node in graph.nodes:
        if not isinstance(node, str) or not node.strip():
            msg = f"{name}: node {node!r} is no name; nodes of a metaphor graph are non-empty strings."
            raise KnowledgeError(msg)
    with collector_paused():
        return MetaphorGraph(
            _edges(graph, name),
            nodes=graph.nodes,
            symmetric=bool(graph.graph.get("symmetric", not graph.is_directed())),
            name=str(graph.graph.get("name") or name),
        )


def _edges(graph: Any, name: str) -> Iterator[Edge]:
    for source, neighbours in graph.adjacency():
        for target, data in neighbours.items():
            for attributes in data.values() if graph.is_multigraph() else (data,):
                yield _edge(source, target, attributes, f"{name}: edge {source!r} -> {target!r}")


def _edge(source: str, target: str, attributes: Mapping[str, Any], where: str) -> Edge:
    culture = attributes.get("culture") or None
    kind = attributes.get("kind", "cultural" if culture else "symbol")
    weight = attributes.get("weight", 1.0)
    sentences: Sequence[str] = attributes.get("sentences", ())
    if kind not in KINDS:
        msg = f"{where}: kind {kind!r} is not one of {', '.join(KINDS)}."
        raise KnowledgeError(msg)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= 1:
        msg = f"{where}: weight {weight!r} is not a number above 0 and up to 1."
        raise KnowledgeError(msg)
    if (culture is not None) != (kind == "cultural"):
        msg = f"{where}: culture is {culture!r} and kind is {kind!r}; culture goes with kind cultural alone."
        raise KnowledgeError(msg)
    ground = attributes.get("ground", "")
    return Edge(source, target, kind, culture, float(weight), str(ground), tuple(sentences))
