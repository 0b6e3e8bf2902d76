"""A graph as a source: the references that retrieval ranks, and the tool that hops."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tools.knowledge.sources.protocol import Findings, Query, SourceSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.tools import BaseTool

    from tools.knowledge.embedding.embedders import Embedder
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["GraphSource", "graph_source", "opened_embedder"]


class GraphSource:
    """Walks a graph.

    With an embedder, keywords that no name links are linked by meaning; in the published modes every keyword
    is linked to its nearest node, as published.
    """

    def __init__(
        self,
        graph: MetaphorGraph,
        embedder: Embedder | None = None,
        published: Callable[[Embedder], MetaphorGraph] | None = None,
    ) -> None:
        """Keep a graph, and what links by meaning.

        Args:
            graph: what is walked.
            embedder: links by meaning, if anything does.
            published: opens the graph as the published modes link to it; the same graph by default.
        """
        self._bare = graph
        self._embedder = embedder
        self._open = published

    @property
    def name(self) -> str:
        """The graph's name."""
        return self._bare.name

    @property
    def digest(self) -> str:
        """The graph's digest."""
        return self._bare.digest

    @cached_property
    def graph(self) -> MetaphorGraph:
        """The graph, which links by meaning too if there is an embedder."""
        return self._bare if self._embedder is None else self._bare.with_embedder(self._embedder)

    @cached_property
    def _as_published(self) -> MetaphorGraph:
        if self._embedder is None:
            return self._bare
        if self._open is not None:
            return self._open(self._embedder)
        return self._bare.with_embedder(self._embedder, linking="published")

    def find(self, query: Query) -> Findings:
        """The references that `retrieve` ranks.

        Raises:
            KnowledgeError: if there is no such mode, or the embedder fails.
        """
        from tools.knowledge.retrieving.ranking import mode_of
        from tools.knowledge.retrieving.retrieval import retrieve

        graph = self._as_published if mode_of(query.mode).counts else self.graph
        found = retrieve(graph, query.keywords, mode=query.mode, hops=query.hops, limit=query.limit)
        return Findings(references=tuple(found), mode=query.mode)

    def tool(self, count: Callable[[str], int]) -> BaseTool:
        """The tool "explore_metaphors"."""
        from tools.hop import hop_tool

        return hop_tool(self.graph, count=count)


def graph_source(settings: SourceSettings) -> GraphSource:
    """Open the graph of metaphors; published modes take the nodes' vectors from its folder, if it has any.

    Raises:
        KnowledgeError: if it, or the embedder, can't be opened.
    """
    from tools.knowledge.linking.nearest import open_linked
    from tools.knowledge.reading import open_knowledge

    return GraphSource(
        open_knowledge(settings.graph),
        opened_embedder(settings),
        lambda embedder: open_linked(settings.graph, embedder, "published"),
    )


def opened_embedder(settings: SourceSettings) -> Embedder | None:
    """The embedder that the settings name; None for none.

    Raises:
        KnowledgeError: if it can't be opened.
    """
    if settings.embeddings is None:
        return None
    from tools.knowledge.embedding.embedders import open_embedder

    return open_embedder(settings.embeddings, base_url=settings.embeddings_base_url)
