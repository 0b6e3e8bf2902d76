"""Entries in the fixed form, verdicts as means, usage as sums."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agents.asked import LooseAnswer, StrictAnswer
from agents.schemas import Entry, Interpretation, Judgement, Mapping, Usage, Verdict

words = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,4}", fullmatch=True).filter(
    lambda text: "implicitly" not in text and not text.startswith("present")
)


@given(words, words)
def test_an_entry_reads_back_from_its_own_text(presents: str, expresses: str) -> None:
    entry = Entry(presents=presents, expresses=expresses)
    assert Entry.parse(entry.text) == entry


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "The video presents a pig in a tailcoat, implicitly expressing greed.",
            ("a pig in a tailcoat", "greed"),
        ),
        ("the video presents cats ,  implicitly expresses fear", ("cats", "fear")),
        ("The video presents, at dusk, a lamp, implicitly expressing hope", ("at dusk, a lamp", "hope")),
        ("Presents a lamp; thereby implicitly expressing hope.", ("a lamp", "hope")),
        (
            "The video presents a man, a dog and\na hat, implicitly expressing loss.",
            ("a man, a dog and a hat", "loss"),
        ),
    ],
)
def test_forms_that_models_write(text: str, parts: tuple[str, str]) -> None:
    entry = Entry.parse(text)
    assert (entry.presents, entry.expresses) == parts


@pytest.mark.parametrize("text", ["", "A pig.", "The video presents a pig.", "implicitly expressing greed"])
def test_what_is_no_entry_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="not of the form"):
        Entry.parse(text)


@pytest.mark.parametrize(
    ("presents", "expresses"),
    [
        ("a pig", "greed"),
        ("The video presents a pig.", "implicitly expressing greed."),
        ("presents a pig,", "expresses greed"),
        ("  a pig ", "thereby implicitly expressing greed"),
    ],
)
def test_parts_that_repeat_the_frame_sentence(presents: str, expresses: str) -> None:
    text = Entry.of_parts(presents, expresses).text
    assert text == "The video presents a pig, implicitly expressing greed."


@pytest.mark.parametrize(
    ("presents", "expresses", "parts"),
    [
        ("The video presents a pig, implicitly expressing greed.", "greed", ("a pig", "greed")),
        ("The video presents a pig, implicitly expressing greed.", "", ("a pig", "greed")),
        ("The video presents a pig, implicitly expressing greed", "envy.", ("a pig", "envy")),
        ("a pig; thereby implicitly expresses greed", "implicitly expressing", ("a pig", "greed")),
        ("a pig", "The video presents a pig, implicitly expressing greed.", ("a pig", "greed")),
        ("a pig\nin a\u2028tailcoat\n", "greed\nand  envy", ("a pig in a tailcoat", "greed and envy")),
        (
            "a hand expressing thanks",
            "grief expressing itself",
            ("a hand expressing thanks", "grief expressing itself"),
        ),
    ],
)
def test_a_whole_sentence_in_a_part_is_taken_apart(
    presents: str, expresses: str, parts: tuple[str, str]
) -> None:
    entry = Entry.of_parts(presents, expresses)
    assert (entry.presents, entry.expresses) == parts


@pytest.mark.parametrize(
    ("presents", "expresses"),
    [
        ("The video presents", "greed"),
        ("The video presents ...", "greed"),
        ("a pig", "implicitly expressing"),
        ("a pig", "expressing ."),
        ("The video presents", "implicitly expressing"),
        ("The video presents, implicitly expressing", "greed"),
        ("The video presents , implicitly expressing greed", "greed"),
    ],
)
def test_parts_that_hold_only_the_frame_sentence(presents: str, expresses: str) -> None:
    with pytest.raises(ValueError, match="at least 1 character"):
        Entry.of_parts(presents, expresses)


def test_long_runs_of_blanks_are_read_like_one() -> None:
    blanks = " " * 20_000
    with pytest.raises(ValueError, match="not of the form"):
        Entry.parse(f"The video presents {blanks}x")
    with pytest.raises(ValueError, match="not of the form"):
        Entry.parse("The video presents " + "x , thereby " * 20_000)
    entry = Entry.parse(f"The{blanks}video presents{blanks}a pig{blanks},{blanks}implicitly expressing greed")
    assert (entry.presents, entry.expresses) == ("a pig", "greed")


def test_the_published_form_numbers_the_entries() -> None:
    entries = (Entry(presents="a", expresses="b"), Entry(presents="c", expresses="d"))
    assert Interpretation(entries=entries).published() == {
        "analysis_1": "The video presents a, implicitly expressing b.",
        "analysis_2": "The video presents c, implicitly expressing d.",
    }


def test_a_verdict_is_the_mean_and_keeps_its_judgements() -> None:
    judgements = [
        Judgement(kind="strict", score=1),
        Judgement(kind="strict", score=0),
        Judgement(kind="loose", score=4, reasoning="low"),
        Judgement(kind="loose", score=9, reasoning="high"),
        Judgement(kind="loose", score=8, reasoning="near"),
    ]
    verdict = Verdict.of(judgements, judge="j", proxy=False)
    assert (verdict.strict, verdict.loose, verdict.reasoning) == (0.5, 7.0, "near")
    with pytest.raises(ValueError, match="one strict and one loose"):
        Verdict.of(judgements[2:], judge="j", proxy=False)


@pytest.mark.parametrize("score", [7.5, 11, -1, "seven", None])
def test_a_loose_score_is_a_whole_number_from_0_to_10(score: object) -> None:
    with pytest.raises(ValidationError):
        LooseAnswer.model_validate({"reasoning": "r", "loose_score": score})


@pytest.mark.parametrize("score", [2, -1, 0.5])
def test_a_strict_score_is_0_or_1(score: object) -> None:
    with pytest.raises(ValidationError):
        StrictAnswer.model_validate({"reasoning": "r", "strict_score": score})


def test_usage_adds_up_and_remembers_that_a_part_was_estimated() -> None:
    total = Usage(input_tokens=3, output_tokens=4, reasoning_tokens=2) + Usage(input_tokens=1, estimated=True)
    assert (total.input_tokens, total.output_tokens, total.reasoning_tokens, total.estimated) == (
        4,
        4,
        2,
        True,
    )
    assert total.total_tokens == 8


def test_a_mapping_as_a_line_of_a_prompt() -> None:
    mapping = Mapping(
        element="candle", concept="mortality", path=("candle", "time", "mortality"), ground="burns down"
    )
    assert mapping.line == "candle -> time -> mortality (burns down)"
    assert Mapping(element="candle", concept="hope").line == "candle -> hope"
    shared = Mapping(element="candle", concept="time", keywords=("candle", "hourglass"))
    assert shared.line == "candle -> time [also from hourglass]"
