"""Writes entries: from associations, edge by edge, where the prompt has some; else freely, and weakly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from agents.embedded.embedder import embedder
from agents.embedded.evidence import Edge, anchored, weighed
from agents.embedded.grammar import literal
from agents.embedded.phrases import because, the_concept, with_article
from agents.embedded.reader import Question
from agents.embedded.scene import see
from agents.embedded.wording import FORM
from agents.embedded.writer import Turn, Writer
from agents.schemas import Entry

__all__ = ["Manner", "entries", "keywords_of", "summary"]

_LONGEST = 79  # characters of a meaning that is written freely
_NO_END = frozenset(  # words that no meaning ends in
    {
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "by",
        "for",
        "from",
        "with",
        "and",
        "or",
        "but",
        "as",
        "is",
        "are",
        "was",
        "be",
        "that",
        "which",
        "who",
        "whose",
        "his",
        "her",
        "their",
        "its",
    }
)
_MOST, _FREE = 3, 2  # entries with and without associations
_SHORTLIST = 6
_A_KEYWORD = 2  # edges of one keyword on the shortlist
_ALIKE = 0.75  # cosine from which two concepts say the same
_BEHIND = 0.16  # how far an entry's weight may lie behind the best one's
_SUPPORT = 0.4  # cosine from which another keyword's concept supports this one
_EARLIER = 0.3  # what the first keyword has over the last in supporting another
_EXAMPLES = (
    Entry(
        presents="a withered rose with an empty house", expresses="grief over someone who will not come back"
    ),
    Entry(presents="a child with a ladder", expresses="the hope of growing beyond where one was born"),
    Entry(presents="a suit with a chain", expresses="how a career can hold a person captive"),
)


class Manner(NamedTuple):
    """How the writer shall write: temperature 0 is the likeliest each time, above it `seed` counts."""

    temperature: float = 0.0
    seed: int = 0


def keywords_of(question: Question) -> list[str]:
    """What is seen: as the prompt lists it, else by looking at the pictures."""
    return question.keywords or see(question.pictures).keywords


def entries(question: Question, writer: Writer, manner: Manner, most: int = _MOST) -> list[dict[str, str]]:
    """Answer the question for entries; at least one.

    Args:
        question: with associations and keywords, or with pictures alone.
        writer: chooses and writes.
        manner: how.
        most: entries at most.
    """
    edges = weighed(anchored(question.links, question.keywords), question)
    if edges:
        found = _from_edges(edges, question, writer, manner, most)
    else:
        seen = keywords_of(question)
        shown = [keyword for keyword in seen if keyword not in FORM] or seen
        found = _freely(shown, question, writer, manner, min(most, _FREE))
    return [{"presents": entry.presents, "expresses": entry.expresses} for entry in found]


def _from_edges(
    edges: list[tuple[Edge, float]], question: Question, writer: Writer, manner: Manner, most: int
) -> list[Entry]:
    """One entry at a time: the writer takes an edge of the shortlist; what says the same leaves it."""
    best = edges[0][1]
    seen = question.keywords or list(dict.fromkeys(edge.keyword for edge, _ in edges))
    near_best = [edge for edge, weight in edges if weight >= best - _BEHIND]
    left = _shortlist([edge for edge in near_best if edge.keyword not in FORM] or near_best)
    found: list[Entry] = []
    while left and len(found) < most:
        offers = {(entry := _offer(edge, edges, seen)).text: (edge, entry) for edge in left}
        edge, entry = offers[writer.choose(_asking(question, left), list(offers), **manner._asdict())]
        found.append(entry)
        near = embedder().similarity([edge.concept], [other.concept for other in left])[0]
        rest = [other for other, alike in zip(left, near, strict=True) if alike < _ALIKE]
        left = [other for other in rest if other.keyword != edge.keyword]
        if not left and len(found) == 1:  # rather a second meaning of the one keyword than a single entry
            left = rest
    return found


def _shortlist(edges: Sequence[Edge]) -> list[Edge]:
    counts: dict[str, int] = {}
    kept: list[Edge] = []
    for edge in edges:
        if counts.get(edge.keyword, 0) < _A_KEYWORD and len(kept) < _SHORTLIST:
            counts[edge.keyword] = counts.get(edge.keyword, 0) + 1
            kept.append(edge)
    return kept


def _offer(edge: Edge, edges: Sequence[tuple[Edge, float]], seen: Sequence[str]) -> Entry:
    """The entry of an edge, alone or with the keyword that supports it most."""
    reason = because(edge.keyword, edge.ground) if edge.steps == 1 else ""
    expresses = the_concept(edge.concept) + reason
    presents = with_article(edge.keyword)
    others = [other for other, _ in edges if other.keyword != edge.keyword and other.keyword not in FORM]
    if not others:
        return Entry(presents=presents, expresses=expresses)
    near = embedder().similarity([edge.concept], [other.concept for other in others])[0]
    place = max(
        range(len(others)), key=lambda i: near[i] - _EARLIER * seen.index(others[i].keyword) / len(seen)
    )
    if near[place] < _SUPPORT:
        return Entry(presents=presents, expresses=expresses)
    return Entry(presents=f"{presents} with {with_article(others[place].keyword)}", expresses=expresses)


def _asking(question: Question, edges: Sequence[Edge]) -> list[Turn]:
    known = "; ".join(f"{edge.keyword} -> {edge.concept}" for edge in edges)
    title = f" It is called {question.title}." if question.title else ""
    return [
        Turn("system", "You explain the hidden meaning of videos in one sentence."),
        Turn("user", "A video shows: withered rose, empty house.\nMeanings: withered rose -> grief"),
        Turn("assistant", _EXAMPLES[0].text),
        Turn("user", f"A video shows: {', '.join(question.keywords)}.{title}\nMeanings: {known}"),
    ]


def _freely(
    keywords: Sequence[str], question: Question, writer: Writer, manner: Manner, most: int
) -> list[Entry]:
    """Let the writer say what the keywords mean; bounded, since it knows little."""
    found: list[Entry] = []
    for turn in range(min(most, max(1, len(keywords)))):
        grammar = _free_grammar(keywords[turn:] or ["a scene"], keywords)
        written = writer.write(
            _free_asking(question, keywords, found),
            grammar=grammar,
            most=90,
            temperature=manner.temperature,
            seed=manner.seed + turn,
        )
        entry = _whole(_parsed(written.text))
        if all(entry.expresses != other.expresses for other in found):
            found.append(entry)
    return found


def _free_grammar(first: Sequence[str], keywords: Sequence[str]) -> str:
    heads = " | ".join(literal(with_article(keyword)) for keyword in first[:3])
    others = " | ".join(literal(with_article(keyword)) for keyword in keywords[:6])
    return (
        f'root ::= "The video presents " ({heads}) (" with " ({others}))? '
        f'", implicitly expressing " [a-z] [a-z\' -]{{6,{_LONGEST - 1}}} "."'
    )


def _free_asking(question: Question, keywords: Sequence[str], found: Sequence[Entry]) -> list[Turn]:
    shots = question.shots[:3] or _EXAMPLES
    title = f" It is called {question.title}." if question.title else ""
    turns = [Turn("system", "You explain the hidden meaning of videos in one sentence.")]
    for shot in shots:
        turns += [Turn("user", f"A video shows: {shot.presents}."), Turn("assistant", shot.text)]
    asked = f"A video shows: {', '.join(keywords)}.{title}"
    for entry in found:
        turns += [Turn("user", asked), Turn("assistant", entry.text)]
    return [*turns, Turn("user", asked + (" What else does it express?" if found else ""))]


def _parsed(text: str) -> Entry:
    try:
        return Entry.parse(text)
    except ValueError:  # cut off at the bound: what is there still has both parts, by the grammar
        head, _, tail = text.partition(", implicitly expressing ")
        return Entry.of_parts(head or "a scene", tail or "a mood")


def _whole(entry: Entry) -> Entry:
    """An entry whose meaning ran into the bound, cut back to its last whole word that may end a sentence."""
    words = entry.expresses.split()
    if len(entry.expresses) >= _LONGEST:
        words = words[:-1]
    while len(words) > 1 and words[-1].lower() in _NO_END:
        words = words[:-1]
    return Entry(presents=entry.presents, expresses=" ".join(words))


def summary(edges: list[tuple[Edge, float]]) -> str:
    """The best edges in a sentence, for the end of an exploration; says so when there are none."""
    if not edges:
        return "No association was found that would hold the video together."
    told: Any = dict.fromkeys(f"{edge.keyword} stands for {edge.concept}" for edge, _ in edges[:3])
    return "What holds the video together: " + "; ".join(told) + "."
