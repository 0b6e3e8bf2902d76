"""Near-synonyms: names that mean nearly the same and are used in the same way.

Both are asked for: the cosine of two names' embeddings, and a neighbour that both have in the pairs. A name
goes into a more frequent one that itself goes into none, so no chain of small steps joins what is far apart.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from tools.knowledge.building.merging import ranked
from tools.knowledge.building.opposites import apart, rests
from tools.knowledge.linking import chinese

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from tools.knowledge.embedding.embedders import Embedder

    Vectors = NDArray[np.float32]
    Progress = Callable[[int, int], None]

__all__ = ["NEAR", "NEAR_REST", "embedded", "near_synonyms", "neighbours_of"]

#: Cosine from which two names are near-synonyms (with all-MiniLM-L6-v2 "sea" and "ocean" are; "snow" and
#: "winter", "blue" and "color" begin below), and that of what is left of them without shared words:
#: "sports car" and "racing car" are as near as "sports" and "racing".
NEAR, NEAR_REST = 0.86, 0.70
#: Words of the longest names that are compared; longer ones are near to all that share most words.
_MOST_WORDS = 3
_BATCH, _BLOCK = 512, 512
#: Cosines are compared to this many places: below that, machines differ.
_PLACES = 3


def near_synonyms(  # noqa: PLR0913
    counts: Counter[str],
    neighbours: Mapping[str, AbstractSet[str]],
    embedder: Embedder,
    *,
    least: float = NEAR,
    apart_from_all: AbstractSet[str] = frozenset(),
    progress: Progress | None = None,
) -> dict[str, tuple[str, str]]:
    """For each name that goes into another, that one and why.

    Args:
        counts: how often each name was met.
        neighbours: for each name, what the pairs join it to.
        embedder: embeds the names.
        least: cosine from which names are near; those that are not set apart (`opposites.apart`) are merged.
        apart_from_all: names that nothing is merged into and that are merged into nothing.
        progress: told how many of how many names are embedded.
    """
    names = [
        name for name in ranked(counts, counts) if _can_tell(name, embedder) and name not in apart_from_all
    ]
    vectors = embedded(names, embedder, progress)
    candidates: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for first in range(0, len(names), _BLOCK):
        last = min(first + _BLOCK, len(names))
        cosines = np.round(vectors[first:last] @ vectors[:last].T, _PLACES)
        for row, column in np.argwhere(cosines >= least).tolist():
            if column < first + row:
                candidates[first + row].append((-float(cosines[row, column]), column))
    rest_cosines = _rest_cosines(names, candidates, embedder)
    found: dict[str, tuple[str, str]] = {}
    for at in sorted(candidates):
        name = names[at]
        for negative, earlier in sorted(candidates[at]):
            other = names[earlier]
            shared = neighbours.get(name, frozenset()) & neighbours.get(other, frozenset())
            if other in found or not shared or apart(name, other):
                continue
            if rest_cosines.get(rests(name, other), -1.0) >= NEAR_REST:
                found[name] = (other, f"near-synonym (cosine {-negative:.3f}, {len(shared)} shared)")
                break
    return found


def neighbours_of(edges: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """For each name, what it is joined to; a name that both sides of two pairs share tells they are alike.

    What stands before an arrow and what stands behind it are told apart by a mark.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for source, target in edges:
        found[source].add(f">{target}")
        found[target].add(f"<{source}")
    return found


def embedded(names: Sequence[str], embedder: Embedder, progress: Progress | None = None) -> Vectors:
    """Vectors of names, float32 of shape (names, dimensions), each of length 1."""
    if not names:
        return np.zeros((0, 1), np.float32)
    # Names of one length go together, since a batch costs as much as its longest.
    order = sorted(range(len(names)), key=lambda at: (len(names[at]), names[at]))
    vectors: Vectors | None = None
    for first in range(0, len(order), _BATCH):
        batch = order[first : first + _BATCH]
        made = embedder.embed([names[at] for at in batch])
        if vectors is None:
            vectors = np.zeros((len(names), made.shape[1]), np.float32)
        vectors[batch] = made
        if progress is not None:
            progress(first + len(batch), len(order))
    return np.zeros((0, 1), np.float32) if vectors is None else vectors


def _rest_cosines(
    names: Sequence[str], candidates: Mapping[int, list[tuple[float, int]]], embedder: Embedder
) -> dict[tuple[str, str], float]:
    """The cosine of what is left of each two candidates; none where nothing is left of one."""
    pairs = {rests(names[at], names[other]) for at, near in candidates.items() for _, other in near}
    wanted = sorted(pair for pair in pairs if all(pair))
    texts = sorted({text for pair in wanted for text in pair})
    number = {text: at for at, text in enumerate(texts)}
    vectors = embedded(texts, embedder)
    return {
        (one, other): round(float(vectors[number[one]] @ vectors[number[other]]), _PLACES)
        for one, other in wanted
    }


def _can_tell(name: str, embedder: Embedder) -> bool:
    """Whether a name is short enough, and in the embedder's language."""
    if chinese.has_han(name):
        return not getattr(embedder, "english_only", False)
    return len(name.split()) <= _MOST_WORDS
