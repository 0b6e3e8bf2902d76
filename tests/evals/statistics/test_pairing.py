"""Correlations and kappa: equal to SciPy's and scikit-learn's, for one set of scores and for resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evals.statistics.bootstrap import Floats, Resampling
from evals.statistics.pairing import ScorePairs, correlation_p, expected_range
from evals.statistics.weighing import estimated

SCORE = st.integers(0, 10)
PAIRS = st.lists(st.tuples(SCORE, SCORE), min_size=3, max_size=40)
MEANS = st.lists(
    st.tuples(st.integers(0, 30).map(lambda n: n / 3), st.integers(0, 20).map(lambda n: n / 2)),
    min_size=3,
    max_size=40,
)


def split(rows: list[tuple[float, float]]) -> tuple[Floats, Floats]:
    table = np.array(rows, dtype=np.float64)
    return table[:, 0], table[:, 1]


def once(pairs: ScorePairs, name: str) -> float:
    return float(pairs.statistics[name](np.ones((1, len(pairs.first))))[0])


@given(st.one_of(PAIRS, MEANS))
@settings(max_examples=120, deadline=None)
def test_correlations_are_scipys(rows: list[tuple[float, float]]) -> None:
    one, two = split(rows)
    pairs = ScorePairs(one, two)
    if len(set(one)) == 1 or len(set(two)) == 1:
        assert all(np.isnan(once(pairs, name)) for name in ("pearson", "spearman", "kendall"))
        return
    pearson = stats.pearsonr(one, two)
    assert once(pairs, "pearson") == pytest.approx(pearson.statistic, abs=1e-9)
    assert correlation_p(pearson.statistic, len(rows)) == pytest.approx(pearson.pvalue, abs=1e-7)
    assert once(pairs, "spearman") == pytest.approx(stats.spearmanr(one, two).statistic, abs=1e-9)
    assert once(pairs, "kendall") == pytest.approx(stats.kendalltau(one, two).statistic, abs=1e-9)


@given(PAIRS)
@settings(max_examples=80, deadline=None)
def test_kappa_is_scikit_learns(rows: list[tuple[float, float]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    one, two = split(rows)
    found = once(ScorePairs(one, two), "kappa")
    if len({*one, *two}) == 1:
        assert np.isnan(found)
        return
    labels = list(range(11))
    wanted = metrics.cohen_kappa_score(one.astype(int), two.astype(int), labels=labels, weights="quadratic")
    assert found == pytest.approx(wanted, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=3, max_size=40))
@settings(max_examples=40, deadline=None)
def test_on_two_values_it_is_cohens_plain_kappa(rows: list[tuple[float, float]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    one, two = split(rows)
    found = once(ScorePairs(one, two), "kappa")
    if len({*one, *two}) == 1:
        assert np.isnan(found)
    else:
        wanted = metrics.cohen_kappa_score(one.astype(int), two.astype(int), labels=[0, 1])
        assert found == pytest.approx(wanted, abs=1e-9)


def test_kappa_of_means_is_lins_concordance() -> None:
    one, two = np.array([1.5, 4.0, 9.0, 2.25]), np.array([2.0, 5.5, 8.0, 2.0])
    shift = (one.mean() - two.mean()) ** 2
    lin = 2 * np.cov(one, two, ddof=0)[0, 1] / (one.var() + two.var() + shift)
    assert once(ScorePairs(one, two), "kappa") == pytest.approx(lin)


@given(MEANS, st.data())
@settings(max_examples=60, deadline=None)
def test_counts_are_copies(rows: list[tuple[float, float]], data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    if sum(counts) < 2:
        return
    one, two = split(rows)
    copies = ScorePairs(np.repeat(one, counts), np.repeat(two, counts))
    block = np.array([counts, [1] * len(rows)], dtype=np.float64)
    for name, statistic in ScorePairs(one, two).statistics.items():
        by_count, plain = statistic(block)
        assert by_count == pytest.approx(once(copies, name), abs=1e-9, nan_ok=True), name
        assert plain == pytest.approx(once(ScorePairs(one, two), name), abs=1e-9, nan_ok=True), name


def test_the_error_has_a_sign() -> None:
    assert once(ScorePairs(np.array([7.0, 8.0]), np.array([5.0, 9.0])), "error") == 0.5


def test_intervals_by_video_hold_a_known_correlation() -> None:
    """Fisher's interval for .85 over 100 is .78 to .90; the bootstrap's is much the same."""
    low, high = expected_range(0.85, 100) or (0, 0)
    assert (round(low, 2), round(high, 2)) == (0.78, 0.90)
    generator = np.random.default_rng(3)
    one = generator.normal(size=100)
    two = 0.85 * one + np.sqrt(1 - 0.85**2) * generator.normal(size=100)
    two += one * (0.85 - np.corrcoef(one, two)[0, 1])
    pairs = ScorePairs(one, two)
    found = estimated({"pearson": pairs.pearson}, np.arange(100))["pearson"]
    assert found.interval is not None
    usual = expected_range(found.value or 0, 100) or (0, 0)
    assert (found.interval.low, found.interval.high) == pytest.approx(usual, abs=0.03)


def test_epochs_are_drawn_with_their_video() -> None:
    """Ten copies of each video say no more than one."""
    one, two = np.array([1.0, 4, 9, 2, 6, 7, 3, 8]), np.array([2.0, 5, 8, 2, 7, 4, 3, 9])
    how = Resampling(2000)
    single = estimated(ScorePairs(one, two).statistics, np.arange(8), how)
    many = ScorePairs(np.repeat(one, 10), np.repeat(two, 10))
    copied = estimated(many.statistics, np.repeat(np.arange(8), 10), how)
    for name in ("kappa", "error", "pearson", "spearman"):
        a, b = single[name].interval, copied[name].interval
        assert a is not None
        assert b is not None
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-9)


def test_what_is_not_defined_says_why() -> None:
    flat = ScorePairs(np.full(6, 5.0), np.arange(6.0))
    reasons = flat.reasons("the judge", "people")
    found = estimated(flat.statistics, np.arange(6), Resampling(resamples=200), why=reasons)
    assert found["pearson"].value is None
    assert found["pearson"].why == "the judge gave every video the same score"
    assert found["kappa"].value == 0.0
    few = estimated(flat.statistics, np.arange(6)[:2], Resampling(resamples=200))
    assert {each.why for each in few.values()} == {"2 videos, and 3 are the fewest"}
    four = ScorePairs(np.arange(4.0), np.arange(4.0))
    found = estimated(four.statistics, np.arange(4))
    assert found["pearson"].value == pytest.approx(1)
    assert found["pearson"].why == "fewer than 5 videos are too few for an interval"
    assert estimated(flat.statistics, np.arange(0))["kappa"].value is None


def test_the_seed_decides() -> None:
    pairs = ScorePairs(np.array([1.0, 4, 9, 2, 6, 7]), np.array([2.0, 5, 8, 2, 7, 4]))
    one = estimated(pairs.statistics, np.arange(6), Resampling(500, 1))
    assert one == estimated(pairs.statistics, np.arange(6), Resampling(500, 1))
    assert one != estimated(pairs.statistics, np.arange(6), Resampling(500, 2))


@pytest.mark.parametrize("second", [[1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_pairs_that_are_none(second: list[float]) -> None:
    with pytest.raises(ValueError, match="pairs need"):
        ScorePairs(np.array([1.0, 2.0]), np.array(second))


def test_p_where_nothing_is_left() -> None:
    assert correlation_p(0.5, 2) is None
    assert correlation_p(1.0, 5) == 0.0
    assert expected_range(0.85, 3) is None
