"""Keywords to nodes by meaning: what no name links, and the paper's way of linking everything."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge.edges import Link
from tools.knowledge.linking import chinese
from tools.knowledge.linking.linker import SURE, Linker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tools.knowledge.embedding.embedders import Embedder
    from tools.knowledge.embedding.vectors import VectorTable
    from tools.knowledge.graph import MetaphorGraph

__all__ = [
    "COSINES",
    "LINKINGS",
    "MIN_DEGREE",
    "PREFIX",
    "VECTORS",
    "NearestNodes",
    "PublishedLinker",
    "linker_by_meaning",
    "open_linked",
]

LINKINGS = ("names", "published")
#: In a compiled graph's folder, the vectors that were published with it.
VECTORS = "vectors.npy"

#: A node with fewer edges leads nowhere much, and is more often a chance likeness.
MIN_DEGREE = 3
#: Below the first cosine a node is not what a keyword means; from the second on it rather is than not. For
#: graphs too small to tell, found with all-MiniLM-L6-v2 on the tests' tables of keywords.
COSINES = (0.70, 0.78)
#: Else these shares of nodes have no other node nearer than that: models differ in how alike they find
#: two things.
_SHARES = (67, 87)
_SAMPLE, _AMONG, _FEWEST = 400, 3000, 500
_SAME = 0.995
#: What links by meaning are worth at these cosines, and at cosine 1.
_WORTHS = (0.5, SURE, 0.9)
#: What the published code puts before each keyword.
PREFIX = "This is a scene description related to metaphor understanding: "


class NearestNodes:
    """Finds the nodes nearest in meaning; the vectors are opened at first need. Safe between threads."""

    def __init__(
        self,
        nodes: Sequence[str],
        embedder: Embedder,
        vectors: Callable[[], VectorTable],
        degrees: Callable[[], NDArray[np.int64]],
        cosines: tuple[float, float] | None = None,
    ) -> None:
        """Keep what is needed; nothing is embedded yet.

        Args:
            nodes: the nodes' names by number.
            embedder: embeds keywords, the same that embedded the nodes.
            vectors: opens the nodes' vectors.
            degrees: gives each node's number of neighbours.
            cosines: the floor, and from where on a link is sure; by default measured on the vectors.
        """
        self._nodes = nodes
        self._embedder = embedder
        self._open = vectors
        self._degrees = degrees
        self._cosines = cosines
        self._lock = threading.Lock()
        self._english_only = bool(getattr(embedder, "english_only", False))

    def nearest(self, keywords: Sequence[str], limit: int) -> list[list[Link]]:
        """For each keyword the nodes nearest in meaning, the nearest first, none below the floor."""
        asked = [keyword for keyword in dict.fromkeys(keywords) if self._can_tell(keyword)]
        if not asked or limit <= 0:
            return [[] for _ in keywords]
        with self._lock:
            table, allowed, steps = self._opened
        numbers, cosines = table.top(self._embedder.embed(asked), limit, allowed)
        found = {
            keyword: [
                Link(
                    self._nodes[int(number)], round(float(np.interp(cosine, steps, _WORTHS)), 4), "embedding"
                )
                for number, cosine in zip(row.tolist(), own.tolist(), strict=True)
                if cosine >= steps[0]
            ]
            for keyword, row, own in zip(asked, numbers, cosines, strict=True)
        }
        return [found.get(keyword, []) for keyword in keywords]

    def _can_tell(self, keyword: str) -> bool:
        """Whether a keyword is in the embedder's language, and has words at all."""
        if chinese.has_han(keyword):
            return not self._english_only
        return any(char.isalpha() for char in keyword)

    @cached_property
    def _opened(self) -> tuple[VectorTable, NDArray[np.bool_], tuple[float, float, float]]:
        table, allowed = self._open(), self._degrees() >= MIN_DEGREE
        low, high = self._cosines or _measured(table, allowed)
        return table, allowed, (low, high, 1.0)


def _measured(table: VectorTable, allowed: NDArray[np.bool_]) -> tuple[float, float]:
    """The two cosines of `COSINES`, from how near nodes spread over the graph have their nearest other."""
    numbers = np.flatnonzero(allowed)
    if len(numbers) < _FEWEST:
        return COSINES
    among = table.of(_spread(numbers, _AMONG))
    cosines = table.of(_spread(numbers, _SAMPLE)) @ among.T
    # The node itself is among them now and then; so is one whose vector is the same.
    nearest = np.where(cosines < _SAME, cosines, -1).max(axis=1)
    low, high = np.percentile(nearest, _SHARES)
    return float(low), float(max(high, low + 0.01))


def _spread(numbers: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most so many of some numbers, evenly spread."""
    places = np.linspace(0, len(numbers) - 1, min(most, len(numbers)))
    return numbers[places.astype(np.int64)]


def open_linked(
    graph: str | Path = "starter", embedder: Embedder | None = None, linking: str = "names"
) -> MetaphorGraph:
    """Open a graph and link to it by meaning too.

    Args:
        graph: as for `open_knowledge`.
        embedder: from `open_embedder`; None links by names alone.
        linking: as for `MetaphorGraph.with_embedder`; "published" takes the nodes' vectors from
            `vectors.npy` in the graph's folder when it is there.

    Raises:
        KnowledgeError: if the graph can't be opened, or a way of linking is asked for that there is not, or
            that needs an embedder when none is given.
    """
    from tools.knowledge.reading import open_knowledge

    if linking not in LINKINGS or (linking == "published" and embedder is None):
        msg = f"linking {linking!r}: give {' or '.join(LINKINGS)}; 'published' needs embeddings."
        raise KnowledgeError(msg)
    opened = open_knowledge(graph)
    if embedder is None:
        return opened
    published = Path(graph).expanduser() / VECTORS
    vectors = published if linking == "published" and published.is_file() else None
    return opened.with_embedder(embedder, linking=linking, vectors=vectors)


def linker_by_meaning(
    graph: MetaphorGraph, embedder: Embedder, linking: str, vectors: Path | None, cache_dir: Path | None
) -> Linker | PublishedLinker:
    """What `MetaphorGraph.with_embedder` links by.

    Raises:
        ValueError: if there is no such linking.
    """
    if linking not in LINKINGS:
        msg = f"linking is {linking!r}, expected {' or '.join(LINKINGS)}"
        raise ValueError(msg)

    def opened() -> VectorTable:
        from tools.knowledge.embedding.vectors import VectorTable, node_vectors

        if vectors is not None:
            return VectorTable.open(vectors, len(graph))
        return node_vectors(graph, embedder, cache_dir or getattr(embedder, "folder", None))

    if linking == "published":
        return PublishedLinker(graph.nodes, embedder, opened, graph.near)
    nearest = NearestNodes(graph.nodes, embedder, opened, lambda: graph.arrays.around.degrees(None))
    return Linker(graph.index, nearest)


class PublishedLinker:
    """Links as the published code does: every keyword to its nearest node, however far that is.

    The keyword is embedded after a fixed sentence (`PREFIX`); names, spelling and scores play no part.
    """

    def __init__(
        self,
        nodes: Sequence[str],
        embedder: Embedder,
        vectors: Callable[[], VectorTable],
        near: Callable[[str, int], list[str]],
    ) -> None:
        """Keep what is needed; nothing is embedded yet.

        Args:
            nodes: the nodes' names by number.
            embedder: embeds keywords, the same model that embedded the nodes.
            vectors: opens the nodes' vectors: the published ones, or those of the nodes' names.
            near: names that resemble one.
        """
        self.near = near
        self._nodes = nodes
        self._embedder = embedder
        self._open = vectors
        self._lock = threading.Lock()

    def link(self, keyword: str, limit: int = 1, floor: float = -1.0) -> list[Link]:
        """The node nearest to a keyword; see `link_all`."""
        return self.link_all([keyword], limit, floor)[0]

    def link_all(self, keywords: Sequence[str], limit: int = 1, floor: float = -1.0) -> list[list[Link]]:
        """For each keyword its nearest node with the cosine as score; one at most, whatever the limit."""
        del floor
        if not keywords or limit <= 0:
            return [[] for _ in keywords]
        with self._lock:
            table = self._table
        numbers, cosines = table.top(self._embedder.embed([PREFIX + keyword for keyword in keywords]), 1)
        return [
            [
                Link(self._nodes[int(number)], round(float(cosine), 4), "embedding")
                for number, cosine in zip(row.tolist(), own, strict=True)
            ]
            for row, own in zip(numbers, cosines, strict=True)
        ]

    @cached_property
    def _table(self) -> VectorTable:
        return self._open()
