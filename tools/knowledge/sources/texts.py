"""Plain texts as a source: sentences found by their words or their meaning, with no graph between."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from tools.errors import KnowledgeError
from tools.knowledge.linking.chinese import has_han
from tools.knowledge.sources import sentence_index
from tools.knowledge.sources.protocol import Findings, Passage, Query, SourceSettings
from tools.knowledge.sources.sentence_index import SentenceIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from langchain_core.tools import BaseTool
    from numpy.typing import NDArray

    from tools.knowledge.embedding.embedders import Embedder
    from tools.knowledge.embedding.vectors import VectorTable

__all__ = ["TextsSource", "texts_source"]

#: A keyword led to a sentence whose cosine is at least this share of the best one's.
_LED = 0.95


class TextsSource:
    """Searches sentences. By words: BM25 over all keywords' words. By meaning: the nearest to any keyword."""

    graph = None

    def __init__(
        self, name: str, digest: str, index: SentenceIndex, embedder: Embedder | None = None
    ) -> None:
        """Keep an index, and what searches by meaning instead, if anything does."""
        self.name = name
        self.digest = digest
        self._index = index
        self._embedder = embedder
        self._lock = threading.Lock()
        self._vectors: tuple[VectorTable, NDArray[np.bool_]] | None = None

    @property
    def mode(self) -> str:
        """How it searches."""
        return "embeddings" if self._embedder else "bm25"

    def find(self, query: Query) -> Findings:
        """At most `limit` sentences for all keywords together.

        Raises:
            KnowledgeError: if the embedder fails.
        """
        keywords = list(dict.fromkeys(query.keywords))
        if self._embedder is not None:
            found = self._nearest(keywords, query.limit, self._embedder)
        else:
            found = self._by_words(keywords, query.limit)
        return Findings(passages=tuple(found), mode=self.mode)

    def tool(self, count: Callable[[str], int]) -> BaseTool:
        """The tool "find_sentences"."""
        from tools.knowledge.sources.sentence_tool import sentence_tool

        return sentence_tool(self, count=count)

    def _by_words(self, keywords: Sequence[str], limit: int) -> list[Passage]:
        ranked = self._index.search(keywords, limit)
        numbers = [number for number, _ in ranked]
        having = {keyword: self._index.having(keyword, numbers) for keyword in keywords}
        led = {number: [word for word in keywords if number in having[word]] for number in numbers}
        return self._passages(ranked, led)

    def _nearest(self, keywords: Sequence[str], limit: int, embedder: Embedder) -> list[Passage]:
        english_only = bool(getattr(embedder, "english_only", False))
        asked = [keyword for keyword in keywords if not (english_only and has_han(keyword))]
        if not asked or not len(self._index):
            return []
        table, allowed = self._opened(embedder, english_only=english_only)
        numbers, cosines = table.top(embedder.embed(asked), limit, allowed)
        best: dict[int, float] = {}
        for number, cosine in zip(numbers.ravel().tolist(), cosines.ravel().tolist(), strict=True):
            best[number + 1] = max(cosine, best.get(number + 1, -1.0))
        ranked = sorted(best.items(), key=lambda each: (-round(each[1], 6), each[0]))[:limit]
        led: dict[int, list[str]] = {}
        for keyword, row, values in zip(asked, numbers.tolist(), cosines.tolist(), strict=True):
            for number, cosine in zip(row, values, strict=True):
                if cosine >= _LED * best[number + 1]:
                    led.setdefault(number + 1, []).append(keyword)
        return self._passages(ranked, led)

    def _opened(self, embedder: Embedder, *, english_only: bool) -> tuple[VectorTable, NDArray[np.bool_]]:
        """The sentences' vectors, and which of them mean something."""
        import numpy as np

        from tools.knowledge.embedding.vectors import node_vectors

        with self._lock:
            if self._vectors is None:
                texts = _Texts(self._index)
                # What it asks of a graph is its texts and their number.
                table = node_vectors(cast(Any, texts), embedder, sentence_index.default_directory())
                readable = [not (english_only and has_han(text)) for text in texts.nodes]
                self._vectors = table, np.array(readable, np.bool_)
            return self._vectors

    def _passages(self, ranked: Sequence[tuple[int, float]], led: dict[int, list[str]]) -> list[Passage]:
        told = self._index.sentences([number for number, _ in ranked])
        return [
            Passage(*told[number], keywords=tuple(led.get(number, ())), score=round(score, 6))
            for number, score in ranked
        ]


class _Texts:
    """Sentences in the place of a graph's names."""

    def __init__(self, index: SentenceIndex) -> None:
        self.nodes = index.texts()

    def __len__(self) -> int:
        return len(self.nodes)


def texts_source(settings: SourceSettings) -> TextsSource:
    """Open the sentences of files, or those that the graph keeps.

    Raises:
        KnowledgeError: if there are none, they can't be read, or they are to be found by embeddings and there
            is no embedder.
    """
    from tools.knowledge.sources.graphs import opened_embedder

    by_meaning = settings.texts_by == "embeddings"
    embedder = opened_embedder(settings) if by_meaning else None
    if by_meaning and embedder is None:
        msg = "--texts-by embeddings needs an embedder: --embeddings embedded, or openai:NAME."
        raise KnowledgeError(msg)
    name, digest, index = _of_files(settings.texts) if settings.texts else _of_graph(settings.graph)
    if not len(index):
        raise KnowledgeError(_none_in(name, is_graph=not settings.texts))
    return TextsSource(name, digest, index, embedder)


def _of_files(paths: Sequence[str]) -> tuple[str, str, SentenceIndex]:
    from tools.knowledge.sources.sentences import digest_of_files, sentences_of_files

    digest = digest_of_files(paths)
    return ", ".join(paths), digest, SentenceIndex.of(digest, lambda: sentences_of_files(paths))


def _of_graph(name: str) -> tuple[str, str, SentenceIndex]:
    from tools.knowledge.reading import open_knowledge
    from tools.knowledge.sources.sentences import sentences_of_graph

    graph = open_knowledge(name)
    return graph.name, graph.digest, SentenceIndex.of(graph.digest, lambda: sentences_of_graph(graph))


def _none_in(name: str, *, is_graph: bool) -> str:
    if is_graph:
        return (
            f"The graph {name} keeps no sentences to search. Give files of them (--knowledge-texts FILE...), "
            "or a graph that was built from texts (--knowledge DIR; python -m tools.knowledge build)."
        )
    return f"{name}: there is no sentence in it."
