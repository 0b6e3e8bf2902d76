"""The graph of metaphorical associations: nodes by name, edges in plain tuples.

Nothing on the hot path needs a graph library; networkx is the exchange type (`to_networkx`,
`from_networkx`) and is imported there alone.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tools.knowledge.linking import FLOOR, Linker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tools.knowledge.edges import Edge, HopResult, Link

__all__ = ["MetaphorGraph"]


class MetaphorGraph:
    """Sources, concepts, and the edges between them, in the order they were read.

    Immutable once made, so it can be shared between threads.

    Attributes:
        name: where it came from, for messages and run records.
        symmetric: True when an edge has no direction of its own and stands in both its nodes' lists, as
            in the published graph; False when edges go from a source to what it stands for.
    """

    def __init__(
        self,
        edges: Iterable[Edge],
        *,
        nodes: Iterable[str] = (),
        symmetric: bool = False,
        name: str = "graph",
    ) -> None:
        """Make a graph.

        Args:
            edges: the edges, both directions of each when `symmetric`.
            nodes: names that come first, and those that have no edge.
            symmetric: whether the edges have no direction.
            name: where the graph came from.
        """
        forward: dict[str, list[Edge]] = {node: [] for node in nodes}
        for edge in edges:
            forward.setdefault(edge.source, []).append(edge)
            forward.setdefault(edge.target, [])
        self.name = name
        self.symmetric = symmetric
        self._forward: Mapping[str, Sequence[Edge]] = forward

    @classmethod
    def over(cls, forward: Mapping[str, Sequence[Edge]], *, symmetric: bool, name: str) -> MetaphorGraph:
        """A graph over edges that are kept elsewhere, by source; every node is a key."""
        graph = cls((), symmetric=symmetric, name=name)
        graph._forward = forward
        return graph

    @property
    def nodes(self) -> Sequence[str]:
        """Every node's name, in the order it was first met."""
        return tuple(self._forward)

    @property
    def edges(self) -> Iterator[Edge]:
        """Every edge, by source."""
        return (edge for edges in self._forward.values() for edge in edges)

    def __contains__(self, node: object) -> bool:
        """Whether there is a node of exactly this name."""
        return node in self._forward

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self._forward)

    def __repr__(self) -> str:
        """Its name and number of nodes."""
        return f"MetaphorGraph({self.name!r}, {len(self)} nodes)"

    def edges_from(self, node: str) -> Sequence[Edge]:
        """Edges whose source is the node; none when there is no such node."""
        return self._forward.get(node, ())

    def edges_into(self, node: str) -> Sequence[Edge]:
        """Edges whose target is the node; none when there is no such node."""
        return self._backward.get(node, ())

    def neighbours(self, node: str) -> list[str]:
        """What an edge joins to the node, whatever its direction: each once, targets before sources."""
        found = dict.fromkeys(edge.target for edge in self.edges_from(node))
        if not self.symmetric:
            found |= dict.fromkeys(edge.source for edge in self.edges_into(node))
        return list(found)

    def popularity(self, node: str) -> int:
        """How many edges arrive at a node: the number of ways in which it is shown."""
        return len(self._forward.get(node, ()) if self.symmetric else self._backward.get(node, ()))

    def link(self, keyword: str, limit: int = 3, floor: float = FLOOR) -> list[Link]:
        """The nodes that a keyword names, the best first; none when no score reaches the floor.

        Tried in turn: the name itself, its spelling variants, its dictionary form, its head noun with
        what modifies it, a misspelling.
        """
        return self._linker.link(keyword, limit, floor)

    def near(self, name: str, n: int = 3) -> list[str]:
        """Up to `n` node names that resemble a name which is not in the graph."""
        return self._linker.near(name, n)

    def hop(self, concepts: Iterable[str], hops: int = 1, limit: int = 10) -> HopResult:
        """What the concepts may stand for, up to `hops` steps away, the strongest first.

        See `tools.knowledge.walking` for how paths are ranked.

        Args:
            concepts: names, linked by `link`.
            hops: steps a path may have, 1 or more.
            limit: associations at most, 1 or more.

        Returns:
            The associations, and what was left out, linked and unknown.

        Raises:
            ValueError: if `hops` or `limit` is below 1.
        """
        from tools.knowledge.walking import walk

        return walk(self, concepts, hops, limit)

    def to_networkx(self) -> Any:
        """The same graph as a `networkx.MultiDiGraph`, with the edges' fields as attributes."""
        from tools.knowledge.exchange import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: Any, name: str = "networkx") -> MetaphorGraph:
        """A graph from any networkx graph whose nodes are names.

        Attributes that are missing take `Edge`'s defaults; an undirected graph becomes a symmetric one.

        Raises:
            KnowledgeError: naming the node or edge that can't be used, and why.
        """
        from tools.knowledge.exchange import from_networkx

        return from_networkx(graph, name)

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of nodes and edges in their order (which decides ties)."""
        sha = hashlib.sha256(b"symmetric" if self.symmetric else b"directed")
        for node, edges in self._forward.items():
            fields = [[*edge[1:6], list(edge.sentences)] for edge in edges]
            sha.update(json.dumps([node, fields], ensure_ascii=False).encode("utf-8", "surrogatepass"))
        return sha.hexdigest()

    @cached_property
    def _linker(self) -> Linker:
        return Linker(self._forward)

    @cached_property
    def _backward(self) -> dict[str, list[Edge]]:
        backward: dict[str, list[Edge]] = {}
        for edge in self.edges:
            backward.setdefault(edge.target, []).append(edge)
        return backward
