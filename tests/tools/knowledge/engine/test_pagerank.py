"""Personalised PageRank, against a plain multiplication of matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.engine.arrays import Csr
from tools.knowledge.engine.pagerank import personalised_pagerank

_NAMES = st.sampled_from("abcdefgh")
_EDGES = st.lists(st.builds(Edge, _NAMES, _NAMES, weight=st.floats(0.1, 1)), min_size=1, max_size=25)


def multiplied(csr: Csr, seeds: NDArray[np.float64], alpha: float, iterations: int) -> NDArray[np.float64]:
    """The ranks by dense matrices; what is at a node without neighbours stays there."""
    matrix = np.zeros((csr.nodes, csr.nodes))
    for node in range(csr.nodes):
        matrix[node, csr.row(node)] = csr.weights[csr.indptr[node] : csr.indptr[node + 1]]
        matrix[node] = matrix[node] / matrix[node].sum() if matrix[node].any() else np.eye(csr.nodes)[node]
    ranks = seeds
    for _ in range(iterations):
        ranks = alpha * seeds + (1 - alpha) * ranks @ matrix
    return ranks


@given(_EDGES, st.data(), st.floats(0.1, 1), st.integers(0, 12))
def test_without_tolerance_it_is_the_power_iteration(
    edges: list[Edge], data: st.DataObject, alpha: float, iterations: int
) -> None:
    around = MetaphorGraph(edges, nodes=["alone"]).arrays.around
    rows = data.draw(st.integers(1, 3))
    cells = st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=around.nodes, max_size=around.nodes)
    seeds = np.array([data.draw(cells) for _ in range(rows)])
    found = personalised_pagerank(around, seeds, alpha=alpha, iterations=iterations, tolerance=0)
    assert np.allclose(found, multiplied(around, seeds, alpha, iterations), atol=1e-6)
    assert np.allclose(found.sum(axis=1), seeds.sum(axis=1))


@given(_EDGES, st.sampled_from([1e-1, 1e-2, 1e-4]))
def test_the_tolerance_loses_no_mass_and_little_rank(edges: list[Edge], tolerance: float) -> None:
    around = MetaphorGraph(edges).arrays.around
    seeds = np.eye(around.nodes)[:2]
    exact = personalised_pagerank(around, seeds, iterations=40, tolerance=0)
    found = personalised_pagerank(around, seeds, iterations=40, tolerance=tolerance)
    assert np.allclose(found.sum(axis=1), 1)
    # What stays early at a node would have been spread from there: at most what was kept, once a step.
    assert np.abs(found - exact).max() <= 40 * tolerance * around.entries


def test_ranks_by_hand() -> None:
    # a - b - c, from a, one step: half stays at a, half goes to b.  Two: a quarter of b's half goes each way.
    around = MetaphorGraph([Edge("a", "b"), Edge("b", "c")]).arrays.around
    seeds = np.array([[1.0, 0.0, 0.0]])
    one = personalised_pagerank(around, seeds, iterations=1)
    assert one.tolist() == [[0.5, 0.5, 0.0]]
    assert personalised_pagerank(around, seeds, iterations=2).tolist() == [[0.625, 0.25, 0.125]]
    assert personalised_pagerank(around, seeds, iterations=0).tolist() == seeds.tolist()


def test_a_large_table_is_summed_by_sorting_alike() -> None:
    edges = [Edge(f"n{at}", f"n{at + 1}") for at in range(500)]
    around = MetaphorGraph(edges).arrays.around
    seeds = np.zeros((4, around.nodes))
    seeds[range(4), [0, 100, 250, 500]] = 1
    found = personalised_pagerank(around, seeds, tolerance=0)
    assert np.allclose(found, multiplied(around, seeds, 0.5, 10), atol=1e-9)


@pytest.mark.parametrize(
    ("shape", "options"), [((2,), {}), ((1, 3), {}), ((1, 2), {"alpha": 0}), ((1, 2), {"iterations": -1})]
)
def test_what_does_not_fit_is_refused(shape: tuple[int, ...], options: dict[str, float]) -> None:
    around = MetaphorGraph([Edge("a", "b")]).arrays.around
    with pytest.raises(ValueError, match=r"seeds have the shape|alpha is above 0"):
        personalised_pagerank(around, np.zeros(shape), **options)  # type: ignore[arg-type]
