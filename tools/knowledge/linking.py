"""Keywords to nodes, with no server and no embedding: normal form, lemma, head noun, spelling.

Each way of matching is weaker than the one before it, and its score says so. What scores below the
caller's floor is not linked at all: a wrong link brings in a whole neighbourhood of wrong concepts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tools.knowledge.edges import Link
from tools.knowledge.names import action, compact, gist, is_word, lemma, normal, phrase_parts
from tools.knowledge.spelling import american

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["FLOOR", "Linker"]

#: Below this a keyword counts as unknown.
FLOOR = 0.5
_EXACT, _VARIANT, _LEMMA, _GIST = 1.0, 0.98, 0.95, 0.9
_ACTION, _HEAD, _SUFFIX, _MODIFIER, _FUZZY = 0.88, 0.85, 0.8, 0.6, 0.8
#: Similarity (0 to 100) from which a misspelling is read as the name it resembles.
_FUZZY_RATIO = 88.0
_NEAR_RATIO = 55.0
_MAX_WORDS = 40


class Linker:
    """Links keywords to the nodes of one graph; its indexes are built at first need."""

    def __init__(self, nodes: Iterable[str]) -> None:
        self._nodes = tuple(nodes)

    def link(self, keyword: str, limit: int = 3, floor: float = FLOOR) -> list[Link]:
        """The nodes a keyword names, the best first.

        Args:
            keyword: what was seen, in words.
            limit: how many nodes at most.
            floor: the lowest score that still counts.

        Returns:
            At most `limit` links; none when nothing reaches the floor.
        """
        # A paragraph in place of a keyword costs no more than its beginning.
        name = " ".join(normal(keyword).split()[:_MAX_WORDS])
        if not name:
            return []
        found = self._whole(name) or self._parts(name) or self._misspelled(name)
        # Where two nodes differ in case only, the one that is spelled as asked comes first.
        found.sort(key=lambda link: link.node != keyword)
        best: dict[str, Link] = {}
        for link in found:
            if link.score >= floor and link.score > best.get(link.node, Link("", 0.0, "")).score:
                best[link.node] = link
        # The sort is stable: among equals the head comes before its modifiers, as they were found.
        return sorted(best.values(), key=lambda link: -link.score)[: max(limit, 0)]

    def near(self, name: str, n: int = 3) -> list[str]:
        """Up to `n` names of the graph that resemble one: sharing a word first, then spelled alike."""
        from rapidfuzz import fuzz, process

        wanted = normal(name)
        sharing = {node for word in lemma(wanted).split() for node in self._by_word.get(word, ())}
        spelled = process.extract(
            wanted, list(self._by_normal), scorer=fuzz.ratio, score_cutoff=_NEAR_RATIO, limit=max(n, 0)
        )
        nodes = sharing | {self._by_normal[match][0] for match, _, _ in spelled}
        ranked = sorted(nodes, key=lambda node: (node not in sharing, -fuzz.ratio(wanted, node), node))
        return ranked[: max(n, 0)]

    def _whole(self, name: str) -> list[Link]:
        """Links of the phrase as a whole."""
        tries: tuple[tuple[str, float, Callable[[], list[str]]], ...] = (
            ("exact", _EXACT, lambda: self._by_normal.get(name, [])),
            ("variant", _VARIANT, lambda: self._by_normal.get(american(name), [])),
            ("variant", _VARIANT, lambda: self._by_compact.get(compact(name), [])),
            ("lemma", _LEMMA, lambda: self._by_normal.get(lemma(name), [])),
            ("lemma", _LEMMA, lambda: self._by_lemma.get(lemma(name), [])),
            ("gist", _GIST, lambda: self._by_gist.get(gist(name), []) if " " in name else []),
        )
        for how, score, look in tries:
            if nodes := look():
                return [Link(node, score, how) for node in _closest_first(nodes, name)]
        return []

    def _parts(self, name: str) -> list[Link]:
        """Links of what is done and of the head noun, and weaker ones of what modifies it."""
        found = [_weaker(link, _ACTION, "action") for link in self._first(action(name))]
        head, *others = phrase_parts(name) or [""]
        whole = self._whole(head)[:1] if others else []
        found += [_weaker(link, _HEAD, "head") for link in whole] or self._ending(head)
        for phrase in others:
            found += [_modifier(link) for link in (self._whole(phrase) or self._ending(phrase))[:1]]
        return found

    def _ending(self, phrase: str) -> list[Link]:
        """Links of the longest run of last words that is a node, then of the words before it."""
        words = phrase.split()
        if len(words) == 1:
            return [_weaker(link, _SUFFIX, "suffix") for link in self._whole(phrase)[:1]]
        found: list[Link] = []
        before = words
        for start in range(1, len(words)):
            if hits := self._whole(" ".join(words[start:])):
                found, before = [_weaker(hits[0], _SUFFIX, "suffix")], words[:start]
                break
        # A word that describes has to be a node as it stands: "open" is not "opening".
        hits = [link for word in before for link in self._whole(word)[:1]]
        return found + [_modifier(link) for link in hits if link.score >= _VARIANT]

    def _first(self, phrases: Iterable[str]) -> list[Link]:
        """The best link of the first phrase that has one."""
        return next((hits[:1] for phrase in phrases if (hits := self._whole(phrase))), [])

    def _misspelled(self, name: str) -> list[Link]:
        """The node that a keyword with an unknown word resembles; a real word is not a misspelling."""
        if len(name) < 4 or all(is_word(word) for word in name.split()):  # noqa: PLR2004
            return []
        from rapidfuzz import fuzz, process

        close = process.extract(
            name, list(self._by_normal), scorer=fuzz.ratio, score_cutoff=_FUZZY_RATIO, limit=3
        )
        if not close:
            return []
        match, ratio, _ = min(close, key=lambda hit: (-hit[1], hit[0]))
        return [Link(self._by_normal[match][0], round(_FUZZY * ratio / 100, 4), "fuzzy")]

    @cached_property
    def _by_normal(self) -> dict[str, list[str]]:
        return self._index(normal)

    @cached_property
    def _by_compact(self) -> dict[str, list[str]]:
        return self._index(lambda node: compact(normal(node)))

    @cached_property
    def _by_lemma(self) -> dict[str, list[str]]:
        return self._index(lambda node: lemma(normal(node)))

    @cached_property
    def _by_gist(self) -> dict[str, list[str]]:
        return self._index(lambda node: gist(normal(node)))

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for phrase, nodes in self._by_lemma.items():
            for word in phrase.split():
                index.setdefault(word, []).extend(nodes)
        return index

    def _index(self, key: Callable[[str], str]) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for node in self._nodes:
            index.setdefault(key(node), []).append(node)
        return index


def _closest_first(nodes: list[str], name: str) -> list[str]:
    """Nodes that share a key, by how they are spelled; as they came when that is alike."""
    if len(nodes) == 1:
        return nodes
    from rapidfuzz import fuzz

    return sorted(nodes, key=lambda node: -fuzz.ratio(name, normal(node)))


def _weaker(link: Link, factor: float, how: str) -> Link:
    return Link(link.node, round(link.score * factor, 4), how)


def _modifier(link: Link) -> Link:
    return Link(link.node, _MODIFIER, "modifier")
