"""What the keywords of a video stand for together: ranked concepts, each with the ways that lead to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tools.knowledge.edges import Reference
from tools.knowledge.linking.names import lemma, normal
from tools.knowledge.retrieving.budget import fit_references
from tools.knowledge.retrieving.explaining import Ways, explain
from tools.knowledge.retrieving.folding import fold
from tools.knowledge.retrieving.network import network_of
from tools.knowledge.retrieving.parity import retrieve_published
from tools.knowledge.retrieving.ranking import DEFAULT_MODE, evidence_of, mode_of, totals
from tools.knowledge.retrieving.walking import seeds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from tools.knowledge.edges import Association
    from tools.knowledge.graph import MetaphorGraph
    from tools.knowledge.retrieving.ranking import Mode

__all__ = ["retrieve", "retrieve_published"]

#: A keyword supports a concept from this share of what its strongest supporter says.
_SUPPORT = 0.1


def retrieve(  # noqa: PLR0913
    graph: MetaphorGraph,
    keywords: Iterable[str],
    *,
    mode: str = DEFAULT_MODE,
    hops: int = 2,
    limit: int = 10,
    max_tokens: int | None = None,
    count: Callable[[str], int] | None = None,
) -> list[Reference]:
    """The concepts that the keywords share, the best first.

    The modes that walk never return a query word: no node that a keyword was linked to, and no other
    spelling of one. They leave out what no way of `hops` associations explains, and fold near-duplicates.
    `published` and `published_h1` are exactly what was published, query words, order of ties and all.

    Args:
        graph: any graph.
        keywords: what was seen. Their order decides ties in the published modes, nothing in the others; a
            keyword that is repeated or linked to the same nodes counts once there.
        mode: a name in `MODES`.
        hops: associations that a way to a concept may have, 1 or more; the published h.
        limit: concepts at most, 1 or more; the published z.
        max_tokens: of all `reference_lines` together; none by default.
        count: counts a text's tokens; by o200k_base unless given.

    Returns:
        At most `limit` references. The same graph and keywords give the same ones on any machine: scores
        that agree to nine places are ties, which go by name.

    Raises:
        KnowledgeError: if there is no such mode.
        ValueError: if `hops` or `limit` is below 1.
    """
    chosen = mode_of(mode)
    _check(hops, limit)
    if chosen.counts:
        found = [
            _explained(graph, each)
            for each in retrieve_published(graph, keywords, chosen.hops or hops, limit)
        ]
    else:
        query = _read(graph, keywords)
        found = _walked(graph, query, chosen, hops, limit) if query.seeds else []
    return found if max_tokens is None else fit_references(found, max_tokens, count)


@dataclass(frozen=True)
class _Query:
    """Keywords as linked.

    Attributes:
        seeds: nodes with their trust, one for each distinct reading.
        keywords: for each of these, the keywords that are read so.
        own: lemmas of the keywords and of all nodes they were linked to.
        nodes: all nodes they were linked to.
    """

    seeds: list[dict[int, float]]
    keywords: list[list[str]]
    own: frozenset[str]
    nodes: frozenset[int]


def _read(graph: MetaphorGraph, keywords: Iterable[str]) -> _Query:
    readings: dict[frozenset[int], tuple[dict[int, float], list[str]]] = {}
    own: set[str] = set()
    nodes: set[int] = set()
    for keyword in dict.fromkeys(keywords):
        links = graph.link(keyword)
        own |= {lemma(normal(name)) for name in (keyword, *(link.node for link in links))}
        nodes |= {number for link in links if (number := graph.node_id(link.node)) is not None}
        seed: dict[int, float] = {}
        for link in seeds_of(links):
            if (number := graph.node_id(link.node)) is not None:
                seed[number] = max(link.score, seed.get(number, 0.0))
        if seed:
            known, named = readings.setdefault(frozenset(seed), (seed, []))
            known.update({node: max(trust, known[node]) for node, trust in seed.items()})
            named.append(keyword)
    # In the order of nodes, so that sums don't depend on the order of the keywords.
    ordered = sorted(readings.values(), key=lambda reading: sorted(reading[0].items()))
    return _Query(
        [dict(sorted(seed.items())) for seed, _ in ordered],
        [named for _, named in ordered],
        frozenset(own),
        frozenset(nodes),
    )


def _walked(graph: MetaphorGraph, query: _Query, mode: Mode, hops: int, limit: int) -> list[Reference]:
    network = network_of(graph)
    evidence = evidence_of(mode, network, query.seeds)
    scores = totals(graph, evidence)
    ways = [Ways(graph, network, seed, hops) for seed in query.seeds]
    support: dict[int, dict[str, Association]] = {}

    def candidates() -> Iterator[int]:
        found = np.flatnonzero(scores > 0)
        for node in found[np.lexsort((graph.arrays.ranks[found], -scores[found]))].tolist():
            if node in query.nodes or lemma(normal(graph.node_name(node))) in query.own:
                continue
            support[node] = _support(graph, query, ways, evidence[:, node], node)
            if support[node]:
                yield node

    folded = fold(graph, network, candidates(), limit)
    return [
        _reference(graph, node, float(scores[node]), [support[each] for each in (node, *others)], others)
        for node, others in folded.items()
    ]


def _support(
    graph: MetaphorGraph, query: _Query, ways: Sequence[Ways], evidence: NDArray[np.float64], node: int
) -> dict[str, Association]:
    """The way to a concept from every keyword that says much for it."""
    found: dict[str, Association] = {}
    for at in np.flatnonzero(evidence >= max(_SUPPORT * evidence.max(), 1e-12)).tolist():
        if (way := ways[at].to(node)) is not None:
            found |= dict.fromkeys(query.keywords[at], explain(graph, *way))
    return found


def _reference(
    graph: MetaphorGraph,
    node: int,
    score: float,
    supports: Sequence[dict[str, Association]],
    folded: Sequence[int],
) -> Reference:
    """A concept with all that supports it and what was folded into it; its own ways come first."""
    ways: dict[str, Association] = {}
    for support in supports:
        ways |= {keyword: way for keyword, way in support.items() if keyword not in ways}
    ranked = sorted(ways, key=lambda keyword: (-ways[keyword].weight, ways[keyword].path, keyword))
    return Reference(
        concept=graph.node_name(node),
        count=len(ranked),
        keywords=tuple(ranked),
        paths=tuple(ways[keyword].path for keyword in ranked),
        score=round(score, 6),
        associations=tuple(dict.fromkeys(ways[keyword] for keyword in ranked)),
        folded=tuple(map(graph.node_name, folded)),
    )


def _check(hops: int, limit: int) -> None:
    if hops < 1 or limit < 1:
        msg = f"hops and limit are counted from 1, got hops={hops} and limit={limit}"
        raise ValueError(msg)


def _explained(graph: MetaphorGraph, reference: Reference) -> Reference:
    """A published reference with its score and the grounds of its paths."""
    ways: list[Association] = []
    for path in reference.paths:
        nodes = tuple(number for name in path if (number := graph.node_id(name)) is not None)
        ways.append(explain(graph, nodes))
    return replace(reference, score=float(reference.count), associations=tuple(dict.fromkeys(ways)))
