"""`python -m tools.knowledge build` as its user runs it: from files to a graph with its account."""

# ruff: noqa: RUF001, E501  (full-width marks are meant; a table of faults reads better in lines)

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tools.errors import KnowledgeError
from tools.knowledge import MetaphorGraph, open_knowledge
from tools.knowledge.__main__ import main
from tools.knowledge.building import BuildOptions, build_graph
from tools.knowledge.building.assembling import weight_of

CMDAG = [
    {
        "metaphor_id": 0, "context": "心 是\n大海，时间是水", "tenor_1": "心；时间", "vehicle_1": "大海；水",
        "ground_1": "宽广；流逝", "tenor_2": "心", "vehicle_2": "大海", "ground_2": "宽广，深沉",
        "final_tenor": "心", "final_vehicle": "大海", "final_ground": "宽广",
    },
    {
        "metaphor_id": 1, "context": "什么都不是", "tenor_1": "心，爱，梦", "vehicle_1": "火、花", "ground_1": "热",
        "final_tenor": "爱", "final_vehicle": "", "final_ground": "",
    },
]  # fmt: skip


def write(path: Path, *rows: Any) -> Path:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.name.endswith(".gz") else text)
    return path


def build(out: Path, *paths: Path, **options: Any) -> tuple[MetaphorGraph, dict[str, Any]]:
    built = build_graph(paths, out, BuildOptions(**options))
    return open_knowledge(out), built.report


def edges(graph: MetaphorGraph) -> dict[tuple[str, str], tuple[str, str, str]]:
    return {(e.source, e.target): (e.kind, e.ground, e.provenance) for e in graph.edges}


def sha(folder: Path) -> str:
    whole = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(file.name.encode() + file.read_bytes())
    return whole.hexdigest()


@pytest.fixture
def mixed(tmp_path: Path) -> list[Path]:
    """One file of each layout."""
    (tmp_path / "t.csv").write_text('Vehicle,Tenor,reason,n\n"The Candles",Time,burns down as it passes,2\n')
    (tmp_path / "t.tsv").write_text(
        "source\ttarget\tkind\tculture\tweight\ncandle\tprayer\tcultural\tDutch\t0.9\n"
    )
    write(
        tmp_path / "a.jsonl.gz", ["candle", "time", 3, ["one", "two:ground"]], ["mirror", "truth", 1, ["one"]]
    )
    (tmp_path / "c.json").write_text(json.dumps(CMDAG), encoding="utf-8")
    write(
        tmp_path / "x.jsonl",
        {
            "source": "candle", "target": "life", "ground": "brief", "kind": "symbol", "sentence": "生如烛",
            "translation": "Life is a candle.", "source_file": "b.txt", "line": 4, "id": "", "dataset": "book",
            "licence": "CC BY-NC 4.0", "model": "m", "prompt": "p",
        },
    )  # fmt: skip
    return sorted(path for path in tmp_path.iterdir())


def test_every_layout_becomes_edges(tmp_path: Path, mixed: list[Path]) -> None:
    graph, report = build(tmp_path / "out", *mixed)
    found = edges(graph)
    assert found["candle", "time"] == (
        "conceptual", "burns down as it passes", "one (unknown), t (unknown), two (unknown)",
    )  # fmt: skip
    assert found["candle", "prayer"] == ("cultural", "", "t (unknown)")
    assert found["candle", "life"] == ("symbol", "brief", "book (CC BY-NC 4.0)")
    assert found["candle", "brief"] == ("symbol", "said of life", "book (CC BY-NC 4.0)")
    assert found["大海", "心"] == ("conceptual", "宽广", "cmdag (MIT)")
    assert found["水", "时间"] == ("conceptual", "流逝", "cmdag (MIT)")
    assert found["大海", "深沉"] == ("conceptual", "said of 心", "cmdag (MIT)")
    assert ("大海", "流逝") not in found
    assert report["rejected"] == {"missing": 1, "unpaired": 1}
    assert (report["nodes"], report["edges"], report["counts"]["edges"]) == (14, 10, 14)
    weights = {(e.source, e.target): e.weight for e in graph.edges}
    assert weights["candle", "prayer"] == 0.9
    assert weights["candle", "time"] == weight_of(5, 3, 0)
    (life,) = [edge for edge in graph.edges_from("candle") if edge.target == "life"]
    told = [(str(s), getattr(s, "source", ""), getattr(s, "licence", "")) for s in life.sentences]
    assert told == [
        ("生如烛", "book", "CC BY-NC 4.0"), ("Life is a candle.", "book, translated", "CC BY-NC 4.0"),
    ]  # fmt: skip
    lines = [json.loads(line) for line in (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()]
    assert [(line["file"], line["line"], line["reason"]) for line in lines] == [
        ("c.json", 2, "missing"), ("c.json", 2, "unpaired"),
    ]  # fmt: skip
    assert "The Candles\tplural or third person\t" in (tmp_path / "out" / "merges.tsv").read_text()


def test_grounds_may_be_notes_only(tmp_path: Path, mixed: list[Path]) -> None:
    graph, _ = build(tmp_path / "out", *mixed, ground_edges=False)
    found = edges(graph)
    assert ("candle", "brief") not in found
    assert found["candle", "life"][1] == "brief"


def test_the_order_of_files_does_not_matter_and_bytes_repeat(tmp_path: Path, mixed: list[Path]) -> None:
    build(tmp_path / "one", *mixed)
    build(tmp_path / "two", *reversed(mixed))
    assert sha(tmp_path / "one") == sha(tmp_path / "two")
    build(tmp_path / "two", *mixed[:2])
    assert sha(tmp_path / "one") != sha(tmp_path / "two")
    build(tmp_path / "two", *mixed)
    assert sha(tmp_path / "one") == sha(tmp_path / "two")
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()


def test_a_built_graph_is_sound_and_says_so(
    tmp_path: Path, mixed: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["build", *map(str, mixed), "--out", str(out), "--licence-of", "t=CC0"]) == 0
    told = capsys.readouterr()
    assert "licences    CC BY-NC 4.0 2, CC0 3, MIT 5, unknown 4" in told.out
    assert "4 counts stand under no licence that is told: say --licence-of one=... (one, two)" in told.err
    assert "reading a.jsonl.gz ..." in told.err
    assert main(["check", str(out)]) == 0
    assert capsys.readouterr().out.endswith(" 0 problems\n")
    found = open_knowledge(out).hop(["candles"]).associations
    assert [a.path for a in found] == [
        ("candle", "prayer"), ("candle", "time"), ("candle", "brief"), ("candle", "life"),
    ]  # fmt: skip
    assert found[1].ground == "burns down as it passes"
    licences = json.loads((out / "graph.json").read_text())["licences"]
    assert licences == ["CC BY-NC 4.0", "CC0", "MIT", "unknown"]


def test_the_checker_finds_what_was_changed(
    tmp_path: Path, mixed: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    build(out, *mixed)
    report = json.loads((out / "report.json").read_text())
    (out / "report.json").write_text(json.dumps({**report, "nodes": 1}))
    (out / "merges.tsv").write_text("kept\tmerged\twhy\ncandle\ttime\twhim\n")
    manifest = json.loads((out / "graph.json").read_text())
    (out / "graph.json").write_text(json.dumps({**manifest, "digest": "0" * 64, "licences": []}))
    assert main(["check", str(out)]) == 1
    told = capsys.readouterr().out
    assert "report.json: nodes 1, and the graph has" in told
    assert "merges.tsv:2: 'time' was merged into 'candle', but is a node" in told
    assert f"graph.json: the digest is {'0' * 64}, and" in told
    assert "graph.json: sentences stand under CC BY-NC 4.0, MIT, which is not among its licences" in told


def test_what_stands_under_a_licence_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = write(tmp_path / "p.jsonl", ["fire", "anger", 3, ["a", "b"]], ["ice", "fear", 2, ["a"]])
    licences = ["--licence-of", "a=CC BY-NC 4.0", "--licence-of", "b=MIT"]
    out = tmp_path / "out"
    licences += ["--licence-of", "cmdga=MIT"]
    arguments = ["build", str(pairs), "--out", str(out), *licences, "--quiet"]
    assert main([*arguments, "--drop-licence", "cc-by-nc*", "GPL"]) == 0
    graph = open_knowledge(out)
    assert edges(graph) == {("fire", "anger"): ("conceptual", "", "b (MIT)")}
    assert graph.edges_from("fire")[0].weight == weight_of(1, 1, 0)
    told = capsys.readouterr()
    assert "--drop-licence GPL: nothing stands under it" in told.err
    assert "--licence-of: not in the pairs: 1 (cmdga)" in told.err
    assert "4   more left out with the licence CC BY-NC 4.0" in told.out
    assert main([*arguments, "--drop-licence", "*"]) == 2
    assert "no edge is left: of the pairs' counts are left out 5 by --drop-licence" in capsys.readouterr().err
    assert edges(open_knowledge(out)) == edges(graph)


def test_rare_edges_and_long_names_are_left_out(tmp_path: Path) -> None:
    pairs = write(
        tmp_path / "p.jsonl", ["fire", "anger", 3], ["fire", "love", 1], ["fire", "u b c d e f", 9],
        ["fire", "a tale told by idiots", 4],
    )  # fmt: skip
    graph, report = build(tmp_path / "out", pairs, least_count=2)
    assert set(edges(graph)) == {("fire", "anger"), ("fire", "tale told by idiots")}
    assert (report["counts"]["below_min_count"], report["edges_below_min_count"]) == (1, 1)
    assert report["rejected"] == {"long": 1}
    graph, _ = build(tmp_path / "out", pairs, most_words=1)
    assert set(edges(graph)) == {("fire", "anger"), ("fire", "love")}


def test_a_text_counts_once_and_its_annotators_vote_on_the_ground(tmp_path: Path) -> None:
    said = {"source": "fire", "target": "anger", "sentence": "His anger was a fire.", "dataset": "d"}
    pairs = write(
        tmp_path / "p.jsonl", {**said, "ground": "burns what is near"}, {**said, "ground": "It is hot."},
        {**said, "ground": "burns what is near"}, {**said, "sentence": "Anger is fire.", "ground": "as it burns what is near"},
    )  # fmt: skip
    graph, report = build(tmp_path / "out", pairs)
    (edge,) = graph.edges
    assert (edge.ground, edge.provenance) == ("burns what is near", "d (unknown)")
    assert [str(sentence) for sentence in edge.sentences] == ["Anger is fire.", "His anger was a fire."]
    assert (report["counts"]["edges"], report["counts"]["repeats"]) == (2, 2)
    assert edge.weight == weight_of(2, 1, 0)


def test_weights_grow_with_every_kind_of_evidence() -> None:
    assert weight_of(1, 1, 0) < weight_of(2, 1, 0) < weight_of(2, 2, 0) < weight_of(2, 2, 1)
    assert weight_of(1, 1, 0) == 0.15
    assert 0.99 < weight_of(10**9, 50, 50) <= 1


def test_a_user_decides_on_merges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = write(
        tmp_path / "p.jsonl", ["candles", "lights", 3], ["candle", "light", 1], ["taper", "glow", 1],
        ["wax taper", "gleam", 1],
    )  # fmt: skip
    (tmp_path / "keep.txt").write_text("Candle\nnowhere\n")
    (tmp_path / "list.tsv").write_text("kept\tmerged\nlight\tglow\nglow\tgleam\n")
    out = tmp_path / "out"
    options = ["--keep", str(tmp_path / "keep.txt"), "--merge-list", str(tmp_path / "list.tsv"), "--quiet"]
    assert main(["build", str(pairs), "--out", str(out), *options]) == 0
    graph = open_knowledge(out)
    assert set(edges(graph)) == {
        ("candles", "light"), ("candle", "light"), ("taper", "light"), ("wax taper", "light"),
    }  # fmt: skip
    assert "--keep: not in the pairs: 1 (nowhere)" in capsys.readouterr().err
    assert graph.link("gleam", 1)[0].node == "light"
    audit = (out / "merges.tsv").read_text().splitlines()
    assert "light\tgleam\tmerge list\t6\t1" in audit
    # The audit list is a merge list itself.
    again = tmp_path / "again"
    assert main(["build", str(pairs), "--out", str(again), "--merge-list", str(out / "merges.tsv")]) == 0
    assert "light" in open_knowledge(again)
    assert "gleam" not in open_knowledge(again)


@pytest.mark.parametrize(
    ("files", "options", "fault"),
    [
        ({"p.csv": "a,b\n1,2\n"}, [], "p.csv:1: no column is a source (source, vehicle, image, symbol, from) and"),
        ({"p.csv": "image,vehicle,tenor\na,b,c\n"}, [], "'vehicle' and 'image' may each be the source"),
        ({"p.csv": "vehicle,tenor\n"}, [], "p.csv: it has no rows."),
        ({"p.csv": 'vehicle,tenor\n"a,b\n'}, [], "p.csv:2: not CSV"),
        ({"p.jsonl": "no json\n[1,2]\n"}, [], "none of its 2 rows can be used; the first: p.jsonl:1: is not JSON"),
        ({"p.json": "{}"}, [], "p.json: holds an object, where a list of rows is wanted."),
        ({"p.json": "["}, [], "p.json: not JSON"),
        ({"p.json": "[" * 99_999}, [], "p.json: not JSON: nested too deeply. JSON a line"),
        ({"p.json": "9" * 5000}, [], "p.json: not JSON: a number has too many digits. JSON a line"),
        ({"p.jsonl": "null\n"}, [], "p.jsonl:1: is laid out in no way that is known (null)"),
        ({"p.txt": "a b"}, [], "p.txt: .txt is not a format of pairs; give .csv"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--columns", "source"], "--columns: 'source' is not ROLE=COLUMN"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--columns", "ground=x"], "--columns ground=x: no file has such"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--licence-of", "x"], "--licence-of: 'x' is not DATASET=LICENCE"),
        (
            {"p.jsonl": '["fire","love"]\n'}, ["--licence-of", "x=a", "--licence-of", "x:y=b"],
            "--licence-of: x:y is given two licences, a and b.",
        ),
        ({"p.jsonl": '["fire","love"]\n', "m": "a\n"}, ["--merge-list", "m"], "m:1: expected the name that is kept"),
        (
            {"p.jsonl": '["fire","love"]\n', "m": "a1\tb1\nb1\ta1\n"}, ["--merge-list", "m"],
            "b1 -> a1 -> b1 is a circle",
        ),
        ({"p.jsonl": '["fire","love"]\n', "m": "a1\tb1\nc1\tb1\n"}, ["--merge-list", "m"], "'b1' is merged into 'c1'"),
        (
            {"p.jsonl": '["fire","love"]\n', "m": "a1\tb1\n", "k": "a1\n"}, ["--merge-list", "m", "--keep", "k"],
            "'a1' is to be kept apart, but m merges it",
        ),
        ({"p.jsonl": '["fire","Fires"]\n'}, [], "no edge is left: of the pairs' counts are left out 1 whose source"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--near", "0.9"], "--near and --embeddings-base-url go with --embeddings"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--out", "a\0b"], "can't be looked into: embedded null byte"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--out", "."], "there is something else already"),
        ({"p.jsonl": '["fire","love"]\n'}, ["--embeddings", "embeded"], "no such embedder. Did you mean 'embedded'?"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_words_and_nothing_is_written(  # noqa: PLR0917
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    files: dict[str, str], options: list[str], fault: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    pairs = next(name for name in files if name.startswith("p"))
    assert main(["build", pairs, "--out", "out", "--quiet", *options]) == 2
    assert fault in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == set(files)


def test_a_missing_file_is_named_and_so_is_one_given_twice(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"nowhere\.csv: can't be read: No such file"):
        build(tmp_path / "out", tmp_path / "nowhere.csv")
    pairs = write(tmp_path / "p.jsonl", ["fire", "love"])
    with pytest.raises(KnowledgeError, match="given twice; its pairs would count double"):
        build(tmp_path / "out", pairs, tmp_path / "." / "p.jsonl")
