"""Folds near-duplicates among ranked concepts, so that ten references say ten things.

Two concepts are one when their names have the same words in any form and order ("passing of time", "time
passing"), when a synonym edge of at least `_CLOSE` joins them, unless one name denies the other ("loyalty",
"disloyalty"), or when nearly all that is joined to the one is joined to the other. The better ranked keeps
its place and the other's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tools.knowledge.linking.names import lemma, normal
from tools.knowledge.retrieving.network import weight_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.knowledge.graph import MetaphorGraph
    from tools.knowledge.retrieving.network import Network

__all__ = ["fold"]

#: Cosine of a synonym edge from which two concepts count as one.
_CLOSE = 0.9
#: Words that don't tell two names apart, and those that turn a name around.
_FILLERS = frozenset({"a", "an", "the", "of", "in", "to", "and", "for", "with", "on", "at", "by", "from"})
_DENYING = frozenset({"no", "not", "without", "lack", "loss", "lose", "end", "absence", "against", "anti"})
_PREFIXES, _SUFFIX = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "anti"), "less"
#: Share of all neighbours of the two that both have, and the fewest neighbours for it to mean something.
_OVERLAP, _FEWEST = 0.8, 4


def fold(graph: MetaphorGraph, network: Network, ranked: Iterable[int], limit: int) -> dict[int, list[int]]:
    """The first `limit` distinct concepts, each with those that fold into it.

    Args:
        graph: the graph.
        network: its network, for synonym edges.
        ranked: nodes, the best first; read no further than needed to fill the limit, so that a
            near-duplicate that ranks below the last one kept isn't named.
        limit: concepts at most.
    """
    kept: dict[int, list[int]] = {}
    for node in ranked:
        same = next((other for other in kept if _same(graph, network, other, node)), None)
        if same is not None:
            kept[same].append(node)
        elif len(kept) == limit:
            break
        else:
            kept[node] = []
    return kept


def _same(graph: MetaphorGraph, network: Network, one: int, two: int) -> bool:
    return (
        _same_name(graph.node_name(one), graph.node_name(two))
        or (_are_synonyms(network, one, two) and not _denies(graph.node_name(one), graph.node_name(two)))
        or _overlap(network, one, two)
    )


def _same_name(one: str, two: str) -> bool:
    mine, theirs = _words(one), _words(two)
    return mine == theirs and bool(mine)


def _words(name: str) -> frozenset[str]:
    return frozenset(lemma(normal(name)).split()) - _FILLERS


def _denies(one: str, two: str) -> bool:
    """Whether one of two names says the contrary of the other, as far as their spelling tells."""
    mine, theirs = _words(one), _words(two)
    if (mine ^ theirs) & _DENYING:
        return True
    pairs = [(a, b) for a in mine - theirs for b in theirs - mine]
    return any(_turns(a, b) or _turns(b, a) for a, b in pairs)


def _turns(word: str, other: str) -> bool:
    """Whether a word is another with a prefix or an ending that turns it around."""
    # Endings change with the prefix taken off (hope, hopelessness), so stems are compared.
    stem = other[: max(len(other) - 3, 3)]
    return any(word.startswith(prefix + stem) for prefix in _PREFIXES) or (
        word.startswith(stem) and _SUFFIX in word[len(stem) :] and _SUFFIX not in other
    )


def _are_synonyms(network: Network, one: int, two: int) -> bool:
    at = np.flatnonzero(network.synonyms.row(one) == two)
    if not len(at):
        return False
    return bool(network.synonyms.weights[network.synonyms.indptr[one] + at[0]] >= weight_of(_CLOSE))


def _overlap(network: Network, one: int, two: int) -> bool:
    mine, theirs = network.around.row(one), network.around.row(two)
    if min(len(mine), len(theirs)) < _FEWEST:
        return False
    shared = len(np.intersect1d(mine, theirs))
    return shared >= _OVERLAP * (len(mine) + len(theirs) - shared)
