"""What walks go over: a graph's associations, whatever their direction, joined with its synonym edges."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tools.knowledge.engine.arrays import Csr
from tools.knowledge.retrieving.synonyms import synonyms_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tools.knowledge.graph import MetaphorGraph
    from tools.knowledge.retrieving.synonyms import Synonym

__all__ = ["Network", "make_network", "network_of", "weight_of"]

#: A synonym edge weighs this times its cosine to the third: .11 at .6, .36 at .9, of an association's 0 to 1.
_SYNONYM, _POWER = 0.5, 3
_LOCK = threading.Lock()
_KNOWN: weakref.WeakKeyDictionary[MetaphorGraph, dict[bool, Network]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Steps that a walk may take, in both directions.

    Attributes:
        around: associations alone, as `GraphArrays.around`.
        steps: associations and synonym edges, with their weights.
        synonyms: the synonym edges alone.
        popularity: float64, one a node: the weights of its steps in sum, where 1 is the mean node. A walk
            without seeds is at a node in proportion to it.
    """

    around: Csr
    steps: Csr
    synonyms: Csr
    popularity: NDArray[np.float64]


def network_of(graph: MetaphorGraph, *, synonyms: bool = True) -> Network:
    """A graph's network, made at first need and kept as long as the graph.

    Args:
        graph: any graph.
        synonyms: join its own synonym edges, where it has some.
    """
    with _LOCK:
        known = _KNOWN.setdefault(graph, {})
        if synonyms not in known:
            known[synonyms] = make_network(graph, synonyms_of(graph) if synonyms else ())
        return known[synonyms]


def make_network(graph: MetaphorGraph, synonyms: Iterable[Synonym]) -> Network:
    """The network of a graph and synonym edges; pairs with a name that is no node are passed over."""
    around = graph.arrays.around
    pairs: list[tuple[int, int, float]] = []
    for name, other, cosine in synonyms:
        one, two = graph.node_id(name), graph.node_id(other)
        if one is not None and two is not None:
            pairs += [(one, two, weight_of(cosine)), (two, one, weight_of(cosine))]
    likes = _csr(np.array(pairs, np.float64).reshape(-1, 3), around.nodes)
    steps = _joined(around, likes) if pairs else around
    sums = np.bincount(_rows(steps), steps.weights, minlength=steps.nodes).astype(np.float64)
    mean = sums.mean() if len(sums) else 0.0
    return Network(around, steps, likes, sums / mean if mean else sums)


def weight_of(cosine: float) -> float:
    """What a synonym edge of a cosine weighs; float32, as it is kept."""
    return float(np.float32(_SYNONYM * cosine**_POWER))


def _rows(csr: Csr) -> NDArray[np.int64]:
    return np.repeat(np.arange(csr.nodes), csr.degrees())


def _joined(one: Csr, two: Csr) -> Csr:
    """Both matrices in sum."""
    entries = [np.column_stack((_rows(csr), csr.indices, csr.weights)) for csr in (one, two)]
    return _csr(np.concatenate(entries).astype(np.float64), one.nodes)


def _csr(entries: NDArray[np.float64], nodes: int) -> Csr:
    """A matrix of (row, column, weight); what stands at the same place is added."""
    keys = entries[:, 0].astype(np.int64) * max(nodes, 1) + entries[:, 1].astype(np.int64)
    kept, places = np.unique(keys, return_inverse=True)
    weights = np.bincount(places, entries[:, 2], minlength=len(kept))
    rows, columns = np.divmod(kept, max(nodes, 1))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=nodes)))).astype(np.int64)
    return Csr(indptr, columns.astype(np.int32), weights.astype(np.float32))
