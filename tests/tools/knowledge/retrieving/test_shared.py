"""Retrieval by what the keywords share: what wins, why, what is folded, and what never comes back."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import MODES, Edge, MetaphorGraph, fit_references, reference_lines, retrieve
from tools.knowledge.retrieving.explaining import Ways, explain
from tools.knowledge.retrieving.folding import fold
from tools.knowledge.retrieving.network import make_network, network_of
from tools.knowledge.retrieving.ranking import evidence_of, score_nodes
from tools.knowledge.retrieving.synonyms import Synonym
from tools.tokens import count_tokens

WALKING = [mode.name for mode in MODES.values() if not mode.counts]

EDGES = [
    Edge("candle", "passing of time", "symbol", None, 0.9, "burns down as time passes"),
    Edge("candle", "hope", "symbol", None, 0.5, "a light in the dark"),
    Edge("hourglass", "passing of time", "symbol", None, 1.0, "sand runs out grain by grain"),
    Edge("hourglass", "patience", "symbol", None, 0.6, "one waits until it is empty"),
    Edge("passing of time", "mortality", "conceptual", None, 0.8, "runs out for everyone"),
    Edge("red envelope", "good fortune", "cultural", "Chinese", 0.9, "given full of money"),
    *(Edge(f"thing {n}", "hope", "symbol", None, 0.5, "somebody hopes for it") for n in range(30)),
]
GRAPH = MetaphorGraph(EDGES)


def concepts(keywords: list[str], **settings: object) -> list[str]:
    return [found.concept for found in retrieve(GRAPH, keywords, **settings)]  # type: ignore[arg-type]


def test_what_keywords_share_comes_before_a_hub() -> None:
    assert concepts(["candle", "hourglass"]) == ["passing of time", "patience", "hope", "mortality"]
    # Counted as published, what was asked about wins: every neighbour's edge leads back to it.
    found = retrieve(GRAPH, ["candle", "hourglass"], mode="published", limit=2)
    assert [(each.concept, each.count) for each in found] == [("candle", 3), ("hourglass", 3)]


def test_a_concept_tells_every_way_that_leads_to_it() -> None:
    first = retrieve(GRAPH, ["burning candles", "hourglass"])[0]
    assert first.concept == "passing of time"
    assert first.keywords == ("hourglass", "burning candles")
    assert first.count == 2
    assert reference_lines(first) == [
        "hourglass -> passing of time (sand runs out grain by grain)",
        "candle -> passing of time (burns down as time passes)",
    ]


def test_two_hops_show_both_grounds_and_one_hop_leaves_them_out() -> None:
    found = {each.concept: each for each in retrieve(GRAPH, ["candle"])}
    assert found["mortality"].paths == (("candle", "passing of time", "mortality"),)
    assert found["mortality"].associations[0].ground == "burns down as time passes; runs out for everyone"
    assert found["mortality"].associations[0].weight == pytest.approx(0.9 * 0.8 * 0.6)
    assert concepts(["candle"], hops=1) == ["passing of time", "hope"]


@pytest.mark.parametrize("mode", WALKING)
def test_endless_hops_end(mode: str) -> None:
    assert concepts(["candle"], mode=mode, hops=10**9) == concepts(["candle"], mode=mode, hops=100)


def test_the_score_is_what_the_formula_says() -> None:
    # a - b alone: from a, half of the walks stop at a at once, and half of what is left at b, and so on;
    # after six steps whatever still walks stops. Both nodes are as popular as the mean, 1.
    graph = MetaphorGraph([Edge("a", "b", weight=0.4)])
    at_b = sum(0.5 * 0.5**step for step in (1, 3, 5))
    expected = math.log1p(0.5 * at_b / ((1 + 1) / 2)) + 1
    scores = score_nodes(graph, MODES["shared"], [{0: 1.0}])
    assert scores.tolist() == [0.0, pytest.approx(expected, abs=1e-6)]
    assert retrieve(graph, ["a"])[0].score == pytest.approx(expected, abs=1e-6)


def test_trust_in_a_link_weighs() -> None:
    sure = score_nodes(GRAPH, MODES["shared"], [{0: 1.0}])
    unsure = score_nodes(GRAPH, MODES["shared"], [{0: 0.5}])
    assert (unsure <= sure).all()
    assert unsure[1] < sure[1]


@pytest.mark.parametrize("mode", WALKING)
def test_query_words_never_come_back(mode: str) -> None:
    edges = [Edge("clock", "time"), Edge("clocks", "time"), Edge("time", "clock"), Edge("time", "Clocks")]
    found = retrieve(MetaphorGraph(edges), ["a clock"], mode=mode)
    assert [each.concept for each in found] == ["time"]
    assert retrieve(MetaphorGraph([Edge("time", "clocks"), Edge("clock", "time")]), ["clock"], mode=mode)[
        0
    ].concept == ("time")


@pytest.mark.parametrize("mode", WALKING)
def test_what_nothing_stands_for_is_no_concept(mode: str) -> None:
    assert [each.concept for each in retrieve(GRAPH, ["patience"], mode=mode, hops=2)] == ["passing of time"]


def test_repeated_and_unknown_keywords_change_nothing() -> None:
    once = retrieve(GRAPH, ["candle", "hourglass"])
    assert retrieve(GRAPH, ["hourglass", "candle", "xyzzy", "candle"]) == once
    assert retrieve(GRAPH, []) == []
    assert retrieve(GRAPH, ["xyzzy"]) == []


def test_near_duplicates_fold_and_keep_their_support() -> None:
    graph = MetaphorGraph(
        [
            Edge("candle", "passing of time", weight=0.9, ground="burns down"),
            Edge("hourglass", "time passing", weight=0.8, ground="runs out"),
            Edge("hourglass", "patience", weight=0.3),
        ]
    )
    first, *others = retrieve(graph, ["candle", "hourglass"])
    assert {first.concept, *first.folded} == {"passing of time", "time passing"}
    assert set(first.keywords) == {"candle", "hourglass"}
    assert first.count == 2
    assert len(first.associations) == 2
    assert [each.concept for each in others] == ["patience"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("faithfulness", "unfaithfulness"),
        ("hope", "hopelessness"),
        ("order", "disorder"),
        ("freedom", "loss of freedom"),
        ("hope", "lost hope"),
    ],
)
def test_opposites_are_not_duplicates(one: str, other: str) -> None:
    graph = MetaphorGraph([Edge("candle", one), Edge("candle", other)])
    network = make_network(graph, [Synonym(*sorted((one, other)), 0.95)])
    assert fold(graph, network, [1, 2], 10) == {1: [], 2: []}


def test_close_synonyms_are_duplicates() -> None:
    graph = MetaphorGraph([Edge("candle", "sorrow"), Edge("candle", "sadness")])
    assert fold(graph, make_network(graph, [Synonym("sadness", "sorrow", 0.9)]), [1, 2], 10) == {1: [2]}
    assert fold(graph, make_network(graph, [Synonym("sadness", "sorrow", 0.89)]), [1, 2], 10) == {
        1: [],
        2: [],
    }


def test_concepts_with_the_same_neighbours_fold() -> None:
    shown = [f"thing {letter}" for letter in "abcde"]
    edges = [Edge(thing, concept) for thing in shown for concept in ("grief", "mourning")]
    assert [each.folded for each in retrieve(MetaphorGraph(edges), shown[:1])] == [("mourning",)]


def test_synonym_edges_lead_where_no_association_does() -> None:
    graph = MetaphorGraph(
        [Edge("lantern", "hope", weight=0.8, ground="a light in the dark"), Edge("fox", "cunning")]
    )
    network = make_network(graph, [Synonym("fox", "lantern", 0.9), Synonym("no such", "lantern", 0.9)])
    fox, hope = graph.node_id("fox"), graph.node_id("hope")
    assert fox is not None
    assert hope is not None
    assert evidence_of(MODES["shared"], make_network(graph, ()), [{fox: 1.0}])[0, hope] == 0
    assert evidence_of(MODES["shared"], network, [{fox: 1.0}])[0, hope] > 0
    way = Ways(graph, network, {fox: 1.0}, 2).to(hope)
    assert way is not None
    found = explain(graph, *way)
    assert found.path == ("fox", "lantern", "hope")
    assert found.ground == "lantern is much like fox; a light in the dark"
    assert found.weight == pytest.approx(0.5 * 0.9**3 * 0.8, abs=1e-6)


def test_a_way_may_end_in_a_synonym_edge() -> None:
    graph = MetaphorGraph([Edge("lantern", "hope", weight=0.8, ground="a light"), Edge("fox", "optimism")])
    network = make_network(graph, [Synonym("hope", "optimism", 0.8)])
    lantern, optimism = graph.node_id("lantern"), graph.node_id("optimism")
    assert lantern is not None
    assert optimism is not None
    way = Ways(graph, network, {lantern: 1.0}, 1).to(optimism)
    assert way is not None
    assert explain(graph, *way).ground == "a light; optimism is much like hope"


def test_a_synonym_alone_explains_nothing() -> None:
    graph = MetaphorGraph([Edge("lantern", "hope"), Edge("fox", "cunning")])
    network = make_network(graph, [Synonym("cunning", "lantern", 0.9)])
    lantern, cunning = graph.node_id("lantern"), graph.node_id("cunning")
    assert lantern is not None
    assert cunning is not None
    assert Ways(graph, network, {lantern: 1.0}, 1).to(cunning) is None


def test_a_network_is_made_once_and_goes_with_its_graph() -> None:
    assert network_of(GRAPH) is network_of(GRAPH)
    assert network_of(GRAPH) is not network_of(MetaphorGraph(EDGES))


def test_modes_and_ranges_are_checked() -> None:
    with pytest.raises(
        KnowledgeError, match="no retrieval mode 'best'; known: published, published_h1, pagerank, shared"
    ):
        retrieve(GRAPH, ["candle"], mode="best")
    for settings_ in ({"hops": 0}, {"limit": 0}):
        with pytest.raises(ValueError, match="counted from 1"):
            retrieve(GRAPH, ["candle"], **settings_)  # type: ignore[arg-type]


def test_the_budget_keeps_whole_lines_the_best_first() -> None:
    found = retrieve(GRAPH, ["candle", "hourglass"])
    lines = [line for each in found for line in reference_lines(each)]
    for budget in range(0, 120, 7):
        kept = [line for each in fit_references(found, budget) for line in reference_lines(each)]
        assert count_tokens("\n".join(kept)) <= budget
        assert kept == lines[: len(kept)]
        assert fit_references(found, budget) == retrieve(GRAPH, ["candle", "hourglass"], max_tokens=budget)
    assert fit_references(found, 10_000) == found
    assert fit_references(found, 10, count=lambda _text: 11) == []


NAMES = st.sampled_from(
    ["candle", "candles", "clock", "time", "times", "hope", "grief", "sea", "ship", "home"]
)
GRAPHS = st.lists(st.builds(Edge, NAMES, NAMES, weight=st.floats(0.1, 1)), min_size=1, max_size=40)


@settings(deadline=None)
@given(GRAPHS, st.lists(NAMES, max_size=5), st.sampled_from(WALKING), st.integers(1, 3), st.integers(1, 6))
def test_what_always_holds(edges: list[Edge], keywords: list[str], mode: str, hops: int, limit: int) -> None:
    graph = MetaphorGraph([edge for edge in edges if edge.source != edge.target] or [Edge("x", "y")])
    found = retrieve(graph, keywords, mode=mode, hops=hops, limit=limit)
    assert len(found) <= limit
    names = [name for each in found for name in (each.concept, *each.folded)]
    assert len(names) == len(set(names))
    singular = {keyword.rstrip("s") for keyword in keywords}
    assert not {name.rstrip("s") for name in names} & singular
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    for each in found:
        assert each.count == len(each.keywords) == len(each.paths) > 0
        assert {association.path for association in each.associations} == set(each.paths)
        for path in each.paths:
            assert path[-1] in {each.concept, *each.folded}
            assert 2 <= len(path) <= hops + 1
            assert len(set(path)) == len(path)
            assert all(two in graph.neighbours(one) for one, two in pairwise(path))
        assert all(0 < association.weight <= 1 for association in each.associations)
    assert retrieve(graph, list(reversed(keywords)), mode=mode, hops=hops, limit=limit) == found


@settings(deadline=None)
@given(GRAPHS, st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_scores_do_not_depend_on_how_edges_are_listed(edges: list[Edge], keywords: list[str]) -> None:
    distinct = {(edge.source, edge.target): edge for edge in edges if edge.source != edge.target}
    one = MetaphorGraph(distinct.values())
    two = MetaphorGraph(reversed(distinct.values()))
    mine, theirs = (
        {each.concept: each.score for each in retrieve(g, keywords, limit=99)} for g in (one, two)
    )
    for name in mine.keys() & theirs.keys():
        assert np.isclose(mine[name], theirs[name], atol=1e-5)


_SAY = """
from tools.knowledge import open_knowledge, retrieve
print([(each.concept, each.score, each.keywords, each.folded)
       for each in retrieve(open_knowledge(), ["candle", "wall", "mask", "storm"])])
"""


@pytest.mark.slow
def test_seeds_of_hashes_and_threads_change_nothing() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", _SAY],
            env={**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed, threads in (("0", "1"), ("1", "2"))
    }
    assert len(said) == 1
