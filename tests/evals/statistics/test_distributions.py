from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.statistics.distributions import coin_tail, t_cdf, t_quantile

stats = pytest.importorskip("scipy.stats")


@given(st.floats(-60, 60), st.integers(1, 100_000))
def test_t_is_that_of_scipy(value: float, freedom: int) -> None:
    assert t_cdf(value, freedom) == pytest.approx(float(stats.t.cdf(value, freedom)), rel=1e-9, abs=1e-14)


@given(st.floats(0.0001, 0.9999), st.integers(1, 100_000))
def test_quantiles_are_those_of_scipy(share: float, freedom: int) -> None:
    expected = float(stats.t.ppf(share, freedom))
    assert t_quantile(share, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_known_quantiles() -> None:
    assert t_quantile(0.975, 1) == pytest.approx(12.7062, abs=1e-4)
    assert t_quantile(0.975, 15) == pytest.approx(2.13145, abs=1e-5)
    assert t_quantile(0.5, 7) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1])
def test_there_is_no_quantile_at_the_ends(share: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(share, 3)


@given(st.integers(0, 3000), st.data())
def test_a_coin_is_that_of_scipy(tosses: int, data: st.DataObject) -> None:
    heads = data.draw(st.integers(-1, tosses))
    expected = float(stats.binom.cdf(heads, tosses, 0.5))
    assert coin_tail(heads, tosses) == pytest.approx(expected, rel=1e-9, abs=1e-300)
