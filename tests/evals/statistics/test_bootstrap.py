from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.statistics import Resampling, bootstrap, mean_interval
from evals.statistics.bootstrap import resampled_means, two_sided

SCORES = st.lists(st.integers(0, 30).map(lambda x: x * 100 / 30), min_size=5, max_size=60)
FEW = Resampling(resamples=500)


@settings(max_examples=60)
@given(SCORES, st.randoms(use_true_random=False))
def test_the_mean_lies_inside_and_order_does_not_matter(scores: list[float], dice) -> None:
    found = mean_interval(np.array(scores), FEW)
    assert found is not None
    mean = float(np.mean(scores))
    assert min(scores) - 1e-9 <= found.low <= mean + 1e-9
    assert mean - 1e-9 <= found.high <= max(scores) + 1e-9
    dice.shuffle(scores)
    assert mean_interval(np.array(scores), FEW) == found


def test_values_that_are_alike_have_no_width_and_say_so() -> None:
    found = mean_interval(np.full(7, 30.0))
    assert found is not None
    assert (found.low, found.high, found.flat) == (30.0, 30.0, True)


@pytest.mark.parametrize("number", range(5))
def test_few_videos_have_no_interval(number: int) -> None:
    assert mean_interval(np.arange(number, dtype=float)) is None
    assert bootstrap(lambda drawn: float(drawn.mean()), number) is None


def test_seed_and_label_decide() -> None:
    values = np.arange(40, dtype=float)
    one = resampled_means(values, Resampling(100, 1), "a")
    assert np.array_equal(one, resampled_means(values, Resampling(100, 1), "a"))
    assert not np.array_equal(one, resampled_means(values, Resampling(100, 2), "a"))
    assert not np.array_equal(one, resampled_means(values, Resampling(100, 1), "b"))


def test_figures_stay_what_they_are() -> None:
    """The same on every machine: a change here changes published intervals."""
    few = np.repeat([0.0, 50.0, 100.0], [200, 400, 260])
    found = mean_interval(few, Resampling(seed=7), "All")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((51.0465116, 55.9302326), abs=0.06)


@pytest.mark.parametrize("support", [3, 400], ids=["counted", "drawn"])
def test_both_ways_of_drawing_have_the_spread_of_a_mean(support: int) -> None:
    values = np.arange(400, dtype=float) % support
    means = resampled_means(values, Resampling(20_000))
    assert means.mean() == pytest.approx(values.mean(), abs=4 * values.std() / np.sqrt(400 * 20_000))
    assert means.std() == pytest.approx(values.std() / np.sqrt(400), rel=0.03)


def test_it_is_scipys_percentile_interval_where_there_are_many() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(5).normal(50, 20, 860)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    found = mean_interval(values, Resampling(20_000))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.08)


def test_small_samples_get_what_students_t_asks_for() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.array([31.0, 44.0, 48.0, 50.0, 52.0, 56.0, 69.0, 47.0, 53.0, 50.0])
    low, high = stats.t.interval(0.95, 9, values.mean(), stats.sem(values))
    found = mean_interval(values, Resampling(50_000))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.6)


@pytest.mark.slow
def test_intervals_hold_the_true_mean_as_often_as_they_say() -> None:
    dice = np.random.default_rng(11)
    held = 0
    for i in range(600):
        found = mean_interval((dice.random(54) < 0.3) * 100.0, Resampling(1000, i))
        assert found is not None
        held += found.low <= 30 <= found.high
    assert 0.925 <= held / 600 <= 0.98


def test_any_figure_has_an_interval() -> None:
    one = np.random.default_rng(2).normal(size=200)
    two = one + np.random.default_rng(3).normal(size=200)
    found = bootstrap(lambda i: float(np.corrcoef(one[i], two[i])[0, 1]), 200, Resampling(2000))
    assert found is not None
    # Fisher's z for r = 0.72 at 200: 0.65 to 0.78.
    r = float(np.corrcoef(one, two)[0, 1])
    low, high = np.tanh(np.arctanh(r) - 1.96 / np.sqrt(197)), np.tanh(np.arctanh(r) + 1.96 / np.sqrt(197))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)
    mean = bootstrap(lambda i: float(one[i].mean()), 200, Resampling(5000))
    plain = mean_interval(one, Resampling(5000))
    assert mean is not None
    assert plain is not None
    assert (mean.low, mean.high) == pytest.approx((plain.low, plain.high), abs=0.02)


def test_a_figure_that_is_seldom_defined_has_none() -> None:
    assert bootstrap(lambda _: float("nan"), 10, FEW) is None
    constant = bootstrap(lambda i: 1.0 if i[0] else float("nan"), 10, FEW)
    assert constant is not None
    assert (constant.low, constant.flat) == (1.0, True)


def test_p_of_means_on_one_side_is_the_least_that_resamples_can_show() -> None:
    means = np.linspace(1, 2, 9999)
    assert two_sided(means, 860) == pytest.approx(2e-4, rel=0.2)
    assert two_sided(means, 5) == pytest.approx(0.029, abs=0.001)
    assert two_sided(np.array([-1.0, 1.0] * 50), 100) == 1.0
    assert two_sided(np.zeros(100), 100) == 1.0


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"seed": -1}, {"level": 1.0}])
def test_settings_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="resamples from 1"):
        Resampling(**wrong)
