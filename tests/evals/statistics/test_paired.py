from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.statistics import Resampling, compare_paired, detectable

FEW = Resampling(resamples=500)
POINTS = st.integers(0, 10).map(lambda x: x * 10.0)
PAIRS = st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=40)


def test_by_hand() -> None:
    base = np.array([20.0, 40.0, 60.0, 80.0, 30.0, 50.0])
    other = np.array([30.0, 60.0, 60.0, 70.0, 50.0, 70.0])  # +10 +20 0 -10 +20 +20
    found = compare_paired(base, other)
    assert (found.n, found.wins, found.ties, found.losses) == (6, 4, 1, 1)
    assert (found.base_mean, found.mean) == pytest.approx((280 / 6, 340 / 6))
    assert found.difference == pytest.approx(10)
    # Deviations 0 10 -10 -20 10 10: sum of squares 800, divided by 5.
    assert found.spread == pytest.approx(160**0.5)
    assert found.sign_p == pytest.approx(2 * (1 + 5) / 32)
    # Ranks of 10 20 10 20 20: 1.5 4 1.5 4 4; the negative sum is 1.5. Sums up to 1.5: none, or either 1.5.
    assert found.wilcoxon_p == pytest.approx(2 * 3 / 32)
    # t(.975, 5) = 2.5706 and t(.8, 5) = 0.9195.
    assert found.detectable == pytest.approx((2.5706 + 0.9195) * 160**0.5 / 6**0.5, abs=0.001)


@settings(max_examples=60)
@given(PAIRS, st.randoms(use_true_random=False))
def test_order_does_not_matter(pairs: list[tuple[float, float]], dice) -> None:
    def compare() -> object:
        values = np.array(pairs)
        return compare_paired(values[:, 0], values[:, 1], FEW)

    found = compare()
    dice.shuffle(pairs)
    again = compare()
    for name in ("difference", "interval", "p", "wins", "ties", "losses", "sign_p", "wilcoxon_p"):
        assert getattr(again, name) == getattr(found, name)


@settings(max_examples=60)
@given(PAIRS)
def test_swapping_mirrors_and_p_agrees_with_the_interval(pairs: list[tuple[float, float]]) -> None:
    values = np.array(pairs)
    found = compare_paired(values[:, 0], values[:, 1], FEW)
    back = compare_paired(values[:, 1], values[:, 0], FEW)
    assert (back.difference, back.wins, back.losses) == (-found.difference, found.losses, found.wins)
    assert found.wins + found.ties + found.losses == found.n == len(pairs)
    if found.interval is None or found.p is None:
        assert found.n < 5
        return
    assert 0 < found.p <= 1
    assert found.interval.low - 1e-9 <= found.difference <= found.interval.high + 1e-9
    if found.difference:
        assert back.interval is not None
        assert (back.p, back.interval.low) == (found.p, -found.interval.high)
    if found.interval.low > 0 or found.interval.high < 0:
        assert found.p < 0.07  # .05, and what 500 resamples leave open
    if found.interval.low < 0 < found.interval.high:
        assert found.p > 0.03


def test_a_single_video_and_few_say_nothing_of_others() -> None:
    found = compare_paired(np.array([10.0]), np.array([30.0]))
    assert (found.n, found.difference, found.interval, found.p) == (1, 20.0, None, None)
    assert (found.spread, found.detectable, found.sign_p) == (None, None, 1.0)
    assert compare_paired(np.zeros(4), np.arange(4.0)).p is None


def test_equal_runs_are_equal() -> None:
    same = np.array([10.0, 20.0, 30.0, 0.1 + 0.2, 50.0, 60.0])
    other = same.copy()
    other[3] = 0.3
    found = compare_paired(same, other)
    assert (found.difference, found.ties, found.p, found.sign_p, found.wilcoxon_p) == (0, 6, 1, 1, 1)
    assert found.interval is not None
    assert found.interval.flat
    assert found.detectable is None


def test_a_constant_difference_is_told_to_be_flat() -> None:
    found = compare_paired(np.zeros(30), np.full(30, 10.0))
    assert found.interval is not None
    assert (found.interval.low, found.interval.high, found.interval.flat) == (10, 10, True)
    assert found.p == pytest.approx(0.00101, abs=1e-5)


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="equal, non-empty shapes"):
        compare_paired(np.zeros(3), np.zeros(4))
    with pytest.raises(ValueError, match="non-empty"):
        compare_paired(np.zeros(0), np.zeros(0))


def test_p_is_that_of_a_t_test_where_differences_are_normal() -> None:
    stats = pytest.importorskip("scipy.stats")
    dice = np.random.default_rng(4)
    for shift in (0, 1, 2):
        base = dice.normal(50, 20, 300)
        other = base + dice.normal(shift, 12, 300)
        expected = float(stats.ttest_rel(other, base).pvalue)
        found = compare_paired(base, other, Resampling(40_000)).p
        assert found == pytest.approx(expected, rel=0.2, abs=0.004)


def test_the_detectable_difference_is_found_eight_times_in_ten() -> None:
    stats = pytest.importorskip("scipy.stats")
    dice = np.random.default_rng(9)
    for n in (20, 100):
        drawn = dice.normal(detectable(15.0, n), 15.0, (4000, n))
        found = stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05
        assert found.mean() == pytest.approx(0.8, abs=0.03)
