"""Mode `published`, held against the published algorithm written down plainly."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph, retrieve

Adjacency = dict[str, list[str]]


def naive(adjacency: Adjacency, starts: list[str], hops: int, limit: int) -> list[tuple[str, int]]:
    """From each start breadth-first; every traversal counts; the highest counts, ties by first met."""
    counts: dict[str, int] = {}
    for start in starts:
        expanded, waiting = {start}, deque([(start, 0)])
        while waiting:
            node, depth = waiting.popleft()
            if depth == hops:
                continue
            for neighbour in adjacency[node]:
                counts[neighbour] = counts.get(neighbour, 0) + 1
                if neighbour not in expanded:
                    expanded.add(neighbour)
                    waiting.append((neighbour, depth + 1))
    return sorted(counts.items(), key=lambda item: -item[1])[:limit]


PAIRS = st.lists(
    st.tuples(st.integers(0, 14), st.integers(0, 14)).filter(lambda pair: pair[0] != pair[1]),
    unique_by=frozenset,
    min_size=1,
    max_size=50,
)


@settings(deadline=None)  # the first keyword loads a dictionary
@given(PAIRS, st.lists(st.integers(0, 14), max_size=6), st.integers(1, 4), st.integers(1, 20))
def test_published_is_the_published_algorithm(
    pairs: list[tuple[int, int]], asked: list[int], hops: int, limit: int
) -> None:
    adjacency: Adjacency = {}
    for one, other in pairs:
        adjacency.setdefault(f"n{one}", []).append(f"n{other}")
        adjacency.setdefault(f"n{other}", []).append(f"n{one}")
    edges = [Edge(node, other) for node, others in adjacency.items() for other in others]
    graph = MetaphorGraph(edges, nodes=adjacency, symmetric=True)
    keywords = [f"n{number}" for number in asked]
    starts = [keyword for keyword in keywords if keyword in adjacency]
    for mode, depth in (("published", hops), ("published_h1", 1)):
        found = retrieve(graph, keywords, mode=mode, hops=hops, limit=limit)
        assert [(each.concept, each.count) for each in found] == naive(adjacency, starts, depth, limit)
        assert all(each.score == each.count for each in found)


@settings(deadline=None)
@given(PAIRS, st.lists(st.integers(0, 14), min_size=1, max_size=4))
def test_published_paths_are_walked_edge_by_edge(pairs: list[tuple[int, int]], asked: list[int]) -> None:
    graph = MetaphorGraph([Edge(f"n{one}", f"n{other}", weight=0.5) for one, other in pairs])
    for found in retrieve(graph, [f"n{number}" for number in asked], mode="published"):
        assert {association.path for association in found.associations} == set(found.paths)
        for path in found.paths:
            assert path[-1] == found.concept
            assert all(two in graph.neighbours(one) for one, two in pairwise(path))
