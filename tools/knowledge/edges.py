"""What the graph is made of: edges from a source to a concept, and the associations a walk finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["KINDS", "Association", "Edge", "HopResult", "Link", "Reference"]

#: How a source stands for its concept: by convention, as a conceptual metaphor, by a culture's custom,
#: through the body, or as cause for effect.
KINDS = ("symbol", "conceptual", "cultural", "bodily", "causal")


class Edge(NamedTuple):
    """One step: `source` stands for `target`, because of `ground`.

    A tuple, since the published graph has 400,000 of them.

    Attributes:
        source: name of the element or concept that is seen.
        target: name of the concept it stands for.
        kind: one of `KINDS`.
        culture: whose custom it is; given exactly when the kind is cultural.
        weight: how commonly it stands for it, in (0, 1].
        ground: why, in a few words.
        sentences: where it was found, for graphs that keep their evidence.
    """

    source: str
    target: str
    kind: str = "symbol"
    culture: str | None = None
    weight: float = 1.0
    ground: str = ""
    sentences: Sequence[str] = ()


class Link(NamedTuple):
    """A node that a keyword was linked to.

    Attributes:
        node: the node's name, as the graph spells it.
        score: trust in the link, in (0, 1].
        how: exact, variant, lemma, gist (the whole phrase); action, head, suffix, modifier (a part of it);
            fuzzy (a misspelling).
    """

    node: str
    score: float
    how: str


@dataclass(frozen=True)
class Association:
    """A concept that something may stand for, with the way there.

    Attributes:
        source: the node the walk began at; the first of `path`.
        concept: what it stands for; the last of `path`.
        path: every node on the way, two or more.
        kind: cultural when any step is, else the kind of the first step.
        ground: why, step by step, joined by semicolons; a step walked against its direction says
            "also shown by".
        culture: the cultures whose custom the path relies on, or None.
        weight: strength of the path in (0, 1]: its edges' weights multiplied, with a decay per hop.
        backward: whether the path begins against its edge's direction: it tells what else shows a concept.
    """

    source: str
    concept: str
    path: tuple[str, ...]
    kind: str
    ground: str
    culture: str | None
    weight: float
    backward: bool = False


@dataclass(frozen=True)
class HopResult:
    """What `MetaphorGraph.hop` found.

    Attributes:
        associations: the best first; each concept once.
        left_out: how many more concepts were found than the limit let through.
        linked: for each concept asked about, the node it was read as.
        unknown: for each concept that is not in the graph, names that come near.
    """

    associations: tuple[Association, ...] = ()
    left_out: int = 0
    linked: dict[str, str] = field(default_factory=dict[str, str])
    unknown: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


@dataclass(frozen=True)
class Reference:
    """A concept that `retrieve_published` kept.

    Attributes:
        concept: the node's name.
        count: how often an edge into it was traversed.
        keywords: the keywords that led to it, in the order they were given.
        paths: for each of these keywords, the path it was first met by.
    """

    concept: str
    count: int
    keywords: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
