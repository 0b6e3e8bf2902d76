"""The strongest ways between two nodes, against every way there is."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.paths import steps_between, strongest
from tools.knowledge.retrieving.walking import BACKWARD, DECAY, POPULARITY, SMOOTHING

NAMES = "abcdef"


def naive(graph: MetaphorGraph, start: str, goal: str, most: int) -> dict[tuple[str, ...], float]:
    """Every path that turns round once at most, and its strength, by its definition."""
    found: dict[tuple[str, ...], float] = {}
    for steps in range(1, most + 1):
        for middle in itertools.permutations(set(graph.nodes) - {start, goal}, steps - 1):
            nodes = (start, *middle, goal)
            for ways in itertools.product([False, True], repeat=steps):
                if (graph.symmetric and any(ways)) or sum(a != b for a, b in itertools.pairwise(ways)) > 1:
                    continue
                strength = BACKWARD if any(ways) else 1.0
                for one, other, back in zip(nodes, nodes[1:], ways, strict=False):
                    between = graph.edges_from(other if back else one)
                    to = one if back else other
                    strength *= max((edge.weight for edge in between if edge.target == to), default=0)
                strength *= DECAY ** (steps - 1)
                for node in middle:
                    strength *= (SMOOTHING / (graph.popularity(node) + SMOOTHING)) ** POPULARITY
                if strength:
                    found[nodes] = max(strength, found.get(nodes, 0))
    return found


@st.composite
def graphs(draw: st.DrawFn) -> MetaphorGraph:
    ends = st.sampled_from(NAMES)
    weights = st.sampled_from([0.1, 0.35, 0.5, 0.8, 1.0])
    rows = draw(st.lists(st.tuples(ends, ends, weights), max_size=18))
    edges = [Edge(one, other, weight=weight) for one, other, weight in rows if one != other]
    symmetric = draw(st.booleans())
    if symmetric:
        edges += [edge._replace(source=edge.target, target=edge.source) for edge in edges]
    return MetaphorGraph(edges, nodes=NAMES, symmetric=symmetric)


@given(graphs(), st.integers(1, 4))
@settings(max_examples=80)
def test_every_path_is_found_in_order(graph: MetaphorGraph, most: int) -> None:
    expected = naive(graph, "a", "b", most)
    found = strongest(graph, "a", "b", limit=1000, most=most)
    best: dict[tuple[str, ...], float] = {}
    for route in found:  # a path whose steps go both ways is found once for each
        best[route.nodes] = max(route.strength, best.get(route.nodes, 0))
        assert len(route.steps) == len(route.nodes) - 1
        for step, (one, other) in zip(route.steps, itertools.pairwise(route.nodes), strict=True):
            assert step.edge[:2] == ((other, one) if step.is_back else (one, other))
    assert best == pytest.approx(expected, abs=2e-6)
    strengths = [route.strength for route in found]
    assert strengths == sorted(strengths, reverse=True)
    few = strongest(graph, "a", "b", limit=2, most=most)
    assert few == found[:2]


@given(graphs())
def test_steps_between_is_the_shortest_way(graph: MetaphorGraph) -> None:
    networkx = pytest.importorskip("networkx")
    flat = networkx.Graph(graph.to_networkx())
    expected = networkx.shortest_path_length(flat, "a", "b") if networkx.has_path(flat, "a", "b") else None
    assert steps_between(graph, "a", "b") == expected


def test_two_things_that_stand_for_one_concept_meet_in_it() -> None:
    graph = MetaphorGraph(
        [
            Edge("candle", "hope", weight=0.5, ground="a light"),
            Edge("dawn", "hope", weight=0.8, ground="night ends"),
            Edge("dawn", "hope", "cultural", "Greek", 0.4, "other ground"),
        ]
    )
    (route,) = strongest(graph, "candle", "dawn")
    assert route.nodes == ("candle", "hope", "dawn")
    assert [(step.edge.ground, step.is_back) for step in route.steps] == [
        ("a light", False),
        ("night ends", True),
    ]
    hope = (SMOOTHING / (3 + SMOOTHING)) ** POPULARITY
    assert route.strength == pytest.approx(0.5 * 0.8 * DECAY * BACKWARD * hope, abs=1e-6)


def test_a_path_does_not_zigzag() -> None:
    graph = MetaphorGraph([Edge("a", "x"), Edge("b", "x"), Edge("b", "y"), Edge("c", "y")])
    assert strongest(graph, "a", "c", most=6) == []
    assert steps_between(graph, "a", "c") == 4


def test_bad_numbers_and_nodes() -> None:
    graph = MetaphorGraph([Edge("a", "b")])
    assert strongest(graph, "a", "a") == []
    assert steps_between(graph, "a", "nowhere") is None
    for start, limit, most in (("nowhere", 1, 1), ("a", 0, 1), ("a", 1, 0)):
        with pytest.raises(ValueError, match="paths need two nodes"):
            strongest(graph, start, "b", limit=limit, most=most)


def test_any_number_of_steps_ends() -> None:
    ring = MetaphorGraph([Edge(str(node), str((node + 1) % 9), weight=0.9) for node in range(9)])
    few, many = (strongest(ring, "0", "8", limit=10**9, most=most) for most in (8, 10**20))
    assert many == few
    assert [route.nodes for route in few] == [("0", "8"), tuple(map(str, range(9)))]
