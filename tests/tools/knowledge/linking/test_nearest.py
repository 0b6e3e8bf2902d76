"""Vectors of nodes and linking by meaning: kept, searched, floors, the published way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.servers.embeddings import vector_of
from tests.servers.openai_like import OpenAILike
from tools.errors import KnowledgeError
from tools.knowledge import Edge, Link, MetaphorGraph, open_knowledge
from tools.knowledge.embedding.embedders import checked, open_embedder
from tools.knowledge.embedding.vectors import VectorTable, node_vectors, vectors_name
from tools.knowledge.engine.compiled import write_compiled
from tools.knowledge.linking.nearest import PREFIX, NearestNodes, open_linked

NODES = ("abba", "cddc", "effe", "ghhg")


class Letters:
    """Embeds by letters; remembers each request."""

    name = "letters"
    english_only = False

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts):
        self.asked.append(list(texts))
        return checked([vector_of(text) for text in texts], len(texts), self.name)


def made() -> MetaphorGraph:
    """Four nodes that have three neighbours, and one that has one."""
    edges = [Edge(node, f"{node} {at}") for node in NODES for at in (1, 2, 3)]
    return MetaphorGraph([*edges, Edge("zyx", "abba 1")])


def test_what_no_name_links_is_linked_by_meaning(tmp_path: Path) -> None:
    letters = Letters()
    graph = made().with_embedder(letters, cache_dir=tmp_path)
    assert letters.asked == []
    assert graph.link("abba") == [Link("abba", 1.0, "exact")]
    assert letters.asked == []
    (link,) = graph.link("baab")
    assert (link.node, link.how, link.score) == ("abba", "embedding", 0.9)
    assert graph.link("bab", floor=0.91) == []
    assert graph.link("mnop") == []
    assert graph.link("1234") == []
    assert graph.link("baab", limit=0) == []
    assert made().link("baab") == []


def test_a_node_that_leads_nowhere_is_not_linked_by_meaning(tmp_path: Path) -> None:
    graph = made().with_embedder(Letters(), cache_dir=tmp_path)
    assert graph.link("xyz") == []


def test_keywords_are_embedded_in_one_request(tmp_path: Path) -> None:
    letters = Letters()
    graph = made().with_embedder(letters, cache_dir=tmp_path)
    links = graph.link_all(["baab", "abba", "feef", "baab", "mnop"])
    assert [[link.node for link in own] for own in links] == [["abba"], ["abba"], ["effe"], ["abba"], []]
    assert letters.asked[1:] == [["baab", "feef", "mnop"]]


def test_an_embedder_of_english_is_not_asked_for_chinese(tmp_path: Path) -> None:
    letters = Letters()
    letters.english_only = True
    graph = made().with_embedder(letters, cache_dir=tmp_path)
    assert graph.link("蜡烛") == []
    assert letters.asked == []


def test_a_sure_meaning_stands_beside_the_parts(tmp_path: Path) -> None:
    edges = [Edge("moonlit", f"idea {at}") for at in range(3)] + [
        Edge("tool", f"idea {at}") for at in range(3)
    ]
    graph = MetaphorGraph(edges)
    assert [link.node for link in graph.link("nil moot tool")] == ["tool"]
    links = graph.with_embedder(Letters(), cache_dir=tmp_path).link("nil moot tool")
    assert [link.node for link in links] == ["moonlit", "tool"]
    assert links[0].how == "embedding"
    assert links[0].score > links[1].score >= 0.8


def test_the_published_way_links_everything(tmp_path: Path) -> None:
    letters = Letters()
    graph = made().with_embedder(letters, linking="published", cache_dir=tmp_path)
    links = graph.link_all(["abba", "mnop"], limit=3, floor=0.99)
    assert [len(own) for own in links] == [1, 1]
    assert letters.asked[-1] == [f"{PREFIX}abba", f"{PREFIX}mnop"]
    assert links[0][0].how == "embedding"
    assert graph.near("abba 9")[0] == "abba 1"
    with pytest.raises(ValueError, match="linking is 'best', expected names or published"):
        made().with_embedder(letters, linking="best")


def test_published_vectors_are_used_as_they_are(tmp_path: Path) -> None:
    graph = made()
    rows = np.zeros((len(graph), 26), np.float32)
    rows[:, 25] = 1
    rows[graph.node_id("ghhg")] = vector_of(PREFIX + "mnop")
    np.save(tmp_path / "vectors.npy", rows * 7)
    linked = graph.with_embedder(Letters(), linking="published", vectors=tmp_path / "vectors.npy")
    (link,) = linked.link("mnop")
    assert link.node == "ghhg"
    assert link.score == pytest.approx(1, abs=1e-4)
    np.save(tmp_path / "vectors.npy", rows[:3])
    with pytest.raises(KnowledgeError, match=rf"expected one row for each of {len(graph)} nodes"):
        graph.with_embedder(Letters(), vectors=tmp_path / "vectors.npy").link("mnop")
    np.save(tmp_path / "vectors.npy", rows[:, :5])
    with pytest.raises(KnowledgeError, match="keywords have 26 dimensions, and the nodes' vectors 5"):
        graph.with_embedder(Letters(), vectors=tmp_path / "vectors.npy").link("mnop")
    (tmp_path / "vectors.npy").write_bytes(b"torn")
    with pytest.raises(KnowledgeError, match="not a file of vectors"):
        graph.with_embedder(Letters(), vectors=tmp_path / "vectors.npy").link("mnop")


def test_a_graph_is_opened_with_its_way_of_linking(tmp_path: Path) -> None:
    (tmp_path / "graph.tsv").write_text("source\ttarget\nabba\tcddc\n", encoding="utf-8")
    compiled = tmp_path / "compiled"
    write_compiled(open_knowledge(tmp_path / "graph.tsv"), compiled)
    letters = Letters()
    assert open_linked(compiled).link("mnop") == []
    assert open_linked(compiled, letters).link("mnop") == []
    assert open_linked(compiled, letters, "published").link("ccdd")[0].node == "cddc"
    asked = len(letters.asked)
    np.save(compiled / "vectors.npy", np.array([vector_of("m"), vector_of("z")]))
    linked = open_linked(compiled, letters, "published").link("mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm")
    assert linked[0].node == "abba"
    assert len(letters.asked) == asked + 1
    for embedder, linking in [(None, "published"), (letters, "best")]:
        with pytest.raises(KnowledgeError, match="give names or published; 'published' needs embeddings"):
            open_linked(compiled, embedder, linking)


def test_vectors_are_computed_once(tmp_path: Path) -> None:
    graph, letters = made(), Letters()
    first = node_vectors(graph, letters, tmp_path)
    assert (len(first), first.dimensions) == (len(graph), 26)
    again = node_vectors(graph, letters, tmp_path)
    assert len(letters.asked) == 1
    everything = np.arange(len(graph))
    np.testing.assert_array_equal(first.of(everything), again.of(everything))
    path = tmp_path / vectors_name(graph, letters)
    assert np.load(path, mmap_mode="r").dtype == np.int8
    path.write_bytes(path.read_bytes()[:-40])
    node_vectors(graph, letters, tmp_path)
    assert len(letters.asked) == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert len(node_vectors(graph, letters, tmp_path / "file" / "x")) == len(graph)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 900), st.integers(1, 8), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_the_nearest_rows_are_those_of_a_plain_search(rows: int, k: int, kind: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(rows, 12)).astype(np.float32)
    stored = [
        vectors,
        vectors.astype(np.float16),
        vectors * 3,
        np.rint(vectors * (127 / np.abs(vectors).max(axis=1, keepdims=True))).astype(np.int8),
    ][kind]
    queries = random.normal(size=(3, 12)).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    numbers, cosines = VectorTable(stored).top(queries, k)
    exact = queries @ (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).T
    assert numbers.shape == cosines.shape == (3, min(k, rows))
    wanted = -np.sort(-exact, axis=1)[:, :k]
    np.testing.assert_allclose(cosines, wanted, atol=0.02)
    np.testing.assert_allclose(np.take_along_axis(exact, numbers, axis=1), wanted, atol=0.02)
    assert (np.diff(cosines, axis=1) <= 0).all()


def test_only_allowed_rows_count() -> None:
    table = VectorTable(np.eye(4, dtype=np.float32))
    allowed = np.array([False, True, True, False])
    numbers, cosines = table.top(np.eye(4, dtype=np.float32)[:1], 4, allowed)
    assert numbers.tolist() == [[1, 2]]
    assert cosines.tolist() == [[0, 0]]


def test_a_large_graph_says_itself_how_near_is_near() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(size=(2000, 16)).astype(np.float32)
    names = [f"node {at}" for at in range(2000)]
    one = checked(rows[7:8], 1, "x")

    class Seventh(Letters):
        def embed(self, texts):
            return np.repeat(one, len(texts), axis=0)

    nearest = NearestNodes(names, Seventh(), lambda: VectorTable(rows), lambda: np.full(2000, 3))
    assert nearest.nearest(["seven"], 3)[0][0] == Link("node 7", 0.9, "embedding")
    fixed = NearestNodes(names, Seventh(), lambda: VectorTable(rows), lambda: np.full(2000, 3), (0.0, 0.5))
    assert len(fixed.nearest(["seven"], 3)[0]) == 3
    assert len(nearest.nearest(["seven"], 3)[0]) < 3 or nearest.nearest(["seven"], 3)[0][1].score >= 0.5


def test_a_server_links_by_meaning(tmp_path: Path) -> None:
    with OpenAILike() as server:
        embedder = open_embedder("openai:pretend", base_url=server.base_url, cache_dir=tmp_path)
        graph = made().with_embedder(embedder, cache_dir=tmp_path)
        assert graph.hop(["baab"]).linked == {"baab": "abba"}
        count = len(server.requests)
        again = made().with_embedder(embedder, cache_dir=tmp_path)
        assert again.link("baab")[0].node == "abba"
        assert len(server.requests) == count
