from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.statistics import sign_test, signed_rank_test

stats = pytest.importorskip("scipy.stats")


@given(st.integers(0, 1500), st.integers(0, 1500))
def test_the_sign_test_is_scipys_exact_binomial_test(wins: int, losses: int) -> None:
    if wins + losses == 0:
        assert sign_test(0, 0) == 1.0
        return
    expected = float(stats.binomtest(wins, wins + losses).pvalue)
    # No run's tail is that thin: where the last bits of a float decide, both need only be next to nothing.
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-8, abs=1e-290)


def test_a_sign_test_far_in_the_tail() -> None:
    assert 0 <= sign_test(10, 1065) < 1e-290


def test_a_sign_test_by_hand() -> None:
    # Five of six: 2 * (1 + 6) / 64.
    assert sign_test(5, 1) == pytest.approx(14 / 64)
    assert sign_test(3, 3) == 1.0


@given(st.lists(st.integers(-500, 500).filter(bool), min_size=1, max_size=50, unique_by=abs))
def test_signed_ranks_without_shared_ranks_are_scipys_exact(differences: list[int]) -> None:
    values = np.array(differences, dtype=float)
    expected = float(stats.wilcoxon(values, method="exact").pvalue)
    assert signed_rank_test(values) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.integers(-20, 20).filter(bool), min_size=51, max_size=200))
def test_many_signed_ranks_are_scipys_approximation(differences: list[int]) -> None:
    values = np.array(differences, dtype=float)
    expected = float(stats.wilcoxon(values, method="asymptotic", correction=False).pvalue)
    assert signed_rank_test(values) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_shared_ranks_are_exact_too() -> None:
    # Ranks 1.5, 1.5, 3; only the assignments with a sum of 0 are as far out: 2 of 8.
    assert signed_rank_test(np.array([2.0, 2.0, 7.0, 0.0])) == pytest.approx(2 / 8)
    assert signed_rank_test(np.zeros(4)) == 1.0
