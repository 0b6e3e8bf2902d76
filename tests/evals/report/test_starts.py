"""When calls began, as far as a record tells."""

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from agents.schemas import ModelCall
from evals.report.starts import starts_of

STARTED = "2026-02-01T10:00:00.000+00:00"
MOMENT = dt.datetime.fromisoformat(STARTED).timestamp()


class Told(ModelCall):
    began: float = 0.0


def call(step: str, seconds: float, began: float = 0.0) -> ModelCall:
    told = {"began": began} if began else {}
    return (Told if began else ModelCall)(
        step=step, model="m", method="text", attempts=1, seconds=seconds, **told
    )


def test_what_the_record_tells_is_taken() -> None:
    calls = [call("perceive", 2, MOMENT + 0.5), call("judge", 1, MOMENT + 3.25)]
    assert starts_of(calls, {"interpret": 3.0}, STARTED) == ([0.5, 3.25], True)


def test_calls_are_laid_end_to_end_those_of_the_judge_after_interpreting() -> None:
    calls = [call("perceive", 2), call("interpret", 3), call("judge_strict", 1), call("judge_loose", 1)]
    timings = {"interpret": 6.0, "judge": 2.1}
    assert starts_of(calls, timings, STARTED) == ([0.0, 2.0, 6.0, 7.0], False)


def test_calls_that_had_no_time_after_one_another_begin_together() -> None:
    calls = [call("interpret", 3), call("judge_strict", 2), call("judge_loose", 1.5)]
    assert starts_of(calls, {"interpret": 3.0, "judge": 2.0}, "") == ([0.0, 3.0, 3.0], False)


def test_one_call_without_a_start_leaves_all_without() -> None:
    calls = [call("perceive", 2, MOMENT + 1), call("interpret", 3)]
    assert starts_of(calls, {}, STARTED) == ([0.0, 2.0], False)
    assert starts_of(calls[:1], {}, "no date") == ([0.0], False)
    assert starts_of([], {}, STARTED) == ([], False)


@given(
    st.lists(st.tuples(st.sampled_from(["perceive", "judge"]), st.floats(0, 99)), max_size=9),
    st.floats(0, 99),
)
def test_no_call_begins_before_its_phase(made: list[tuple[str, float]], interpret: float) -> None:
    calls = [call(step, seconds) for step, seconds in made]
    starts, is_told = starts_of(calls, {"interpret": interpret, "judge": 5.0}, STARTED)
    assert not is_told
    for each, start in zip(calls, starts, strict=True):
        assert start >= (round(interpret, 3) if each.step == "judge" else 0)
