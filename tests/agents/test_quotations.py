"""A quotation occurs in the words of the text, in whatever dress; nothing else is forgiven."""

# ruff: noqa: RUF001  (marks of every script are meant)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.quotations import find, head_of, mentioned

TEXT = "The candle is “nearly” out.\nSo time — I think — has passed; the *old* man’s chair stays empty."


@pytest.mark.parametrize(
    ("quotation", "there"),
    [
        ("The candle is “nearly” out.", "The candle is “nearly” out"),
        ("the candle is 'nearly' OUT", "The candle is “nearly” out"),
        ('"candle is "nearly" out. So time"', "candle is “nearly” out.\nSo time"),
        ("So time - I think - has passed", "So time — I think — has passed"),
        ("the old man's chair", "the *old* man’s chair"),
        ("So time ... stays empty", "So time — I think — has passed; the *old* man’s chair stays empty"),
        ("So time […] chair stays", "So time — I think — has passed; the *old* man’s chair stays"),
        ("...chair stays empty...", "chair stays empty"),
        ("chair", "chair"),
    ],
)
def test_what_is_forgiven(quotation: str, there: str) -> None:
    place = find(quotation, TEXT)
    assert place is not None
    assert TEXT[slice(*place)].strip(" .") == there


@pytest.mark.parametrize(
    "quotation",
    [
        "",
        "...",
        "the",
        "is of the",
        "The candle was nearly out",  # another word
        "nearly the candle",  # another order
        "air stays empty",  # a part of a word
        "chair stays ... The candle",  # parts in another order
        "candle ... empty",  # parts that say too little
        "the old man's chair is empty",
    ],
)
def test_what_is_not(quotation: str) -> None:
    assert find(quotation, TEXT) is None


def test_chinese_has_no_word_ends_and_no_spaces_that_count() -> None:
    text = "画面里，蜡烛 快要燃尽，所以时间在流逝。"
    assert find("蜡烛快要燃尽", text) is not None
    assert find("蜡烛快要燃尽……时间在流逝", text) is not None
    assert find("蜡烛已经燃尽", text) is None
    assert find("蜡烛……流逝", text) is None


_WORDS = st.lists(st.sampled_from(["candle", "“chair”", "*old*", "man’s", "so —", "end.", "\n"]), min_size=1)


@given(_WORDS, st.data())
def test_every_run_of_whole_words_is_found(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    quoted = "  ".join(words[start:end])
    if quoted.strip():
        place = find(quoted.upper().replace("—", "-"), " ".join(words))
        assert place is not None
        assert place[0] <= len(" ".join(words[: start + 1]))


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("a candle burning down on a table until its flame goes out", "candle"),
        ("an empty building", "building"),
        ("two figures in the same lamplight who turn away", "figures"),
        ("hypocrisy laid bare", "hypocrisy"),
        ("燃烧的蜡烛", "蜡烛"),
        ("", ""),
    ],
)
def test_the_noun_that_a_phrase_is_about(phrase: str, head: str) -> None:
    assert head_of(phrase) == head


def test_an_element_is_named_by_its_noun_in_any_number() -> None:
    assert mentioned("a burning candle", "Two candles stand there.") is not None
    assert mentioned("candles", "One candle.") is not None
    assert mentioned("butterflies", "a butterfly") is not None
    assert mentioned("a cat", "education") is None
