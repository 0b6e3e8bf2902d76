"""Counts of a graph, on graphs that can be counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph, open_knowledge
from tools.knowledge.edges import Sentence
from tools.knowledge.engine.compiled import open_compiled, write_compiled
from tools.knowledge.statistics import components, statistics

EDGES = [
    Edge("candle", "time", "symbol", None, 0.8, "burns down", (Sentence("One.", "x", "MIT"),), "cmdag (MIT)"),
    Edge("candle", "hope", "symbol", None, 0.7, "a light", (Sentence("Two.", "x", "MIT"), "Three."), "mine"),
    Edge("incense", "time", "cultural", "Chinese", 0.5, "burns by the hour", (), "mine"),
    Edge("time", "mortality", "conceptual", None, 0.9, "runs out", (), "mine"),
    Edge("fist", "anger", "bodily", None, 0.9, "the hand closes", (), "mine"),
]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_small_graph(compiled: bool, tmp_path: Path) -> None:
    graph = MetaphorGraph(EDGES, nodes=["alone", "candle"], name="small")
    if compiled:
        write_compiled(graph, tmp_path / "small")
        graph = open_compiled(tmp_path / "small", "small")
    counted = statistics(graph)
    assert (counted.nodes, counted.edges, counted.elements, counted.concepts) == (8, 5, 3, 4)
    assert (counted.orphans, counted.orphan_names) == (1, ["alone"])
    assert counted.components == [5, 2, 1]
    assert counted.kinds == {"symbol": 2, "bodily": 1, "conceptual": 1, "cultural": 1}
    assert counted.cultures == {"Chinese": 1}
    assert counted.provenances == {"mine": 4, "cmdag (MIT)": 1}
    assert (counted.sentences, counted.licences) == (3, {"MIT": 2, "": 1})
    assert counted.hubs == {"time": 2, "anger": 1, "hope": 1, "mortality": 1}
    assert counted.out_degrees.mean == counted.in_degrees.mean == 0.625
    assert counted.out_degrees.counts == {"0": 4, "1": 3, "2-3": 1}
    assert list(counted.out_degrees.quantiles.values()) == [0, 0, 0, 1, 2, 2, 2]
    assert counted.digest == graph.digest


def test_an_edge_without_direction_is_counted_once() -> None:
    both = [Edge("a", "b"), Edge("b", "a"), Edge("b", "c"), Edge("c", "b")]
    counted = statistics(MetaphorGraph(both, symmetric=True))
    assert (counted.nodes, counted.edges, counted.kinds) == (3, 2, {"symbol": 2})
    assert counted.hubs == {"b": 2, "a": 1, "c": 1}
    assert counted.out_degrees == counted.in_degrees


def test_nothing_is_counted_too() -> None:
    counted = statistics(MetaphorGraph([]))
    assert (counted.nodes, counted.edges, counted.components, counted.hubs) == (0, 0, [], {})


def test_the_starter_graph() -> None:
    graph = open_knowledge()
    counted = statistics(graph)
    edges = list(graph.edges)
    assert counted.nodes == len(graph)
    assert counted.edges == len(edges) == sum(counted.kinds.values()) == sum(counted.provenances.values())
    assert sum(counted.cultures.values()) == counted.kinds["cultural"]
    assert sum(counted.components) == counted.nodes
    assert sum(counted.in_degrees.counts.values()) == counted.nodes


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=14))
def test_components_are_those_of_networkx(pairs: list[tuple[int, int]]) -> None:
    networkx = pytest.importorskip("networkx")
    names = [str(number) for number in range(12)]
    graph = MetaphorGraph([Edge(str(one), str(other)) for one, other in pairs if one != other], nodes=names)
    flat = networkx.Graph(graph.to_networkx())
    expected = sorted(map(len, networkx.connected_components(flat)), reverse=True)
    assert components(graph.arrays.around) == expected
    assert np.sum(expected) == 12
