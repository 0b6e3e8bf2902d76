"""Where a graph's names and edges are kept: in memory (here), or in a compiled folder (`mapped.py`)."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.edges import Edge
    from tools.knowledge.engine.arrays import GraphArrays
    from tools.knowledge.linking.index import NameIndex
    from tools.knowledge.linking.other_names import OtherName

__all__ = ["MemoryStore", "Store", "digest_of"]


class Store(Protocol):
    """Names by number, edges by number, and their arrays; nodes and edges never change."""

    @property
    def symmetric(self) -> bool:
        """Whether edges have no direction."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """Every node's name, in the order of their numbers."""
        ...

    @property
    def arrays(self) -> GraphArrays:
        """The arrays of the graph."""
        ...

    @property
    def digest(self) -> str:
        """What `digest_of` gives for the graph."""
        ...

    @property
    def index(self) -> NameIndex:
        """The index of names, for linking."""
        ...

    @property
    def others(self) -> Sequence[OtherName]:
        """Other names of the nodes."""
        ...

    def number(self, name: str) -> int | None:
        """The node of exactly this name, or None."""
        ...

    def leaving(self, node: int) -> Sequence[Edge]:
        """The edges whose source a node is."""
        ...

    def edges(self, numbers: Iterable[int]) -> list[Edge]:
        """Some edges by number."""
        ...


class MemoryStore:
    """Names and edges in memory, the arrays made at first need."""

    def __init__(
        self,
        edges: Iterable[Edge],
        nodes: Iterable[str],
        *,
        symmetric: bool,
        others: Sequence[OtherName] = (),
    ) -> None:
        """Group edges by source; see `MetaphorGraph`."""
        leaving: dict[str, list[Edge]] = {node: [] for node in nodes}
        for edge in edges:
            leaving.setdefault(edge.source, []).append(edge)
            leaving.setdefault(edge.target, [])
        self.symmetric = symmetric
        self.names = tuple(leaving)
        self.others = tuple(others)
        self._numbers = {name: number for number, name in enumerate(leaving)}
        self._edges = [edge for own in leaving.values() for edge in own]
        self._first = [0, *accumulate(map(len, leaving.values()))]

    @property
    def arrays(self) -> GraphArrays:
        """The arrays of the graph."""
        return self._arrays

    @property
    def digest(self) -> str:
        """What `digest_of` gives for the graph."""
        return self._digest

    @property
    def index(self) -> NameIndex:
        """The index of names, for linking."""
        return self._index

    def number(self, name: str) -> int | None:
        """The node of exactly this name, or None."""
        return self._numbers.get(name)

    def leaving(self, node: int) -> Sequence[Edge]:
        """The edges whose source a node is."""
        return tuple(self._edges[self._first[node] : self._first[node + 1]])

    def edges(self, numbers: Iterable[int]) -> list[Edge]:
        """Some edges by number."""
        return [self._edges[number] for number in numbers]

    @cached_property
    def _arrays(self) -> GraphArrays:
        from tools.knowledge.engine.arrays import arrays_of

        return arrays_of(self.names, self._edges, symmetric=self.symmetric)

    @cached_property
    def _index(self) -> NameIndex:
        from tools.knowledge.linking.index import MemoryIndex

        return MemoryIndex(self.names, self.others)

    @cached_property
    def _digest(self) -> str:
        leaving = map(self.leaving, range(len(self.names)))
        return digest_of(leaving, self.names, symmetric=self.symmetric, others=self.others)


def digest_of(
    leaving: Iterable[Sequence[Edge]],
    names: Sequence[str],
    *,
    symmetric: bool,
    others: Iterable[OtherName] = (),
) -> str:
    """SHA-256, in hex, of nodes and edges in their order (which decides ties); provenance is not part of it.

    Args:
        leaving: each node's edges.
        names: each node's name.
        symmetric: whether edges have no direction.
        others: other names, which decide what a keyword is linked to.
    """
    sha = hashlib.sha256(b"symmetric" if symmetric else b"directed")
    for node, edges in zip(names, leaving, strict=True):
        fields = [[*edge[1:6], list(edge.sentences)] for edge in edges]
        sha.update(json.dumps([node, fields], ensure_ascii=False).encode("utf-8", "surrogatepass"))
    for other in sorted({(other.node, other.name) for other in others}):
        sha.update(json.dumps(other, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return sha.hexdigest()
