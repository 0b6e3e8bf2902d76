"""The published graph, `metaphor_graph.json`: read, checked whole, and its edges made when they are walked.

    {"0": {"word": "candle", "adjacency": {"time": {"sentences": ["Her candle was burning low."]}}}, ...}

It has 54,687 nodes and 400,536 entries of adjacency; a walk looks at a few hundred of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from tools.errors import KnowledgeError
from tools.knowledge.collector import collector_paused
from tools.knowledge.edges import Edge
from tools.knowledge.graph import MetaphorGraph

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_published"]

_SHAPE = '{"0": {"word": "candle", "adjacency": {"time": {"sentences": []}}}}'
#: Each word's neighbours, each with {"sentences": [...]}.
_Adjacency = dict[str, dict[str, dict[str, list[str]]]]


def read_published(path: Path, name: str) -> MetaphorGraph:
    """Read a graph in the published format.

    Args:
        path: the file.
        name: how messages and the graph itself name it.

    Returns:
        A symmetric graph. Its edges' kind is conceptual, their ground the first sentence, and their weight
        (n + 1) / (n + 2) for n sentences, since the format has none.

    Raises:
        KnowledgeError: naming the node and what is wrong with it.
    """
    with collector_paused():
        adjacency = _checked(_parsed(path, name), name)
    if not any(adjacency.values()):
        msg = f"{name}: no node has a neighbour, so nothing could ever be found in it."
        raise KnowledgeError(msg)
    return MetaphorGraph.over(_Edges(adjacency), symmetric=True, name=name)


class _Edges(Mapping[str, Sequence[Edge]]):
    """Edges by source, made at first need."""

    def __init__(self, adjacency: _Adjacency) -> None:
        self._adjacency = adjacency
        self._made: dict[str, tuple[Edge, ...]] = {}

    def __getitem__(self, node: str) -> tuple[Edge, ...]:
        if (made := self._made.get(node)) is None:
            made = tuple(
                _edge(node, neighbour, data["sentences"]) for neighbour, data in self._adjacency[node].items()
            )
            self._made[node] = made
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._adjacency)

    def __len__(self) -> int:
        return len(self._adjacency)

    def __contains__(self, node: object) -> bool:
        return node in self._adjacency


def _edge(word: str, neighbour: str, sentences: list[str]) -> Edge:
    # An association that was met more often is trusted more.
    weight = (len(sentences) + 1) / (len(sentences) + 2)
    ground = sentences[0] if sentences else ""
    return Edge(word, neighbour, "conceptual", None, weight, ground, tuple(sentences))


def _parsed(path: Path, name: str) -> dict[str, Any]:
    try:
        nodes: Any = json.loads(path.read_bytes())
    except OSError as error:
        msg = f"{name}: can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    except json.JSONDecodeError as error:
        msg = f"{name}:{error.lineno}: not JSON: {error.msg} at column {error.colno}."
        raise KnowledgeError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{name}: not UTF-8 at byte {error.start}."
        raise KnowledgeError(msg) from error
    except RecursionError as error:
        msg = f"{name}: nested too deeply; expected {_SHAPE} with one entry a node."
        raise KnowledgeError(msg) from error
    if not isinstance(nodes, dict) or not nodes:
        msg = f"{name}: expected an object such as {_SHAPE} with one entry a node, got {_short(nodes)}."
        raise KnowledgeError(msg)
    return cast("dict[str, Any]", nodes)


def _checked(nodes: dict[str, Any], name: str) -> _Adjacency:
    keys: dict[str, str] = {}
    adjacency: _Adjacency = {}
    for key, node in nodes.items():
        word: Any = node.get("word") if isinstance(node, dict) else None
        if not isinstance(word, str) or not word.strip():
            msg = f'{name}: node {key!r} has no "word", a non-empty string: {_short(node)}.'
            raise KnowledgeError(msg)
        if word in keys:
            msg = f"{name}: nodes {keys[word]!r} and {key!r} have the same word {word!r}; merge them."
            raise KnowledgeError(msg)
        neighbours: Any = node.get("adjacency")
        if not isinstance(neighbours, dict):
            msg = f'{name}: node {key!r} ({word!r}) has no "adjacency", an object: {_short(node)}.'
            raise KnowledgeError(msg)
        keys[word] = key
        adjacency[word] = neighbours
    for word, neighbours in adjacency.items():
        for neighbour, data in neighbours.items():
            if neighbour not in adjacency:
                msg = (
                    f"{name}: node {keys[word]!r} ({word!r}): neighbour {neighbour!r} has no node of its own."
                )
                raise KnowledgeError(msg)
            if not _has_sentences(data):
                msg = (
                    f'{name}: node {keys[word]!r} ({word!r}): neighbour {neighbour!r} has no "sentences", '
                    f"a list of strings: {_short(data)}."
                )
                raise KnowledgeError(msg)
    return adjacency


def _has_sentences(data: object) -> bool:
    """Whether an entry of adjacency is well formed; asked 400,000 times, so plain loops only."""
    if type(data) is not dict:
        return False
    sentences: object = data.get("sentences")
    if type(sentences) is not list:
        return False
    for sentence in sentences:  # noqa: SIM110  (all() over a generator takes three times as long)
        if type(sentence) is not str:
            return False
    return True


def _short(found: object, most: int = 80) -> str:
    text = json.dumps(found, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most - 3]}..."
