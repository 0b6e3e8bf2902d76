"""Malformed graph files: every fault names the file, the node or line, what is wrong, and the way out."""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import Edge, MetaphorGraph, open_knowledge
from tools.knowledge.formats.exporting import export_graph

HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
KEYS = "".join(
    f'<key id="{name}" for="edge" attr.name="{name}" attr.type="string"/>'
    for name in ("kind", "culture", "weight", "sentences")
)
NODES = '<node id="a"/><node id="b"/>'


def ml(inside: str, keys: str = KEYS, default: str = "directed") -> str:
    return f'{HEAD}\n{keys}\n<graph edgedefault="{default}">\n{inside}\n</graph></graphml>'


def edge(data: str) -> str:
    return f'{NODES}\n<edge source="a" target="b">{data}</edge>'


DEEP = "[" * 100_000
NESTED = '{"0": {"word": "a", "adjacency": {"a": {"sentences": ' + "[" * 400 + "]" * 400 + "}}}}"
DIGITS = "9" * 5000
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l0 "lol">'
    + "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
    + "]><graphml>&l9;</graphml>"
)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        # The published JSON.
        ("bad.json", DEEP, "nested too deeply|not JSON"),
        ("bad.json", '{"a":' * 100_000, "nested too deeply|not JSON"),
        ("bad.json", NESTED, r"node '0' \('a'\): neighbour 'a' has no \"sentences\""),
        ("bad.json", DIGITS, "a number in it has too many digits"),
        ("bad.json", '{"0": {"word": ' + DIGITS + "}}", "a number in it has too many digits"),
        ("bad.json", '{"0": {"word": NaN}}', "node '0' has no \"word\""),
        ("bad.json", '{"0": {"word": -1e999}}', "node '0' has no \"word\""),
        ("bad.json", '{"0": {}, "0": {}}', "'0' stands twice in one object; merge the two"),
        ("bad.json", '{"0": {"word": "a", "adjacency": {"b": {}, "b": {}}}}', "'b' stands twice"),
        # Edge lists.
        ("bad.tsv", f"source\ttarget\tweight\na\tb\t{DIGITS}", r"bad\.tsv:2: weight '9{60}'\.\.\. is not"),
        ("bad.tsv", "source\ttarget\tweight\na\tb\t-1", r"bad\.tsv:2: weight '-1' is not a number above 0"),
        ("bad.tsv", "source\ttarget\tsentences\na\tb\t[1]", r"bad\.tsv:2: sentences is not a JSON list of"),
        ("bad.tsv", f"source\ttarget\tsentences\na\tb\t{DEEP}", r"bad\.tsv:2: sentences is not a JSON list"),
        ("bad.tsv", "source\ttarget\tsymmetric\na\tb\tno", r"bad\.tsv:2: symmetric 'no' is neither empty"),
        ("bad.tsv", "source\ttarget\tsymmetric\na\tb\t\nb\ta\tyes", r":2: symmetric is empty, but yes at"),
        ("bad.tsv", "source\ttarget\tkind\na\tb\tnode", r"bad\.tsv:2: a row of kind node has a source and"),
        ("bad.csv", 'source,target\n"a,b', r"bad\.csv:2: not CSV: unexpected end of data"),
        ("bad.csv", 'source,target\na,b\n"a"x,b', r"bad\.csv:3: not CSV"),
        ("bad.csv", "source,target\n\n\na,b,c", r"bad\.csv:4: 3 comma-separated fields where the header"),
        ("bad.csv", 'source,target\n"a\n",b\nc,c', r"bad\.csv:4: 'c' is joined to itself"),
        ("bad.csv", "source;target\na;b", r"bad\.csv:1: no column source or target; .* comma-separated"),
        ("bad.csv", "", r"bad\.csv:1: no column source or target"),
        # GraphML.
        ("bad.graphml", "", r"bad\.graphml:1: not XML: no element found"),
        ("bad.graphml", "<graphml>", r"bad\.graphml:1: not XML: no element found"),
        ("bad.graphml", "<html></html>", "no <graph> in it, so it is no GraphML"),
        ("bad.graphml", BOMB, r"bad\.graphml:1: a document type .* is refused; take it out"),
        ("bad.graphml", "<a>" * 200_000, "not XML"),
        ("bad.graphml", ml(NODES), "no edges, so nothing could ever be found"),
        ("bad.graphml", ml('<node/><node id="b"/>'), r"bad\.graphml:4: <node> has no id"),
        ("bad.graphml", ml('<node id="a"/>\n<node id="a"/>'), r"bad\.graphml:5: node 'a' stands twice"),
        ("bad.graphml", ml('<node id=" "/><edge source=" " target=" "/>'), "node ' ' is no name"),
        ("bad.graphml", ml('<node id="a"/>\n<edge source="a" target="c"/>'), ":5: edge 'a' -> 'c': 'c' has"),
        ("bad.graphml", ml('<node id="a"/>\n<edge source="a"/>'), r"bad\.graphml:5: <edge> has no target"),
        ("bad.graphml", ml(edge('<data key="d9">1</data>')), ":5: <data> has the key 'd9', which no"),
        ("bad.graphml", ml(edge('<data key="weight">nan</data>')), ":5: edge 'a' -> 'b': weight nan is"),
        ("bad.graphml", ml(edge('<data key="weight">-1</data>')), "weight -1.0 is not a number above 0"),
        ("bad.graphml", ml(edge('<data key="weight">high</data>')), "weight 'high' is not a number above 0"),
        ("bad.graphml", ml(edge(f'<data key="weight">{DIGITS}</data>')), "weight inf is not a number"),
        ("bad.graphml", ml(edge('<data key="kind">visual</data>')), "kind 'visual' is not one of symbol"),
        ("bad.graphml", ml(edge('<data key="kind">cultural</data>')), "culture goes with kind cultural"),
        ("bad.graphml", ml(edge('<data key="sentences">["a", 1]</data>')), "sentences is not a JSON list"),
        ("bad.graphml", ml(NODES + "<hyperedge/>"), "a <hyperedge>, which joins more than two nodes"),
        ("bad.graphml", ml('<node id="a"><graph edgedefault="directed"/></node>'), "a second <graph>"),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, str) else None,
)  # fmt: skip
def test_the_fault_is_named(tmp_path: Path, name: str, content: str, fault: str) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=fault) as caught:
        open_knowledge(file)
    assert str(file) in str(caught.value)
    assert len(str(caught.value)) < 500 + len(str(file))
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content.encode()))
    with pytest.raises(KnowledgeError, match=fault.replace(name.partition(".")[2], r"\w+(\.gz)?")):
        open_knowledge(packed)


@pytest.mark.parametrize("name", ["bad.json.gz", "bad.tsv.gz", "bad.csv.gz", "bad.graphml.gz"])
def test_files_that_are_not_packed_or_torn(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"source\ttarget\n")
    with pytest.raises(
        KnowledgeError, match=rf"{name}: not a whole gzip file .*; pack it again, or give it unp"
    ):
        open_knowledge(file)
    file.write_bytes(gzip.compress(b"source\ttarget\n" * 100)[:-10])
    with pytest.raises(KnowledgeError, match="not a whole gzip file"):
        open_knowledge(file)


def test_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}", encoding="utf-16")
    with pytest.raises(KnowledgeError, match=r"bad\.json: not UTF-8 at byte 0; save it as UTF-8"):
        open_knowledge(tmp_path / "bad.json")
    told = '<?xml version="1.0" encoding="latin-1"?>' + ml(edge("")).replace('id="a"', 'id="é"').replace(
        '"a"', '"é"'
    )
    (tmp_path / "fine.graphml").write_bytes(told.encode("latin-1"))
    assert list(open_knowledge(tmp_path / "fine.graphml").edges) == [Edge("é", "b")]
    (tmp_path / "odd.graphml").write_bytes(told.replace("latin-1", "klingon").encode("latin-1"))
    with pytest.raises(KnowledgeError, match=r"odd\.graphml:1: not XML: unknown encoding"):
        open_knowledge(tmp_path / "odd.graphml")


@pytest.mark.parametrize(
    ("attributes", "fault"),
    [
        ({"weight": 10**5000}, "weight of thousands of digits is not a number above 0"),
        ({"kind": ["symbol"]}, r"kind \['symbol'\] is not one of"),
        ({"sentences": 7}, "sentences is 7, expected a list of strings"),
        ({"sentences": ["a", 7]}, "expected a list of strings"),
        ({"culture": 7}, "culture 7 is not a text"),
        ({"weight": float("nan")}, "weight nan is not a number"),
    ],
)
def test_networkx_attributes(attributes: dict[str, object], fault: str) -> None:
    with pytest.raises(KnowledgeError, match=fault):
        MetaphorGraph.from_networkx(nx.DiGraph([("a", "b", attributes)]))


def test_paths_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no graph of this name"):
        open_knowledge("a\0b")
    with pytest.raises(KnowledgeError, match=r"no graph of this name|File name too long"):
        open_knowledge("x" * 5000)
    if sys.platform != "win32":
        (tmp_path / "loop.tsv").symlink_to(tmp_path / "loop.tsv")
        with pytest.raises(KnowledgeError):
            open_knowledge(tmp_path / "loop.tsv")


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([".json", ".csv", ".tsv", ".graphml", ".csv.gz"]),
    st.integers(0, 400),
    st.binary(max_size=4),
)
def test_a_file_with_some_bytes_changed_opens_or_is_told(
    tmp_path_factory: pytest.TempPathFactory, ending: str, at: int, junk: bytes
) -> None:
    file = tmp_path_factory.mktemp("g") / f"graph{ending}"
    edges = [Edge("candle", "time", "cultural", "Dutch", 0.5, "x", ("said",)), Edge("time", "candle")]
    export_graph(MetaphorGraph(edges, symmetric=True), file)
    whole = file.read_bytes()
    file.write_bytes(whole[:at] + junk + whole[at + 1 :])
    with contextlib.suppress(KnowledgeError):
        assert len(list(open_knowledge(file).edges)) >= 1


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "edges.tsv")
    with pytest.raises(KnowledgeError, match="a pipe or a device, which may never end; give a file"):
        open_knowledge(tmp_path)


def test_a_fault_shows_the_begin_of_what_is_long(tmp_path: Path) -> None:
    (tmp_path / "e.tsv").write_text("source\ttarget\tkind\na\tb\t" + "k" * 100_000 + "\n")
    with pytest.raises(KnowledgeError, match="kind 'kkk") as caught:
        open_knowledge(tmp_path / "e.tsv")
    assert len(str(caught.value)) < 300
