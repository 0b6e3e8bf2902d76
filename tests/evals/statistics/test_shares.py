"""Shares of kinds: ratios of sums over videos, with intervals by video."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.statistics import Resampling
from evals.statistics.shares import share_intervals, shares_of

FAST = Resampling(resamples=400)


def test_shares_are_ratios_of_sums() -> None:
    assert shares_of([1, 3, 0, 4]) == [12.5, 37.5, 0, 50]
    assert shares_of([0, 0]) == [None, None]


def test_the_interval_is_that_of_the_ratio_resampled_by_hand() -> None:
    rng = np.random.default_rng(1)
    counts = rng.poisson((0.5, 2, 1, 0.2), size=(60, 4)).astype(float)
    draws = [counts[rng.integers(60, size=60)].sum(axis=0) for _ in range(4000)]
    plain = np.quantile([100 * draw / draw.sum() for draw in draws], (0.025, 0.975), axis=0)
    for kind, found in enumerate(share_intervals(counts)):
        assert found is not None
        assert found.low == pytest.approx(plain[0, kind], abs=1.5)  # ours is a little wider for small samples
        assert found.high == pytest.approx(plain[1, kind], abs=1.5)


def test_too_few_videos_or_counts_give_none() -> None:
    assert share_intervals(np.ones((4, 2)), FAST) == [None, None]
    assert share_intervals(np.zeros((9, 2)), FAST) == [None, None]


def test_what_is_always_the_same_is_flat() -> None:
    found = share_intervals(np.full((9, 2), 1.0), FAST)
    assert [(each.low, each.high, each.flat) for each in found if each] == [(50, 50, True)] * 2


@settings(max_examples=25)
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=5, max_size=20), st.randoms())
def test_the_order_of_videos_decides_nothing(rows: list[tuple[int, ...]], random: object) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = (share_intervals(np.array(each, dtype=float), FAST, "x") for each in (rows, shuffled))
    assert one == two
    whole = shares_of(np.array(rows, dtype=float).sum(axis=0).tolist())
    for share, found in zip(whole, one, strict=True):
        if share is not None and found is not None:
            assert 0 <= found.low <= found.high <= 100
