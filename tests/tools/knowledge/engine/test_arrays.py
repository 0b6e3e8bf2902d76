"""Graphs as arrays: the same nodes, edges and orders as the graph's face shows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph

EDGES = [
    Edge("candle", "time", weight=0.9),
    Edge("candle", "hope", weight=0.5),
    Edge("hourglass", "time", weight=1.0),
    Edge("time", "candle", weight=0.25),
    Edge("candle", "time", "cultural", "Dutch", weight=0.95),
]


def test_rows_columns_and_weights() -> None:
    graph = MetaphorGraph(EDGES, nodes=["alone"])
    assert [graph.node_name(number) for number in range(5)] == [
        "alone",
        "candle",
        "time",
        "hope",
        "hourglass",
    ]
    assert graph.node_id("hope") == 3
    assert graph.node_id("Hope") is None
    forward = graph.arrays.forward
    assert forward.indptr.tolist() == [0, 0, 3, 4, 4, 5]
    assert forward.indices.tolist() == [2, 3, 2, 1, 2]
    assert forward.weights.tolist() == [np.float32(0.9), 0.5, np.float32(0.95), 0.25, 1.0]
    assert graph.arrays.weights.tolist() == [0.9, 0.5, 0.95, 0.25, 1.0]
    assert graph.arrays.cultures.tolist() == [0, 0, 1, 0, 0]
    assert (forward.indptr.dtype, forward.indices.dtype, forward.weights.dtype) == (
        "int64",
        "int32",
        "float32",
    )
    backward = graph.arrays.backward
    assert backward.indptr.tolist() == [0, 0, 1, 4, 5, 5]
    assert backward.indices.tolist() == [2, 1, 1, 4, 1]
    assert graph.arrays.arrivals.tolist() == [3, 0, 2, 4, 1]
    assert graph.arrays.ranks.tolist() == [0, 1, 4, 2, 3]
    assert graph.arrays.popularities.tolist() == [0, 1, 3, 1, 0]


def test_around_joins_edges_whatever_their_direction() -> None:
    around = MetaphorGraph(EDGES).arrays.around
    names = ["candle", "time", "hope", "hourglass"]
    assert [[names[at] for at in around.row(node)] for node in range(4)] == [
        ["time", "hope"], ["candle", "hourglass"], ["candle"], ["time"],
    ]  # fmt: skip
    assert around.weights.tolist() == [np.float32(0.95), 0.5, np.float32(0.95), 1.0, 0.5, 1.0]


def test_positions_of_several_rows() -> None:
    forward = MetaphorGraph(EDGES, nodes=["alone"]).arrays.forward
    assert forward.positions(np.array([2, 0, 1, 1])).tolist() == [3, 0, 1, 2, 0, 1, 2]
    assert forward.positions(np.array([], np.int32)).tolist() == []
    assert forward.degrees(np.array([4, 1])).tolist() == [1, 3]
    assert (forward.nodes, forward.entries) == (5, 5)


def test_an_empty_graph_has_empty_arrays() -> None:
    arrays = MetaphorGraph([]).arrays
    assert arrays.around.indptr.tolist() == [0]
    assert arrays.forward.entries == arrays.backward.entries == arrays.around.entries == 0


_NAMES = st.sampled_from("abcdefgh")
_EDGES = st.lists(st.builds(Edge, _NAMES, _NAMES, weight=st.floats(0, 1, exclude_min=True)), max_size=25)


@given(_EDGES, st.lists(_NAMES, unique=True, max_size=3), st.booleans())
def test_the_face_and_the_arrays_agree(edges: list[Edge], alone: list[str], symmetric: bool) -> None:
    graph = MetaphorGraph(edges, nodes=alone, symmetric=symmetric)
    assert list(graph.edges) == sorted(edges, key=lambda edge: graph.nodes.index(edge.source))
    for number, node in enumerate(graph.nodes):
        leaving = [edge for edge in edges if edge.source == node]
        arriving = [edge for edge in graph.edges if edge.target == node]
        assert list(graph.edges_from(node)) == leaving
        assert list(graph.edges_into(node)) == arriving
        joined = [edge.target for edge in leaving]
        joined += [] if symmetric else [edge.source for edge in arriving]
        assert graph.neighbours(node) == list(dict.fromkeys(joined))
        around = graph.arrays.around
        for at, weight in zip(
            around.row(number), around.weights[around.indptr[number] : around.indptr[number + 1]], strict=True
        ):
            between = [edge.weight for edge in leaving if edge.target == graph.node_name(at)]
            if not symmetric:
                between += [edge.weight for edge in arriving if edge.source == graph.node_name(at)]
            assert weight == np.float32(max(between))
        assert graph.popularity(node) == len(leaving if symmetric else arriving)
        assert graph.arrays.popularities[number] == graph.popularity(node)
