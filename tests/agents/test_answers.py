from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from agents.answers import NoAnswerError, extract_json, fit, read_answer, split_thinking, whole_characters
from agents.asked import InterpretationAnswer, KeywordAnswer, LooseAnswer, StrictAnswer
from agents.json_schema import answer_schema, instruction

LOOSE = answer_schema(LooseAnswer)
STRICT = answer_schema(StrictAnswer)


@pytest.mark.parametrize(
    ("text", "thinking", "rest"),
    [
        ("no thinking at all", "", "no thinking at all"),
        ("<think>a candle</think> Time.", "a candle", "Time."),
        ("<think>\na\n</think>\n\n<think>b</think>\nc", "a\nb", "c"),
        (
            "the template opened it</think>\n<|begin_of_box|>7<|end_of_box|>",
            "the template opened it",
            "<|begin_of_box|>7<|end_of_box|>",
        ),
        ("<think>cut off in the mid", "cut off in the mid", ""),
        ("<thinking>a</thinking>b", "a", "b"),
        ("<seed:think>a</seed:think>b", "a", "b"),
        ("\u25c1think\u25b7a\u25c1/think\u25b7b", "a", "b"),
        ('{"reasoning": "the tag </think> is shown"}', "", '{"reasoning": "the tag </think> is shown"}'),
        ("<think></think>b", "", "b"),
    ],
)
def test_thinking_is_split_off(text: str, thinking: str, rest: str) -> None:
    assert split_thinking(text) == (thinking, rest)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        'Sure!\n```json\n{"a": 1}\n```\nAnything else?',
        '<think>maybe {"a": 2}</think>{"a": 1}',
        'maybe {"a": 2}</think>\n<|begin_of_box|>{"a": 1}<|end_of_box|>',
        '<think>it never closes {"a": 2} no, {"a": 1}',
        'First {"a": 2}, better: {"a": 1}',
        'A set {x | x > 0} and [1], then {"a": 1}',
        "{'a': 1}",
        '{"a": 1,}',
        '\\boxed{{"a": 1}}',
        '{"a": 1} {"b": ',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert extract_json(text) == {"a": 1}


def test_of_several_objects_the_last_that_fits_is_taken() -> None:
    text = 'Draft {"score": 1}. Final {"score": 2}. For the record {"note": "done"}'
    assert extract_json(text, fits=lambda value: "score" in value) == {"score": 2}
    assert extract_json(text, fits=lambda value: "other" in value) == {"note": "done"}


def test_a_truncated_object_is_no_answer() -> None:
    for text in ('{"reasoning": "r", "loose_score": 1', '{"a": "b', "", "no json", "{{{{", "[[[["):
        with pytest.raises(NoAnswerError, match="no complete JSON object"):
            extract_json(text)


def test_an_answer_whose_quotes_are_all_escaped_ends() -> None:
    cut = '{\\"entries\\": [{\\"presents\\": \\"a candle\\"}, ' * 3000
    closed = "[" * 20 + '\\"' * 30_000 + "]" * 20
    for text in ('\\"{' * 100_000, cut, closed):
        with pytest.raises(NoAnswerError):  # each quote once was looked through to the end
            extract_json(text)


def test_a_quote_that_opens_no_string_hides_no_bracket() -> None:
    assert extract_json("{'presents': 'a 17\" screen'}") == {"presents": 'a 17" screen'}
    assert extract_json('It is 17" wide: {"a": 1,} or so') == {"a": 1}


def test_garbage_of_brackets_ends() -> None:
    for text in ("{" * 50_000, "[" * 50_000, '{"a":[' * 20_000):
        with pytest.raises(NoAnswerError):
            extract_json(text)


def test_raw_newlines_in_strings_are_read() -> None:
    assert extract_json('{"a": "one\ntwo"}') == {"a": "one\ntwo"}


_WORD = st.text(string.ascii_letters + " .,!'\n-:;()", max_size=30)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_NOISE = st.lists(
    st.tuples(st.sampled_from(["fence", "box", "prose", "think"]), _WORD),
    max_size=5,
    unique_by=lambda n: n[0],
)  # thinking comes last, as servers put it


def _wrapped(text: str, noise: list[tuple[str, str]]) -> str:
    for kind, words in sorted(noise, key=lambda n: n[0] == "think"):
        if kind == "fence":
            text = f"```json\n{text}\n```"
        elif kind == "box":
            text = f"<|begin_of_box|>{text}<|end_of_box|>"
        elif kind == "prose":
            text = f"{words}\n{text}\n{words}"
        else:
            text = f'<think>{words} {{"draft": 0}} </think>{text}'
    return text


@given(
    st.dictionaries(st.text(max_size=10), _JSON, min_size=1, max_size=4), _NOISE, st.sampled_from([None, 2])
)
def test_an_object_comes_back_out_of_any_wrapping(
    value: dict[str, Any], noise: list[tuple[str, str]], indent: int | None
) -> None:
    assert extract_json(_wrapped(json.dumps(value, indent=indent), noise)) == value
    assert extract_json(_wrapped(json.dumps(value, ensure_ascii=False), noise)) == value


@given(st.text(), st.text())
def test_no_character_of_tagless_text_is_lost(before: str, after: str) -> None:
    thinking, rest = split_thinking(f"<think>{before.replace('<', '')}</think>{after.replace('<', '')}")
    if "{" not in before + after and "[" not in before + after and "\u25c1" not in before + after:
        assert (thinking, rest) == (before.replace("<", "").strip(), after.replace("<", "").strip())


@pytest.mark.parametrize(
    ("given_score", "score"), [("8", 8), ("8.0", 8), ('"8"', 8), ('" 8.0 "', 8), ("0", 0), ("10", 10)]
)
def test_whole_numbers_are_accepted_however_written(given_score: str, score: int) -> None:
    answer = read_answer(f'{{"reasoning": "r", "loose_score": {given_score}}}', LooseAnswer, LOOSE)
    assert answer.loose_score == score
    assert type(answer.loose_score) is int


@pytest.mark.parametrize(
    "score", ["7.5", '"7.5"', '"7/10"', '"seven"', "true", "null", "11", "-1", "1e400", "NaN", "[7]"]
)
def test_no_other_score_is_accepted(score: str) -> None:
    with pytest.raises(ValidationError):
        read_answer(f'{{"reasoning": "r", "loose_score": {score}}}', LooseAnswer, LOOSE)


@given(st.floats(0, 10).filter(lambda x: not x.is_integer()))
def test_a_fraction_is_never_truncated(score: float) -> None:
    with pytest.raises(ValidationError):
        read_answer({"reasoning": "r", "loose_score": score}, LooseAnswer, LOOSE)


@pytest.mark.parametrize(
    ("score", "read"), [("0", 0), ("1", 1), ("true", 1), ("false", 0), ('"1"', 1), ("1.0", 1)]
)
def test_strict_scores(score: str, read: int) -> None:
    answer = read_answer(f'{{"reasoning": "r", "strict_score": {score}}}', StrictAnswer, STRICT)
    assert answer.strict_score == read
    assert type(answer.strict_score) is int


def test_a_bare_array_is_the_single_field() -> None:
    keywords = read_answer('["candle", "snow"]', KeywordAnswer, answer_schema(KeywordAnswer))
    assert keywords.keywords == ["candle", "snow"]
    entries = read_answer(
        '[{"presents": "a candle", "expresses": "time"}]',
        InterpretationAnswer,
        answer_schema(InterpretationAnswer),
    )
    assert entries.entries[0].expresses == "time"


def test_an_object_before_an_array_is_preferred() -> None:
    text = '{"keywords": ["candle"]} as in [1]'
    assert read_answer(text, KeywordAnswer, answer_schema(KeywordAnswer)).keywords == ["candle"]


def test_fit_leaves_what_it_does_not_know() -> None:
    assert fit({"reasoning": 5, "other": "8"}, LOOSE) == {"reasoning": 5, "other": "8"}
    assert fit([1], LOOSE) == [1]


@pytest.mark.parametrize("schema", [KeywordAnswer, InterpretationAnswer, StrictAnswer, LooseAnswer])
def test_schemas_are_closed_and_self_contained(schema: type[BaseModel]) -> None:
    plain = answer_schema(schema)
    assert plain["title"] == schema.__name__
    text = json.dumps(plain)
    assert not any(
        f'"{key}"' in text for key in ("$ref", "$defs", "minLength", "maxLength", "default", "pattern")
    )

    def check(part: dict[str, Any]) -> None:
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
            for inner in part["properties"].values():
                check(inner)
        if part.get("type") == "array":
            check(part["items"])

    check(plain)


def test_scores_are_bounded_without_enumerations_of_numbers() -> None:
    assert STRICT["properties"]["strict_score"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 1,
        "description": "1 when complete and free of error, else 0.",
    }
    assert LOOSE["properties"]["loose_score"]["maximum"] == 10


def test_a_schema_that_contains_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="Tree contains itself"):
        answer_schema(Tree)


class Tree(BaseModel):
    """A tree."""

    children: list[Tree]


def test_the_instruction_carries_the_schema() -> None:
    assert extract_json(instruction(LOOSE)) == LOOSE


def test_half_a_character_is_replaced_where_an_answer_is_read() -> None:
    answer = read_answer('{"keywords": ["a \\ud83d pig"]}', KeywordAnswer, answer_schema(KeywordAnswer))
    assert answer.keywords == ["a ? pig"]


@pytest.mark.parametrize(
    "text",
    [
        "{'keywords': ['candle', ...]}",
        "{'keywords': {'candle'}}",
        "{'keywords': [b'candle']}",
        "{'hops': 1+2j}",
        "{'weight': 1e999}",
        '{"weight": NaN,}',
        "{1: 'candle'}",
        "{'keywords': [{None: 'candle'}]}",
    ],
)
def test_literals_that_json_cannot_hold_are_no_answer(text: str) -> None:
    with pytest.raises(NoAnswerError):
        extract_json(text)


def test_literals_are_read_as_json_values() -> None:
    text = "{'a': (1, 2.5, [True, None]), 'b': {'c': 'd'},}"
    assert extract_json(text) == {"a": [1, 2.5, [True, None]], "b": {"c": "d"}}


@pytest.mark.parametrize("text", ['{"keywords": ["snow \\ud83d"]}', "{'keywords': ['snow \\ud83d']}"])
def test_half_characters_are_replaced_in_what_is_read(text: str) -> None:
    assert extract_json(text) == {"keywords": ["snow ?"]}
    assert read_answer(text, KeywordAnswer, answer_schema(KeywordAnswer)).keywords == ["snow ?"]


@given(
    st.recursive(
        st.text(st.characters(exclude_categories=())), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
    )
)
def test_whole_characters_can_always_be_stored(value: object) -> None:
    cleaned = whole_characters(value)
    assert json.loads(json.dumps(cleaned, ensure_ascii=False).encode()) == cleaned
    assert whole_characters(cleaned) == cleaned
