"""Retrieval as MetaphorBoost published it: count edge traversals around the keywords, keep the ten highest.

Kept for parity. `MetaphorGraph.hop` ranks by the paths' strength instead, which hubs don't win.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tools.knowledge.edges import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["retrieve_published"]


def retrieve_published(
    graph: MetaphorGraph,
    keywords: Iterable[str],
    hops: int = 2,
    limit: int = 10,
    *,
    clean: bool = False,
) -> list[Reference]:
    """The concepts whose edges are traversed most often around the keywords (MetaphorBoost's retrieval).

    From each keyword's best node, breadth-first to `hops` hops; each traversal of an edge adds 1 to the
    neighbour's count. A node is expanded once a keyword, but counted at every traversal. Edges are
    walked whatever their direction. A keyword that nothing in the graph resembles is passed over.

    Args:
        graph: any graph; the published one for the published figures.
        keywords: in an order that decides ties.
        hops: the published h, 2.
        limit: the published z, 10.
        clean: leave out the keywords' own nodes, and count a node once that several keywords name.

    Returns:
        At most `limit` references, the highest count first; among equal counts, the first met.

    Raises:
        ValueError: if `hops` or `limit` is below 1.
    """
    if hops < 1 or limit < 1:
        msg = f"hops and limit are counted from 1, got hops={hops} and limit={limit}"
        raise ValueError(msg)
    starts = [(keyword, links[0].node) for keyword in keywords if (links := graph.link(keyword, limit=1))]
    own = {node for _, node in starts} if clean else set[str]()
    counts: dict[str, int] = {}
    first_met: dict[str, dict[str, tuple[str, ...]]] = {}
    counted: set[str] = set()
    for keyword, start in starts:
        adds = 0 if clean and start in counted else 1
        counted.add(start)
        for path in _traversals(graph, start, hops):
            counts[path[-1]] = counts.get(path[-1], 0) + adds
            first_met.setdefault(path[-1], {}).setdefault(keyword, path)
    kept = sorted((node for node in counts if node not in own), key=lambda node: -counts[node])[:limit]
    return [_reference(node, counts[node], first_met[node]) for node in kept]


def _reference(node: str, count: int, paths: dict[str, tuple[str, ...]]) -> Reference:
    return Reference(node, count, tuple(paths), tuple(paths.values()))


def _traversals(graph: MetaphorGraph, start: str, hops: int) -> Iterator[tuple[str, ...]]:
    """Every traversal of an edge, as the path that ends with it."""
    queue: deque[tuple[str, ...]] = deque([(start,)])
    expanded = {start}
    while queue:
        path = queue.popleft()
        for neighbour in graph.neighbours(path[-1]):
            longer = (*path, neighbour)
            yield longer
            if neighbour not in expanded and len(path) < hops:
                expanded.add(neighbour)
                queue.append(longer)
