"""hop: what is found, in which order, with which ground."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge import Edge, MetaphorGraph, association_line

EDGES = [
    Edge("candle", "time", "symbol", None, 0.9, "burns down"),
    Edge("candle", "hope", "symbol", None, 0.5, "a light in the dark"),
    Edge("candle", "prayer", "cultural", "Christian", 0.6, "lit before the altar"),
    Edge("hourglass", "time", "symbol", None, 1.0, "sand runs out"),
    Edge("time", "mortality", "conceptual", None, 0.8, "runs out for everyone"),
    Edge("prayer", "hope", "conceptual", None, 0.5, "asks for what may come"),
]


@pytest.fixture
def graph() -> MetaphorGraph:
    return MetaphorGraph(EDGES)


def test_one_hop(graph: MetaphorGraph) -> None:
    result = graph.hop(["candle"])
    # Ranks: time .9 / (2 + 20) ** .15 = .566; prayer .6 / 21 ** .15 = .380; hope .5 / 22 ** .15 = .314
    assert [association_line(found) for found in result.associations] == [
        "candle -> time (burns down)",
        "candle -> prayer (Christian culture: lit before the altar)",
        "candle -> hope (a light in the dark)",
    ]
    assert [found.weight for found in result.associations] == [0.9, 0.6, 0.5]
    assert result.linked == {"candle": "candle"}
    assert result.unknown == {}
    assert result.left_out == 0


def test_two_hops_join_the_grounds_and_decay(graph: MetaphorGraph) -> None:
    found = {entry.concept: entry for entry in graph.hop(["candle"], hops=2).associations}
    mortality = found["mortality"]
    assert mortality.path == ("candle", "time", "mortality")
    assert mortality.ground == "burns down; runs out for everyone"
    assert mortality.weight == pytest.approx(0.9 * 0.8 * 0.6)
    assert (mortality.kind, mortality.culture) == ("symbol", None)
    # The direct way to hope, .5, beats the way by prayer, .6 x .5 x .6 = .18.
    assert found["hope"].path == ("candle", "hope")
    assert "hourglass" not in found  # a way back is a first step only


def test_a_concept_leads_back_to_what_else_shows_it(graph: MetaphorGraph) -> None:
    result = graph.hop(["time"])
    assert [association_line(found) for found in result.associations] == [
        "time -> mortality (runs out for everyone)",
        "time -> hourglass (also shown by hourglass: sand runs out)",
        "time -> candle (also shown by candle: burns down)",
    ]
    assert [found.weight for found in result.associations] == [0.8, 0.4, 0.36]


def test_a_path_with_a_cultural_step_is_cultural(graph: MetaphorGraph) -> None:
    found = MetaphorGraph(EDGES[2:3] + EDGES[5:]).hop(["candle"], hops=2).associations[1]
    assert found.path == ("candle", "prayer", "hope")
    assert (found.kind, found.culture) == ("cultural", "Christian")


def test_what_several_concepts_share_comes_first() -> None:
    shared = MetaphorGraph(
        [Edge("a", "alone", weight=0.9), Edge("a", "shared", weight=0.6), Edge("b", "shared", weight=0.6)]
    )
    assert [found.concept for found in shared.hop(["a"]).associations] == ["alone", "shared"]
    assert [found.concept for found in shared.hop(["a", "b"]).associations] == ["shared", "alone"]


def test_hubs_do_not_win() -> None:
    # life .8 / 220 ** .15 = .356; patience .6 / 21 ** .15 = .380
    edges = [Edge(f"thing {n}", "life", weight=0.8) for n in range(200)]
    graph = MetaphorGraph([*edges, Edge("thing 7", "patience", weight=0.6)])
    assert [found.concept for found in graph.hop(["thing 7"]).associations] == ["patience", "life"]


def test_query_words_are_never_returned(graph: MetaphorGraph) -> None:
    result = graph.hop(["Candles", "time"], hops=2)
    assert {"candle", "time"}.isdisjoint(found.concept for found in result.associations)
    assert result.linked == {"Candles": "candle", "time": "time"}


def test_the_rest_is_counted_and_the_unknown_gets_near_names(graph: MetaphorGraph) -> None:
    result = graph.hop(["candle", "hour gloss"], limit=1)
    assert [found.concept for found in result.associations] == ["time"]
    assert result.left_out == 2
    assert result.unknown == {"hour gloss": ["hourglass"]}


def test_modifiers_seed_too(graph: MetaphorGraph) -> None:
    result = graph.hop(["hourglass beside a candle"])
    assert result.linked == {"hourglass beside a candle": "hourglass"}
    assert {found.source for found in result.associations} == {"hourglass", "candle"}


def test_ties_go_by_name() -> None:
    graph = MetaphorGraph([Edge("x", name, weight=0.5) for name in ("c", "a", "b")])
    assert [found.concept for found in graph.hop(["x"]).associations] == ["a", "b", "c"]


def test_two_cultures_give_one_edge_each() -> None:
    graph = MetaphorGraph(
        [
            Edge("dragon", "power", "cultural", "Western", 0.5, "breathes fire"),
            Edge("dragon", "power", "cultural", "Chinese", 0.9, "the emperor's beast"),
        ]
    )
    (found,) = graph.hop(["dragon"]).associations
    assert (found.culture, found.ground) == ("Chinese", "the emperor's beast")


@pytest.mark.parametrize(("hops", "limit"), [(0, 1), (1, 0), (-1, 5)])
def test_hops_and_limit_start_at_one(graph: MetaphorGraph, hops: int, limit: int) -> None:
    with pytest.raises(ValueError, match="counted from 1"):
        graph.hop(["candle"], hops, limit)


def test_nothing_asked_nothing_found(graph: MetaphorGraph) -> None:
    assert graph.hop([]).associations == ()


_NAMES = st.sampled_from(["ant", "bee", "cat", "dog", "elk", "fox", "goat", "hen"])
_EDGES = st.lists(
    st.builds(Edge, _NAMES, _NAMES, weight=st.floats(0.1, 1.0)).filter(
        lambda edge: edge.source != edge.target
    ),
    max_size=25,
    unique_by=lambda edge: edge[:2],
)


@settings(deadline=None)  # the first keyword loads a dictionary
@given(_EDGES, st.lists(_NAMES, min_size=1, max_size=3), st.integers(1, 3), st.randoms(use_true_random=False))
def test_a_hop_keeps_its_promises(edges: list[Edge], asked: list[str], hops: int, random: object) -> None:
    graph = MetaphorGraph(edges)
    result = graph.hop(asked, hops, limit=100)
    concepts = [found.concept for found in result.associations]
    assert len(concepts) == len(set(concepts))
    assert set(asked).isdisjoint(concepts)
    for found in result.associations:
        assert 2 <= len(found.path) <= hops + 1
        assert found.source == found.path[0] in asked
        assert len(set(found.path)) == len(found.path)
        assert 0 < found.weight <= 1
    random.shuffle(edges)  # type: ignore[attr-defined]
    assert MetaphorGraph(edges).hop(asked, hops, limit=100).associations == result.associations
    fewer = graph.hop(asked, hops, limit=1)
    assert fewer.associations == result.associations[:1]
    assert fewer.left_out == max(len(concepts) - 1, 0)
