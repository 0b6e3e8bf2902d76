"""What every source of knowledge is: it is opened with settings, asked with keywords, and may lend a tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.tools import BaseTool

    from tools.knowledge.edges import Reference
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["Findings", "KnowledgeSource", "Passage", "Query", "SourceSettings"]


@dataclass(frozen=True)
class SourceSettings:
    """What a source is opened with; each takes what it needs.

    Attributes:
        graph: the graph of metaphors: "starter", or a path.
        texts: files of sentences; those that the graph was built from when empty.
        texts_by: how sentences are found: "bm25" or "embeddings".
        conceptnet: the path of ConceptNet's dump, or of a slice of it.
        embeddings: an embedder, as `open_embedder` names it; None for none.
        embeddings_base_url: of the server of openai:NAME.
    """

    graph: str = "starter"
    texts: tuple[str, ...] = ()
    texts_by: str = "bm25"
    conceptnet: str | None = None
    embeddings: str | None = None
    embeddings_base_url: str | None = None


class Query(NamedTuple):
    """What a source is asked.

    Attributes:
        keywords: what was seen, each once.
        title: the video's title, which may be empty; ours leave it alone, so that only knowledge differs.
        mode: a way of ranking, a name in `MODES`; for sources that walk a graph.
        hops: associations that a way may have; likewise.
        limit: concepts or sentences at most, 1 or more.
    """

    keywords: tuple[str, ...]
    title: str = ""
    mode: str = "shared"
    hops: int = 2
    limit: int = 10


@dataclass(frozen=True)
class Passage:
    """A sentence that was found.

    Attributes:
        text: on one line.
        source: the data set or file that it is from, or nothing.
        licence: that it stands under, or nothing.
        keywords: the keywords that led to it.
        score: what it was ranked by; to be compared within one way of ranking only.
    """

    text: str
    source: str = ""
    licence: str = ""
    keywords: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True)
class Findings:
    """What a source found, the best first.

    Attributes:
        references: concepts with the ways that lead to them.
        passages: sentences.
        mode: how it was found, for the record; empty for a source that knows one way only.
    """

    references: tuple[Reference, ...] = field(default=())
    passages: tuple[Passage, ...] = field(default=())
    mode: str = ""


class KnowledgeSource(Protocol):
    """Answers keywords. Opened once a run and shared by its threads; no question changes the next answer."""

    @property
    def name(self) -> str:
        """What it reads, for the record: "starter", a path."""
        ...

    @property
    def digest(self) -> str:
        """A hash of what it holds, so that records of other content can be told apart; empty for none."""
        ...

    @property
    def graph(self) -> MetaphorGraph | None:
        """The graph that it walks, which tools of others get too; None where it walks none."""
        ...

    def find(self, query: Query) -> Findings:
        """What the keywords lead to; called in a thread, so it may compute or wait.

        Raises:
            KnowledgeError: if the question can't be answered; the message says what to do.
        """
        ...

    def tool(self, count: Callable[[str], int]) -> BaseTool | None:
        """What a model may ask it with, again and again; None where it can't be asked.

        Args:
            count: counts a text's tokens.
        """
        ...
