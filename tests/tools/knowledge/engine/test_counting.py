"""Traversals counted on arrays, against a search that counts them one by one."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph, retrieve_published
from tools.knowledge.engine.counting import count_traversals, expand

_NAMES = [f"n{number}" for number in range(12)]


def search(graph: MetaphorGraph, start: str, hops: int) -> list[tuple[str, ...]]:
    """Every traversal, as the path that ends with it: breadth-first, expanded once, counted always."""
    traversals: list[tuple[str, ...]] = []
    queue = deque([(start,)])
    expanded = {start}
    while queue:
        path = queue.popleft()
        for neighbour in graph.neighbours(path[-1]):
            traversals.append((*path, neighbour))
            if neighbour not in expanded and len(path) < hops:
                expanded.add(neighbour)
                queue.append((*path, neighbour))
    return traversals


@st.composite
def graphs(draw: st.DrawFn) -> MetaphorGraph:
    """Graphs with loops, parallel edges, and one-way entries in what should be symmetric."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES)), max_size=40))
    return MetaphorGraph(
        [Edge(*pair) for pair in pairs], nodes=draw(st.permutations(_NAMES)), symmetric=draw(st.booleans())
    )


@given(graphs(), st.lists(st.sampled_from(_NAMES), max_size=6), st.integers(1, 4), st.integers(1, 12))
def test_counts_order_and_paths_equal_a_plain_search(
    graph: MetaphorGraph, asked: list[str], hops: int, limit: int
) -> None:
    counts: dict[str, int] = {}
    first: dict[str, dict[str, tuple[str, ...]]] = {}
    for keyword in asked:
        for path in search(graph, keyword, hops):
            counts[path[-1]] = counts.get(path[-1], 0) + 1
            first.setdefault(path[-1], {}).setdefault(keyword, path)
    expected = sorted(counts, key=lambda node: -counts[node])[:limit]
    found = retrieve_published(graph, asked, hops, limit)
    assert [(one.concept, one.count) for one in found] == [(node, counts[node]) for node in expected]
    assert [dict(zip(one.keywords, one.paths, strict=True)) for one in found] == [
        first[node] for node in expected
    ]
    assert [list(one.keywords) for one in found] == [list(first[node]) for node in expected]


@given(graphs(), st.lists(st.sampled_from(_NAMES), max_size=6), st.integers(1, 3))
def test_clean_counts_equal_a_plain_search(graph: MetaphorGraph, asked: list[str], hops: int) -> None:
    counts: dict[str, int] = {}
    for keyword in dict.fromkeys(asked):
        for path in search(graph, keyword, hops):
            counts[path[-1]] = counts.get(path[-1], 0) + 1
    expected = [node for node in sorted(counts, key=lambda node: -counts[node]) if node not in asked][:10]
    found = retrieve_published(graph, asked, hops, clean=True)
    assert [(one.concept, one.count) for one in found] == [(node, counts[node]) for node in expected]


def test_what_is_expanded_and_from_where() -> None:
    #  0 - 1 - 2 - 3
    graph = MetaphorGraph([Edge("0", "1"), Edge("1", "2"), Edge("2", "3")])
    found = expand(graph.arrays.around, [1, 3], hops=2)
    assert found.owners.tolist() == [0, 1, 0, 0, 1]
    assert found.nodes.tolist() == [1, 3, 2, 0, 2]
    assert found.parents.tolist() == [-1, -1, 0, 0, 1]


def test_nothing_to_start_from_or_to_arrive_at() -> None:
    around = MetaphorGraph([Edge("a", "b")], nodes=["alone"]).arrays.around
    assert count_traversals(around, {}, 2, 10) == ([], [], [])
    assert count_traversals(around, {0: 1}, 2, 10) == ([], [], [])
    assert count_traversals(around, {1: 1}, 1, 10) == ([2], [1], [{0: (1, 2)}])


@pytest.mark.parametrize("times", [1, 3])
def test_a_traversal_adds_what_its_start_says(times: int) -> None:
    around = MetaphorGraph([Edge("a", "b"), Edge("c", "b"), Edge("c", "d")]).arrays.around
    found = count_traversals(around, {0: times, 2: 1}, 1, 10)
    assert found.nodes == [1, 3]
    assert found.counts == [times + 1, 1]
