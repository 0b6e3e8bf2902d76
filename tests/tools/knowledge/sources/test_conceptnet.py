"""ConceptNet's own format: what is kept of it, what is told of the rest, and that it is compiled once."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.tools.knowledge.sources.conftest import ROWS, conceptnet_line
from tools.errors import KnowledgeError
from tools.knowledge.retrieving.ranking import MODES
from tools.knowledge.sources import Query, SourceSettings, open_source
from tools.knowledge.sources.conceptnet import _KINDS, GROUNDS, open_conceptnet


def test_relations_are_grounds_and_weights_are_summed(conceptnet: Path) -> None:
    graph = open_conceptnet(conceptnet)
    assert [(e.source, e.target, e.kind, e.weight, e.ground) for e in graph.edges] == [
        ("candle", "wax", "conceptual", 0.75, "is related to it"),
        ("candle", "hope", "symbol", 0.5, "is a symbol of it"),
        ("candle", "giving light", "conceptual", 0.5, "is used for it"),
        ("hope", "patience", "causal", 0.8, "causes it"),
        ("蜡烛", "candle", "conceptual", 0.5, "means the same"),
    ]
    assert {edge.provenance for edge in graph.edges} == {"ConceptNet (CC BY-SA 4.0)"}
    assert "despair" not in graph, "what denies is no association"


def test_it_is_read_once_and_compiled(conceptnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_conceptnet(conceptnet)
    monkeypatch.setattr("tools.knowledge.sources.conceptnet._read", None)
    assert open_conceptnet(conceptnet).digest == first.digest


def test_a_gzipped_dump_is_the_same(conceptnet: Path, tmp_path: Path) -> None:
    packed = tmp_path / "conceptnet.csv.gz"
    packed.write_bytes(gzip.compress(conceptnet.read_bytes()))
    assert open_conceptnet(packed).digest == open_conceptnet(conceptnet).digest
    packed.write_bytes(gzip.compress(conceptnet.read_bytes())[:-20])
    with pytest.raises(KnowledgeError, match="not a whole gzip file"):
        open_conceptnet(packed)


def test_bad_rows_are_counted_and_the_first_is_named(
    conceptnet: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bad = [
        "/a/x\t/r/IsA\t/c/en/candle",
        conceptnet_line("/r/IsA", "/c/en/candle", "/c/en/lamp", "much"),
        conceptnet_line("/r/IsA", "candle", "/c/en/lamp", 1.0),
        conceptnet_line("IsA", "/c/en/candle", "/c/en/lamp", 1.0),
        "a\t/r/IsA\t/c/en/candle\t/c/en/lamp\tnot json",
        conceptnet_line("/r/IsA", "/c/en/candle", "/c/en/lamp", -1.0),
        conceptnet_line("/r/IsA", "/c/en/candle", "/c/en/lamp", float("inf")),
    ]
    with conceptnet.open("a", encoding="utf-8") as file:
        file.write("\n".join(bad) + "\n")
    graph = open_conceptnet(conceptnet)
    assert len(list(graph.edges)) == 5
    (told,) = caplog.messages
    assert (
        f"7 of {len(ROWS) + 7} rows can't be read (line {len(ROWS) + 1}: 3 columns instead of 5). They"
        in told
    )


def test_what_is_not_conceptnet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("source,target\ncandle,hope\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"no row of ConceptNet .*line 1: 1 columns instead of 5"):
        open_conceptnet(path)
    with pytest.raises(KnowledgeError, match=r"nope\.csv: no such file.*conceptnet-assertions-5\.7\.0"):
        open_conceptnet(tmp_path / "nope.csv")
    with pytest.raises(KnowledgeError, match=r"give --conceptnet PATH .*Downloads"):
        open_source("conceptnet", SourceSettings())


@pytest.mark.parametrize("mode", sorted(MODES))
def test_it_answers_as_a_graph_does(mode: str, conceptnet: Path) -> None:
    source = open_source("conceptnet", SourceSettings(conceptnet=str(conceptnet)))
    found = source.find(Query(("candle",), mode=mode, limit=2))
    assert len(found.references) == 2
    assert found.mode == mode
    assert {way.ground for each in found.references for way in each.associations}
    if not mode.startswith("published"):
        assert "candle" not in {reference.concept for reference in found.references}
    tool = source.tool(len)
    assert tool is not None
    assert "candle -> wax (is related to it)" in tool.invoke({"concepts": ["candles"]})


def test_no_relation_is_both_kept_and_denied() -> None:
    assert not {name for name in GROUNDS if name.startswith("Not") or name in {"Antonym", "DistinctFrom"}}
    assert set(_KINDS) <= set(GROUNDS)
