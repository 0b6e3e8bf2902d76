"""Weighs associations against the scene: which concepts are meanings, and which the video supports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from agents.embedded.embedder import embedder
from agents.embedded.reader import Link, Question
from agents.embedded.runtime import library
from agents.embedded.wording import FORM

__all__ = ["Edge", "anchored", "weighed"]

_THING = -0.05  # abstractness below which a concept is a thing
_SAME = 0.55  # cosine from which an element of a link is taken for a keyword
_FARTHEST = 4  # links in a row from a keyword to a concept
_ABSTRACT, _AGREED, _FITTING = 0.6, 0.5, 0.5
_EARLY, _STEP, _LATER, _MADE = 0.15, 0.1, 0.14, 0.12


class Edge(NamedTuple):
    """A keyword and a concept that links lead to from it.

    Attributes:
        keyword: as it was seen.
        concept: what it may stand for.
        element: the graph's name of what stands for the concept.
        ground: why.
        steps: hops between the keyword and the concept.
    """

    keyword: str
    concept: str
    element: str
    ground: str
    steps: int


def anchored(links: Sequence[Link], keywords: Sequence[str]) -> list[Edge]:
    """Tie each link to a keyword that was seen, directly or over other links; drop what hangs in the air.

    Without keywords the links' own first elements count as seen.
    """
    concepts = {link.concept.lower() for link in links}
    seen = list(keywords) or list(
        dict.fromkeys(x.element for x in links if x.element.lower() not in concepts)
    )
    if not seen or not links:
        return []
    home = _homes(links, seen)
    names = {name.lower() for name in (*seen, *(name for name, (_, steps) in home.items() if not steps))}
    edges: list[Edge] = []
    for _ in range(_FARTHEST):
        before = len(home)
        for link in links:
            if link.element.lower() in home:
                keyword, steps = home[link.element.lower()]
                home.setdefault(link.concept.lower(), (keyword, steps + link.steps))
        if len(home) == before:
            break
    for link in links:
        for element in (link.element, *link.also):
            if element.lower() in home:
                keyword, steps = home[element.lower()]
                if link.concept.lower() not in names:  # what is seen is not what is meant
                    edges.append(Edge(keyword, link.concept, element, link.ground, steps + link.steps))
    return list({(edge.keyword, edge.concept): edge for edge in reversed(edges)}.values())[::-1]


def _homes(links: Sequence[Link], seen: Sequence[str]) -> dict[str, tuple[str, int]]:
    """For each element that is a keyword under another name: the keyword, at 0 steps."""
    elements = list(dict.fromkeys(name.lower() for link in links for name in (link.element, *link.also)))
    lowered = [keyword.lower() for keyword in seen]
    home = {name: (seen[lowered.index(name)], 0) for name in elements if name in lowered}
    concepts = {link.concept.lower() for link in links}
    loose = [name for name in elements if name not in home and name not in concepts]
    if loose:
        near = embedder().similarity(loose, lowered)
        for row, name in enumerate(loose):
            best = int(near[row].argmax())
            held = any(name in word.split() or word in name.split() for word in (lowered[best],))
            if near[row, best] >= _SAME or held:
                home[name] = (seen[best], 0)
    return home


def weighed(edges: Sequence[Edge], question: Question) -> list[tuple[Edge, float]]:
    """Weigh edges, best first.

    A concept weighs more when it is an idea rather than a thing, when other keywords lead near it, when it is
    near the title and the rest of the scene, when its keyword was named early, when it is few steps away and
    when it was named early among its element's concepts; less when its keyword is only about how the video is
    made.
    """
    if not edges:
        return []
    np: Any = library("numpy")
    measure = embedder()
    ideas = [
        e for e, x in zip(edges, measure.abstractness([e.concept for e in edges]), strict=True) if x > _THING
    ]
    edges = ideas or edges
    concepts = [edge.concept for edge in edges]
    near = measure.similarity(concepts, concepts)
    order = list(dict.fromkeys([*question.keywords, *(edge.keyword for edge in edges)]))
    rank = np.asarray([order.index(edge.keyword) / max(1, len(order) - 1) for edge in edges])
    steps = np.asarray([edge.steps - 1 for edge in edges])
    score = (
        _ABSTRACT * measure.abstractness(concepts)
        + _AGREED * _agreement(np, edges, near)
        + _FITTING * _fit(np, edges, question)
        - _EARLY * rank
        - _STEP * steps
        - _LATER * _place(np, edges)
        - _MADE * np.asarray([edge.keyword in FORM for edge in edges])
    )
    placed = np.argsort(-score, kind="stable")
    return [(edges[i], float(score[i])) for i in placed]


def _place(np: Any, edges: Sequence[Edge]) -> Any:
    """For each edge: 0 when named first of its element's, near 1 when last; common ones come first."""
    listed = [edge.element for edge in edges]
    return np.asarray(
        [listed[:i].count(edge.element) / listed.count(edge.element) for i, edge in enumerate(edges)]
    )


def _agreement(np: Any, edges: Sequence[Edge], near: Any) -> Any:
    """For each edge: how near the nearest concept of each other keyword is, averaged over the best three."""
    keywords = np.asarray([edge.keyword for edge in edges])
    total = np.zeros(len(edges))
    for row in range(len(edges)):
        others = [
            near[row, keywords == other].max() for other in dict.fromkeys(keywords) if other != keywords[row]
        ]
        total[row] = np.mean(sorted(others)[-3:]) if others else 0.0
    return total


def _fit(np: Any, edges: Sequence[Edge], question: Question) -> Any:
    """How near each concept is to the title and to the other keywords together."""
    measure = embedder()
    fit = np.zeros(len(edges))
    for row, edge in enumerate(edges):
        others = [keyword for keyword in question.keywords if keyword != edge.keyword]
        if others:
            fit[row] += 0.5 * float(measure.similarity([edge.concept], [", ".join(others)])[0, 0])
    if question.title:
        fit += 0.7 * measure.similarity([edge.concept for edge in edges], [question.title])[:, 0]
    return fit
