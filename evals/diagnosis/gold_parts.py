"""What a gold interpretation asks for: visual elements and the concepts they express, taken from its text.

Where an entry has the benchmark's fixed form ("The video presents X, implicitly expressing Y", or the same
in Chinese), elements are the noun phrases of X and concepts those that Y lists. An entry of another form is
taken as a whole: of its noun phrases those that the graph knows; concepts are what the graph mostly leads to.

Its limits: no grammar is parsed. A noun phrase ends at a preposition, a relative word or a participle, so
that a verb in the present may hang on to it, or stand for one ("lives"); persons and what only holds
something ("two people", "a crowd of") are left out beside other elements; an abstract clause ("waiting for
someone") is one concept; and a phrase that the graph does not know is kept as it is written.
"""

# ruff: noqa: RUF001  (full-width marks are meant)

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agents.schemas import Entry
from tools.knowledge.linking.chinese import has_han
from tools.knowledge.linking.names import is_container, is_somebody, normal, phrase_parts

if TYPE_CHECKING:
    from tools.knowledge import MetaphorGraph

__all__ = ["GoldPart", "gold_parts"]

_RELATIVE = re.compile(r"\b(?:that|which|who|whose|whom|where|when|while|until|as|before|after|so|because)\b")
_LISTED = re.compile(r"\s*(?:[,;:]|\band\b|\bor\b)\s*")
_ARTICLES = "(?:a|an|the|his|her|its|their|some|two|three|several|many|one)"
_CHINESE = re.compile(
    r"^[^，,。]{0,6}?(?:视频|画面|影片|短片)[^，,。]{0,4}?(?:呈现|展示|展现|描绘|表现)[了出着]?(?P<seen>.+?)"
    r"[，,;；]?\s*(?:并|从而|以此|由此)?(?:隐含|含蓄|隐晦|暗中|间接|隐性)?[地的]?(?:表达|暗示|传达|寓意|象征|隐喻)"
    r"[了着出]?(?P<meant>.+?)[。.]?$"
)
_CHINESE_LIST = re.compile("[，、；,;]|以及|和|与|及")
_MOST_ELEMENTS, _MOST_CONCEPTS = 6, 5
_LONGEST = 3  # words of an element that no graph knows
_TAIL = re.compile(
    r"out|up|down|off|away|over|it|them|slowly|\w{3,}ed|taken|left|cut|drunk|thrown|give|gives|goes|stands|"
    r"falls|turns|sits|lies|runs|comes|burns|breaks|moves|hangs|bows|dances|stand|fall|turn|sit|lie|run|come|"
    r"burn|move|hang|bow|dance|go|alone"
)
"""What may hang on to a noun phrase where no grammar is parsed."""
_NO_CONCEPT = frozenset({"each", "one", "all", "both", "none", "how", "then", "not"})
_KNOWN = frozenset({"exact", "variant", "lemma", "gist", "synonym", "translation"})


@dataclass(frozen=True, slots=True)
class GoldPart:
    """One entry of a gold interpretation, taken apart.

    Attributes:
        entry: as it is written.
        elements: what is seen, the main one first.
        concepts: what it expresses.
        by: whether the entry's form told them, or the graph.
    """

    entry: str
    elements: tuple[str, ...]
    concepts: tuple[str, ...]
    by: Literal["form", "graph"] = "form"


def gold_parts(gold: Iterable[str], graph: MetaphorGraph) -> tuple[GoldPart, ...]:
    """Take the entries of a gold interpretation apart; the same text always gives the same parts.

    Args:
        gold: the entries.
        graph: tells which phrases name something.
    """
    return tuple(_part(entry, graph) for entry in gold if entry.strip())


def _part(entry: str, graph: MetaphorGraph) -> GoldPart:
    if halves := _halves(entry):
        seen, meant = halves
        return GoldPart(entry, _elements(seen, graph), _concepts(meant))
    phrases = [phrase for phrase in _phrases(entry) if _known(phrase, graph)]
    concepts = [phrase for phrase in phrases if _is_concept(phrase, graph)]
    elements = [phrase for phrase in phrases if phrase not in concepts]
    return GoldPart(entry, tuple(elements[:_MOST_ELEMENTS]), tuple(concepts[:_MOST_CONCEPTS]), by="graph")


def _halves(entry: str) -> tuple[str, str] | None:
    if has_han(entry):
        found = _CHINESE.match(entry.strip())
        return (found["seen"], found["meant"]) if found else None
    try:
        parsed = Entry.parse(entry)
    except ValueError:
        return None
    return parsed.presents, parsed.expresses


def _phrases(text: str) -> list[str]:
    """The noun phrases of a text, in its order."""
    if has_han(text):
        parts = _CHINESE_LIST.split(text)
        return _once(part.split("的")[-1].strip("。.！!？? ") for part in parts)
    clauses = [part for clause in _RELATIVE.split(text) for part in _LISTED.split(clause)]
    return _once(phrase for clause in clauses for phrase in phrase_parts(normal(clause)))


def _elements(seen: str, graph: MetaphorGraph) -> tuple[str, ...]:
    """Noun phrases of what is seen: the first, and all that have an article or that the graph knows."""
    if has_han(seen):
        return tuple(_phrases(seen)[:_MOST_ELEMENTS])
    found: list[str] = []
    for clause in (part for each in _RELATIVE.split(seen) for part in _LISTED.split(each)):
        for phrase in phrase_parts(normal(clause)):
            led = re.search(rf"\b{_ARTICLES} {re.escape(phrase)}\b", clause, re.IGNORECASE)
            if not found or led or _known(phrase, graph):
                found.append(_short(phrase, graph))
    whole = [phrase for phrase in _once(found) if not is_container(phrase)]
    things = [phrase for phrase in whole if not is_somebody(phrase)]
    return tuple((things or whole or found)[:_MOST_ELEMENTS])


def _short(phrase: str, graph: MetaphorGraph) -> str:
    """A phrase without a verb behind it; a long one as its longest part that the graph knows."""
    words = phrase.split()
    while len(words) > 1 and _TAIL.fullmatch(words[-1]):
        words.pop()
    phrase = " ".join(words)
    if len(words) <= _LONGEST:
        return phrase
    sizes = range(_LONGEST, 0, -1)
    parts = (" ".join(words[at : at + size]) for size in sizes for at in range(len(words) - size + 1))
    return next((part for part in parts if _known(part, graph)), " ".join(words[:_LONGEST]))


def _concepts(meant: str) -> tuple[str, ...]:
    """What a meaning lists; each up to where a clause says more of it."""
    if has_han(meant):
        return tuple(_once(part.strip("。. ") for part in _CHINESE_LIST.split(meant))[:_MOST_CONCEPTS])
    found: list[str] = []
    for part in _LISTED.split(meant):
        core = normal(_RELATIVE.split(part)[0])
        if core and core.split()[0] not in _NO_CONCEPT:
            found.append(core)
    return tuple(_once(found)[:_MOST_CONCEPTS])


def _once(phrases: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(phrase for phrase in phrases if phrase.strip()))


def _known(phrase: str, graph: MetaphorGraph) -> bool:
    return any(link.how in _KNOWN for link in graph.link(phrase, limit=1))


def _is_concept(phrase: str, graph: MetaphorGraph) -> bool:
    """Whether the graph leads to what a phrase names more than from it."""
    nodes: Sequence[str] = [link.node for link in graph.link(phrase, limit=1)]
    return any(len(graph.edges_into(node)) > len(graph.edges_from(node)) for node in nodes)
