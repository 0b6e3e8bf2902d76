from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.calls.width import START, Width


def test_it_begins_with_a_stated_number_and_doubles_until_the_first_complaint() -> None:
    width = Width(64)
    assert int(width) == START == 16
    for _ in range(16):
        width.succeeded()
    assert int(width) == 32
    for _ in range(100):
        width.succeeded()
    assert int(width) == 64


def test_it_halves_once_for_all_that_were_in_flight_together() -> None:
    width = Width(64, 64)
    for _ in range(64):
        width.overloaded(0)
    assert int(width) == 32
    width.overloaded(width.complaints)
    assert int(width) == 16


def test_afterwards_it_grows_by_one_with_as_many_answers_as_it_has_room() -> None:
    width = Width(64, 16)
    width.overloaded(0)
    steps = 0
    while int(width) < 9:
        width.succeeded()
        steps += 1
    assert 8 <= steps <= 9


@given(st.lists(st.sampled_from(["ok", "complaint", "late complaint"]), max_size=300), st.integers(1, 80))
def test_it_stays_within_its_bounds_and_always_recovers(events: list[str], ceiling: int) -> None:
    width = Width(ceiling)
    for event in events:
        if event == "ok":
            width.succeeded()
        else:
            width.overloaded(width.complaints - (event == "late complaint"))
        assert 1 <= int(width) <= ceiling
    for _ in range(ceiling * (ceiling + 1)):
        width.succeeded()
    assert int(width) == pytest.approx(ceiling, abs=1e-6)


def test_a_new_ceiling_holds_at_once() -> None:
    width = Width(64)
    width.cap(4)
    assert int(width) == 4
    width.cap(40)
    assert int(width) == START
