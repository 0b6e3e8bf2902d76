"""Rows of pairs: what is read from each layout, and what is rejected with which reason."""

# ruff: noqa: E501

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.errors import KnowledgeError
from tools.knowledge.building.columns import Columns, columns_of, parse_columns
from tools.knowledge.building.gathering import Gatherer
from tools.knowledge.building.licences import Licences
from tools.knowledge.building.pairs import REASONS, Pair, Rejected
from tools.knowledge.building.reading import named, read_pairs


def read(path: Path, content: bytes | str, **chosen: str) -> list[Pair | Rejected]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_pairs(path, path.name, Columns(chosen)))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "json"),
        (7, "layout"),
        (["fire"], "layout"),
        (["fire", "love", 1, [], 5], "layout"),
        ({"vehicle": "fire"}, "layout"),
        ({"source": "fire", "target": None}, "missing"),
        (["", "love"], "missing"),
        ([["fire"], "love"], "missing"),
        (["fire", "love", 0], "count"),
        (["fire", "love", 1.5], "count"),
        (["fire", "love", True], "count"),
        (["fire", "love", "many"], "count"),
        (["fire", "love", 1, ["a", "b"]], "count"),
        ({"source": "fire", "target": "love", "weight": 1.5}, "weight"),
        ({"source": "fire", "target": "love", "weight": "nan"}, "weight"),
        ({"source": "fire", "target": "love", "kind": "whim"}, "kind"),
        ({"source": "fire", "target": "love", "kind": "cultural"}, "culture"),
        ({"source": "fire", "target": "love", "culture": "Dutch"}, "culture"),
        (["1984", "love"], "no_word"),
        (["fire", "You"], "pronoun"),
        (["他", "火"], "pronoun"),
        (["fire", "one two three four five six"], "long"),
        (["火", "名字真的太长了谁也记不住它"], "long"),
    ],
)
def test_every_reason(tmp_path: Path, row: Any, reason: str) -> None:
    line = row if isinstance(row, str) else json.dumps(row)
    gatherer = Gatherer(Licences())
    for found in read(tmp_path / "p.jsonl", f"\n{line}\n"):
        gatherer.take(found)
    ((file, where, told, *_),) = gatherer.gathered.rejected
    assert (file, where, told) == ("p.jsonl", 2, reason)
    assert gatherer.gathered.evidence == []
    assert reason in REASONS


def test_bytes_that_are_no_text_cost_their_row_alone(tmp_path: Path) -> None:
    told = read(tmp_path / "p.tsv", b"\xef\xbb\xbfvehicle\ttenor\nfi\xffre\tlove\nice\tfear\r\n\nx\n")
    assert told == [
        Rejected("p.tsv", 2, "encoding"),
        Pair("p.tsv", 3, "ice", "fear", datasets=("p",)),
        Rejected("p.tsv", 5, "fields", "1 where the header names 2"),
    ]
    told = read(tmp_path / "p.jsonl", b'["fi\xffre", "love"]\n["ice", "fe\\ud83dar"]\n')
    assert told[0] == Rejected("p.jsonl", 1, "encoding")
    assert told[1] == Pair("p.jsonl", 2, "ice", "fe?ar", datasets=("p",))


def test_our_own_tables_are_read_with_their_evidence(tmp_path: Path) -> None:
    sentences = json.dumps(["Brief candle!", {"text": "It burned.", "source": "a", "licence": "b"}])
    text = f"source\ttarget\tkind\tculture\tweight\tground\tsentences\tprovenance\ncandle\ttime\tsymbol\t\t0.9\tburns\t{sentences}\tx\n"
    assert read(tmp_path / "p.tsv", text) == [
        Pair(
            "p.tsv", 2, "candle", "time", ("burns",), "symbol", "", 0.9, 1, ("Brief candle!", "It burned."), "", ("x",)
        )
    ]  # fmt: skip


def test_columns_go_by_many_names() -> None:
    assert columns_of(["Vehicle", "Tenor", "Source"], {}, "f:1") == {
        "source": "Vehicle", "target": "Tenor", "dataset": "Source",
    }  # fmt: skip
    assert columns_of(["a", "b", "why"], {"source": "a", "target": "b"}, "f:1")["ground"] == "why"
    assert columns_of(["source", "target", "x"], {"ground": "x", "kind": "y"}, "f:1")["ground"] == "x"
    assert parse_columns("source=a, target=b") == {"source": "a", "target": "b"}
    with pytest.raises(KnowledgeError, match="source is given twice"):
        parse_columns("source=a,source=b")


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    paths = [tmp_path / "b" / "p.csv", tmp_path / "a" / "p.csv", tmp_path / "a" / "q.csv"]
    assert list(named(paths)) == [str(paths[1]), str(paths[0]), "q.csv"]


def test_counts_are_shared_out_among_data_sets() -> None:
    gatherer = Gatherer(Licences())
    gatherer.take(Pair("f", 1, "fire", "love", times=5, datasets=("b", "a", "a:ground")))
    assert [(piece.dataset, piece.times) for piece in gatherer.gathered.evidence] == [("a", 3), ("b", 2)]
