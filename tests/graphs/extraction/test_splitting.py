"""Sentences end where a reader would say they do."""

# ruff: noqa: RUF001 - Chinese punctuation is full-width

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.extraction.splitting import is_chinese, paragraphs, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Time is a thief. It takes all.", ["Time is a thief.", "It takes all."]),
        ("Dr. J. R. Wu met Mrs. Li at 5 p.m. on St. Mark's.", None),
        (
            "He paid 3.5 dollars, e.g. for a rose. Then left.",
            ["He paid 3.5 dollars, e.g. for a rose.", "Then left."],
        ),
        ("“Is life a stage?” she asked. “Yes.”", ["“Is life a stage?” she asked.", "“Yes.”"]),
        ("I waited... and waited. Nothing!", ["I waited... and waited.", "Nothing!"]),
        ("It was I. You were there.", ["It was I.", "You were there."]),
        ("Stop! (He did not.) Why?", ["Stop!", "(He did not.)", "Why?"]),
        ("时间是河流。它带走一切！真的？", ["时间是河流。", "它带走一切！", "真的？"]),
        ("他说：“心是海。”然后走了。", ["他说：“心是海。”", "然后走了。"]),
        ("人生如旅，路很长", None),
        ("爱是火。Love is fire. 火是爱。", ["爱是火。", "Love is fire.", "火是爱。"]),
        ("   ", []),
    ],
)
def test_split(text: str, sentences: list[str] | None) -> None:
    assert split_sentences(text) == ([text] if sentences is None else sentences)


@given(st.text(alphabet="aB .!?…。！？“”’'\n，我是", max_size=80))
def test_nothing_is_lost_or_added(text: str) -> None:
    sentences = split_sentences(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() and sentence for sentence in sentences)
    again = [piece for sentence in sentences for piece in split_sentences(sentence)]
    assert "".join(again) == "".join(sentences)


WRAPPED = """The old man sat by the window and watched the
rain, which fell on London as it had fallen
all week. He sighed."""


def test_a_wrapped_paragraph_is_one_and_verse_is_not() -> None:
    lines = list(enumerate(WRAPPED.splitlines(), 1))
    verse = [(5, "My love is like a red, red rose"), (6, "That's newly sprung in June"), (7, "")]
    assert list(paragraphs(lines)) == [(1, " ".join(WRAPPED.splitlines()))]
    assert list(paragraphs(verse)) == verse[:2]
    assert list(paragraphs(lines, a_line_each=True)) == lines


def test_chinese_lines_are_put_together_without_a_space() -> None:
    first = "时间" * 20
    assert list(paragraphs([(1, first), (2, "是一条河流。")])) == [(1, first + "是一条河流。")]


def test_sentences_a_line_stay_apart_though_they_are_long() -> None:
    lines = [(n, f"This sentence, number {n}, is as long as the next one.") for n in range(1, 4)]
    assert list(paragraphs(lines)) == lines


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("爱是火", True),
        ("KTV里的歌", True),
        ("Love", False),
        ("I'm crazy over you, 触控的心被启动", True),
        ("", False),
        ("123 !", False),
        ("He said 你好 to them", False),
    ],
)
def test_is_chinese(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese
