"""Krippendorff's alpha: worked examples of the literature, and the package where it is installed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.statistics.reliability import METRICS, Metric, Reliability, krippendorff_alpha

N = float("nan")

PAPER = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T
"""Krippendorff 2011, section C: four observers, twelve units, some not rated."""

TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.one_of(st.just(N), st.integers(0, 10)), min_size=raters, max_size=raters),
        min_size=2,
        max_size=25,
    )
)


@pytest.mark.parametrize(("metric", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_papers_example(metric: Metric, alpha: float) -> None:
    assert round(krippendorff_alpha(PAPER, metric) or 0, 3) == alpha


def test_two_observers_of_two_values() -> None:
    """Krippendorff 2011, section A: binary data, alpha 0.095, whatever the metric."""
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    two = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    for metric in METRICS:
        assert round(krippendorff_alpha(np.array([one, two], dtype=float).T, metric) or 0, 3) == 0.095


@pytest.mark.parametrize("metric", METRICS)
@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_it_is_the_packages(metric: Metric, rows: list[list[float]]) -> None:
    package = pytest.importorskip("krippendorff")
    table = np.array(rows, dtype=np.float64)
    found = krippendorff_alpha(table, metric)
    pairable = table[(~np.isnan(table)).sum(axis=1) > 1]
    if len(set(pairable[~np.isnan(pairable)])) < 2:
        assert found is None
        return
    wanted = package.alpha(reliability_data=table.T, level_of_measurement=metric)
    assert found == pytest.approx(wanted, abs=1e-9)


def by_definition(table: np.ndarray, metric: Metric) -> float | None:
    """Alpha as the paper writes it: a table of coincidences, and differences of every two values."""
    rows = [row[~np.isnan(row)] for row in table]
    rows = [row for row in rows if len(row) > 1]
    values = sorted({value for row in rows for value in row})
    if len(values) < 2:
        return None
    place = {value: i for i, value in enumerate(values)}
    seen = np.zeros((len(values), len(values)))
    for row in rows:
        for i, one in enumerate(row):
            for j, two in enumerate(row):
                if i != j:
                    seen[place[one], place[two]] += 1 / (len(row) - 1)
    marginals = seen.sum(axis=1)
    total = marginals.sum()

    def apart(c: int, k: int) -> float:
        if metric == "nominal":
            return float(c != k)
        if metric == "interval":
            return (values[c] - values[k]) ** 2
        low, high = min(c, k), max(c, k)
        return (marginals[low : high + 1].sum() - (marginals[c] + marginals[k]) / 2) ** 2

    pairs = [(c, k) for c in range(len(values)) for k in range(len(values))]
    observed = sum(seen[c, k] * apart(c, k) for c, k in pairs)
    expected = sum(marginals[c] * marginals[k] * apart(c, k) for c, k in pairs) / (total - 1)
    return 1 - observed / expected


@pytest.mark.parametrize("metric", METRICS)
@given(TABLES, st.data())
@settings(max_examples=60, deadline=None)
def test_it_is_the_definitions_and_counts_are_copies(
    metric: Metric, rows: list[list[float]], data: st.DataObject
) -> None:
    table = np.array(rows, dtype=np.float64)
    assert krippendorff_alpha(table, metric) == pytest.approx(by_definition(table, metric), abs=1e-9)
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    wanted = by_definition(np.repeat(table, counts, axis=0), metric)
    (found,) = Reliability(table, metric).alpha(np.array([counts], dtype=np.float64))
    assert found == pytest.approx(N if wanted is None else wanted, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[1, N], [2, N], [3, N]], "one rater has no one to agree with"),
        ([[N, N], [N, N]], "there are no ratings"),
        ([[1, N], [N, 2], [3, N]], "no video was rated twice"),
        ([[4, 4], [4, 4]], "all ratings are alike"),
        ([[4, 4], [4, 5]], ""),
    ],
)
def test_where_there_is_none(table: list[list[float]], why: str) -> None:
    reliability = Reliability(np.array(table, dtype=np.float64))
    assert reliability.why == why
    alpha = krippendorff_alpha(np.array(table, dtype=np.float64))
    assert (alpha is None) is bool(why)


def test_ratings_that_are_none() -> None:
    with pytest.raises(ValueError, match="shape"):
        Reliability(np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="finite"):
        Reliability(np.array([[1.0, np.inf]]))
