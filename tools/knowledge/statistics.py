"""What a graph is made of, counted: degrees and components on its arrays, the rest in one pass over edges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tools.knowledge.edges import Edge
    from tools.knowledge.engine.arrays import Csr
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["QUANTILES", "Degrees", "Statistics", "components", "statistics"]

#: The shares of nodes that a degree is told for.
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
_TOP = 10
#: Edges that are read together.
_AT_ONCE = 1000


@dataclass(frozen=True)
class Degrees:
    """How many edges nodes have, in one direction.

    Attributes:
        mean: over all nodes.
        quantiles: for each of `QUANTILES`, the degree that this share of nodes does not exceed.
        counts: how many nodes have none, 1, 2 to 3, 4 to 7 edges, and so on by doubling.
    """

    mean: float
    quantiles: dict[str, int]
    counts: dict[str, int]


@dataclass(frozen=True)
class Statistics:
    """Counts of a graph.

    Attributes:
        name: of the graph.
        digest: as `MetaphorGraph.digest`.
        symmetric: whether edges have no direction; each is counted once then.
        nodes: how many.
        edges: how many.
        elements: nodes that stand for something, while nothing stands for them: what is seen.
        concepts: nodes that something stands for.
        orphans: nodes without an edge.
        names: other names of nodes, for linking.
        out_degrees: edges to what a node stands for.
        in_degrees: edges from what stands for it.
        components: sizes of the parts that no edge joins, the largest first.
        kinds: edges by kind.
        cultures: edges by culture.
        provenances: edges by where they come from.
        sentences: edges' sentences, counted once an edge.
        licences: the same, by licence.
        hubs: the nodes that most edges arrive at, with how many.
        orphan_names: the first few nodes without an edge.
    """

    name: str
    digest: str
    symmetric: bool
    nodes: int
    edges: int
    elements: int
    concepts: int
    orphans: int
    names: int
    out_degrees: Degrees
    in_degrees: Degrees
    components: list[int]
    kinds: dict[str, int]
    cultures: dict[str, int]
    provenances: dict[str, int]
    sentences: int
    licences: dict[str, int]
    hubs: dict[str, int]
    orphan_names: list[str]


def statistics(graph: MetaphorGraph) -> Statistics:
    """Count everything."""
    arrays = graph.arrays
    leaving = arrays.forward.degrees()
    arriving = leaving if graph.symmetric else arrays.backward.degrees()
    lone = np.flatnonzero((leaving == 0) & (arriving == 0))
    hubs = np.lexsort((arrays.ranks, -arriving))[:_TOP].tolist()
    kinds: Counter[str] = Counter()
    cultures: Counter[str] = Counter()
    provenances: Counter[str] = Counter()
    licences: Counter[str] = Counter()
    for edge in _edges(graph):
        kinds[edge.kind] += 1
        provenances[edge.provenance] += 1
        if edge.culture:
            cultures[edge.culture] += 1
        for sentence in edge.sentences:
            licences[getattr(sentence, "licence", "")] += 1
    return Statistics(
        name=graph.name,
        digest=graph.digest,
        symmetric=graph.symmetric,
        nodes=len(graph),
        edges=kinds.total(),
        elements=int(((arriving == 0) & (leaving > 0)).sum()),
        concepts=int((arriving > 0).sum()),
        orphans=len(lone),
        names=len(graph.others),
        out_degrees=_degrees(leaving),
        in_degrees=_degrees(arriving),
        components=components(arrays.around),
        kinds=_most_first(kinds),
        cultures=_most_first(cultures),
        provenances=_most_first(provenances),
        sentences=licences.total(),
        licences=_most_first(licences),
        hubs={graph.node_name(at): int(arriving[at]) for at in hubs if arriving[at]},
        orphan_names=[graph.node_name(at) for at in lone[:_TOP].tolist()],
    )


def _edges(graph: MetaphorGraph) -> Iterator[Edge]:
    """Every edge once, though in a symmetric graph it stands in both its nodes' lists."""
    forward = graph.arrays.forward
    numbers = np.arange(forward.entries)
    if graph.symmetric:
        numbers = numbers[np.repeat(np.arange(forward.nodes), forward.degrees()) <= forward.indices]
    for first in range(0, len(numbers), _AT_ONCE):
        yield from graph.edges_numbered(numbers[first : first + _AT_ONCE].tolist())


def components(around: Csr) -> list[int]:
    """The sizes of the parts of a graph that no edge joins, the largest first.

    Every node takes the smallest number that a neighbour has, and then that of the node of this number,
    until nothing changes.
    """
    labels = np.arange(around.nodes)
    rows = np.repeat(labels, around.degrees())
    while True:
        smaller = labels.copy()
        np.minimum.at(smaller, labels[rows], labels[around.indices])
        smaller = smaller[smaller]
        if np.array_equal(smaller, labels):
            break
        labels = smaller
    sizes = np.bincount(labels) if len(labels) else labels
    return sorted(sizes[sizes > 0].tolist(), reverse=True)


def _degrees(degrees: NDArray[np.int64]) -> Degrees:
    if not len(degrees):
        return Degrees(0.0, dict.fromkeys(map(str, QUANTILES), 0), {})
    levels = np.quantile(degrees, QUANTILES, method="inverted_cdf").astype(int).tolist()
    exponents = np.frexp(degrees.astype(np.float64))[1]
    counts = np.bincount(exponents).tolist()
    return Degrees(
        round(float(degrees.mean()), 3),
        dict(zip(map(str, QUANTILES), levels, strict=True)),
        {_range(exponent): count for exponent, count in enumerate(counts)},
    )


def _range(exponent: int) -> str:
    """The degrees that have so many binary digits."""
    if exponent <= 1:
        return str(exponent)
    return f"{2 ** (exponent - 1)}-{2**exponent - 1}"


def _most_first(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
