"""The published graph, `metaphor_graph.json`: read and checked whole.

    {"0": {"word": "candle", "adjacency": {"time": {"sentences": ["Her candle was burning low."]}}}, ...}

It has 54,687 nodes and 400,536 entries of adjacency.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from tools.errors import KnowledgeError
from tools.knowledge.edges import Edge, Sentence
from tools.knowledge.engine.collector import collector_paused
from tools.knowledge.formats.files import read_text
from tools.knowledge.graph import MetaphorGraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["left_out_of_published", "published_text", "read_published"]

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
    edges = (
        _edge(word, neighbour, data["sentences"])
        for word, neighbours in adjacency.items()
        for neighbour, data in neighbours.items()
    )
    return MetaphorGraph(edges, nodes=adjacency, symmetric=True, name=name)


def published_text(graph: MetaphorGraph) -> Iterator[str]:
    """The published format's text, a node a line; a directed graph's edges stand in both their nodes' lists.

    Where an edge has a ground but no sentence, the ground is its sentence.
    """
    for number, node in enumerate(graph.nodes):
        entry = json.dumps({"word": node, "adjacency": _adjacency_of(graph, node)})
        yield f'{"{" if number == 0 else ","}\n"{number}": {entry}'
    yield "\n}\n"


def left_out_of_published(graph: MetaphorGraph) -> list[str]:
    """What the format can't hold of a graph, in words; nothing when the same graph is read again."""
    weights = kinds = cultures = provenances = pairs = False
    for node in graph.nodes:
        edges = graph.edges_from(node)
        pairs |= len({edge.target for edge in edges}) < len(edges)
        for edge in edges:
            again = _edge(edge.source, edge.target, list(edge.sentences))
            weights |= again.weight != edge.weight
            kinds |= edge.kind not in {again.kind, "cultural"}
            cultures |= edge.culture is not None
            provenances |= bool(edge.provenance or any(isinstance(one, Sentence) for one in edge.sentences))
    told = {
        "directions": not graph.symmetric,
        "weights": weights,
        "kinds": kinds,
        "cultures": cultures,
        "all but one of parallel edges": pairs,
        "where edges and sentences come from": provenances,
        "other names": bool(graph.others),
    }
    return [what for what, is_lost in told.items() if is_lost]


def _adjacency_of(graph: MetaphorGraph, node: str) -> dict[str, dict[str, list[str]]]:
    adjacency: dict[str, dict[str, list[str]]] = {}
    joined = [(edge.target, edge) for edge in graph.edges_from(node)]
    joined += [] if graph.symmetric else [(edge.source, edge) for edge in graph.edges_into(node)]
    for neighbour, edge in joined:
        sentences = adjacency.setdefault(neighbour, {"sentences": []})["sentences"]
        told = list(edge.sentences) or ([edge.ground] if edge.ground else [])
        sentences += [str(sentence) for sentence in told if sentence not in sentences]
    return adjacency


def _edge(word: str, neighbour: str, sentences: list[str]) -> Edge:
    # An association that was met more often is trusted more.
    weight = (len(sentences) + 1) / (len(sentences) + 2)
    ground = sentences[0] if sentences else ""
    return Edge(word, neighbour, "conceptual", None, weight, ground, tuple(sentences))


def _parsed(path: Path, name: str) -> dict[str, Any]:
    text = read_text(path, name)
    try:
        nodes: Any = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        msg = f"{name}:{error.lineno}: not JSON: {error.msg} at column {error.colno}."
        raise KnowledgeError(msg) from error
    except _TwiceError as error:
        msg = f"{name}: {error.args[0]!r} stands twice in one object; merge the two."
        raise KnowledgeError(msg) from error
    except RecursionError as error:
        msg = f"{name}: nested too deeply; expected {_SHAPE} with one entry a node."
        raise KnowledgeError(msg) from error
    except ValueError as error:
        msg = f"{name}: a number in it has too many digits; expected {_SHAPE}, with no numbers at all."
        raise KnowledgeError(msg) from error
    if not isinstance(nodes, dict) or not nodes:
        msg = f"{name}: expected an object such as {_SHAPE} with one entry a node, got {_short(nodes)}."
        raise KnowledgeError(msg)
    return cast("dict[str, Any]", nodes)


class _TwiceError(Exception):
    """A key that stands twice in one object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return made


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
    try:
        text = json.dumps(found, ensure_ascii=False)
    except RecursionError:
        return "something that is nested very deeply"
    return text if len(text) <= most else f"{text[: most - 3]}..."
