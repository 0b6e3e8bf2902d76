"""Which names become one, which never do, and that every merge is told."""

# ruff: noqa: RUF001, E501

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tools.knowledge import open_knowledge
from tools.knowledge.building import BuildOptions, build_graph
from tools.knowledge.building.cleaning import clean, ground_concepts
from tools.knowledge.building.keys import key_of
from tools.knowledge.building.merging import Overrule, merge_forms
from tools.knowledge.building.nearness import near_synonyms, neighbours_of
from tools.knowledge.building.opposites import apart, rests


class Planes:
    """Embeds by a table of angles in degrees; what is not in it stands alone."""

    name = "planes"

    def __init__(self, **angles: float) -> None:
        self.angles = angles
        self.others: dict[str, int] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in zip(rows, texts, strict=True):
            if (angle := self.angles.get(text.replace(" ", "_"))) is None:
                row[2 + self.others.setdefault(text, len(self.others))] = 1
            else:
                row[:2] = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        return rows


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("  The GREY   Candles. ", "gray candles"),
        ("“a candle”", "candle"),
        ("like a candle", "candle"),
        ("to the very bright", "bright"),
        ("resemblance to", "resemblance"),
        ("candle (unlit)", "candle"),
        ("(unlit)", "unlit"),
        ("to", "to"),
        ("一朵玫瑰", "玫瑰"),
        ("燃燒的 蠟燭", "燃烧的蜡烛"),
        ("ＡＢＣ", "abc"),
        ("...", ""),
    ],
)
def test_names_become_forms(name: str, form: str) -> None:
    assert clean(name) == form
    assert clean(form) == form


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("candle", "candles", True),
        ("leaf", "leaves", True),
        ("children's toy", "child's toy", False),
        ("men", "man", True),
        ("burn out", "burns out", True),
        ("hour-glass", "hour glass", True),
        ("hourglass", "hour-glasses", True),
        ("燃烧的蜡烛", "燃烧蜡烛", True),
        ("glass", "glasses", False),
        ("wine glass", "wine glasses", True),
        ("good", "goods", False),
        ("gas", "ga", False),
        ("frightened", "frightening", False),
        ("broken mirror", "breaking mirror", False),
        ("bright", "brighter", False),
        ("boss", "bos", False),
        ("bus", "bu", False),
    ],
)
def test_keys(one: str, other: str, same: bool) -> None:
    assert (key_of(clean(one)) == key_of(clean(other))) is same


def test_the_most_frequent_name_is_kept_then_the_shortest_then_the_first() -> None:
    assert merge_forms({"candle": 1, "candles": 2}, Overrule()).node == {
        "candle": "candles",
        "candles": "candles",
    }
    assert set(merge_forms({"candles": 2, "candle": 2}, Overrule()).node.values()) == {"candle"}
    assert set(merge_forms({"ice-cream": 2, "ice cream": 2}, Overrule()).node.values()) == {"ice cream"}


def test_grounds_that_are_concepts() -> None:
    assert ground_concepts(("Bright", "soon gone, brief")) == ["bright", "soon gone", "brief"]
    assert ground_concepts(("burns down, and then it is gone",)) == []
    assert ground_concepts(("宽广", "见与见不到也一起", "让人感到痛苦")) == ["宽广", "让人感到痛苦"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hot", "cold"), ("hot day", "cold day"), ("happy", "unhappy"), ("careful", "careless"), ("hope", "hopeless"),
        ("white rose", "red rose"), ("3 candles", "2 candles"), ("way", "no way"), ("old man", "old woman"),
        ("monday", "tuesday"), ("ascents", "descents"), ("two birds", "three birds"), ("life", "afterlife of death"),
        ("order", "disorder"), ("several years", "several months"), ("fear", "fearless"), ("weak hand", "strong hand"),
    ],
)  # fmt: skip
def test_opposites_are_apart(one: str, other: str) -> None:
    assert apart(one, other)
    assert apart(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("car", "automobile"), ("sea", "ocean"), ("trash can", "garbage can")]
)
def test_synonyms_are_not_apart(one: str, other: str) -> None:
    assert not apart(one, other)


def test_what_is_left_of_two_names() -> None:
    assert rests("burning fires", "burning flame") == ("fires", "flame")
    assert rests("tiger", "paper tiger") == ("", "paper")


def found(counts: dict[str, int], pairs: list[tuple[str, str]], embedder: Planes) -> dict[str, str]:
    near = near_synonyms(Counter(counts), neighbours_of(pairs), embedder)
    return {name: into for name, (into, _) in near.items()}


def test_near_names_with_a_neighbour_in_common_are_one() -> None:
    embedder = Planes(sea=0, ocean=20, bay=40, hot=0, cold=5, lake=10, paper_sea=1)
    counts = {"sea": 9, "ocean": 5, "bay": 3, "hot": 2, "cold": 1, "lake": 1, "paper sea": 1}
    pairs = [(name, "depth") for name in counts if name != "lake"]
    # 20 degrees are a cosine of .94, 40 of .77: the bay is near the ocean alone, which is the sea by then;
    # the lake is near but nothing says that it is used so; paper makes something else of a sea.
    assert found(counts, pairs, embedder) == {"ocean": "sea", "hot": "sea", "cold": "sea"}
    assert found({"hot": 2, "cold": 1}, pairs, embedder) == {}
    assert found({"sea": 1, "lake": 1}, pairs, embedder) == {}
    assert found({"sea": 1, "paper sea": 1}, pairs, embedder) == {}


def test_a_build_with_an_embedder_merges_links_and_joins(tmp_path: Path) -> None:
    pairs = tmp_path / "p.jsonl"
    rows = [["sea", "depth", 5], ["ocean", "depth", 1], ["ocean", "longing", 1], ["lagoon", "calm", 1]]
    pairs.write_text("\n".join(map(json.dumps, rows)))
    options = BuildOptions(embedder=Planes(sea=0, ocean=20, lagoon=40))
    report = build_graph([pairs], tmp_path / "out", options).report
    graph = open_knowledge(tmp_path / "out")
    assert {(e.source, e.target) for e in graph.edges} == {
        ("sea", "depth"),
        ("sea", "longing"),
        ("lagoon", "calm"),
    }
    assert graph.link("ocean", 1)[0].node == "sea"
    assert report["merged"] == {"near-synonym": 1}
    assert (
        "sea\tocean\tnear-synonym (cosine 0.940, 1 shared)\t7\t2" in (tmp_path / "out/merges.tsv").read_text()
    )
    from tools.knowledge.retrieving.synonyms import synonyms_of

    assert [tuple(pair) for pair in synonyms_of(graph)] == [("lagoon", "sea", 0.766)]
    kept = BuildOptions(embedder=options.embedder, overrule=Overrule(frozenset({"ocean"})))
    build_graph([pairs], tmp_path / "out", kept)
    assert "ocean" in open_knowledge(tmp_path / "out")
