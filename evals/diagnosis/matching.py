"""Whether a phrase of the gold occurs in what a model named, walked to or wrote: by words, else by meaning.

By words, a phrase occurs where one of its forms does, as whole words after both are reduced to dictionary
forms: itself (``exact``, or ``lemma`` where only its dictionary form occurs), another name of the node that
the graph's linker finds for it (``synonym``), or its head noun (``head``). A head noun that says nothing by
itself ("time", "life", "figure") does not count. By meaning, it occurs where a line comes as near as the
floor (cosine of an embedder's vectors).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from agents.quotations import head_of
from evals.diagnosis.gold_parts import GoldPart, gold_parts
from tools.knowledge.linking.chinese import has_han, simplified
from tools.knowledge.linking.names import lemma, normal

if TYPE_CHECKING:
    from tools.knowledge import MetaphorGraph
    from tools.knowledge.embedding.embedders import Embedder

__all__ = ["FLOOR", "How", "Match", "Matcher", "Text"]

How = Literal["exact", "lemma", "synonym", "head", "meaning"]

FLOOR = 0.6
"""Cosine from which a line is taken to say the same; a threshold of convenience, told with every result."""

_EMPTY = frozenset(
    """
    time life person people man woman thing way world feeling sense figure state part kind moment side act
    existence condition nature reality idea someone something out up down off away over what nothing
    """.split()  # noqa: SIM905 - a list of words reads better as text
)
_SURE = 0.84  # score of a link from which the node is what the phrase names
_LONGEST_LINE = 400


@dataclass(frozen=True, slots=True)
class Match:
    """That a phrase occurs.

    Attributes:
        how: in what way.
        where: the form that occurs, or the line that comes near.
    """

    how: How
    where: str


class Text:
    """Texts to look in, in plain and dictionary form; made once for many phrases."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.lines = [line.strip() for text in texts for line in _lines(text) if line.strip()]
        self._plain = f" {' '.join(normal_text(line) for line in self.lines)} "
        self._lemmas = f" {' '.join(lemma(normal_text(line)) for line in self.lines)} "
        self._han = "\n".join(simplified(line) for line in self.lines if has_han(line))

    def has(self, form: str, *, plain: bool = False) -> bool:
        """Whether a form occurs as whole words; a Chinese one as it stands."""
        if has_han(form):
            return simplified(form) in self._han
        return f" {form} " in (self._plain if plain else self._lemmas)


def normal_text(line: str) -> str:
    """A line without case, accents and punctuation."""
    return " ".join(normal(word) for word in line.replace("/", " ").split())


def _lines(text: str) -> list[str]:
    """Sentences, short enough to be compared by meaning."""
    found: list[str] = []
    for line in text.splitlines():
        for sentence in line.replace("。", ".").split(". "):
            found += [sentence[at : at + _LONGEST_LINE] for at in range(0, len(sentence), _LONGEST_LINE)]
    return found


class Matcher:
    """Finds phrases of the gold; remembers the forms of each.

    Args:
        graph: whose linker and other names tell synonyms.
        embedder: tells meaning; None for words alone.
        floor: cosine that counts.
    """

    def __init__(self, graph: MetaphorGraph, embedder: Embedder | None = None, floor: float = FLOOR) -> None:
        self.graph, self.floor = graph, floor
        self._embedder = embedder
        self._others = _other_names(graph)
        self.forms = lru_cache(maxsize=65_536)(self._forms)
        self._parts = lru_cache(maxsize=8192)(lambda gold: gold_parts(gold, graph))

    def parts(self, gold: Iterable[str]) -> tuple[GoldPart, ...]:
        """A gold interpretation, taken apart; of several runs on the same videos, once."""
        return self._parts(tuple(gold))

    def find(self, phrase: str, text: Text) -> Match | None:
        """How a phrase occurs in texts; None where it does not."""
        if text.has(normal(phrase), plain=True):
            return Match("exact", normal(phrase))
        for form, how in self.forms(phrase).items():
            if text.has(form):
                return Match(how, form)
        return self._by_meaning(phrase, text.lines)

    def same(self, one: str, other: str) -> bool:
        """Whether two phrases name the same by words."""
        mine, others = self.forms(one), self.forms(other)
        return bool(mine.keys() & others.keys())

    def _by_meaning(self, phrase: str, lines: Sequence[str]) -> Match | None:
        if self._embedder is None or not lines:
            return None
        vectors = self._embedder.embed([phrase, *lines])
        near = vectors[1:] @ vectors[0]
        best = int(near.argmax())
        return Match("meaning", lines[best]) if float(near[best]) >= self.floor else None

    def _forms(self, phrase: str) -> Mapping[str, How]:
        """What stands for a phrase, the nearest first."""
        name = normal(phrase)
        found: dict[str, How] = {lemma(name) or name: "lemma"}
        found |= {form: how for form, how in self._alike(phrase).items() if form not in found}
        if head := _head(name):
            alike = dict.fromkeys([head, *self._alike(head)], "head")
            found |= {form: "head" for form in alike if form not in found}
        return {form: how for form, how in found.items() if form}

    def _alike(self, phrase: str) -> dict[str, How]:
        """The names of the nodes that a phrase names, as a whole or by its head."""
        found: dict[str, How] = {}
        for link in self.graph.link(phrase):
            empty = lemma(normal(link.node)) in _EMPTY
            if link.score >= _SURE and not empty and link.how not in {"modifier", "word", "fuzzy"}:
                how: How = "head" if link.how in {"head", "suffix", "action"} else "synonym"
                for other in (link.node, *self._others.get(link.node, ())):
                    found.setdefault(other if has_han(other) else lemma(normal(other)), how)
        return found


def _head(name: str) -> str:
    """The head noun in dictionary form; empty where it says nothing by itself."""
    if has_han(name):
        return name.rpartition("的")[2]
    head = lemma(head_of(name))
    return "" if head in _EMPTY else head


def _other_names(graph: MetaphorGraph) -> dict[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    for other in graph.others:
        names[other.node].append(other.name)
    return dict(names)
