"""To and from networkx, without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.edges import KINDS, Edge
from tools.knowledge.engine.collector import collector_paused
from tools.knowledge.formats.evidence import sentences_from_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["edge_from", "from_networkx", "to_networkx"]

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
        twin.add_edges_from((edge.source, edge.target, _attributes(edge)) for edge in graph.edges)
    return twin


def _attributes(edge: Edge) -> dict[str, Any]:
    attributes: dict[str, Any] = {field: getattr(edge, field) for field in _FIELDS}
    return {**attributes, "provenance": edge.provenance} if edge.provenance else attributes


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
                yield edge_from(source, target, attributes, f"{name}: edge {source!r} -> {target!r}")


def edge_from(source: str, target: str, attributes: Mapping[str, Any], where: str) -> Edge:
    """An edge with attributes of the names of `Edge`'s fields; those that are missing take its defaults.

    Raises:
        KnowledgeError: beginning with `where`, and naming the attribute that can't be used.
    """
    culture = attributes.get("culture") or None
    kind = attributes.get("kind", "cultural" if culture else "symbol")
    weight = attributes.get("weight", 1.0)
    if kind not in KINDS:
        msg = f"{where}: kind {_shown(kind)} is not one of {', '.join(KINDS)}."
        raise KnowledgeError(msg)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= 1:
        msg = f"{where}: weight {_shown(weight)} is not a number above 0 and up to 1."
        raise KnowledgeError(msg)
    if (culture is not None) != (kind == "cultural"):
        msg = f"{where}: culture is {culture!r} and kind is {kind!r}; culture goes with kind cultural alone."
        raise KnowledgeError(msg)
    if culture is not None and not isinstance(culture, str):
        msg = f"{where}: culture {_shown(culture)} is not a text."
        raise KnowledgeError(msg)
    sentences = _sentences(attributes.get("sentences", ()), where)
    ground, provenance = (str(attributes.get(field, "")) for field in ("ground", "provenance"))
    return Edge(source, target, kind, culture, float(weight), ground, sentences, provenance)


def _sentences(given: Any, where: str) -> tuple[str, ...]:
    """Sentences from a list, from what GraphML holds of one, or from one sentence alone."""
    if isinstance(given, str):
        try:
            return sentences_from_json(given)
        except ValueError:
            return (given,)
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
        msg = f"{where}: sentences is {_shown(given)}, expected a list of strings."
        raise KnowledgeError(msg)
    return tuple(given)


def _shown(value: object, most: int = 60) -> str:
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        return "of thousands of digits"
    except RecursionError:
        return "something that is nested very deeply"
    return text if len(text) <= most else f"{text[:most]}..."
