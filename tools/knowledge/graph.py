"""The graph of metaphorical associations: nodes by name and number, edges in plain tuples and in arrays.

Names and edges are kept in memory or in a compiled folder; the face is the same. Nothing on the hot path
needs a graph library; networkx is the exchange type (`to_networkx`,
`from_networkx`) and is imported there alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from tools.knowledge.engine.store import MemoryStore
from tools.knowledge.linking.linker import FLOOR, Linker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tools.knowledge.edges import Edge, HopResult, Link
    from tools.knowledge.embedding.embedders import Embedder
    from tools.knowledge.engine.arrays import GraphArrays
    from tools.knowledge.engine.store import Store
    from tools.knowledge.linking.index import NameIndex
    from tools.knowledge.linking.nearest import PublishedLinker
    from tools.knowledge.linking.other_names import OtherName

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
        others: Sequence[OtherName] = (),
    ) -> None:
        """Make a graph.

        Args:
            edges: the edges, both directions of each when `symmetric`.
            nodes: names that come first, and those that have no edge.
            symmetric: whether the edges have no direction.
            name: where the graph came from.
            others: other names of nodes, for linking.
        """
        self._store: Store = MemoryStore(edges, nodes, symmetric=symmetric, others=others)
        self.name = name
        self.symmetric = symmetric

    @classmethod
    def over(cls, store: Store, name: str) -> MetaphorGraph:
        """A graph over names and edges that are kept elsewhere."""
        graph = cls(())
        graph._store = store
        graph.name = name
        graph.symmetric = store.symmetric
        return graph

    @property
    def nodes(self) -> Sequence[str]:
        """Every node's name, in the order it was first met."""
        return self._store.names

    @property
    def edges(self) -> Iterator[Edge]:
        """Every edge, by source."""
        return (edge for node in range(len(self)) for edge in self._store.leaving(node))

    @property
    def arrays(self) -> GraphArrays:
        """Nodes by number, edges and weights as arrays; made at first need, or mapped from disk."""
        return self._store.arrays

    @property
    def others(self) -> Sequence[OtherName]:
        """Other names of nodes, for linking."""
        return self._store.others

    @property
    def index(self) -> NameIndex:
        """The index of names that keywords are linked by."""
        return self._store.index

    def node_id(self, name: str) -> int | None:
        """The number of the node of exactly this name; None when there is no such node."""
        return self._store.number(name)

    def node_name(self, number: int) -> str:
        """The name of a node by its number, from 0."""
        return self._store.names[number]

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs; the linker of names is made anew there."""
        state = dict(vars(self))
        if type(state.get("linker")) is Linker:
            del state["linker"]
        return state

    def __contains__(self, node: object) -> bool:
        """Whether there is a node of exactly this name."""
        return isinstance(node, str) and self._store.number(node) is not None

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self._store.names)

    def __repr__(self) -> str:
        """Its name and number of nodes."""
        return f"MetaphorGraph({self.name!r}, {len(self)} nodes)"

    def edges_from(self, node: str) -> Sequence[Edge]:
        """Edges whose source is the node; none when there is no such node."""
        number = self.node_id(node)
        return () if number is None else self._store.leaving(number)

    def edges_into(self, node: str) -> Sequence[Edge]:
        """Edges whose target is the node; none when there is no such node."""
        if (number := self.node_id(node)) is None:
            return ()
        first, last = self.arrays.backward.indptr[number : number + 2]
        return tuple(self._store.edges(self.arrays.arrivals[first:last].tolist()))

    def edges_numbered(self, numbers: Iterable[int]) -> list[Edge]:
        """Some edges by their number in `edges`, from 0."""
        return self._store.edges(numbers)

    def neighbours(self, node: str) -> list[str]:
        """What an edge joins to the node, whatever its direction: each once, targets before sources."""
        number = self.node_id(node)
        return (
            [] if number is None else [self.node_name(at) for at in self.arrays.around.row(number).tolist()]
        )

    def popularity(self, node: str) -> int:
        """How many edges arrive at a node: the number of ways in which it is shown."""
        if (number := self.node_id(node)) is None:
            return 0
        arriving = self.arrays.forward if self.symmetric else self.arrays.backward
        return int(arriving.indptr[number + 1] - arriving.indptr[number])

    def link(self, keyword: str, limit: int = 3, floor: float = FLOOR) -> list[Link]:
        """The nodes that a keyword names, the best first; none when no score reaches the floor.

        Tried in turn: the name itself, its spelling variants, its other names, its dictionary form, a
        misspelling, its head noun with what modifies it; and its meaning, after `with_embedder`.
        """
        return self.linker.link(keyword, limit, floor)

    def link_all(self, keywords: Sequence[str], limit: int = 3, floor: float = FLOOR) -> list[list[Link]]:
        """For each keyword what `link` gives; those that need embedding are embedded in one request."""
        return self.linker.link_all(keywords, limit, floor)

    def with_embedder(
        self,
        embedder: Embedder,
        *,
        linking: str = "names",
        vectors: Path | None = None,
        cache_dir: Path | None = None,
    ) -> MetaphorGraph:
        """The same graph, which also links by meaning; nothing is embedded before that is needed.

        An embedder may compute or wait for a server, so callers that are asynchronous link in a thread.

        Args:
            embedder: from `open_embedder`.
            linking: "names": by meaning what no name links; "published": every keyword to its nearest
                node, as the published code does.
            vectors: the nodes' vectors as .npy, one row a node; by default they are embedded once and kept.
            cache_dir: the folder they are kept in; by default the embedder's, where it keeps vectors at all.

        Raises:
            ValueError: if there is no such linking.
        """
        from tools.knowledge.linking.nearest import linker_by_meaning

        graph = MetaphorGraph.over(self._store, self.name)
        graph.linker = linker_by_meaning(self, embedder, linking, vectors, cache_dir)
        return graph

    def near(self, name: str, n: int = 3) -> list[str]:
        """Up to `n` node names that resemble a name which is not in the graph."""
        return self.linker.near(name, n)

    def hop(self, concepts: Iterable[str], hops: int = 1, limit: int = 10) -> HopResult:
        """What the concepts may stand for, up to `hops` steps away, the strongest first.

        See `tools.knowledge.retrieving.walking` for how paths are ranked.

        Args:
            concepts: names, linked by `link`.
            hops: steps a path may have, 1 or more.
            limit: associations at most, 1 or more.

        Returns:
            The associations, and what was left out, linked and unknown.

        Raises:
            ValueError: if `hops` or `limit` is below 1.
        """
        from tools.knowledge.retrieving.walking import walk

        return walk(self, concepts, hops, limit)

    def to_networkx(self) -> Any:
        """The same graph as a `networkx.MultiDiGraph`, with the edges' fields as attributes."""
        from tools.knowledge.formats.exchange import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: Any, name: str = "networkx") -> MetaphorGraph:
        """A graph from any networkx graph whose nodes are names.

        Attributes that are missing take `Edge`'s defaults; an undirected graph becomes a symmetric one.

        Raises:
            KnowledgeError: naming the node or edge that can't be used, and why.
        """
        from tools.knowledge.formats.exchange import from_networkx

        return from_networkx(graph, name)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of nodes and edges in their order (which decides ties)."""
        return self._store.digest

    @cached_property
    def linker(self) -> Linker | PublishedLinker:
        """What links keywords to nodes."""
        return Linker(self.index)
