from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.statistics import holm

p_values = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=30)


def test_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.02, None, 0.9]) == pytest.approx([0.04, None, 0.9])
    assert holm([]) == []


@given(p_values)
def test_it_is_bounded_keeps_order_and_corrects_no_more_than_bonferroni(values: list[float | None]) -> None:
    corrected = holm(values)
    tested = sum(p is not None for p in values)
    pairs = [(p, c) for p, c in zip(values, corrected, strict=True) if p is not None and c is not None]
    assert len(pairs) == tested
    for p, c in pairs:
        assert p <= c <= min(1.0, p * tested) + 1e-12
    ordered = sorted(pairs)
    assert [c for _, c in ordered] == sorted(c for _, c in pairs)


@given(p_values, st.randoms(use_true_random=False))
def test_order_does_not_matter(values: list[float | None], dice) -> None:
    places = list(range(len(values)))
    dice.shuffle(places)
    shuffled = holm([values[i] for i in places])
    corrected = holm(values)
    assert shuffled == [corrected[i] for i in places]
