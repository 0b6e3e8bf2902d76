"""Keywords to nodes, in English and Chinese: the name, another name, its parts, its spelling, its meaning.

Each way of matching is weaker than the one before it, and its score says so. What scores below the
caller's floor is not linked at all: a wrong link brings in a whole neighbourhood of wrong concepts.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from tools.knowledge.edges import Link
from tools.knowledge.linking import chinese
from tools.knowledge.linking.chinese_phrases import chinese_parts
from tools.knowledge.linking.matching import Matcher
from tools.knowledge.linking.names import is_word, lemma, normal
from tools.knowledge.linking.phrases import english_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.linking.index import NameIndex

__all__ = ["FLOOR", "SURE", "Linker", "Nearest"]

#: Below this a keyword counts as unknown.
FLOOR = 0.5
#: From this score a link by meaning stands beside what the parts of a keyword give, where these score
#: less than the other.
SURE = 0.78
_SURE_PART = 0.83
_FUZZY = 0.8
#: Letters a word must have before one, or two, of its letters may be wrong.
_ONE_WRONG, _TWO_WRONG = 5, 8
_SHORTEST = 4
_NEAR_RATIO = 55.0
_NEAR_WORDS = 12
_MAX_WORDS, _MAX_LETTERS = 40, 400


class Nearest(Protocol):
    """What links by meaning what no name links; see `nearest.NearestNodes`."""

    def nearest(self, keywords: Sequence[str], limit: int) -> list[list[Link]]:
        """For each keyword the nodes nearest in meaning, none below a floor of its own."""
        ...


class Linker:
    """Links keywords to the nodes of one graph; safe to share between threads."""

    def __init__(self, index: NameIndex, nearest: Nearest | None = None) -> None:
        """Link by an index of names, and by meaning where one is given."""
        self._matcher = Matcher(index)
        self._index = index
        self._nearest = nearest

    def link(self, keyword: str, limit: int = 3, floor: float = FLOOR) -> list[Link]:
        """The nodes a keyword names, the best first.

        Args:
            keyword: what was seen, in words.
            limit: how many nodes at most.
            floor: the lowest score that still counts.

        Returns:
            At most `limit` links; none when nothing reaches the floor.
        """
        return self.link_all([keyword], limit, floor)[0]

    def link_all(self, keywords: Sequence[str], limit: int = 3, floor: float = FLOOR) -> list[list[Link]]:
        """For each keyword what `link` gives, with all that is linked by meaning embedded at once."""
        found = [self._by_names(keyword, limit, floor) for keyword in keywords]
        if self._nearest is None:
            return found
        unsure = [keyword for keyword, links in zip(keywords, found, strict=True) if _is_unsure(links)]
        near = dict(zip(unsure, self._nearest.nearest(unsure, limit), strict=True)) if unsure else {}
        return [
            _merged(links, near.get(keyword, ()), limit, floor)
            for keyword, links in zip(keywords, found, strict=True)
        ]

    def _by_names(self, keyword: str, limit: int, floor: float) -> list[Link]:
        # A paragraph in place of a keyword costs no more than its beginning.
        name = " ".join(normal(keyword).split()[:_MAX_WORDS])[:_MAX_LETTERS]
        if not name:
            return []
        found = self._matcher.whole(name) or self._parts(name)
        # Where two nodes differ in case only, the one that is spelled as asked comes first.
        found.sort(key=lambda link: link.node != keyword)
        return _merged(found, (), limit, floor)

    def near(self, name: str, n: int = 3) -> list[str]:
        """Up to `n` names of the graph that resemble one: sharing a word first, then spelled alike.

        A Chinese name resembles those that share half of its characters.
        """
        wanted = normal(name)
        if n <= 0 or not wanted:
            return []
        if chinese.has_han(wanted):
            return self._sharing_characters(wanted)[:n]
        from rapidfuzz import fuzz, process

        sharing = {node for word in lemma(wanted).split() for node in self._index.find("word", word)}
        spelled: set[str] = set()
        if len(sharing) < n:
            words = self._index.vocabulary()
            close = process.extract(
                wanted, words, scorer=fuzz.ratio, score_cutoff=_NEAR_RATIO, limit=_NEAR_WORDS
            )
            nodes = {node for word, _, _ in close for node in self._index.find("word", word)}
            spelled = {node for node in nodes if fuzz.ratio(wanted, normal(node)) >= _NEAR_RATIO}
        ranked = sorted(
            sharing | spelled, key=lambda node: (node not in sharing, -fuzz.ratio(wanted, normal(node)), node)
        )
        return ranked[:n]

    def _sharing_characters(self, wanted: str) -> list[str]:
        letters = dict.fromkeys(chinese.characters(wanted))
        having = {letter: self._index.find("word", letter) for letter in letters}
        shared = Counter(node for nodes in having.values() for node in nodes)
        # A rare character says more than a common one.
        rarity = {node: 0.0 for node, count in shared.items() if 2 * count >= len(letters)}
        for nodes in having.values():
            for node in nodes:
                if node in rarity:
                    rarity[node] += 1 / len(nodes)
        return sorted(rarity, key=lambda node: (-shared[node], -rarity[node], node))

    def _parts(self, name: str) -> list[Link]:
        if chinese.has_han(name):
            return chinese_parts(self._matcher, name)
        return self._corrected(name) or english_parts(self._matcher, name)

    def _corrected(self, name: str) -> list[Link]:
        """Links of a keyword whose misspelled words are put right; none when nothing is misspelled."""
        if len(name) < _SHORTEST:
            return []
        from rapidfuzz import fuzz

        right = " ".join(self._right(word) for word in name.split())
        if right == name:
            return []
        factor = _FUZZY * fuzz.ratio(name, right) / 100
        found = self._matcher.whole(right) or english_parts(self._matcher, right)
        return [Link(link.node, round(link.score * factor, 4), "fuzzy") for link in found]

    def _right(self, word: str) -> str:
        """The word of the graph that a word is a misspelling of; a real word is not a misspelling."""
        if len(word) < _ONE_WRONG or not word.isalpha() or is_word(word):
            return word
        if self._index.find("word", word):
            return word
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        wrong = 2 if len(word) >= _TWO_WRONG else 1
        known = self._by_letter.get(word[0], [])
        close = process.extract(word, known, scorer=OSA.distance, score_cutoff=wrong, limit=_NEAR_WORDS)
        match, _, _ = min(close, key=lambda hit: (hit[1], hit[0]), default=(word, 0, 0))
        return match

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        words: dict[str, list[str]] = {}
        for word in self._index.vocabulary():
            if len(word) >= _SHORTEST:
                words.setdefault(word[0], []).append(word)
        return words


def _is_unsure(links: list[Link]) -> bool:
    """Whether no name says surely what a keyword is, so that its meaning is looked at."""
    return not links or links[0].score < _SURE_PART


def _merged(links: list[Link], near: Iterable[Link], limit: int, floor: float) -> list[Link]:
    """Links from the floor up, the best first, each node once; those by meaning beside others if sure."""
    least = max(SURE, floor) if links else floor
    best: dict[str, Link] = {}
    for link in [*(link for link in near if link.score >= least), *links]:
        if link.score >= floor and link.score > best.get(link.node, Link("", 0.0, "")).score:
            best[link.node] = link
    # The sort is stable: among equals the head comes before its modifiers, as they were found.
    return sorted(best.values(), key=lambda link: -link.score)[: max(limit, 0)]
