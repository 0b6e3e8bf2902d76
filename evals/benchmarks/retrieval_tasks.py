"""The questions of the retrieval benchmark, drawn from a graph itself, so that no language model is needed.

- *Held-out edges*: some edges are taken out of the graph, in both directions and for every culture. Asked
  for such an edge's source, a mode should rank its target above other concepts of the same popularity that
  the source is not joined to. Matching by popularity matters: without it, always answering with hubs wins.
- *Keyword sets*: of m + n keywords, m show one concept and n do not. A mode should find the concept.

Nothing leaks: a held-out edge is absent from all that is made from edges, and synonym edges come from names.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge import Edge, MetaphorGraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

__all__ = ["HUBS", "NEGATIVES", "SETS", "HeldOut", "KeywordSet", "Tasks", "make_tasks", "read_pairs"]

#: Keywords that share a concept, and keywords that do not.
SETS = ((3, 4), (2, 8), (3, 17), (1, 9))
#: Concepts that a held-out target is ranked among, and nodes with the most neighbours that count as hubs.
NEGATIVES, HUBS = 50, 100


class HeldOut(NamedTuple):
    """An edge that was taken out, by the numbers of its nodes, and concepts that the source does not show."""

    source: int
    target: int
    negatives: NDArray[np.int64]


class KeywordSet(NamedTuple):
    """Keywords, by the numbers of their nodes, and the concept that some of them share."""

    concept: int
    keywords: tuple[int, ...]


class Tasks(NamedTuple):
    """All that is asked about one graph.

    Attributes:
        graph: the whole graph; keyword sets are asked here.
        reduced: the same nodes without the held-out edges.
        held_out: questions about `reduced`.
        sets: questions about `graph`, by their name, such as "3+4".
        hubs: bool, one a node.
    """

    graph: MetaphorGraph
    reduced: MetaphorGraph
    held_out: list[HeldOut]
    sets: dict[str, list[KeywordSet]]
    hubs: NDArray[np.bool_]


def make_tasks(graph: MetaphorGraph, queries: int, seed: int) -> Tasks:
    """Draw the questions; the same graph and seed give the same ones.

    Args:
        graph: any graph.
        queries: held-out edges, and keyword sets of each size; fewer where the graph has not so many.
        seed: of the random draws.

    Raises:
        KnowledgeError: if the graph is too small to ask anything.
    """
    random = np.random.default_rng(seed)
    pairs = _draw_edges(graph, queries, random)
    gone = {frozenset(pair) for pair in pairs}
    reduced = MetaphorGraph(
        (edge for edge in graph.edges if frozenset(_ends(graph, edge)) not in gone),
        nodes=graph.nodes,
        symmetric=graph.symmetric,
        name=f"{graph.name}, {len(pairs)} edges held out",
    )
    held_out = [HeldOut(*pair, _negatives(graph, reduced, pair, random)) for pair in pairs]
    sets = {f"{m}+{n}": _draw_sets(graph, m, n, queries, random) for m, n in SETS}
    if not held_out or not all(sets.values()):
        msg = f"{graph.name}: too small a graph to benchmark retrieval on; give one of some hundred edges."
        raise KnowledgeError(msg)
    return Tasks(graph, reduced, held_out, sets, _hubs(graph))


def read_pairs(path: Path) -> MetaphorGraph:
    """A graph of a table of pairs: JSON lines `[source, target, count, ...]`, gzipped or not.

    An edge weighs (count + 1) / (count + 2), so that a pair met more often is trusted more.

    Raises:
        KnowledgeError: naming the line that is not a pair, or saying why the file can't be read.
    """
    edges: dict[tuple[str, str], Edge] = {}
    for where, row in _rows(path):
        if not (isinstance(row, list) and len(row) > 1 and all(isinstance(end, str) for end in row[:2])):
            msg = f"{where}: expected [source, target, count, ...], got {str(row)[:80]}."
            raise KnowledgeError(msg)
        source, target = row[:2]
        count = row[2] if len(row) > 2 and isinstance(row[2], int) else 1  # noqa: PLR2004
        if source != target:
            edges.setdefault((source, target), Edge(source, target, weight=(count + 1) / (count + 2)))
    if not edges:
        msg = f"{path}: no pairs in it."
        raise KnowledgeError(msg)
    return MetaphorGraph(edges.values(), name=path.name)


def _rows(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        given = path.read_bytes()
        text = (gzip.decompress(given) if given[:2] == b"\x1f\x8b" else given).decode()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        msg = f"{path}: can't be read: {error}."
        raise KnowledgeError(msg) from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield f"{path}:{number}", json.loads(line)
        except json.JSONDecodeError as error:
            msg = f"{path}:{number}: not JSON: {error.msg}."
            raise KnowledgeError(msg) from error


def _ends(graph: MetaphorGraph, edge: Edge) -> tuple[int | None, int | None]:
    return graph.node_id(edge.source), graph.node_id(edge.target)


def _draw_edges(graph: MetaphorGraph, queries: int, random: Generator) -> list[tuple[int, int]]:
    """Edges whose source keeps a neighbour and whose target stays a concept when all of them are gone."""
    forward = graph.arrays.forward
    sources = np.repeat(np.arange(forward.nodes), forward.degrees())
    neighbours = graph.arrays.around.degrees().copy()
    arriving = _distinct_sources(graph)
    drawn: dict[frozenset[int], tuple[int, int]] = {}
    for at in random.permutation(forward.entries).tolist():
        source, target = int(sources[at]), int(forward.indices[at])
        pair = frozenset((source, target))
        if len(pair) < 2 or pair in drawn or neighbours[source] < 2 or arriving[target] < 2:  # noqa: PLR2004
            continue
        neighbours[[source, target]] -= 1
        arriving[target] -= 1
        arriving[source] -= int(target in graph.arrays.backward.row(source))
        drawn[pair] = (source, target)
        if len(drawn) == queries:
            break
    return list(drawn.values())


def _distinct_sources(graph: MetaphorGraph) -> NDArray[np.int64]:
    """How many different sources each node has."""
    backward = graph.arrays.backward
    rows = np.repeat(np.arange(backward.nodes), backward.degrees())
    keys = np.unique(rows * backward.nodes + backward.indices)
    return np.bincount(keys // max(backward.nodes, 1), minlength=backward.nodes)


def _negatives(
    graph: MetaphorGraph, reduced: MetaphorGraph, pair: tuple[int, int], random: Generator
) -> NDArray[np.int64]:
    """Concepts of the target's popularity, the nearest first, that the source is not joined to."""
    source, target = pair
    popular = reduced.arrays.popularities
    allowed = popular > 0
    allowed[[source, target, *graph.arrays.around.row(source).tolist()]] = False
    others = np.flatnonzero(allowed)
    distance = np.abs(np.log(popular[others] / popular[target]))
    return others[np.lexsort((random.random(len(others)), distance))][:NEGATIVES]


def _draw_sets(graph: MetaphorGraph, m: int, n: int, queries: int, random: Generator) -> list[KeywordSet]:
    """Concepts drawn evenly from those with m sources or more; the noise evenly from all other sources."""
    arrays = graph.arrays
    concepts = np.flatnonzero(_distinct_sources(graph) >= m)
    elements = np.flatnonzero(arrays.forward.degrees() > 0)
    drawn: list[KeywordSet] = []
    for concept in random.choice(concepts, queries).tolist() if len(concepts) else ():
        showing = random.choice(np.unique(arrays.backward.row(concept)), m, replace=False)
        noise = np.setdiff1d(elements, [concept, *arrays.around.row(concept).tolist()])
        if len(noise) >= n:
            keywords = np.concatenate((showing, random.choice(noise, n, replace=False)))
            drawn.append(KeywordSet(concept, tuple(random.permutation(keywords).tolist())))
    return drawn


def _hubs(graph: MetaphorGraph) -> NDArray[np.bool_]:
    order = np.lexsort((graph.arrays.ranks, -graph.arrays.around.degrees()))
    hubs = np.zeros(len(graph), bool)
    hubs[order[:HUBS]] = True
    return hubs
