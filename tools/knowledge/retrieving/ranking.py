"""Ways of ranking a graph's nodes by what the keywords say together: `MODES`.

`published` counts traversals of edges around the keywords, as MetaphorBoost did; there hubs win, whatever
the keywords are. `pagerank` and `shared` walk instead: from each keyword, a walk stops at each step with
probability 1/2, and the share of walks that stop at a concept is the keyword's evidence for it.

`shared` weighs that share against chance. If concept c is what the video means, a keyword k is either one of
those that show c or noise; the likelihood of k under the mixture, over its likelihood as noise alone, is

    (1 - e) + e p(k | c) / p(k)  =  (1 - e) + e p(c | k) / p(c)

since walks over edges without direction are reversible. The score sums the logarithm over the keywords:
one strong association can't outvote a concept that several keywords share, and a hub, where walks end
anyway, gains little from any of them. `p(c)` is smoothed, so that nodes with one thin edge don't win by
rarity. An association with a keyword itself adds 1: somebody found it worth saying, however many others the
keyword has.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge.engine.counting import expand
from tools.knowledge.engine.pagerank import personalised_pagerank
from tools.knowledge.retrieving.network import Network, network_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tools.knowledge.engine.arrays import Csr
    from tools.knowledge.graph import MetaphorGraph

    Seeds = Sequence[Mapping[int, float]]

__all__ = ["DEFAULT_MODE", "MODES", "Mode", "evidence_of", "mode_of", "score_nodes", "totals"]

_ALPHA, _STEPS = 0.5, 6
#: A node with less of a walk than this times its degree passes nothing on.
_TOLERANCE = 1e-6
#: `pagerank`: log1p of this many walks, divided by (popularity + smoothing) to a power.
_WALKS, _PAGERANK_SMOOTHING, _PAGERANK_POWER = 2000, 5.0, 0.3
#: `shared`: e / (1 - e), what is added to the popularity, and what an association by itself counts.
_ODDS, _SMOOTHING, _DIRECT = 0.5, 1.0, 1.0
#: Places that scores are told to.
_PLACES = 9


class Weigh(Protocol):
    """Turns the shares of walks into evidence."""

    def __call__(self, ranks: NDArray[np.float64], network: Network, seeds: Seeds) -> NDArray[np.float64]:
        """Evidence, keywords x nodes, from shares of the same shape."""
        ...


class Mode(NamedTuple):
    """A way of ranking.

    Attributes:
        name: what `retrieve` is told.
        says: what it does, in a line.
        weigh: evidence from walks; None for a mode that counts traversals.
        hops: the steps of a search that counts; None for those asked for.
    """

    name: str
    says: str
    weigh: Weigh | None = None
    hops: int | None = None

    @property
    def counts(self) -> bool:
        """Whether it counts traversals of edges, as published."""
        return self.weigh is None


def _pagerank(ranks: NDArray[np.float64], network: Network, seeds: Seeds) -> NDArray[np.float64]:  # noqa: ARG001
    discount = (network.popularity + _PAGERANK_SMOOTHING) ** _PAGERANK_POWER
    return np.log1p(_WALKS * ranks) / discount


def _shared(ranks: NDArray[np.float64], network: Network, seeds: Seeds) -> NDArray[np.float64]:
    chance = (network.popularity + _SMOOTHING) / max(len(network.popularity), 1)
    evidence = np.log1p(_ODDS * ranks / chance)
    for row, seed in zip(evidence, seeds, strict=True):
        for node, trust in seed.items():
            row[network.around.row(node)] += _DIRECT * trust
    return evidence


MODES: dict[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("published", "counts traversals of edges within h hops, exactly as published"),
        Mode("published_h1", "counts direct associations, as published with h = 1", hops=1),
        Mode("pagerank", "walks from each keyword, discounted by popularity", weigh=_pagerank),
        Mode("shared", "walks from each keyword, weighed against chance", weigh=_shared),
    )
}
DEFAULT_MODE = "shared"


def mode_of(name: str) -> Mode:
    """A mode by name.

    Raises:
        KnowledgeError: if there is none, naming those there are.
    """
    if name not in MODES:
        near = get_close_matches(name, MODES, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        msg = f"no retrieval mode {name!r}; known: {', '.join(MODES)}.{hint}"
        raise KnowledgeError(msg)
    return MODES[name]


def score_nodes(
    graph: MetaphorGraph, mode: Mode, seeds: Seeds, *, hops: int = 2, network: Network | None = None
) -> NDArray[np.float64]:
    """How well each node of a graph answers the keywords.

    Args:
        graph: any graph.
        mode: of `MODES`.
        seeds: for each keyword, the nodes it was linked to with their trust; the first is the best.
        hops: the steps of a search; a mode that walks does not need it.
        network: what to walk over; the graph's own by default.

    Returns:
        float64, one a node, 0 for no evidence. Counts keep the keywords' own nodes, as published; modes
        that walk give 0 to them, and to what no edge arrives at, since nothing stands for it. Rounded, so
        that machines agree on what is a tie.
    """
    if mode.counts:
        return _traversals(graph.arrays.around, [next(iter(seed)) for seed in seeds], mode.hops or hops)
    return totals(graph, evidence_of(mode, network or network_of(graph), seeds))


def totals(graph: MetaphorGraph, evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of evidence (keywords x nodes); see `score_nodes`."""
    return np.where(graph.arrays.popularities > 0, np.round(evidence.sum(axis=0), _PLACES), 0.0)


def evidence_of(mode: Mode, network: Network, seeds: Seeds) -> NDArray[np.float64]:
    """What each keyword says for each node (keywords x nodes), 0 at the keywords' own nodes."""
    nodes = network.steps.nodes
    rows = np.zeros((len(seeds), nodes))
    for row, seed in zip(rows, seeds, strict=True):
        trust = np.array(list(seed.values()))
        # Parts of a phrase share its walks; how far the phrase is trusted, its best part says.
        row[list(seed)] = trust / trust.sum() * trust.max()
    ranks = personalised_pagerank(network.steps, rows, alpha=_ALPHA, iterations=_STEPS, tolerance=_TOLERANCE)
    if mode.weigh is None:
        msg = f"{mode.name} counts traversals and weighs no evidence"
        raise ValueError(msg)
    evidence = mode.weigh(ranks, network, seeds)
    evidence[:, sorted({node for seed in seeds for node in seed})] = 0.0
    return evidence


def _traversals(around: Csr, starts: Sequence[int], hops: int) -> NDArray[np.float64]:
    """How often each node is arrived at, all searches together."""
    if not starts:
        return np.zeros(around.nodes)
    places = {start: place for place, start in enumerate(dict.fromkeys(starts))}
    times = np.bincount([places[start] for start in starts])
    found = expand(around, list(places), hops)
    often = np.bincount(found.nodes, times[found.owners], minlength=around.nodes)
    expanded = np.flatnonzero(often)
    arrived = around.indices[around.positions(expanded)]
    return np.bincount(
        arrived, np.repeat(often[expanded], around.degrees(expanded)), minlength=around.nodes
    ).astype(np.float64)
