"""The score without a judge: what the gold asks for, and how far it was named, reached and used."""

# ruff: noqa: RUF001  (full-width marks are meant)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from agents.diagnoses import Deficiency, DeficiencyKind, Diagnosis
from agents.schemas import Entry, Hop, Interpretation, ModelCall
from agents.schemas import Mapping as Association
from evals.diagnosis.disagreeing import disagreements
from evals.diagnosis.gold_parts import gold_parts
from evals.diagnosis.mapping_score import SampleScore, score_sample
from evals.diagnosis.matching import Matcher, Text
from tests.evals.records_for_tests import scored
from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.linking.other_names import OtherName

GRAPH = MetaphorGraph(
    [
        Edge("candle", "passing of time"),
        Edge("passing of time", "mortality"),
        Edge("umbrella", "protection"),
        Edge("chair", "absence"),
        Edge("absence", "grief"),
    ],
    others=[
        OtherName("grief", "sorrow", "en", "synonym"),
        OtherName("candle", "taper", "en", "synonym"),
        OtherName("candle", "蜡烛", "zh", "translation"),
    ],
)
MATCHER = Matcher(GRAPH)
GOLD = [
    "The video presents a candle burning on a table, implicitly expressing passing of time and mortality.",
    "The video presents an empty chair, implicitly expressing grief for someone who is gone.",
]


def parts(*gold: str) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    return [(part.elements, part.concepts, part.by) for part in gold_parts(gold, GRAPH)]


def test_the_fixed_form_is_taken_apart() -> None:
    assert parts(*GOLD) == [
        (("candle", "table"), ("passing of time", "mortality"), "form"),
        (("empty chair",), ("grief for someone",), "form"),
    ]


@pytest.mark.parametrize(
    ("entry", "elements", "concepts"),
    [
        (
            "The video presents a man with a red umbrella, implicitly expressing care and loss.",
            ("red umbrella",),
            ("care", "loss"),
        ),
        (
            "The video presents a head and a back that sink deeper, implicitly expressing exhaustion.",
            ("head", "back"),
            ("exhaustion",),
        ),
        (
            "视频呈现了燃烧的蜡烛和空荡荡的椅子，隐含表达了时间的流逝以及哀思。",
            ("蜡烛", "椅子"),
            ("时间的流逝", "哀思"),
        ),
        ("该视频展示了一把伞，暗示保护。", ("一把伞",), ("保护",)),
    ],
)
def test_elements_and_concepts(entry: str, elements: tuple[str, ...], concepts: tuple[str, ...]) -> None:
    assert parts(entry) == [(elements, concepts, "form")]


def test_a_verb_that_hangs_on_is_taken_off() -> None:
    entry = "The video presents a candle until its flame goes out, implicitly expressing an end that comes."
    assert parts(entry) == [(("candle", "flame"), ("end",), "form")]


def test_another_form_is_told_apart_by_the_graph() -> None:
    assert parts("A candle beside a chair: grief.") == [(("candle", "chair"), ("grief",), "graph")]
    assert parts("Something else altogether.") == [((), (), "graph")]
    assert parts("", "  ") == []


def how(phrase: str, *texts: str, matcher: Matcher = MATCHER) -> str | None:
    found = matcher.find(phrase, Text(texts))
    return found.how if found else None


def test_how_a_phrase_occurs() -> None:
    assert how("burning candle", "So a burning candle stands there.") == "exact"
    assert how("burning candle", "Two burnt candles.") == "lemma"
    assert how("candle", "a taper") == "synonym"
    assert how("candle", "画面里有蜡烛") == "synonym"
    assert how("蜡烛", "蜡烛燃尽") == "exact" or how("蜡烛", "蜡烛燃尽") == "lemma"
    assert how("grief for someone", "deep sorrow") == "head"
    assert how("old wooden table", "the tables") == "head"
    assert how("table", "It is comfortable and stable.") is None
    assert how("life coming to its end", "a happy life") is None  # a head that says nothing by itself
    assert how("candle") is None


class _Vectors:
    """Knows two meanings."""

    name = "pretend"

    def embed(self, texts: Sequence[str]) -> Any:
        axes = [[1.0, 0.0] if "end" in text or "over" in text else [0.0, 1.0] for text in texts]
        return np.array(axes, dtype=np.float32)


def test_meaning_counts_where_vectors_are_given() -> None:
    matcher = Matcher(GRAPH, _Vectors(), floor=0.9)  # type: ignore[arg-type]
    assert how("life coming to its end", "One day it is over.", "It rains.", matcher=matcher) == "meaning"
    assert how("life coming to its end", "It rains.", matcher=matcher) is None


def score(**changes: Any) -> SampleScore:
    return score_sample(scored("clip", **changes), GOLD, MATCHER)


def entry(presents: str, expresses: str) -> dict[str, Any]:
    return {"interpretation": Interpretation(entries=(Entry(presents=presents, expresses=expresses),))}


def test_three_rates_of_a_sample() -> None:
    walk = Association(element="candle", concept="mortality", path=("candle", "passing of time", "mortality"))
    found = score(
        keywords=("candle", "table"),
        hops=(Hop(round=1, tool="explore", arguments={}, answer="", mappings=(walk,)),),
        calls=(
            ModelCall(
                step="s", model="m", method="t", attempts=1, seconds=0, thinking="An empty chair, too."
            ),
        ),
        **entry("a candle", "an hour, and sorrow"),
    )
    assert found.rate("recognition") == 100
    assert found.rate("reach") == pytest.approx(100 * 2 / 3)
    assert found.rate("use") == pytest.approx(100 / 3)
    assert found.parts[1].used["grief for someone"].where == "sorrow"


def test_where_nothing_is_looked_up_there_is_no_reach() -> None:
    found = score(keywords=("owl",), **entry("an owl", "wisdom"))
    assert (found.rate("recognition"), found.rate("reach"), found.rate("use")) == (0, None, 0)


def deficiency(kind: DeficiencyKind, element: str, **more: Any) -> Diagnosis:
    return Diagnosis(deficiencies=(Deficiency(kind=kind, element=element, **more),))


def test_contradictions_are_listed_both_ways() -> None:
    missing = DeficiencyKind.MISSING_MAPPING
    found = score(keywords=("candle",), **entry("a candle", "the passing of time"))
    told = [
        (each.what, each.element, each.concept)
        for each in disagreements(found, deficiency(missing, "burning candle", where="thinking"), MATCHER)
    ]
    assert told == [
        ("used", "burning candle", "passing of time"),
        ("unused", "empty chair", "grief for someone"),
    ]
    unnamed = deficiency(missing, "candle", expected="mortality")
    assert [each.what for each in disagreements(found, unnamed, MATCHER)] == ["used", "named", "unused"]
    agreed = deficiency(missing, "the chair", where="keywords")
    assert list(disagreements(found, agreed, MATCHER)) == []
