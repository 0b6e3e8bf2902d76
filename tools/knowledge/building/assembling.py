"""Assembles edges from evidence: each one's count, weight, kind, ground, sentences and provenance."""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from tools.knowledge.building.licences import UNKNOWN
from tools.knowledge.building.pairs import Rejected
from tools.knowledge.edges import KINDS, Edge, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tools.knowledge.building.gathering import Evidence

__all__ = ["Assembled", "assemble", "weight_of"]

#: What is left to doubt after one piece of evidence.
_DOUBT = 0.7
#: How much less an edge is worth when nothing else stands for its target, and how that fades with each
#: further source.
_LONE, _FADE = 0.5, 0.5
_PLACES = 4


@dataclass
class Assembled:
    """The edges, and what became of every count.

    Attributes:
        edges: by source, the heaviest first.
        evidence: of the edges as they were joined: counts, and numbers of data sets.
        rejected: rows whose source and target became one node.
        counted: sum of all edges' counts.
        repeats: counts that say again what the same text said in the same data set.
        same: counts of the rejected rows.
        rare: counts of edges below the least count; and how many edges that were.
        licences: counts by licence and data set.
        known: each of these once.
        sentences: every sentence once, however many edges have it.
    """

    edges: list[Edge] = field(default_factory=list[Edge])
    evidence: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    known: dict[tuple[int, int], tuple[int, int]] = field(
        default_factory=dict[tuple[int, int], tuple[int, int]]
    )
    rejected: list[Rejected] = field(default_factory=list[Rejected])
    counted: int = 0
    repeats: int = 0
    same: int = 0
    rare: int = 0
    rare_edges: int = 0
    licences: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    sentences: dict[tuple[str, str, str], Sentence] = field(
        default_factory=dict[tuple[str, str, str], Sentence]
    )


@lru_cache(maxsize=4096)
def weight_of(count: int, datasets: int, others: int) -> float:
    """An edge's weight, in (0, 1]; more evidence of any kind never lowers it.

    (1 - 0.7 ** (log2(1 + count) + datasets - 1)) * (1 - 0.5 * 0.5 ** others): each doubling of the count
    and each further data set leaves 0.7 of the doubt that was there; and what nothing else stands for is
    more often a slip of an annotator or a translator than a concept.

    Args:
        count: how many texts say so.
        datasets: how many data sets they are from.
        others: how many other sources stand for the same target.

    >>> weight_of(1, 1, 0), weight_of(1, 1, 5), weight_of(3, 2, 5)
    (0.15, 0.2953, 0.6467)
    """
    sure = 1 - _DOUBT ** (math.log2(1 + count) + datasets - 1)
    return round(sure * (1 - _LONE * _FADE**others), _PLACES)


def assemble(evidence: list[Evidence], node: Mapping[str, str], least_count: int = 1) -> Assembled:
    """Join the evidence of each edge.

    Args:
        evidence: in any order; the list is empty in the end, so that there is room for the edges.
        node: the node that each form became.
        least_count: edges of fewer are left out.
    """
    made = Assembled()
    # One sort a field, the last one first: a key of all of them would take as much room as the evidence.
    evidence.sort(key=lambda piece: piece.culture, reverse=True)
    evidence.sort(key=lambda piece: node[piece.target], reverse=True)
    evidence.sort(key=lambda piece: node[piece.source], reverse=True)
    key = ("", "", "")
    pieces: list[Evidence] = []
    while evidence:
        piece = evidence.pop()
        source, target = node[piece.source], node[piece.target]
        if source == target:
            _reject(made, piece, source)
            continue
        if key != (source, target, piece.culture):
            _join(made, key, pieces, node, least_count)
            key, pieces = (source, target, piece.culture), []
        pieces.append(piece)
    _join(made, key, pieces, node, least_count)
    made.sentences.clear()
    _weigh(made)
    made.edges.sort(key=lambda edge: (edge.source, -edge.weight, edge.target, edge.culture or ""))
    return made


def _reject(made: Assembled, piece: Evidence, node: str) -> None:
    """Count what joins a concept to itself; a row is rejected for it, a ground of a row only passed over."""
    made.same += piece.times
    if not piece.said_of:
        made.rejected.append(Rejected(piece.file, piece.line, "same", node, piece.source, piece.target))


def _join(
    made: Assembled,
    key: tuple[str, str, str],
    pieces: Sequence[Evidence],
    node: Mapping[str, str],
    least_count: int,
) -> None:
    """Add the edge of some evidence, unless there is too little of it, or none."""
    if not pieces:
        return
    counts = _counts(pieces)
    total = sum(counts.values())
    made.repeats += sum(piece.times for piece in pieces) - total
    if total < least_count:
        made.rare += total
        made.rare_edges += 1
        return
    made.counted += total
    for (dataset, licence), count in counts.items():
        made.licences[licence, dataset] += count
    source, target, culture = key
    edge = Edge(
        source,
        target,
        _kind(pieces),
        culture or None,
        max(piece.weight for piece in pieces),
        _ground(pieces, node),
        tuple(_sentences(pieces, made.sentences)),
        sys.intern(", ".join(f"{dataset} ({licence})" for dataset, licence in sorted(counts))),
    )
    made.edges.append(edge)
    found = total, len({dataset for dataset, _ in counts})
    made.evidence.append(made.known.setdefault(found, found))


def _weigh(made: Assembled) -> None:
    """Give the edges, by source, target and culture, their weights; what a row states is the least."""
    sources: Counter[str] = Counter()
    before = ("", "")
    for edge in made.edges:
        if edge[:2] != before:
            before = edge[:2]
            sources[edge.target] += 1
    for at, (edge, (count, datasets)) in enumerate(zip(made.edges, made.evidence, strict=True)):
        weight = weight_of(count, datasets, sources[edge.target] - 1)
        made.edges[at] = edge._replace(weight=max(weight, edge.weight))


def _counts(pieces: Iterable[Evidence]) -> dict[tuple[str, str], int]:
    """How often each data set, under each licence, has an edge; the same text counts once."""
    texts: dict[tuple[str, str, str], int] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for piece in pieces:
        if piece.sentences:
            said = (piece.dataset, piece.licence, piece.sentences[0])
            counts[said[:2]] += max(piece.times - texts.get(said, 0), 0)
            texts[said] = max(piece.times, texts.get(said, 0))
        else:
            counts[piece.dataset, piece.licence] += piece.times
    return dict(counts)


def _kind(pieces: Iterable[Evidence]) -> str:
    """The kind of most evidence, the first of `KINDS` among equals; cultures decide for themselves."""
    counts: Counter[str] = Counter()
    for piece in pieces:
        counts[piece.kind] += piece.times
    return min(counts, key=lambda kind: (-counts[kind], KINDS.index(kind)))


def _ground(pieces: Iterable[Evidence], node: Mapping[str, str]) -> str:
    """The most frequent ground, then the shortest, then the first in the alphabet.

    An edge to a ground is explained by what the ground was told of, if nothing else explains it.
    """
    counts: Counter[str] = Counter()
    said_of: Counter[str] = Counter()
    for piece in pieces:
        if piece.ground:
            counts[piece.ground] += piece.times
        elif piece.said_of:
            said_of[f"said of {node[piece.said_of]}"] += piece.times
    found = counts or said_of
    return min(found, key=lambda ground: (-found[ground], len(ground), ground), default="")


def _sentences(pieces: Iterable[Evidence], known: dict[tuple[str, str, str], Sentence]) -> Iterator[Sentence]:
    """Each sentence once for each data set and licence, sorted; a translation follows its original."""
    found = {
        (text, piece.dataset, piece.licence, piece.translation)
        for piece in pieces
        for text in piece.sentences
    }
    told: set[tuple[str, str, str]] = set()
    for text, dataset, licence, translation in sorted(found):
        shown = "" if licence == UNKNOWN else licence
        for said, source in ((text, dataset), (translation, f"{dataset}, translated")):
            key = said, source, shown
            if said and key not in told:
                told.add(key)
                yield known.get(key) or known.setdefault(key, Sentence(*key))
