"""Compiled graphs: the same as in memory, byte for byte the same again, safe to share, clear when torn."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import KINDS, Edge, MetaphorGraph
from tools.knowledge.edges import Sentence
from tools.knowledge.engine.compiled import compile_graph, open_compiled, write_compiled
from tools.knowledge.engine.mapped import Names
from tools.knowledge.linking.other_names import OtherName

EDGES = [
    Edge("candle", "time", "symbol", None, 0.9, "burns down", provenance="starter/objects.tsv"),
    Edge("candle", "prayer", "cultural", "Christian", 0.6, "lit before the altar"),
    Edge("hourglass", "time", "symbol", None, 1.0, "Sand runs.", (Sentence("Sand runs.", "a book", "CC0"),)),
    Edge("time", "mortality", "conceptual", None, 1 / 3, "", ("Time kills.", "Half a \ud83d pair.")),
    Edge("candle", "time", "cultural", "Dutch", 0.9, "painted beside a skull"),
]
_TEXT = st.text(max_size=6)
_NAMES = st.text(min_size=1, max_size=4).filter(str.strip)


@st.composite
def _edge(draw: st.DrawFn) -> Edge:
    kind = draw(st.sampled_from(KINDS))
    sentence = st.one_of(_TEXT, st.builds(Sentence, _TEXT, _TEXT, _TEXT))
    sentences = tuple(draw(st.lists(sentence, max_size=2)))
    return Edge(
        draw(_NAMES), draw(_NAMES), kind, draw(_NAMES) if kind == "cultural" else None,
        draw(st.floats(0, 1, exclude_min=True)),
        draw(st.sampled_from([str(sentences[0]), "x"]) if sentences else _TEXT), sentences, draw(_TEXT),
    )  # fmt: skip


def same(one: MetaphorGraph, other: MetaphorGraph) -> None:
    assert one.nodes == other.nodes
    assert len(one) == len(other)
    assert list(one.edges) == list(other.edges)
    assert one.digest == other.digest
    assert one.symmetric == other.symmetric
    assert [(o.node, o.name) for o in one.others] == [(o.node, o.name) for o in other.others]
    for number, node in enumerate(other.nodes):
        assert one.node_id(node) == number
        assert one.node_name(number) == node
        assert node in one
        assert one.edges_from(node) == other.edges_from(node)
        assert one.edges_into(node) == other.edges_into(node)
        assert one.neighbours(node) == other.neighbours(node)
        assert one.popularity(node) == other.popularity(node)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(_edge(), max_size=8), st.lists(_NAMES, max_size=3, unique=True), st.booleans())
def test_a_compiled_graph_is_the_graph(
    tmp_path_factory: pytest.TempPathFactory, edges: list[Edge], alone: list[str], symmetric: bool
) -> None:
    folder = tmp_path_factory.mktemp("compiled") / "graph"
    graph = MetaphorGraph(edges, nodes=alone, symmetric=symmetric)
    compile_graph(edges, folder, nodes=alone, symmetric=symmetric)
    back = open_compiled(folder)
    same(back, graph)
    kept = [
        (getattr(one, "source", ""), getattr(one, "licence", "")) for e in graph.edges for one in e.sentences
    ]
    assert kept == [(one.source, one.licence) for edge in back.edges for one in edge.sentences]
    for node in graph.nodes:
        assert back.hop([node], hops=2) == graph.hop([node], hops=2)


def test_what_the_manifest_tells(tmp_path: Path) -> None:
    manifest = compile_graph(EDGES, tmp_path / "graph", name="mine", nodes=["alone"])
    told = json.loads((tmp_path / "graph" / "graph.json").read_text(encoding="utf-8"))
    assert told["format"] == "metaphorboost-graph"
    assert (told["nodes"], told["edges"], told["sentences"], told["name"]) == (6, 5, 3, "mine")
    assert told["licences"] == ["CC0"]
    assert told["cultures"] == ["", "Christian", "Dutch"]
    assert told["digest"] == manifest.digest == open_compiled(tmp_path / "graph").digest
    assert set(told["files"]) == {file.name for file in (tmp_path / "graph").iterdir()} - {"graph.json"}


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    others = (OtherName("candle", "\u8721\u70db", "zh", "translation"),)
    graph = MetaphorGraph(EDGES, others=others)
    for name in ("one", "two"):
        write_compiled(graph, tmp_path / name)
    write_compiled(open_compiled(tmp_path / "one", "graph"), tmp_path / "three")
    for file in sorted((tmp_path / "one").iterdir()):
        content = file.read_bytes()
        assert (tmp_path / "two" / file.name).read_bytes() == content, file
        assert (tmp_path / "three" / file.name).read_bytes() == content, file
    assert open_compiled(tmp_path / "one").link("\u8721\u70db")[0].node == "candle"


def test_a_compiled_graph_is_replaced_and_nothing_else_is(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    compile_graph(EDGES[:1], tmp_path / "graph")
    assert open_compiled(tmp_path / "graph").nodes == ("candle", "time")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("!", encoding="utf-8")
    with pytest.raises(KnowledgeError, match="mine: there is something else already; give a new folder"):
        compile_graph(EDGES, tmp_path / "mine")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["graph", "mine"]


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (lambda folder: (folder / "graph.json").write_text("{", encoding="utf-8"), "not JSON, so it is torn"),
        (lambda folder: (folder / "graph.json").write_text("[" * 100_000, encoding="utf-8"), "is not JSON"),
        (lambda folder: (folder / "graph.json").write_text("[]", encoding="utf-8"), "is no compiled graph"),
        (lambda folder: told(folder, version=2), "version 2 of the format, newer than this program's 1"),
        (lambda folder: told(folder, version="x"), "version 'x' of the format, not this program's 1"),
        (lambda folder: told(folder, nodes=-1), "'nodes' is -1, expected int"),
        (lambda folder: told(folder, digest=None), "'digest' is None, expected str"),
        (lambda folder: told(folder, nodes=4), "the arrays and graph.json tell different sizes"),
        (lambda folder: (folder / "weights.npy").unlink(), "'weights.npy' is missing"),
        (lambda folder: (folder / "texts.sqlite").write_bytes(b""), "'texts.sqlite' has 0 bytes where"),
        (lambda folder: garbled(folder / "ranks.npy"), "not a whole compiled graph"),
    ],
)  # fmt: skip
def test_a_torn_folder_is_told(tmp_path: Path, damage: object, fault: str) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    damage(tmp_path / "graph")  # type: ignore[operator]
    with pytest.raises(KnowledgeError, match=fault) as caught:
        open_compiled(tmp_path / "graph")
    assert str(tmp_path / "graph") in str(caught.value)


def told(folder: Path, **changes: object) -> None:
    file = folder / "graph.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def garbled(file: Path) -> None:
    """As many bytes, but an array of Python objects, which only unpickling would read."""
    size = file.stat().st_size
    head = b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (4,), }"
    file.write_bytes(head.ljust(127) + b"\n" + b"\0" * (size - 128))


def test_damaged_texts_are_told_when_they_are_read(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    texts = tmp_path / "graph" / "texts.sqlite"
    texts.write_bytes(b"\0" * texts.stat().st_size)
    with pytest.raises(KnowledgeError, match=r"texts\.sqlite can't be read \(file is not a database\)"):
        open_compiled(tmp_path / "graph").edges_from("candle")


def test_a_graph_that_is_replaced_while_open_is_told_not_mixed(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    graph, other = open_compiled(tmp_path / "graph"), open_compiled(tmp_path / "graph")
    assert graph.edges_from("hourglass")[0].ground == "Sand runs."
    compile_graph([edge._replace(ground="new") for edge in EDGES], tmp_path / "graph")
    # What is open stays readable; what would be opened now is another graph's.
    assert graph.edges_from("candle")[0].ground == "burns down"
    with pytest.raises(KnowledgeError, match="another graph was written here while this one was open"):
        other.edges_from("candle")
    assert open_compiled(tmp_path / "graph").edges_from("candle")[0].ground == "new"


def test_what_is_there_may_be_left(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    write_compiled(MetaphorGraph(EDGES[:1]), tmp_path / "graph", replace=False)
    assert len(open_compiled(tmp_path / "graph")) == 5
    assert [file.name for file in tmp_path.iterdir()] == ["graph"]


def test_names_behave_as_a_tuple(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    names = open_compiled(tmp_path / "graph").nodes
    assert isinstance(names, Names)
    assert names[1:3] == ("time", "prayer")
    assert names[-1] == "mortality"
    assert hash(names) == hash(tuple(names))
    assert names != ("candle",)
    assert names != "candle"
    assert "hourglass" in names
    assert repr(names) == "Names('candle', 'time', 'prayer', ... 5 in all)"
    with pytest.raises(IndexError):
        names[5]


async def test_threads_share_a_graph(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    graph = open_compiled(tmp_path / "graph")
    expected = MetaphorGraph(EDGES).hop(["candle"], 2)
    found = await asyncio.gather(*(asyncio.to_thread(graph.hop, ["candle"], 2) for _ in range(40)))
    assert all(one == expected for one in found)
    threads = [threading.Thread(target=graph.edges_from, args=("candle",)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _hopped(graph: MetaphorGraph) -> tuple[str, ...]:
    return tuple(found.concept for found in graph.hop(["candle"], 2).associations)


def test_another_process_maps_the_same_files(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    graph = open_compiled(tmp_path / "graph")
    assert _hopped(graph) == ("time", "prayer", "mortality")
    assert _hopped(pickle.loads(pickle.dumps(graph))) == _hopped(graph)
    assert _hopped(copy.deepcopy(graph)) == _hopped(graph)
    code = (
        "import pickle, sys; graph = pickle.load(sys.stdin.buffer); "
        "print(*(found.concept for found in graph.hop(['candle'], 2).associations))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(graph), capture_output=True, check=True,
        cwd=Path(__file__).resolve().parents[4],
    )  # fmt: skip
    assert ran.stdout.split() == [b"time", b"prayer", b"mortality"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_reads_on(tmp_path: Path) -> None:
    compile_graph(EDGES, tmp_path / "graph")
    code = (
        "import os, sys; from pathlib import Path\n"
        "from tools.knowledge.engine.compiled import open_compiled\n"
        "graph = open_compiled(Path(sys.argv[1])); graph.edges_from('candle')\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(0 if graph.edges_from('time')[0].sentences[0] == 'Time kills.' else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0; print(graph.edges_from('hourglass')[0].ground)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "graph")], capture_output=True, text=True, check=True,
        cwd=Path(__file__).resolve().parents[4],
    )  # fmt: skip
    assert ran.stdout == "Sand runs.\n"
