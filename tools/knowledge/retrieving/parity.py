"""Retrieval as MetaphorBoost published it: count edge traversals around the keywords, keep the ten highest.

Kept for parity. `retrieval.retrieve` ranks by what the keywords share instead, which hubs don't win.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tools.knowledge.edges import Reference
from tools.knowledge.engine.counting import count_traversals

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    numbers = {keyword: number for keyword, node in starts if (number := graph.node_id(node)) is not None}
    times = Counter(numbers[keyword] for keyword, _ in starts)
    adds = dict.fromkeys(times, 1) if clean else times
    found = count_traversals(graph.arrays.around, adds, hops, limit, without=times if clean else ())
    places = {number: place for place, number in enumerate(times)}
    return [
        _reference(graph, node, count, {word: paths.get(places[at]) for word, at in numbers.items()})
        for node, count, paths in zip(*found, strict=True)
    ]


def _reference(
    graph: MetaphorGraph, node: int, count: int, paths: dict[str, tuple[int, ...] | None]
) -> Reference:
    named = {word: tuple(map(graph.node_name, path)) for word, path in paths.items() if path}
    return Reference(graph.node_name(node), count, tuple(named), tuple(named.values()))
