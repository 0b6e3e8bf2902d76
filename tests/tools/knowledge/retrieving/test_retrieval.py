"""The published retrieval, held against counts made by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph, Reference, fit_lines, retrieve_published

#        a --- b --- d --- e        Neighbours, in the order of the file:
#         \   /                     a: b c    b: a c d    c: a b    d: b e    e: d
#          \ /
#           c
ADJACENCY = {"a": "bc", "b": "acd", "c": "ab", "d": "be", "e": "d"}


@pytest.fixture
def graph() -> MetaphorGraph:
    edges = [Edge(node, other, "conceptual") for node, others in ADJACENCY.items() for other in others]
    return MetaphorGraph(edges, nodes=ADJACENCY, symmetric=True)


def counts(references: list[Reference]) -> list[tuple[str, int]]:
    return [(reference.concept, reference.count) for reference in references]


def test_counts_of_one_keyword(graph: MetaphorGraph) -> None:
    # expand a: b 1, c 1.  expand b (one hop away): a 1, c 2, d 1.  expand c: a 2, b 2.
    # d is two hops away and not expanded. First met: b, c, a, d.
    found = retrieve_published(graph, ["a"])
    assert counts(found) == [("b", 2), ("c", 2), ("a", 2), ("d", 1)]
    assert found[0] == Reference("b", 2, ("a",), (("a", "b"),))
    assert found[3] == Reference("d", 1, ("a",), (("a", "b", "d"),))


def test_one_hop_counts_neighbours_only(graph: MetaphorGraph) -> None:
    assert counts(retrieve_published(graph, ["b"], hops=1)) == [("a", 1), ("c", 1), ("d", 1)]


def test_counts_add_up_over_keywords(graph: MetaphorGraph) -> None:
    # To the counts from a come those from e: d 1 (expand e), b 1, e 1 (expand d).
    found = retrieve_published(graph, ["a", "e"])
    assert counts(found) == [("b", 3), ("c", 2), ("a", 2), ("d", 2), ("e", 1)]
    assert found[0].keywords == ("a", "e")
    assert found[0].paths == (("a", "b"), ("e", "d", "b"))


def test_the_order_of_keywords_decides_ties(graph: MetaphorGraph) -> None:
    # First met from e: d, b, e; then from a: c, a.
    assert counts(retrieve_published(graph, ["e", "a"])) == [("b", 3), ("d", 2), ("c", 2), ("a", 2), ("e", 1)]


def test_the_ten_highest_are_kept(graph: MetaphorGraph) -> None:
    assert counts(retrieve_published(graph, ["a"], limit=2)) == [("b", 2), ("c", 2)]
    star = MetaphorGraph([Edge("hub", f"ray {n}") for n in range(30)])
    assert [found.concept for found in retrieve_published(star, ["hub"], hops=1)] == [
        f"ray {n}" for n in range(10)
    ]


def test_repeated_keywords_count_twice_as_published(graph: MetaphorGraph) -> None:
    found = retrieve_published(graph, ["a", "a"])
    assert counts(found) == [("b", 4), ("c", 4), ("a", 4), ("d", 2)]
    assert found[0].keywords == ("a",)


def test_clean_never_returns_keywords_nor_counts_one_twice(graph: MetaphorGraph) -> None:
    assert counts(retrieve_published(graph, ["a", "e"], clean=True)) == [("b", 3), ("c", 2), ("d", 2)]
    found = retrieve_published(graph, ["a", "A"], clean=True)
    assert counts(found) == [("b", 2), ("c", 2), ("d", 1)]
    assert found[0].keywords == ("a", "A")


def test_unlinked_keywords_are_passed_over(graph: MetaphorGraph) -> None:
    assert counts(retrieve_published(graph, ["xyzzy", "e"], hops=1)) == [("d", 1)]
    assert retrieve_published(graph, []) == []


def test_a_directed_graph_is_walked_both_ways() -> None:
    graph = MetaphorGraph([Edge("candle", "time"), Edge("hourglass", "time")])
    # expand candle: time 1.  expand time: candle 1, hourglass 1.
    assert counts(retrieve_published(graph, ["candle"])) == [("time", 1), ("candle", 1), ("hourglass", 1)]


@pytest.mark.parametrize(("hops", "limit"), [(0, 1), (1, 0)])
def test_hops_and_limit_start_at_one(graph: MetaphorGraph, hops: int, limit: int) -> None:
    with pytest.raises(ValueError, match="counted from 1"):
        retrieve_published(graph, ["a"], hops, limit)


_PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda p: p[0] < p[1]), unique=True)


@settings(deadline=None)  # the first keyword loads a dictionary
@given(_PAIRS, st.lists(st.integers(0, 9), max_size=4), st.integers(1, 3))
def test_counts_equal_a_plain_count(pairs: list[tuple[int, int]], asked: list[int], hops: int) -> None:
    adjacency: dict[int, list[int]] = {}
    for one, other in pairs:
        adjacency.setdefault(one, []).append(other)
        adjacency.setdefault(other, []).append(one)
    expected: Counter[str] = Counter()
    for start in asked:
        depth = {start: 0}
        waiting = [start] if start in adjacency else []
        while waiting:
            node = waiting.pop(0)
            for other in adjacency[node] if depth[node] < hops else []:
                expected[f"n{other}"] += 1
                if other not in depth:
                    depth[other] = depth[node] + 1
                    waiting.append(other)
    edges = [Edge(f"n{node}", f"n{other}") for node, others in adjacency.items() for other in others]
    found = retrieve_published(MetaphorGraph(edges, symmetric=True), [f"n{n}" for n in asked], hops)
    assert counts(found) == expected.most_common(10)


def test_lines_are_never_cut_in_the_middle() -> None:
    every = [f"candle -> concept {n}" for n in range(10)]
    assert fit_lines(every, 80).split("\n") == [*every[:3], "7 more left out"]
    assert fit_lines(every, 1000) == "\n".join(every)
    assert fit_lines(every, 20) == "10 more left out"
    assert fit_lines(every, 3) == ""
    assert fit_lines([], 100) == ""


@given(st.integers(0, 400), st.integers(0, 30))
def test_whole_lines_within_the_limit_and_nobody_uncounted(max_chars: int, n: int) -> None:
    text = fit_lines([f"k -> c{i}" for i in range(n)], max_chars)
    assert len(text) <= max_chars
    lines = text.split("\n") if text else []
    more = [line for line in lines if line.endswith(" more left out")]
    shown = [line for line in lines if line not in more]
    assert shown == [f"k -> c{i}" for i in range(len(shown))]
    if text:
        assert len(shown) + sum(int(line.split()[0]) for line in more) == n
