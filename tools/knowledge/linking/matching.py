"""Whole names to nodes: by the name itself, its spelling, another name, its dictionary form, its gist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.knowledge.edges import Link
from tools.knowledge.linking import chinese
from tools.knowledge.linking.index import WAYS, forms
from tools.knowledge.linking.names import normal

if TYPE_CHECKING:
    from tools.knowledge.linking.index import NameIndex

__all__ = ["Matcher"]

#: What a match is worth, by its place in `WAYS`: of a node's own name, and of another name of it.
_OWN = (1.0, 0.98, 0.95, 0.9, 0.86)
_OTHER = (0.97, 0.96, 0.92, 0.87, 0.84)


class Matcher:
    """Looks whole names up in an index."""

    def __init__(self, index: NameIndex) -> None:
        """Keep the index."""
        self.index = index

    def whole(self, name: str) -> list[Link]:
        """The nodes that a normal form names as a whole, all found in the nearest way there is."""
        best: dict[str, tuple[float, str]] = {}
        seen: set[str] = set()
        for asked, key in enumerate(forms(name)):
            if not key or key in seen:
                continue
            seen.add(key)
            for way, other, node in self.index.found(key):
                # Not nearer than the weaker of both: "candle" is not the node "candles", letter by letter.
                rank = max(asked, way)
                worth = (_OTHER if other else _OWN)[rank], _how(name, rank, other=other)
                best[node] = max(worth, best.get(node, (0.0, "")))
        most = max((score for score, _ in best.values()), default=0.0)
        nodes = [node for node, (score, _) in best.items() if score == most]
        return [Link(node, most, best[node][1]) for node in _closest_first(nodes, name)]

    def first(self, name: str) -> Link | None:
        """The best node that a normal form names as a whole."""
        return next(iter(self.whole(name)), None)


def _how(name: str, rank: int, *, other: bool) -> str:
    if other:
        return "translation" if chinese.has_han(name) else "synonym"
    return "gist" if WAYS[rank] == "order" else WAYS[rank]


def _closest_first(nodes: list[str], name: str) -> list[str]:
    """Nodes that share a key, by how they are spelled; as they came when that is alike."""
    if len(nodes) == 1:
        return nodes
    from rapidfuzz import fuzz

    return sorted(nodes, key=lambda node: -fuzz.ratio(name, normal(node)))
