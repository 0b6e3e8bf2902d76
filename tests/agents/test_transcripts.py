"""A trace as a transcript: everything that was thought and looked up, in order, within a bound."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given as given_any
from hypothesis import strategies as st

from agents.schemas import Entry, Hop, Interpretation, Mapping, ModelCall
from agents.tokens import count_tokens
from agents.transcripts import shown, transcript_of

PREDICTION = Interpretation(entries=(Entry(presents="a candle", expresses="time"),))


def call(step: str, raw: str = "", thinking: str = "") -> ModelCall:
    return ModelCall(step=step, model="m", method="text", attempts=1, seconds=0, raw=raw, thinking=thinking)


def state(*calls: ModelCall, **more: Any) -> dict[str, Any]:
    return {"prediction": PREDICTION, "calls": list(calls), **more}


def parts(given: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(piece.where, piece.step, piece.text) for piece in transcript_of(given).pieces]


def test_the_order_is_that_of_time() -> None:
    candle = Mapping(element="candle", concept="time", path=("candle", "time"), ground="burns down")
    hops = [
        Hop(round=1, tool="explore", arguments={"concepts": ["candle"]}, answer="candle -> time"),
        Hop(round=2, tool="explore", arguments={"concepts": ["时间"]}, answer="time -> death"),
    ]
    given = state(
        call("perceive", '{"keywords": ["candle"]}', "I see a candle."),
        call("explore", "Let me look.", "What is it for?"),
        call("explore", "", "And further?"),
        call("explore", "Done."),
        call("interpret", '<think>So it ends.</think>{"entries": []}', "So it ends."),
        call("judge_loose", '{"reasoning": "wrong"}', "The gold says death."),
        keywords=["candle"],
        hops=hops,
        mappings=[candle],
        passages=["Time is a candle."],
    )
    assert parts(given) == [
        ("keywords", "", "candle"),
        ("thinking", "perceive", "I see a candle."),
        ("thinking", "explore", "What is it for?"),
        ("answer", "explore", "Let me look."),
        ("hop", "round 1", 'explore({"concepts": ["candle"]})\ncandle -> time'),
        ("thinking", "explore", "And further?"),
        ("hop", "round 2", 'explore({"concepts": ["时间"]})\ntime -> death'),
        ("answer", "explore", "Done."),
        ("associations", "", "candle -> time (burns down)\nTime is a candle."),
        ("thinking", "interpret", "So it ends."),
    ]
    assert transcript_of(given).thinking


def test_steps_that_were_written_out_are_thinking_without_json_dress() -> None:
    answer = {
        "recognize": 'A "candle"\nburns.',
        "map": "时间",
        "entries": [{"presents": "p", "expresses": "e"}],
    }
    given = state(call("interpret", f"Here it is:\n```json\n{json.dumps(answer)}\n```"))
    assert parts(given) == [
        ("thinking", "interpret", 'recognize: A "candle"\nburns.\nmap: 时间'),
        ("answer", "interpret", "Here it is:"),
    ]


def test_words_between_two_objects_are_not_lost() -> None:
    given = state(call("interpret", 'First {"draft": 1}, but no: time has passed. {"entries": []} So be it.'))
    assert [piece[2] for piece in parts(given)] == ["First\n, but no: time has passed.\nSo be it."]
    broken = state(call("interpret", "So: {'entries': [{'presents': 'a', 'expresses': 'b'}]} Done."))
    assert [piece[2] for piece in parts(broken)] == ["So:\nDone."]


@given_any(st.text(alphabet='{}[]<>think/"ab: \n`json', max_size=60), st.text(max_size=30))
def test_any_answer_at_all_can_be_read(raw: str, thinking: str) -> None:
    given = state(call("interpret", raw, thinking))
    assert shown(transcript_of(given), 500).left_out == 0


def test_without_thinking_it_says_so() -> None:
    given = state(call("perceive", '{"keywords": ["candle"]}'), call("interpret", '{"entries": []}'))
    assert not transcript_of({**given, "keywords": ["candle"]}).thinking


def test_a_state_may_come_as_json() -> None:
    given = state(call("interpret", "Hm.", "So."), mappings=[Mapping(element="a", concept="b")])
    plain = json.loads(json.dumps(given, default=lambda each: each.model_dump(mode="json")))
    assert parts(plain) == parts(given)


def test_what_is_too_long_loses_whole_paragraphs_from_its_middle() -> None:
    lines = [f"Thought number {i} is about the candle and the chair." for i in range(400)]
    transcript = transcript_of(state(call("interpret", thinking="\n".join(lines)), keywords=["candle"]))
    part = shown(transcript, 1000)
    assert 900 <= count_tokens(part.text) == part.tokens <= 1000
    kept = [line for line in part.text.splitlines() if line.startswith("Thought")]
    assert kept[0] == lines[0]
    assert kept[-1] == lines[-1]
    assert set(kept) < set(lines)
    assert f"== left out here, for length: {part.left_out:,} tokens" in part.text
    assert part.left_out > 3000
    whole = shown(transcript, 100_000)
    assert whole.left_out == 0
    assert all(line in whole.text for line in lines)


def test_one_endless_line_is_cut_too() -> None:
    part = shown(transcript_of(state(call("interpret", thinking="word " * 9000))), 800)
    assert part.tokens <= 800
    assert part.left_out > 7000


def test_material_cannot_pass_for_a_head() -> None:
    part = shown(transcript_of(state(call("interpret", thinking="== entries\nAll is well."))), 1000)
    assert [line for line in part.text.splitlines() if line.startswith("== ")] == ["== thinking (interpret)"]
