"""A graph of the published one's size, with power-law degrees, made on the spot; a seed decides all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["EDGES", "NODES", "QUERIES", "queries", "synthetic_edges", "word", "write_published"]

#: The size of the published graph.
NODES, EDGES = 54_687, 200_268
QUERIES, KEYWORDS = 20, 30
_EXPONENT = 0.75
_SENTENCE = (
    "The old lighthouse of her patience kept turning its slow beam over the sea of his anger, number {}."
)


def word(node: int) -> str:
    """A node's name."""
    return f"concept {node}"


def synthetic_edges(nodes: int = NODES, edges: int = EDGES, seed: int = 1) -> NDArray[np.int64]:
    """Undirected edges, edges x 2, each once and none a loop; every node has one.

    A node's chance to be an end falls with its rank to the power 3/4, so that degrees follow a power law.

    Raises:
        ValueError: if there are too few edges for every node to have one, or too many to be distinct.
    """
    if not nodes - 1 <= edges <= nodes * (nodes - 1) // 4:
        msg = f"{edges} edges don't fit {nodes} nodes: {nodes - 1} to {nodes * (nodes - 1) // 4} do"
        raise ValueError(msg)
    random = np.random.default_rng(seed)
    chances = np.cumsum(np.arange(1, nodes + 1) ** -_EXPONENT)

    def drawn(count: int) -> NDArray[np.int64]:
        return np.searchsorted(chances, random.random(count) * chances[-1]).astype(np.int64)

    ends = np.column_stack((np.arange(1, nodes), drawn(nodes - 1) % np.arange(1, nodes)))
    keys = np.array([], np.int64)
    while len(keys) < edges:
        low, high = ends.min(axis=1), ends.max(axis=1)
        keys = np.concatenate((keys, (low * nodes + high)[low != high]))
        keys = keys[np.sort(np.unique(keys, return_index=True)[1])]
        ends = np.column_stack((drawn(edges), drawn(edges)))
    named = random.permutation(nodes)
    return named[np.column_stack((keys[:edges] // nodes, keys[:edges] % nodes))]


def write_published(edges: NDArray[np.int64], nodes: int, path: Path) -> None:
    """The graph in the published format, a sentence an edge."""
    adjacency: list[dict[str, dict[str, list[str]]]] = [{} for _ in range(nodes)]
    for number, (one, other) in enumerate(edges.tolist()):
        sentences = [_SENTENCE.format(number)]
        adjacency[one][word(other)] = {"sentences": sentences}
        adjacency[other][word(one)] = {"sentences": sentences}
    told = {str(node): {"word": word(node), "adjacency": near} for node, near in enumerate(adjacency)}
    path.write_text(json.dumps(told), encoding="utf-8")


def queries(nodes: int, count: int = QUERIES, keywords: int = KEYWORDS) -> list[list[str]]:
    """The keywords of some queries, distinct in each."""
    random = np.random.default_rng(2)
    most = min(keywords, nodes)
    return [list(map(word, random.choice(nodes, most, replace=False).tolist())) for _ in range(count)]
