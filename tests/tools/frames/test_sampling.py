"""Which frames stand for a video."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import ToolboxError
from tools.frames import Sampling
from tools.frames.sampling import at_rate, chooser, over_shots, shot_of, uniform

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


def test_a_fixed_rate_takes_the_nearest_frames_and_the_last() -> None:
    at_25 = [number / 25 for number in range(101)]
    assert at_rate(at_25, 50, fps=1) == [0, 25, 50, 75, 100]
    assert at_rate(at_25, 50, fps=0.1) == [0, 100]
    assert at_rate(at_25[:77], 50, fps=1) == [0, 25, 50, 76], "3.0 s is too near to the end at 3.04 s"
    assert at_rate(at_25[:90], 50, fps=1) == [0, 25, 50, 75, 89]


def test_a_rate_too_high_is_lowered_evenly() -> None:
    at_25 = [number / 25 for number in range(101)]
    assert at_rate(at_25, 5, fps=1) == [0, 25, 50, 75, 100]
    assert at_rate(at_25, 5, fps=1e12) == uniform(at_25, 5)
    assert at_rate(at_25, 1000, fps=1e12) == list(range(101))
    assert at_rate(at_25, 1, fps=1) == [0]
    assert at_rate([0.0], 5, fps=1) == [0]


@given(TIMES, st.integers(1, 60), st.floats(1e-3, 1e3))
def test_at_any_rate_first_and_last_are_in(times: list[float], limit: int, fps: float) -> None:
    chosen = at_rate(times, limit, fps=fps)
    assert chosen == sorted(set(chosen))
    assert 1 <= len(chosen) <= limit
    assert chosen[0] == 0
    assert chosen[-1] == (len(times) - 1 if limit > 1 else 0)


SECONDS = [float(number) for number in range(20)]


@pytest.mark.parametrize(
    ("limit", "cuts", "chosen"),
    [
        (5, [], [0, 5, 9, 14, 19]),
        (4, [8.0, 9.0], [0, 8, 12, 19]),
        (3, [2.0, 10.0], [0, 5, 19]),
        (2, [5.0, 10.0], [0, 19]),
        (1, [5.0, 10.0], [0]),
        (4, [1.0, 2.0, 3.0, 10.0, 13.0, 19.0], [0, 6, 15, 19]),
        (6, [1.0, 19.0], [0, 3, 7, 12, 16, 19]),
        (20, [5.0], list(range(20))),
    ],
)
def test_each_shot_gives_its_share(limit: int, cuts: list[float], chosen: list[int]) -> None:
    assert over_shots(SECONDS, limit, cuts=cuts) == chosen


def test_shots_are_numbered_from_0() -> None:
    assert [shot_of([1.0, 2.5], moment) for moment in (0.0, 0.99, 1.0 - 1e-9, 2.0, 2.5, 9.0)] == [
        0,
        0,
        1,
        1,
        2,
        2,
    ]


@given(
    st.lists(st.floats(0, 1e4), min_size=1, max_size=200, unique=True).map(sorted),
    st.integers(1, 60),
    st.data(),
)
def test_no_shot_is_left_out_as_far_as_there_are_frames(
    times: list[float], limit: int, data: st.DataObject
) -> None:
    apart = [time for before, time in pairwise(times) if time - before > 1e-3]
    cuts = sorted(data.draw(st.sets(st.sampled_from(apart)))) if apart else []
    chosen = over_shots(times, limit, cuts=cuts)
    assert chosen == sorted(set(chosen))
    assert len(chosen) <= limit
    assert (chosen[0], chosen[-1]) == (0, len(times) - 1 if limit > 1 else 0)
    seen = {shot_of(cuts, times[place]) for place in chosen}
    assert len(seen) == min(len(cuts) + 1, limit)


@given(st.integers(1, 200), st.integers(1, 60), st.sampled_from([1.0, 12.5, 25.0, 29.97]), st.data())
def test_shorter_clips_give_fewer_frames(count: int, limit: int, rate: float, data: st.DataObject) -> None:
    times = [number / rate for number in range(count)]
    cuts = sorted(data.draw(st.sets(st.sampled_from(times[1:])))) if count > 1 else []
    assert len(uniform(times, limit)) == min(count, limit)
    enough = min(count, limit) if len(cuts) < limit else min(limit, len(cuts) + 1)
    assert len(over_shots(times, limit, cuts=cuts)) == enough
    fps = data.draw(st.floats(0.1, 2 * rate))
    assert len(at_rate(times[: count // 2], limit, fps=fps)) <= len(at_rate(times, limit, fps=fps))


@given(
    st.lists(st.floats(0, 1e4), min_size=1, max_size=200, unique=True).map(sorted),
    st.builds(
        Sampling,
        max_frames=st.integers(1, 60),
        method=st.sampled_from(["uniform", "shots", "fps"]),
        fps=st.floats(1e-3, 1e3),
    ),
    st.lists(st.floats(0, 1e4), max_size=20).map(sorted),
)
def test_whatever_the_choice_time_goes_on(times: list[float], sampling: Sampling, cuts: list[float]) -> None:
    taken = [times[place] for place in chooser(sampling, cuts)(times, sampling.max_frames)]
    assert all(before < after for before, after in pairwise(taken)), "strictly: none is taken twice"
    assert 1 <= len(taken) <= sampling.max_frames
    assert taken[0] == times[0]
    assert taken[-1] == times[-1] or sampling.max_frames == 1


def test_a_sampling_names_its_choice() -> None:
    assert chooser(Sampling()) is uniform
    assert chooser(Sampling(method="fps", fps=0.5))(SECONDS, 50) == [*range(0, 20, 2), 19]
    assert chooser(Sampling(method="shots"), [3.0])(SECONDS, 2) == [0, 19]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"max_frames": 0}, "max_frames must be at least 1, not 0"),
        ({"max_side": 0}, "max_side must be at least 1 pixel, not 0"),
        ({"quality": 101}, "quality must be from 1 to 100, not 101"),
        ({"reader": "opencv"}, 'unknown reader "opencv"'),
        ({"method": "scenes"}, 'unknown method "scenes": use "uniform", "shots" or "fps"'),
        ({"fps": 0}, "fps must be a number above 0, not 0"),
        ({"fps": float("nan")}, "fps must be a number above 0, not nan"),
    ],
)
def test_a_sampling_out_of_range_is_refused(values: dict[str, object], told: str) -> None:
    with pytest.raises(ToolboxError, match=told):
        Sampling(**values)  # pyright: ignore[reportArgumentType]
