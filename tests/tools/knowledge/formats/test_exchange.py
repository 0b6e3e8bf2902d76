"""networkx and back, without loss."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import KINDS, Edge, MetaphorGraph, open_knowledge

_NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(str.strip)


@st.composite
def _edge(draw: st.DrawFn) -> Edge:
    kind = draw(st.sampled_from(KINDS))
    return Edge(
        source=draw(_NAMES),
        target=draw(_NAMES),
        kind=kind,
        culture=draw(_NAMES) if kind == "cultural" else None,
        weight=draw(st.floats(0, 1, exclude_min=True)),
        ground=draw(st.text(max_size=10)),
        sentences=tuple(draw(st.lists(st.text(max_size=5), max_size=2))),
    )


@settings(deadline=None)  # the first keyword loads a dictionary
@given(st.lists(_edge(), max_size=8), st.lists(_NAMES, max_size=3, unique=True), st.booleans())
def test_a_round_trip_loses_nothing(edges: list[Edge], alone: list[str], symmetric: bool) -> None:
    graph = MetaphorGraph(edges, nodes=alone, symmetric=symmetric, name="mine")
    back = MetaphorGraph.from_networkx(graph.to_networkx())
    assert back.nodes == graph.nodes
    assert sorted(back.edges, key=repr) == sorted(edges, key=repr)
    # Parallel edges come back side by side; that order is then kept for good.
    assert MetaphorGraph.from_networkx(back.to_networkx()).digest == back.digest
    assert (back.symmetric, back.name) == (graph.symmetric, "mine")


def test_the_published_format_round_trips(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    nodes = {
        "0": {"word": "candle", "adjacency": {"time": {"sentences": ["Brief candle!"]}}},
        "1": {"word": "time", "adjacency": {"candle": {"sentences": ["Brief candle!"]}}},
        "2": {"word": "alone", "adjacency": {}},
    }
    file.write_text(json.dumps(nodes), encoding="utf-8")
    graph = open_knowledge(file)
    back = MetaphorGraph.from_networkx(graph.to_networkx())
    assert back.digest == graph.digest
    assert back.symmetric


def test_the_twin_carries_every_field() -> None:
    twin = MetaphorGraph([Edge("candle", "prayer", "cultural", "Christian", 0.6, "lit")]).to_networkx()
    assert isinstance(twin, nx.MultiDiGraph)
    assert twin.get_edge_data("candle", "prayer", 0) == {
        "kind": "cultural", "culture": "Christian", "weight": 0.6, "ground": "lit", "sentences": (),
    }  # fmt: skip


def test_any_networkx_graph_will_do() -> None:
    plain = nx.Graph()
    plain.add_edge("candle", "time", weight=0.5)
    graph = MetaphorGraph.from_networkx(plain, name="plain")
    assert graph.symmetric
    assert list(graph.edges) == [Edge("candle", "time", weight=0.5), Edge("time", "candle", weight=0.5)]
    directed = nx.DiGraph([("candle", "time", {"culture": "Dutch"})])
    assert list(MetaphorGraph.from_networkx(directed).edges) == [Edge("candle", "time", "cultural", "Dutch")]


@pytest.mark.parametrize(
    ("edge", "fault"),
    [
        ((1, "b", {}), "node 1 is no name"),
        ((" ", "b", {}), "node ' ' is no name"),
        (("a", "b", {"kind": "visual"}), "edge 'a' -> 'b': kind 'visual' is not one of"),
        (("a", "b", {"weight": "1"}), "weight '1' is not a number"),
        (("a", "b", {"weight": True}), "weight True is not a number"),
        (("a", "b", {"weight": 2}), "weight 2 is not a number above 0 and up to 1"),
        (("a", "b", {"kind": "cultural"}), "culture goes with kind cultural alone"),
        (("a", "b", {"kind": "symbol", "culture": "Greek"}), "culture goes with kind cultural alone"),
    ],
)
def test_what_can_not_be_used_is_named(edge: tuple[object, object, dict[str, object]], fault: str) -> None:
    with pytest.raises(KnowledgeError, match=fault):
        MetaphorGraph.from_networkx(nx.DiGraph([edge]))


def test_digests_tell_graphs_apart() -> None:
    edge, other = Edge("a", "b", weight=0.5), Edge("c", "d")
    digest = MetaphorGraph([edge, other]).digest
    assert len(digest) == 64
    assert digest == MetaphorGraph([edge, other], name="other name").digest
    different = [
        MetaphorGraph([other, edge]),
        MetaphorGraph([edge, other], symmetric=True),
        MetaphorGraph([edge, other], nodes=["e"]),
        MetaphorGraph([edge._replace(weight=0.6), other]),
        MetaphorGraph([edge._replace(ground="x"), other]),
        MetaphorGraph([edge._replace(sentences=("x",)), other]),
    ]
    assert len({digest, *(graph.digest for graph in different)}) == 7


def test_a_graph_tells_its_size_and_members() -> None:
    graph = MetaphorGraph([Edge("a", "b")])
    assert repr(graph) == "MetaphorGraph('graph', 2 nodes)"
    assert "a" in graph
    assert "z" not in graph
    assert graph.edges_from("z") == graph.edges_into("z") == ()
