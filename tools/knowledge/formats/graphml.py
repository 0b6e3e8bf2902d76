"""GraphML, as networkx, Gephi and others write it: read by a streaming parser, written without loss.

Nodes are named by their ids, or by a `name` or `label` of their own when each has one. Edges may carry kind,
culture, weight, ground, sentences (a JSON list) and provenance. A document type is refused: it has no place
in GraphML, and is what makes a file of a kilobyte fill the memory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape

from tools.errors import KnowledgeError
from tools.knowledge.edges import Edge
from tools.knowledge.engine.collector import collector_paused
from tools.knowledge.formats.evidence import sentences_from_json, sentences_to_json
from tools.knowledge.formats.exchange import edge_from
from tools.knowledge.formats.files import read_bytes
from tools.knowledge.graph import MetaphorGraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["graphml_text", "read_graphml"]

_FIELDS = {
    "kind": "string",
    "culture": "string",
    "weight": "double",
    "ground": "string",
    "sentences": "string",
    "provenance": "string",
}
_NAMES = ("name", "label")
_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", '"': "&quot;"}
#: What XML 1.0 has no way to hold.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_graphml(path: Path, name: str) -> MetaphorGraph:
    """Read a graph in GraphML.

    Args:
        path: the file.
        name: how messages and the graph itself name it.

    Raises:
        KnowledgeError: naming line, node or edge, and what is wrong with it.
    """
    reader = _Reader(name)
    with collector_paused():
        reader.parse(read_bytes(path, name))
        return reader.graph()


class _Reader:
    """Collects nodes and edges as the parser meets them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._keys: dict[str, tuple[str, str]] = {}
        self._defaults: dict[str, str] = {}
        self._nodes: dict[str, dict[str, str]] = {}
        self._edges: list[tuple[str, str, int, bool, dict[str, str]]] = []
        self._attributes: dict[str, str] = {}
        self._directed: bool | None = None
        self._open: list[str] = []
        self._into: dict[str, str] | None = None
        self._key: str | None = None
        self._last_key: str | None = None
        self._text: list[str] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def parse(self, text: bytes) -> None:
        """Read a whole document.

        Raises:
            KnowledgeError: naming the line and what is wrong with it.
        """
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            msg = f"{self.name}:{error.lineno}: not XML: {expat.ErrorString(error.code)}."
            raise KnowledgeError(msg) from error
        except (LookupError, ValueError) as error:
            msg = f"{self.name}:1: not XML: {error}; save it as UTF-8."
            raise KnowledgeError(msg) from error
        if self._directed is None:
            msg = f"{self.name}: no <graph> in it, so it is no GraphML."
            raise KnowledgeError(msg)

    def graph(self) -> MetaphorGraph:
        """The graph that was read."""
        named = self._names()
        directed = self._directed
        symmetric = self._attributes.get("symmetric", "false" if directed else "true").lower() in {
            "true",
            "1",
        }
        if not self._edges:
            msg = f"{self.name}: no edges, so nothing could ever be found in it."
            raise KnowledgeError(msg)
        edges: list[Edge] = []
        for source, target, line, one_way, fields in self._edges:
            for node in (source, target):
                if node not in named:
                    msg = (
                        f"{self.name}:{line}: edge {source!r} -> {target!r}: {node!r} has no node of its own."
                    )
                    raise KnowledgeError(msg)
            edge = self._edge(named[source], named[target], line, fields)
            edges.append(edge)
            if not one_way and source != target:
                edges.append(edge._replace(source=edge.target, target=edge.source))
        return MetaphorGraph(edges, nodes=named.values(), symmetric=symmetric, name=self.name)

    def _names(self) -> dict[str, str]:
        """Each node's name by its id."""
        for field in _NAMES:
            names = [data.get(field, "").strip() for data in self._nodes.values()]
            if all(names) and len(set(names)) == len(names):
                return dict(zip(self._nodes, names, strict=True))
        for node in self._nodes:
            if not node.strip():
                msg = (
                    f"{self.name}: node {node!r} is no name; nodes of a metaphor graph are non-empty strings."
                )
                raise KnowledgeError(msg)
        return {node: node for node in self._nodes}

    def _edge(self, source: str, target: str, line: int, fields: dict[str, str]) -> Edge:
        where = f"{self.name}:{line}: edge {source!r} -> {target!r}"
        told: dict[str, Any] = {key: value for key, value in fields.items() if key in _FIELDS}
        try:
            told["sentences"] = sentences_from_json(fields.get("sentences", ""))
        except ValueError as error:
            msg = f"{where}: sentences is not a JSON list of strings."
            raise KnowledgeError(msg) from error
        if "weight" in told:
            try:
                told["weight"] = float(told["weight"])
            except ValueError as error:
                msg = f"{where}: weight {told['weight']!r:.60} is not a number above 0 and up to 1."
                raise KnowledgeError(msg) from error
        return edge_from(source, target, told, where)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        self._open.append(tag)
        self._text.clear()
        self._key = None
        if tag == "key":
            self._add_key(attributes)
        elif tag == "graph":
            if self._directed is not None:
                self._fail("a second <graph>; a file holds one, with no graph inside a node")
            self._directed = attributes.get("edgedefault") != "undirected"
            self._into = self._attributes
        elif tag == "node":
            self._add_node(attributes)
        elif tag == "edge":
            self._add_edge(attributes)
        elif tag == "data":
            self._key = self._needed(attributes, "key", tag)
            if self._key not in self._keys:
                self._fail(f"<data> has the key {self._key!r}, which no <key> defines")
        elif tag == "default":
            self._key = self._last_key
        elif tag == "hyperedge":
            self._fail("a <hyperedge>, which joins more than two nodes")

    def _end(self, tag: str) -> None:
        tag = self._open.pop()
        if tag == "data" and self._into is not None and self._key is not None:
            self._into[self._keys[self._key][1]] = "".join(self._text)
        elif tag == "default" and self._key is not None:
            self._defaults[self._key] = "".join(self._text)
        elif tag in {"node", "edge"}:
            self._into = self._attributes
        self._text.clear()

    def _add_key(self, attributes: dict[str, str]) -> None:
        self._last_key = key = self._needed(attributes, "id", "key")
        called = attributes.get("attr.name", key)
        self._keys[key] = (attributes.get("for", "all"), called)

    def _add_node(self, attributes: dict[str, str]) -> None:
        node = self._needed(attributes, "id", "node")
        if node in self._nodes:
            self._fail(f"node {node!r} stands twice")
        self._into = self._nodes[node] = self._default("node")

    def _add_edge(self, attributes: dict[str, str]) -> None:
        source, target = (self._needed(attributes, end, "edge") for end in ("source", "target"))
        one_way = attributes.get("directed", "true" if self._directed else "false") == "true"
        self._into = self._default("edge")
        self._edges.append((source, target, self._parser.CurrentLineNumber, one_way, self._into))

    def _default(self, tag: str) -> dict[str, str]:
        return {
            called: self._defaults[key]
            for key, (whose, called) in self._keys.items()
            if whose in {tag, "all"} and key in self._defaults
        }

    def _needed(self, attributes: dict[str, str], attribute: str, tag: str) -> str:
        if attribute not in attributes:
            self._fail(f"<{tag}> has no {attribute}")
        return attributes[attribute]

    def _refuse(self, *_: object) -> None:
        self._fail("a document type (<!DOCTYPE ...>), which is refused; take it out")

    def _fail(self, fault: str) -> NoReturn:
        msg = f"{self.name}:{self._parser.CurrentLineNumber}: {fault}."
        raise KnowledgeError(msg)


def graphml_text(graph: MetaphorGraph) -> Iterator[str]:
    """A graph in GraphML, a node or an edge a line; the same graph is read again, with order and sentences.

    Raises:
        KnowledgeError: naming the node or edge with a character that XML can't hold.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield '<key id="symmetric" for="graph" attr.name="symmetric" attr.type="boolean"/>\n'
    for field, kind in _FIELDS.items():
        yield f'<key id="{field}" for="edge" attr.name="{field}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    yield f'<data key="symmetric">{str(graph.symmetric).lower()}</data>\n'
    for node in graph.nodes:
        yield f'<node id="{_held(node, graph, node)}"/>\n'
    for edge in graph.edges:
        where = f"{edge.source!r} -> {edge.target!r}"
        source, target = (_held(end, graph, where) for end in (edge.source, edge.target))
        yield f'<edge source="{source}" target="{target}">'
        for field, value in _fields_of(edge).items():
            yield f'<data key="{field}">{_held(value, graph, where)}</data>'
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _fields_of(edge: Edge) -> dict[str, str]:
    fields = {
        "kind": edge.kind,
        "culture": edge.culture or "",
        "weight": repr(float(edge.weight)),
        "ground": edge.ground,
        "sentences": sentences_to_json(edge.sentences),
        "provenance": edge.provenance,
    }
    return {field: value for field, value in fields.items() if value}


def _held(text: str, graph: MetaphorGraph, where: str) -> str:
    if found := _NO_XML.search(text):
        msg = (
            f"{graph.name}: {where}: {found.group()!r} can't stand in GraphML; "
            "write .json, or a compiled folder (a path without an ending)."
        )
        raise KnowledgeError(msg)
    return escape(text, _BREAKS)
