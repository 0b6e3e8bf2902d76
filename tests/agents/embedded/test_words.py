from __future__ import annotations

import pytest

from agents.embedded import wordpiece
from agents.embedded.evidence import Edge, anchored
from agents.embedded.eyes import plain_names, spread
from agents.embedded.phrases import because, the_concept, with_article
from agents.embedded.reader import Link
from agents.embedded.weights import PARTS, locate


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Unwanted café!", [101, 18162, 7668, 999, 102]),
        ("", [101, 102]),
        ("hello world", [101, 7592, 2088, 102]),
    ],
)
def test_word_pieces_are_those_of_bert(text, pieces):
    assert wordpiece.encode(text) == pieces
    assert wordpiece.count(text) == len(pieces) - 2


def test_a_long_text_is_cut_and_keeps_its_end_mark():
    assert len(wordpiece.encode("candle " * 500, 64)) == 64
    assert wordpiece.encode("candle " * 500, 64)[-1] == 102


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("candle", "a candle"),
        ("hourglass", "an hourglass"),
        ("umbrella", "an umbrella"),
        ("unicorn", "a unicorn"),
        ("rain", "rain"),
        ("darkness", "darkness"),
        ("single light in darkness", "a single light in darkness"),
        ("rapid cuts", "rapid cuts"),
        ("red", "the color red"),
        ("two people", "two people"),
        ("climbing a wall", "climbing a wall"),
    ],
)
def test_articles(phrase, said):
    assert with_article(phrase) == said


def test_grounds_become_clauses_only_where_they_have_a_verb():
    assert because("candle", "burns down as time passes") == ", since a candle burns down as time passes"
    assert because("wall", "hands cling where there is little hold") == ""
    assert because("wall", "") == ""
    assert the_concept("passing of time") == "the passing of time"
    assert the_concept("hope") == "hope"


def test_spread_keeps_both_ends():
    assert spread(3, 5) == [0, 1, 2]
    assert spread(50, 5) == [0, 12, 24, 37, 49]


def test_links_are_tied_to_what_was_seen_over_other_links():
    links = [
        Link("candle", "time", "burns down"),
        Link("time", "mortality", "runs out"),
        Link("sword", "war"),
    ]
    assert anchored(links[:2], ["candle"]) == [
        Edge("candle", "time", "candle", "burns down", 1),
        Edge("candle", "mortality", "time", "runs out", 2),
    ]
    assert {edge.keyword for edge in anchored(links, [])} == {"candle", "sword"}
    assert anchored([], ["candle"]) == []


def test_plain_names_join_classes_and_cover_all():
    if locate(PARTS["names"]) is None:
        pytest.skip("the classes' names are not installed")
    names = plain_names()
    assert len(names) == 1000
    assert {names[number][0] for number in range(151, 269)} == {"dog"}
    assert names[409][0] == names[892][0] == names[530][0] == "clock"
    assert names[604] == ("hourglass", 1.0)
    assert all(name == name.lower().strip() and 0 < telling <= 1 for name, telling in names)
