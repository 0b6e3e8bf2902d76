"""The engine's benchmark on a tiny graph: its graph, its figures, and that every way counts alike."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from evals.benchmarks import graph_engine
from evals.benchmarks.synthetic_graph import queries, synthetic_edges, word, write_published
from tools.knowledge import open_knowledge


def test_the_synthetic_graph_is_what_it_says() -> None:
    edges = synthetic_edges(2000, 8000)
    assert edges.shape == (8000, 2)
    assert (edges[:, 0] != edges[:, 1]).all()
    assert len({frozenset(edge) for edge in edges.tolist()}) == 8000
    degrees = np.bincount(edges.ravel(), minlength=2000)
    assert degrees.min() >= 1
    assert degrees.max() > 20 * np.median(degrees)
    assert (synthetic_edges(2000, 8000) == edges).all()
    assert (synthetic_edges(2000, 8000, seed=2) != edges).any()
    with pytest.raises(ValueError, match="3 edges don't fit 5 nodes"):
        synthetic_edges(5, 3)


def test_it_is_written_as_published(tmp_path: Path) -> None:
    edges = synthetic_edges(50, 100)
    write_published(edges, 50, tmp_path / "graph.json")
    graph = open_knowledge(tmp_path / "graph.json")
    assert graph.nodes == tuple(map(word, range(50)))
    assert graph.arrays.forward.entries == 200
    assert {frozenset(edge[:2]) for edge in graph.edges} == {
        frozenset(map(word, edge)) for edge in edges.tolist()
    }


def test_queries_are_the_same_every_time() -> None:
    asked = queries(50)
    assert asked == queries(50)
    assert [len(set(keywords)) for keywords in asked] == [30] * 20


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
def test_every_way_counts_alike(capsys: pytest.CaptureFixture[str]) -> None:
    assert graph_engine.main(["--nodes", "120", "--edges", "400", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    ways = {name: found for name, found in told["ways"].items() if not isinstance(found, str)}
    assert {"json", "networkx", "ours"} <= set(ways)
    for found in ways.values():
        assert [count for _, count in found["counts"]] == [count for _, count in ways["json"]["counts"]]
        assert len(set(found["ranks"]) & set(ways["json"]["ranks"])) >= 9
        assert found["query_ms"] > 0
    assert ways["ours"]["counts"] == ways["json"]["counts"]
    assert told["shared"]["processes"] == 4


def test_sizes_that_do_not_fit_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    if sys.platform != "linux":
        pytest.skip("memory is measured by /proc")
    with pytest.raises(SystemExit):
        graph_engine.main(["--nodes", "100", "--edges", "7"])
    assert "7 edges don't fit 100 nodes" in capsys.readouterr().err


def test_a_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    figures = {
        "open_s": 0.5, "added_mb": 2.0, "file_mb": 3.0, "query_ms": 4.0, "query_cpu_ms": 4.0,
        "pagerank_ms": 6.0, "pagerank_cpu_ms": 6.0, "counts": [["a", 2]], "ranks": ["a"],
    }  # fmt: skip
    ways = {
        "json": figures,
        "networkx": {**figures, "query_ms": 8.0, "counts": [["a", 3]]},
        "rustworkx": "rustworkx is not installed",
        "ours": {**figures, "query_ms": 2.0},
    }
    shared = {"processes": 4, "mapped_mb": 16.0, "share_mb": 4.0}
    graph_engine._print({"nodes": 1, "edges": 2, "compile_s": 1.0, "ways": ways, "shared": shared})
    lines = capsys.readouterr().out.splitlines()
    rows = {line[:10].strip(): line.split() for line in lines[3:7]}
    assert rows["networkx"][-1] == "NO"
    assert rows["ours: mapp"][-1] == "yes"
    assert "is not installed" in lines[5]
    assert "2.0x" in lines[9]
    assert lines[-1] == "4 processes map 16.0 MB of our files together, and hold 4.0 MB of memory for them"
