"""Which frames stand for a video."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import ToolboxError
from tools.frames import Sampling
from tools.frames.sampling import uniform

TIMES = st.lists(st.floats(0, 1e6), min_size=1, max_size=200).map(sorted)


def test_even_times_give_even_frames() -> None:
    assert uniform([number / 25 for number in range(101)], 5) == [0, 25, 50, 75, 100]


def test_time_counts_and_not_the_number_of_the_frame() -> None:
    burst_then_still = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 4.0, 8.0]
    assert uniform(burst_then_still, 3) == [0, 6, 7]


def test_a_still_stretch_is_not_shown_twice() -> None:
    assert uniform([0.0, 0.1, 0.2, 10.0], 3) == [0, 2, 3]
    assert uniform([0.0, 0.01, 0.02, 0.03, 100.0, 100.01], 5) == [0, 3, 4, 5]


def test_of_two_as_near_the_earlier_is_taken() -> None:
    assert uniform([0.0, 1.0, 2.0, 3.0], 3) == [0, 1, 3]


@pytest.mark.parametrize("count", [1, 2, 7])
def test_short_clips_are_taken_whole(count: int) -> None:
    assert uniform([float(number) for number in range(count)], 7) == list(range(count))


def test_one_frame_is_the_first() -> None:
    assert uniform([0.0, 1.0, 2.0], 1) == [0]


@given(TIMES, st.integers(1, 60))
def test_first_and_last_are_in_and_none_is_taken_twice(times: list[float], limit: int) -> None:
    chosen = uniform(times, limit)
    assert chosen == sorted(set(chosen))
    assert len(chosen) <= limit
    assert chosen[0] == 0
    if limit > 1:
        assert chosen[-1] == len(times) - 1


@given(TIMES, st.integers(2, 60))
def test_no_step_is_far_from_its_frame(times: list[float], limit: int) -> None:
    chosen = [times[place] for place in uniform(times, limit)]
    span = times[-1] - times[0]
    for step in range(limit):
        instant = times[0] + span * step / (limit - 1)
        nearest = min(abs(instant - time) for time in times)
        assert min(abs(instant - time) for time in chosen) == pytest.approx(nearest, abs=1e-9 * (1 + span))


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"max_frames": 0}, "max_frames must be at least 1, not 0"),
        ({"max_side": 0}, "max_side must be at least 1 pixel, not 0"),
        ({"quality": 101}, "quality must be from 1 to 100, not 101"),
        ({"reader": "opencv"}, 'unknown reader "opencv"'),
    ],
)
def test_a_sampling_out_of_range_is_refused(values: dict[str, object], told: str) -> None:
    with pytest.raises(ToolboxError, match=told):
        Sampling(**values)  # pyright: ignore[reportArgumentType]
