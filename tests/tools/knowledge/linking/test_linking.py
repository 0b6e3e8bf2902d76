"""Keywords to nodes: each way of linking, its score, and the floor below which nothing is linked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge import Edge, Link, MetaphorGraph
from tools.knowledge.linking.names import action, compact, lemma, normal, phrase_parts
from tools.knowledge.linking.spelling import american

NAMES = (
    "candle", "wind", "hourglass", "gray sky", "wilting flower", "person", "rain", "crowd", "people",
    "breaking a mirror", "walking alone", "black crow", "mouse", "empty chair", "glass", "wooden clock",
    "person looking into a mirror", "opening",
)  # fmt: skip


@pytest.fixture(scope="module")
def graph() -> MetaphorGraph:
    return MetaphorGraph(Edge(name, "meaning") for name in NAMES)


@pytest.mark.parametrize(
    ("keyword", "node", "score", "how"),
    [
        ("candle", "candle", 1.0, "exact"),
        ("  The Candle. ", "candle", 1.0, "exact"),
        ("hour-glass", "hourglass", 0.98, "variant"),
        ("hour glass", "hourglass", 0.98, "variant"),
        ("grey sky", "gray sky", 0.98, "variant"),
        ("Grey Skies", "gray sky", 0.95, "lemma"),
        ("candles", "candle", 0.95, "lemma"),
        ("mice", "mouse", 0.95, "lemma"),
        ("wilted flowers", "wilting flower", 0.95, "lemma"),
        ("broken mirrors", "breaking a mirror", 0.95, "lemma"),
        ("a woman looking in the mirror", "person looking into a mirror", 0.9, "gist"),
        ("woman walking alone at night", "walking alone", 0.88, "action"),
        ("candle in the wind", "candle", 0.85, "head"),
        ("candles on a wooden table", "candle", 0.8075, "head"),
        ("crowd of people", "people", 0.85, "head"),
        ("pile of candles", "candle", 0.8075, "head"),
        ("burning candle", "candle", 0.8, "suffix"),
        ("a very old wooden clock", "wooden clock", 0.8, "suffix"),
        ("candlle", "candle", 0.7385, "fuzzy"),
        ("hourglas", "hourglass", 0.7529, "fuzzy"),
    ],
)
def test_a_keyword_is_linked(graph: MetaphorGraph, keyword: str, node: str, score: float, how: str) -> None:
    link = graph.link(keyword)[0]
    assert (link.node, link.how) == (node, how)
    assert link.score == pytest.approx(score, abs=1e-4)


def test_modifiers_follow_the_head_at_0_6(graph: MetaphorGraph) -> None:
    assert graph.link("candle in the wind") == [Link("candle", 0.85, "head"), Link("wind", 0.6, "modifier")]
    assert graph.link("candle in the cold wind")[1] == Link("wind", 0.6, "modifier")
    assert graph.link("crowd of people")[1] == Link("crowd", 0.6, "modifier")
    assert graph.link("candle in the wind", limit=1) == [Link("candle", 0.85, "head")]
    assert graph.link("candle in the wind", limit=0) == []


def test_what_describes_has_to_be_a_node_as_it_stands(graph: MetaphorGraph) -> None:
    assert graph.link("open candle") == [Link("candle", 0.8, "suffix")]
    assert graph.link("opening candle")[1:] == [Link("opening", 0.6, "modifier")]


def test_nothing_below_the_floor(graph: MetaphorGraph) -> None:
    assert graph.link("burning candle", floor=0.81) == []
    assert [link.node for link in graph.link("candle in the wind", floor=0.7)] == ["candle"]
    assert graph.link("candle", floor=1.0) == [Link("candle", 1.0, "exact")]


@pytest.mark.parametrize("keyword", ["", "   ", "...", "xyzzy", "telescope", "the", "of", "of the"])
def test_the_unknown_is_linked_to_nothing(graph: MetaphorGraph, keyword: str) -> None:
    assert graph.link(keyword) == []


def test_a_real_word_is_no_misspelling() -> None:
    graph = MetaphorGraph([Edge("construction", "progress")])
    assert graph.link("constriction") == []
    assert graph.link("constructoin")[0].how == "fuzzy"


def test_a_paragraph_is_read_by_its_beginning(graph: MetaphorGraph) -> None:
    assert graph.link("candle in the wind, " * 5000)[0] == Link("candle", 0.85, "head")
    assert graph.link("nothing at all " * 5000 + "candle") == []


def test_case_decides_between_nodes_that_differ_in_it_alone() -> None:
    graph = MetaphorGraph([Edge("Time", "money"), Edge("time", "river")])
    assert [link.node for link in graph.link("time")] == ["time", "Time"]
    assert [link.node for link in graph.link("TIME")] == ["Time", "time"]


def test_nodes_that_share_a_key_go_by_spelling() -> None:
    graph = MetaphorGraph(Edge(name, "bad luck") for name in ("breaking a mirror", "broken mirror"))
    assert [link.node for link in graph.link("broken mirrors")] == ["broken mirror", "breaking a mirror"]
    assert [link.node for link in graph.link("breaking mirrors")] == ["breaking a mirror", "broken mirror"]


def test_near_names_share_a_word_or_are_spelled_alike(graph: MetaphorGraph) -> None:
    assert graph.near("chair") == ["empty chair"]
    assert graph.near("flower vase") == ["wilting flower"]
    assert graph.near("cradle", 1) == ["candle"]
    assert graph.near("candle", 0) == []
    assert graph.near("xyzzy") == []


@settings(deadline=None)  # the first keyword loads a dictionary
@given(st.text(max_size=40))
def test_any_text_is_linked_or_not_but_never_fails(text: str) -> None:
    graph = MetaphorGraph(Edge(name, "meaning") for name in NAMES)
    links = graph.link(text, limit=2)
    assert len(links) <= 2
    assert all(link.node in graph and 0.5 <= link.score <= 1 for link in links)
    assert [link.score for link in links] == sorted((link.score for link in links), reverse=True)


@settings(deadline=None)  # the first keyword loads a dictionary
@given(st.text(max_size=40))
def test_normal_form_is_a_fixed_point_in_words(text: str) -> None:
    once = normal(text)
    assert once == once.strip()
    assert "  " not in once


@pytest.mark.parametrize(
    ("british", "expected"),
    [
        ("grey harbours", "gray harbors"), ("organised", "organized"), ("realisation", "realization"),
        ("colourful moustaches", "colorful mustaches"), ("sunrise", "sunrise"), ("promises", "promises"),
        ("exercising", "exercising"), ("wise", "wise"), ("clock-wise", "clock-wise"), ("glamour", "glamour"),
        ("advertised", "advertised"), ("raising", "raising"), ("rose", "rose"), ("crisis", "crisis"),
    ],
)  # fmt: skip
def test_american_spelling(british: str, expected: str) -> None:
    assert american(british) == expected


def test_forms_of_names() -> None:
    assert normal("“Éclair”  au\tCafé") == "“eclair” au cafe"
    assert normal("が") == "が"
    assert normal("the_red_door") == "red door"
    assert normal("The") == "the"
    assert compact("tug-of-war") == compact("tug of war") == "tugofwar"
    assert lemma("the drowning children") == "drown child"
    assert lemma("falling leaves") == "fall leaf"
    assert lemma("wedding rings") == "wedding ring"
    assert phrase_parts("two people and a dog") == ["two people", "dog"]
    assert phrase_parts("close-up of hands") == ["hands", "close-up"]
    assert phrase_parts("of the") == []
    assert action("spring morning") == []
    assert action("grand opening") == []
    assert action("man opening the door") == ["opening the door"]
    assert phrase_parts("man opening the door") == ["man", "door"]
    assert action("breaking a mirror") == ["breaking a mirror"]
