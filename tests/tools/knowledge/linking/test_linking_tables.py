"""How well the starter graph is linked to: keywords as vision models write them, with the nodes meant.

The tables were written from the list of nodes before any of their keywords was linked. A row has the nodes
that may come first, and such as have to be among the first three.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.errors import KnowledgeError
from tools.knowledge import MetaphorGraph, open_knowledge
from tools.knowledge.embedding.embedders import open_embedder

TABLES = Path(__file__).parent


@pytest.fixture(scope="module")
def graph() -> MetaphorGraph:
    return open_knowledge()


def rows(name: str) -> list[tuple[str, list[str], list[str]]]:
    lines = (TABLES / name).read_text(encoding="utf-8").split("\n")[1:]
    cells = [line.split("\t") for line in lines if line]
    return [
        (keyword, first.split(" | "), also.split(" | ") if also else []) for keyword, first, also in cells
    ]


def misses(graph: MetaphorGraph, name: str) -> list[str]:
    """Keywords whose first node is another than those meant."""
    links = {keyword: graph.link(keyword) for keyword, _, _ in rows(name)}
    return [
        f"{keyword}: {links[keyword][:1]}"
        for keyword, first, _ in rows(name)
        if not links[keyword] or links[keyword][0].node not in first
    ]


@pytest.mark.parametrize(("name", "least"), [("english.tsv", 0.92), ("chinese.tsv", 0.94)])
def test_keywords_are_linked_to_what_is_meant(graph: MetaphorGraph, name: str, least: float) -> None:
    missed = misses(graph, name)
    assert len(missed) <= (1 - least) * len(rows(name)), missed


@pytest.mark.parametrize("name", ["english.tsv", "chinese.tsv"])
def test_what_modifies_is_linked_too(graph: MetaphorGraph, name: str) -> None:
    asked = [(keyword, also) for keyword, _, also in rows(name) if also]
    missed = [keyword for keyword, also in asked if not {link.node for link in graph.link(keyword)} & {*also}]
    assert len(missed) <= len(asked) // 5, missed


def test_what_names_no_node_is_linked_to_none(graph: MetaphorGraph) -> None:
    keywords = (TABLES / "unlinked.txt").read_text(encoding="utf-8").splitlines()
    assert len(keywords) > 60
    assert {keyword: links for keyword in keywords if (links := graph.link(keyword))} == {}


def test_ideas_by_their_plainest_names(graph: MetaphorGraph) -> None:
    asked = {
        "time": "passing of time", "时间": "passing of time", "void": "emptiness", "lust": "desire",
        "kindness": "compassion", "religion": "faith", "stupidity": "foolishness",
        "misunderstanding": "communication breakdown", "a beginning": "new beginning",
    }  # fmt: skip
    assert {name: graph.link(name)[0].node for name in asked} == asked


def test_a_last_word_that_only_says_when_is_not_what_is_meant(graph: MetaphorGraph) -> None:
    assert [link.node for link in graph.link("screen time")] == ["screen"]
    assert graph.link("dinner time") == graph.link("old times") == []
    assert graph.link("time bomb")[0].node == "time bomb"


@pytest.mark.parametrize("name", ["english.tsv", "chinese.tsv"])
def test_every_node_of_the_tables_is_in_the_graph(graph: MetaphorGraph, name: str) -> None:
    meant = {node for _, first, also in rows(name) for node in [*first, *also]}
    assert {node for node in meant if node not in graph} == set()


@pytest.mark.slow
def test_meaning_finds_more_and_hardly_anything_wrong(graph: MetaphorGraph, tmp_path: Path) -> None:
    try:
        embedder = open_embedder("embedded", cache=False)
    except KnowledgeError as error:
        pytest.skip(str(error))
    by_meaning = graph.with_embedder(embedder, cache_dir=tmp_path)
    assert len(misses(by_meaning, "english.tsv")) <= len(misses(graph, "english.tsv")) + 1
    keywords = (TABLES / "unlinked.txt").read_text(encoding="utf-8").splitlines()
    linked = [links for links in by_meaning.link_all(keywords) if links]
    assert len(linked) <= 3, linked
    assert len(list(tmp_path.glob("vectors-*.npy"))) == 1
