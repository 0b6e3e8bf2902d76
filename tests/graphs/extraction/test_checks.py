"""Every reason to reject an item, and what is no reason."""

from __future__ import annotations

from typing import Any

import pytest

from agents.asked import ExtractedItem
from graphs.extraction.checks import REASONS, Pair, check_items

SENTENCES = ["Her burning candles ran down before the war ended.", "时间是一条河流"]


def item(**given: Any) -> ExtractedItem:
    whole = {
        "number": 1,
        "translation": "",
        "source": "burning candle",
        "target": "lifetime",
        "ground": "burns down as time passes",
        "kind": "symbol",
        "literal": False,
    }
    return ExtractedItem.model_validate({**whole, **given})


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"number": 0}, "unknown_sentence"),
        ({"number": 3}, "unknown_sentence"),
        ({"literal": True}, "literal"),
        ({"source": " . "}, "incomplete"),
        ({"target": None}, "incomplete"),
        ({"source": "蜡烛"}, "not_english"),
        ({"target": "жизнь"}, "not_english"),
        ({"ground": "会烧完"}, "not_english"),
        ({"source": "burning candles ran down before the war had ended for her"}, "too_long"),
        ({"target": "x" * 81}, "too_long"),
        ({"ground": "burns " * 40}, "too_long"),
        ({"source": "the candle", "target": "Candles"}, "same"),
        ({"source": "lamp"}, "source_not_found"),
        ({"source": "candle lamp"}, "source_not_found"),
        ({"source": "cand"}, "source_not_found"),
    ],
)
def test_reasons(given: dict[str, Any], reason: str) -> None:
    checked = check_items(SENTENCES, [item(**given)])
    assert ([rejected.reason for rejected in checked.rejected], checked.pairs) == ([reason], [])
    assert reason in REASONS


@pytest.mark.parametrize(
    "source", ["Burn", "candle", "a candle", "her candle", "candles", "the WAR", "run", "ending", "ran"]
)
def test_a_source_is_found_in_other_forms_too(source: str) -> None:
    assert check_items(SENTENCES, [item(source=source)]).pairs[0].source == source


def test_what_is_said_twice_counts_once_a_sentence() -> None:
    twice = check_items(SENTENCES, [item(), item(source="the burning candle", target="Lifetimes")])
    assert [rejected.reason for rejected in twice.rejected] == ["duplicate"]
    other = check_items(SENTENCES, [item(), item(target="hope"), item(number=2)])
    assert (len(other.pairs), other.rejected) == (3, [])


def test_chinese_keeps_its_translation_and_is_not_checked_by_letters() -> None:
    river = item(number=2, source="river", target="time", translation=" Time is\na river. ")
    checked = check_items(SENTENCES, [item(translation="not wanted"), river])
    assert checked.pairs[1] == Pair(2, "river", "time", "burns down as time passes", "symbol")
    assert checked.translations == {2: "Time is a river."}
    assert (checked.by_meaning, checked.untranslated, checked.left_out) == (1, 0, [])
    without = check_items(SENTENCES, [item(number=2, translation="时间是河")])
    assert (without.translations, without.untranslated, without.left_out) == ({}, 1, [1])


def test_a_kind_that_is_none_of_ours_becomes_symbol_and_is_counted() -> None:
    checked = check_items(SENTENCES, [item(kind="metonymy"), item(kind=" Bodily ", target="hope")])
    assert [pair.kind for pair in checked.pairs] == ["symbol", "bodily"]
    assert checked.other_kinds == 1


def test_an_accent_is_english_enough() -> None:
    assert check_items(["The café is a womb."], [item(source="café", target="womb")]).pairs
