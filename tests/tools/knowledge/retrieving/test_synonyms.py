"""Synonym edges: made from vectors, written and read, and those of the starter graph."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from tools.errors import KnowledgeError
from tools.knowledge import Edge, MetaphorGraph, open_knowledge
from tools.knowledge.retrieving.network import make_network, weight_of
from tools.knowledge.retrieving.synonyms import (
    SYNONYMS_FILE,
    Synonym,
    nearest_names,
    read_synonyms,
    starter_synonyms,
    synonyms_of,
    write_synonyms,
)

#: Angles of 0, 30, 50 and 180 degrees: cosines .866, .643, .940, and below 0.
NAMES = ["grief", "sorrow", "mourning", "joy"]
VECTORS = np.array([[np.cos(a), np.sin(a)] for a in np.radians([0, 30, 50, 180])], np.float32)


def test_names_join_the_nearest_above_the_least() -> None:
    assert nearest_names(NAMES, VECTORS) == [
        ("grief", "mourning", 0.643),
        ("grief", "sorrow", 0.866),
        ("mourning", "sorrow", 0.94),
    ]
    # Each name's nearest alone: sorrow for grief, mourning for sorrow and the other way round.
    assert nearest_names(NAMES, VECTORS, nearest=1) == [
        ("grief", "sorrow", 0.866),
        ("mourning", "sorrow", 0.94),
    ]
    assert nearest_names(NAMES, VECTORS, least=0.9) == [("mourning", "sorrow", 0.94)]
    assert nearest_names([], np.zeros((0, 2), np.float32)) == []


def test_the_order_of_names_changes_nothing() -> None:
    order = [2, 0, 3, 1]
    assert nearest_names([NAMES[at] for at in order], VECTORS[order]) == nearest_names(NAMES, VECTORS)


def test_a_vector_for_each_name_is_needed() -> None:
    with pytest.raises(ValueError, match="4 vectors for 1 names"):
        nearest_names(["grief"], VECTORS)


def test_a_table_comes_back_and_has_the_same_bytes(tmp_path: Path) -> None:
    made = nearest_names(NAMES, VECTORS)
    for name in ("one.tsv.gz", "two.tsv.gz"):
        write_synonyms(tmp_path / name, made)
    assert read_synonyms(tmp_path / "one.tsv.gz") == made
    assert (tmp_path / "one.tsv.gz").read_bytes() == (tmp_path / "two.tsv.gz").read_bytes()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b"plain text", "can't be read as a gzipped table of synonyms"),
        (gzip.compress(b"a\tb\n"), ":1: expected the header"),
        (gzip.compress(b"name\tother\tcosine\na\tb\n"), ":2: expected two names and a cosine"),
        (gzip.compress(b"name\tother\tcosine\na\tb\tnear\n"), ":2: expected two names and a cosine"),
        (gzip.compress(b"name\tother\tcosine\na\tb\t1.5\n"), ":2: two different names"),
        (gzip.compress(b"name\tother\tcosine\na\ta\t0.9\n"), ":2: two different names"),
    ],
)
def test_a_bad_table_is_told_of(tmp_path: Path, given: bytes, told: str) -> None:
    (path := tmp_path / "bad.tsv.gz").write_bytes(given)
    with pytest.raises(KnowledgeError, match=told):
        read_synonyms(path)


def test_a_graph_named_after_a_folder_has_the_table_in_it(tmp_path: Path) -> None:
    graph = MetaphorGraph([Edge("candle", "grief"), Edge("rain", "sorrow")], name=str(tmp_path))
    assert synonyms_of(graph) == []
    write_synonyms(tmp_path / SYNONYMS_FILE, [Synonym("grief", "sorrow", 0.866)])
    assert synonyms_of(graph) == [Synonym("grief", "sorrow", 0.866)]
    assert synonyms_of(MetaphorGraph([Edge("a", "b")], name="\0")) == []


def test_steps_are_associations_and_synonyms_in_sum() -> None:
    graph = MetaphorGraph([Edge("candle", "grief", weight=0.5), Edge("rain", "sorrow", weight=0.25)])
    network = make_network(graph, [Synonym("grief", "sorrow", 0.8), Synonym("candle", "grief", 0.6)])
    assert weight_of(0.8) == pytest.approx(0.256)
    dense = np.zeros((4, 4))
    for node in range(4):
        span = slice(network.steps.indptr[node], network.steps.indptr[node + 1])
        dense[node, network.steps.indices[span]] = network.steps.weights[span]
    # candle, grief, rain, sorrow, in the order they are met; the second pair is joined already.
    assert dense == pytest.approx(
        np.array([[0, 0.608, 0, 0], [0.608, 0, 0, 0.256], [0, 0, 0, 0.25], [0, 0.256, 0.25, 0]])
    )
    assert network.popularity == pytest.approx(np.array([0.608, 0.864, 0.25, 0.506]) / 0.557)


def test_the_starter_graph_has_synonym_edges_for_most_of_its_nodes() -> None:
    graph = open_knowledge()
    pairs = read_synonyms(starter_synonyms())
    assert pairs == sorted(pairs)
    assert len(pairs) > 3000
    assert all(pair.name < pair.other and 0.6 <= pair.cosine <= 1 for pair in pairs)
    named = {name for pair in pairs for name in pair[:2]}
    again = "python -m graphs.synonyms makes the table again"
    missing = [node for node in graph.nodes if node not in named]
    assert len(named - set(graph.nodes)) <= len(graph) / 20, f"names that are no nodes: {again}"
    # Some names are like no other; far more than a third are nodes that the table doesn't know yet.
    assert len(missing) <= len(graph) * 0.35, f"{len(missing)} of {len(graph)} nodes have none: {again}"
