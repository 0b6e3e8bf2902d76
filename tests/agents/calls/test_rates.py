from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agents.calls.gate import Gate
from agents.calls.rates import SPAN, Rates
from agents.calls.width import Width
from tests.virtual_time import run_virtually

Calls = list[tuple[float, float, int, int]]
CALLS = st.lists(
    st.tuples(
        st.floats(0, 200),  # comes at
        st.floats(0, 30),  # takes seconds
        st.integers(0, 50),  # tokens estimated
        st.integers(0, 80),  # tokens really
    ),
    max_size=25,
)


async def _sent(calls: Calls, gate: Gate, rates: Rates) -> list[tuple[float, int, int]]:
    """When each call was let through, in order, with its tokens as estimated and its number."""
    loop, sent = asyncio.get_running_loop(), list[tuple[float, int, int]]()

    async def one(number: int, at: float, takes: float, guess: int, real: int) -> None:
        await asyncio.sleep(at)
        async with gate.turn(guess) as turn:
            sent.append((loop.time(), guess, number))
            await asyncio.sleep(takes)
            rates.correct(turn.entry, real)

    await asyncio.gather(*(one(i, *call) for i, call in enumerate(calls)))
    return sent


def _through(calls: Calls, *, width: int = 1000, **limits: Any) -> list[tuple[float, int, int]]:
    async def main() -> list[tuple[float, int, int]]:
        rates = Rates(**limits)
        return await _sent(calls, Gate(Width(width, width), rates), rates)

    return run_virtually(main())


@given(calls=CALLS, rpm=st.integers(1, 6))
def test_no_minute_has_more_requests_than_allowed(calls: Calls, rpm: int) -> None:
    moments = [moment for moment, _, _ in _through(calls, rpm=rpm)]
    assert len(moments) == len(calls)
    assert all(later - earlier >= SPAN - 1e-6 for earlier, later in zip(moments, moments[rpm:], strict=False))


@given(calls=CALLS, tpm=st.integers(1, 120))
def test_no_minute_has_more_tokens_than_allowed_as_estimated(calls: Calls, tpm: int) -> None:
    exact = [(at, takes, guess, guess) for at, takes, guess, _ in calls]
    sent = _through(exact, tpm=tpm)
    assert len(sent) == len(calls)
    for i, (moment, _, _) in enumerate(sent):
        window = [guess for when, guess, _ in sent[: i + 1] if when > moment - SPAN + 1e-6]
        assert sum(window) <= tpm or not any(window[:-1])  # one that is larger goes alone


@given(calls=CALLS, rpm=st.integers(1, 6), tpm=st.integers(1, 120), width=st.integers(1, 4))
def test_whatever_the_limits_all_get_through(calls: Calls, rpm: int, tpm: int, width: int) -> None:
    sent = _through(calls, rpm=rpm, tpm=tpm, width=width)
    assert sorted(number for _, _, number in sent) == list(range(len(calls)))


def test_first_come_first_served_even_where_a_later_call_is_smaller() -> None:
    calls = [(0.0, 1.0, 90, 90), (1.0, 1.0, 90, 90), (2.0, 1.0, 1, 1)]
    assert [(moment, number) for moment, _, number in _through(calls, tpm=100)] == [(0, 0), (60, 1), (60, 2)]


def test_what_a_call_really_took_counts_for_those_after_it() -> None:
    cheap = [(0.0, 1.0, 90, 10), (2.0, 1.0, 80, 80)]
    assert [moment for moment, _, _ in _through(cheap, tpm=100)] == [0, 2]
    dear = [(0.0, 1.0, 10, 95), (2.0, 1.0, 80, 80)]
    assert [moment for moment, _, _ in _through(dear, tpm=100)] == [0, 60]


def test_of_two_limits_the_lower_counts() -> None:
    rates = Rates(rpm=10)
    rates.tighten(20, 500)
    rates.tighten(None, 300)
    assert (rates.rpm, rates.tpm) == (10, 300)


def test_whoever_gives_up_waiting_holds_up_nobody() -> None:
    async def main() -> tuple[int, int]:
        gate = Gate(Width(1, 1), Rates())
        async with gate.turn(0):
            waiting = [asyncio.create_task(_pass(gate)) for _ in range(3)]
            await asyncio.sleep(1)
            waiting[0].cancel()
            waiting[1].cancel()
            await asyncio.sleep(1)
            assert (gate.queued, gate.in_flight) == (1, 1)
        await waiting[2]
        return gate.queued, gate.in_flight

    assert run_virtually(main()) == (0, 0)


def test_a_call_that_is_cancelled_as_it_is_let_in_gives_its_place_back() -> None:
    async def main() -> int:
        gate = Gate(Width(1, 1), Rates())
        async with gate.turn(0):
            waiting = asyncio.create_task(_pass(gate))
            await asyncio.sleep(1)
        waiting.cancel()  # its turn has come, but it has not run yet
        await asyncio.sleep(1)
        await _pass(gate)
        return gate.in_flight

    assert run_virtually(main()) == 0


def test_whoever_gives_up_in_the_moment_of_their_turn_is_passed_over() -> None:
    async def main() -> tuple[int, int]:
        gate = Gate(Width(1, 1), Rates())
        async with gate.turn(0):
            waiting = [asyncio.create_task(_pass(gate)) for _ in range(3)]
            await asyncio.sleep(1)
            waiting[0].cancel()  # and in the same moment the place becomes free
        await waiting[2]
        return gate.queued, gate.in_flight

    assert run_virtually(main()) == (0, 0)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 12)), max_size=30),
    st.integers(1, 3),
)
def test_cancelled_at_any_moment_no_place_is_lost(calls: list[tuple[int, int, int]], width: int) -> None:
    async def main() -> tuple[int, int]:
        gate = Gate(Width(width, width), Rates())

        async def one(at: int, takes: int) -> None:
            await asyncio.sleep(at)
            async with gate.turn(0):
                assert gate.in_flight <= width
                await asyncio.sleep(takes)

        async def cancelled(at: int, takes: int, gives_up: int) -> None:
            task = asyncio.create_task(one(at, takes))
            await asyncio.sleep(gives_up)
            task.cancel()

        await asyncio.gather(*(cancelled(*call) for call in calls))
        await asyncio.sleep(1)
        await _pass(gate)
        return gate.queued, gate.in_flight

    assert run_virtually(main()) == (0, 0)


async def _pass(gate: Gate) -> None:
    async with gate.turn(0):
        pass
