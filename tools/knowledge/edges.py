"""What the graph is made of: edges from a source to a concept, and the associations a walk finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["KINDS", "Association", "Edge", "HopResult", "Link", "Reference", "Sentence"]

#: How a source stands for its concept: by convention, as a conceptual metaphor, by a culture's custom,
#: through the body, or as cause for effect.
KINDS = ("symbol", "conceptual", "cultural", "bodily", "causal")


class Sentence(str):
    """A text that an edge was found in; a plain string to all who don't ask where it comes from.

    Attributes:
        source: the data set or file it was taken from, or nothing.
        licence: the licence it stands under, or nothing.
    """

    __slots__ = ("licence", "source")

    source: str
    licence: str

    def __new__(cls, text: str, source: str = "", licence: str = "") -> Self:
        """Join a text and where it comes from."""
        made = super().__new__(cls, text)
        made.source = source
        made.licence = licence
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        """Copy with the source and the licence."""
        return type(self), (str(self), self.source, self.licence)


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
        sentences: where it was found, for graphs that keep their evidence; a `Sentence` knows its source.
        provenance: where the edge itself comes from, such as "starter/objects.tsv" or "cmdag (MIT)".
    """

    source: str
    target: str
    kind: str = "symbol"
    culture: str | None = None
    weight: float = 1.0
    ground: str = ""
    sentences: Sequence[str] = ()
    provenance: str = ""


class Link(NamedTuple):
    """A node that a keyword was linked to.

    Attributes:
        node: the node's name, as the graph spells it.
        score: trust in the link, in (0, 1].
        how: exact, variant, lemma, gist (the node's own name); synonym, translation (another name of it);
            action, head, suffix, modifier (a part of the phrase); word (only a word of the name); fuzzy (a
            misspelling); embedding (the meaning).
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
    """A concept that `retrieve` kept.

    Attributes:
        concept: the node's name.
        count: how often an edge into it was traversed, in the published modes; in the others, the number of
            keywords that lead to it.
        keywords: the keywords that led to it: in the order they were given in the published modes, the
            strongest first in the others.
        paths: for each of these keywords, the path it was first met by, or its strongest.
        score: what it was ranked by; to be compared within one mode only.
        associations: the distinct ways among these paths, with their grounds.
        folded: near-duplicates that it stands for too; their keywords are among its own.
    """

    concept: str
    count: int
    keywords: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    score: float = 0.0
    associations: tuple[Association, ...] = ()
    folded: tuple[str, ...] = ()
