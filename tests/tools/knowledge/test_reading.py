"""Opening graphs: by name, in the published format, as edge lists; and what malformed ones are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.errors import KnowledgeError
from tools.knowledge import Edge, open_knowledge

HEADER = "source\ttarget\tkind\tculture\tweight\tground\n"
PUBLISHED = {
    "0": {"word": "candle", "adjacency": {"time": {"sentences": ["A candle burned low.", "Brief candle!"]}}},
    "1": {
        "word": "time",
        "adjacency": {"candle": {"sentences": ["Brief candle!"]}, "money": {"sentences": []}},
    },
    "2": {"word": "money", "adjacency": {"time": {"sentences": []}}},
    "3": {"word": "Lonely Island", "adjacency": {}},
}  # fmt: skip


def write(folder: Path, name: str, content: object) -> Path:
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def test_the_published_format(tmp_path: Path) -> None:
    graph = open_knowledge(write(tmp_path, "metaphor_graph.json", PUBLISHED))
    assert graph.nodes == ("candle", "time", "money", "Lonely Island")
    assert graph.symmetric
    assert len(graph) == 4
    edge = graph.edges_from("candle")[0]
    assert edge[:4] == ("candle", "time", "conceptual", None)
    assert edge.weight == pytest.approx(3 / 4)
    assert edge.ground == "A candle burned low."
    assert edge.sentences == ("A candle burned low.", "Brief candle!")
    assert graph.edges_from("time")[1].weight == pytest.approx(1 / 2)
    assert graph.neighbours("time") == ["candle", "money"]
    assert graph.popularity("time") == 2
    assert [found.path for found in graph.hop(["candle"], hops=2).associations] == [
        ("candle", "time"),
        ("candle", "time", "money"),
    ]
    assert graph.hop(["lonely island"]).linked == {"lonely island": "Lonely Island"}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{", r"bad\.json:1: not JSON"),
        ("", r"bad\.json:1: not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ([], "expected an object such as"),
        ({}, "expected an object such as"),
        ({"0": "candle"}, "node '0' has no \"word\""),
        ({"0": {"word": 7, "adjacency": {}}}, "node '0' has no \"word\""),
        ({"0": {"word": " ", "adjacency": {}}}, "node '0' has no \"word\""),
        ({"0": {"word": "candle"}}, r"node '0' \('candle'\) has no \"adjacency\""),
        ({n: {"word": "a", "adjacency": {}} for n in "07"}, "'0' and '7' have the same"),
        ({"0": {"word": "a", "adjacency": {"b": {"sentences": []}}}}, "neighbour 'b' has no node of its own"),
        ({"0": {"word": "a", "adjacency": {"a": []}}}, "neighbour 'a' has no \"sentences\""),
        ({"0": {"word": "a", "adjacency": {"a": {"sentences": "s"}}}}, "neighbour 'a' has no \"sentences\""),
        ({"0": {"word": "a", "adjacency": {"a": {"sentences": [1]}}}}, "a list of strings"),
        ({"0": {"word": "a", "adjacency": {}}}, "no node has a neighbour"),
    ],
)  # fmt: skip
def test_malformed_json_names_the_node(tmp_path: Path, content: object, fault: str) -> None:
    with pytest.raises(KnowledgeError, match=fault) as caught:
        open_knowledge(write(tmp_path, "bad.json", content))
    assert "bad.json" in str(caught.value)


def test_json_that_is_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(b'{"0": {"word": "caf\xe9"}}')
    with pytest.raises(KnowledgeError, match="not UTF-8 at byte 19"):
        open_knowledge(file)


def test_an_edge_list(tmp_path: Path) -> None:
    text = (
        "\ufeff"
        + HEADER
        + "candle\ttime\tsymbol\t\t0.9\tburns down slowly\r\n\n\u9f8d\tpower\tcultural\tChinese\t1\tbeast\n"
    )
    graph = open_knowledge(write(tmp_path, "mine.tsv", text))
    assert list(graph.edges) == [
        Edge("candle", "time", "symbol", None, 0.9, "burns down slowly"),
        Edge("\u9f8d", "power", "cultural", "Chinese", 1.0, "beast"),
    ]
    assert not graph.symmetric
    assert graph.nodes == ("candle", "time", "\u9f8d", "power")
    assert graph.name.endswith("mine.tsv")


def test_columns_may_be_fewer_and_in_any_order(tmp_path: Path) -> None:
    graph = open_knowledge(write(tmp_path, "mine.tsv", "weight\ttarget\tsource\n0.5\ttime\tcandle\n"))
    assert list(graph.edges) == [Edge("candle", "time", "symbol", None, 0.5, "")]


def test_a_folder_of_edge_lists_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path, "b.tsv", HEADER + "clock\ttime\tsymbol\t\t1\thands move\n")
    write(tmp_path, "a.tsv", HEADER + "candle\ttime\tsymbol\t\t1\tburns down\n")
    write(tmp_path, "notes.txt", "not an edge list")
    assert [edge.source for edge in open_knowledge(tmp_path).edges] == ["candle", "clock"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "mine.tsv:1: no column source or target"),
        ("source\tconcept\n", "mine.tsv:1: no column target"),
        ("source\ttarget\tcolour\n", "mine.tsv:1: column 'colour' is unknown or named twice"),
        ("source\ttarget\ttarget\n", "mine.tsv:1: column 'target' is unknown or named twice"),
        (HEADER, "no edges"),
        (HEADER + "candle\ttime\n", "mine.tsv:2: 2 tab-separated fields where the header names 6"),
        (HEADER + "\n\ttime\tsymbol\t\t1\tx\n", "mine.tsv:3: source is empty"),
        (HEADER + "a\ta\tsymbol\t\t1\tx\n", "mine.tsv:2: 'a' is joined to itself"),
        (HEADER + "a\tb\tvisual\t\t1\tx\n", "mine.tsv:2: kind 'visual' is not one of symbol, conceptual"),
        (HEADER + "a\tb\tcultural\t\t1\tx\n", "mine.tsv:2: kind is cultural, but no culture is given"),
        (HEADER + "a\tb\tsymbol\tGreek\t1\tx\n", "mine.tsv:2: culture 'Greek' is given, but kind is symbol"),
        (HEADER + "a\tb\tsymbol\t\thigh\tx\n", "mine.tsv:2: weight 'high' is not a number above 0"),
        (HEADER + "a\tb\tsymbol\t\t1.5\tx\n", "mine.tsv:2: weight '1.5' is not a number above 0"),
        (HEADER + "a\tb\tsymbol\t\tnan\tx\n", "mine.tsv:2: weight 'nan' is not a number above 0"),
        (HEADER + "a\tb\tsymbol\t\t1\tx\na\tb\tbodily\t\t1\ty\n", r"mine.tsv:3: 'a' -> 'b' stands at .*:2"),
    ],
)  # fmt: skip
def test_malformed_rows_name_the_line(tmp_path: Path, content: str, fault: str) -> None:
    with pytest.raises(KnowledgeError, match=fault):
        open_knowledge(write(tmp_path, "mine.tsv", content))


def test_an_edge_list_that_is_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_bytes(b"source\ttarget\ncaf\xe9\ttime\n")
    with pytest.raises(KnowledgeError, match="not UTF-8 at byte 17; save it as UTF-8"):
        open_knowledge(file)


def test_unknown_names_get_the_known_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        KnowledgeError, match=r"startr: no graph .* Did you mean 'starter'\? Known names: starter"
    ):
        open_knowledge("startr")
    with pytest.raises(KnowledgeError, match="no such file"):
        open_knowledge(tmp_path / "gone.json")
    with pytest.raises(KnowledgeError, match=r"no \.tsv file in this folder"):
        open_knowledge(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_stands_in_the_place_of_a_graph_is_told(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "moved.json")
    with pytest.raises(KnowledgeError, match=r"link\.json: a link to .*moved\.json, which isn't there"):
        open_knowledge(tmp_path / "link.json")
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(KnowledgeError, match=r"pipe\.json: not a regular file"):
        open_knowledge(tmp_path / "pipe.json")


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="A pickle is never opened"):
        open_knowledge(write(tmp_path, "graph.pkl", "cos\nsystem\n"))
    with pytest.raises(KnowledgeError, match=r"\.pt is not a format of a graph; .* A pickle is never opened"):
        open_knowledge(write(tmp_path, "embeddings.pt", ""))
    with pytest.raises(KnowledgeError, match=r"\.gexf is not a format of a graph"):
        open_knowledge(write(tmp_path, "graph.gexf", "<gexf/>"))
    with pytest.raises(KnowledgeError, match="a file without an ending is not a format"):
        open_knowledge(write(tmp_path, "graph", ""))


def test_opening_and_walking_imports_no_graph_library() -> None:
    code = (
        "import sys; from tools.knowledge import open_knowledge; open_knowledge().hop(['time'], 2); "
        "print([name for name in ('networkx', 'scipy', 'pandas', 'pydantic') if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[3]
    ran = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
