"""Formats in and out: the same nodes, edges, order and digest again; what a format can not hold is told."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import KINDS, Edge, MetaphorGraph, open_knowledge
from tools.knowledge.__main__ import main
from tools.knowledge.edges import Sentence
from tools.knowledge.formats.exporting import export_graph
from tools.knowledge.formats.published import published_text, read_published
from tools.knowledge.linking.other_names import OtherName
from tools.knowledge.reading import read_knowledge

#: What XML can hold, in names that aren't blank; with commas, quotes, breaks and letters of all scripts.
_XML = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"), include_characters="\n\r\t")
_TEXT = st.text(st.one_of(st.sampled_from(",\"<&>\n\r\t '\\"), _XML), max_size=6)
_ANY_NAME = _TEXT.filter(str.strip)
_TABLE_NAME = _TEXT.map(
    lambda text: text.replace("\n", "").replace("\r", "").replace("\t", "").strip()
).filter(bool)


@st.composite
def graphs(draw: st.DrawFn, name: st.SearchStrategy[str], text: st.SearchStrategy[str]) -> MetaphorGraph:
    """Graphs without loops, one edge of each culture, some nodes first or alone."""
    edges: list[Edge] = []
    seen: set[tuple[str, str, str | None]] = set()
    for _ in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(KINDS))
        culture = draw(name) if kind == "cultural" else None
        source, target = draw(name), draw(name)
        sentences = tuple(
            draw(st.lists(st.one_of(_TEXT, st.builds(Sentence, _TEXT, _TEXT, _TEXT)), max_size=2))
        )
        if source != target and (source, target, culture) not in seen:
            seen.add((source, target, culture))
            weight = draw(st.floats(0, 1, exclude_min=True))
            edges.append(Edge(source, target, kind, culture, weight, draw(text), sentences, draw(text)))
    edges = edges or [Edge("a", "b")]
    nodes = draw(st.lists(name, max_size=2, unique=True))
    return MetaphorGraph(edges, nodes=nodes, symmetric=draw(st.booleans()))


def again(graph: MetaphorGraph, folder: Path, ending: str) -> MetaphorGraph:
    file = folder / f"graph{ending}"
    assert export_graph(graph, file) == []
    return read_knowledge(file)


def same(one: MetaphorGraph, other: MetaphorGraph) -> None:
    assert one.nodes == other.nodes
    assert list(one.edges) == list(other.edges)
    assert one.digest == other.digest
    assert one.symmetric == other.symmetric
    for first, second in zip(one.edges, other.edges, strict=True):
        assert list(map(repr, first.sentences)) == list(map(repr, second.sentences))
        assert [getattr(said, "licence", "") for said in first.sentences] == [
            getattr(said, "licence", "") for said in second.sentences
        ]


_QUICK = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@_QUICK
@given(graphs(_ANY_NAME, _TEXT), st.sampled_from([".graphml", ".graphml.gz"]))
def test_graphml(tmp_path_factory: pytest.TempPathFactory, graph: MetaphorGraph, ending: str) -> None:
    same(again(graph, tmp_path_factory.mktemp("g"), ending), graph)


@_QUICK
@given(graphs(_TABLE_NAME, _TEXT), st.sampled_from([".csv", ".csv.gz"]))
def test_csv(tmp_path_factory: pytest.TempPathFactory, graph: MetaphorGraph, ending: str) -> None:
    same(again(graph, tmp_path_factory.mktemp("g"), ending), graph)


@_QUICK
@given(graphs(_TABLE_NAME, _TABLE_NAME), st.sampled_from([".tsv", ".TSV", ".tsv.gz"]))
def test_tsv(tmp_path_factory: pytest.TempPathFactory, graph: MetaphorGraph, ending: str) -> None:
    same(again(graph, tmp_path_factory.mktemp("g"), ending), graph)


_WORDS = st.text(min_size=1, max_size=4).filter(str.strip)


@_QUICK
@given(
    st.dictionaries(
        st.tuples(_WORDS, _WORDS),
        st.lists(st.text(max_size=5), max_size=2, unique=True),
        min_size=1,
        max_size=6,
    ),
    st.lists(_WORDS, max_size=2, unique=True),
    st.sampled_from([".json", ".json.gz"]),
)
def test_published(
    tmp_path_factory: pytest.TempPathFactory,
    adjacency: dict[tuple[str, str], list[str]],
    alone: list[str],
    ending: str,
) -> None:
    words = list(dict.fromkeys([*alone, *(word for pair in adjacency for word in pair)]))
    nodes = {
        str(number): {
            "word": word,
            "adjacency": {b: {"sentences": said} for (a, b), said in adjacency.items() if a == word},
        }
        for number, word in enumerate(words)
    }
    folder = tmp_path_factory.mktemp("g")
    (folder / "first.json").write_text(json.dumps(nodes), encoding="utf-8")
    graph = read_published(folder / "first.json", "first")
    same(again(graph, folder, ending), graph)
    assert json.loads("".join(published_text(graph))) == nodes


GRAPH = MetaphorGraph(
    [
        Edge("candle", "time", "symbol", None, 0.9, "burns down"),
        Edge("candle", "prayer", "cultural", "Christian", 0.6, "lit", ("Lit for them.",)),
        Edge("prayer", "hope", "conceptual", None, 2 / 3, "Hope!", (Sentence("Hope!", "a book"),)),
    ],
    others=[OtherName("candle", "taper", "en", "synonym")],
)


def test_a_directed_graph_as_published_tells_what_is_lost(tmp_path: Path) -> None:
    lost = export_graph(GRAPH, tmp_path / "graph.json")
    assert lost == [
        "directions", "weights", "kinds", "cultures", "where edges and sentences come from", "other names",
    ]  # fmt: skip
    told = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))
    assert told["2"] == {
        "word": "prayer",
        "adjacency": {"hope": {"sentences": ["Hope!"]}, "candle": {"sentences": ["Lit for them."]}},
    }
    assert told["0"]["adjacency"]["time"] == {"sentences": ["burns down"]}
    assert open_knowledge(tmp_path / "graph.json").neighbours("prayer") == ["hope", "candle"]


def test_the_command_exports_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in (".json", ".graphml", ".csv", ".tsv", ".tsv.gz"):
        file = tmp_path / f"starter{ending}"
        assert main(["export", "starter", "--out", str(file)]) == 0
        told = capsys.readouterr()
        assert told.out.startswith(f"{file}: ")
        assert "the format has no place for" in told.err
        if ending != ".json":
            assert list(open_knowledge(file).edges) == list(open_knowledge().edges)
    assert main(["export", "starter", "--out", str(tmp_path / "folder")]) == 0
    assert capsys.readouterr().err == ""
    assert open_knowledge(tmp_path / "folder").digest == open_knowledge().digest
    assert main(["export", "starter", "--out", str(tmp_path / "graph.gexf")]) == 2
    assert "graph.gexf: .gexf is not a format; give .json" in capsys.readouterr().err
    assert main(["export", "starter", "--out", str(tmp_path / "no" / "graph.tsv")]) == 2
    assert "can't be written: No such file or directory" in capsys.readouterr().err


def test_a_packed_file_is_the_same_every_time(tmp_path: Path) -> None:
    export_graph(GRAPH, tmp_path / "one.tsv.gz")
    export_graph(GRAPH, tmp_path / "two.tsv.gz")
    assert (tmp_path / "one.tsv.gz").read_bytes() == (tmp_path / "two.tsv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "one.tsv.gz").read_bytes()).startswith(b"source\ttarget\tkind")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.tsv.gz", "two.tsv.gz"]


@pytest.mark.parametrize(
    ("edge", "ending", "fault"),
    [
        (
            Edge("a", " b"),
            ".tsv",
            "'a' -> ' b' can't stand in a .tsv: its target begins or ends with a blank",
        ),
        (Edge("a", "b", ground="x\ty"), ".tsv", "its ground has a tab or a line break in it; write .graphml"),
        (Edge("a", "a"), ".csv", "'a' is joined to itself"),
        (Edge("a", "\ud83d"), ".csv", "half a surrogate pair"),
        (Edge("a", "b\x00"), ".graphml", r"'\\x00' can't stand in GraphML; write .json"),
        (Edge("a", "\ud83d"), ".graphml", "can't stand in GraphML"),
    ],
)
def test_what_a_format_can_not_hold_is_refused(tmp_path: Path, edge: Edge, ending: str, fault: str) -> None:
    with pytest.raises(KnowledgeError, match=fault):
        export_graph(MetaphorGraph([edge]), tmp_path / f"graph{ending}")
    assert list(tmp_path.iterdir()) == []
    twice = MetaphorGraph([Edge("a", "b", ground="x"), Edge("a", "b", ground="y")])
    with pytest.raises(KnowledgeError, match="it stands twice, and a table holds one of each culture"):
        export_graph(twice, tmp_path / "graph.csv")


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    plain = nx.Graph()
    plain.add_edge("candle", "time", weight=0.5, ground="burns down", odd=True)
    nx.write_graphml(plain, tmp_path / "plain.graphml")
    graph = open_knowledge(tmp_path / "plain.graphml")
    assert graph.symmetric
    assert list(graph.edges) == list(MetaphorGraph.from_networkx(plain).edges)
    export_graph(GRAPH, tmp_path / "ours.graphml")
    theirs = nx.read_graphml(tmp_path / "ours.graphml")
    assert list(theirs) == list(GRAPH.nodes)
    assert theirs.edges["candle", "prayer"]["culture"] == "Christian"
    assert list(MetaphorGraph.from_networkx(theirs).edges) == list(GRAPH.edges)


def test_nodes_may_carry_their_names_beside_their_ids(tmp_path: Path) -> None:
    drawn = nx.DiGraph([("n0", "n1")])
    drawn.nodes["n0"]["label"], drawn.nodes["n1"]["label"] = "candle", "time"
    nx.write_graphml(drawn, tmp_path / "drawn.graphml")
    assert list(open_knowledge(tmp_path / "drawn.graphml").edges) == [Edge("candle", "time")]


def test_vectors_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["vectors", "starter", str(tmp_path / "gone.pt"), "--out", str(tmp_path / "vectors.npy")]
    assert main(asked) == 2
    assert "gone.pt: can't be read: No such file or directory." in capsys.readouterr().err
