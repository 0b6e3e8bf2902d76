"""Checks a graph in any format but a hand-written edge list: whether it is sound, not whether it is good.

Hand-written tables are checked row by row (`check.py`). What a program built or somebody published is checked
for what walks and rankings rely on, and a compiled folder for being what its manifest and its report say.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge.edges import KINDS
from tools.knowledge.engine.compiled import is_compiled
from tools.knowledge.engine.manifest import read_manifest
from tools.knowledge.engine.store import digest_of
from tools.knowledge.formats.files import read_text
from tools.knowledge.formats.rows import table_files
from tools.knowledge.reading import open_knowledge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.knowledge.edges import Edge
    from tools.knowledge.engine.arrays import Csr, GraphArrays
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["built_problems", "is_table", "sound"]

_TABLES = frozenset({".tsv", ".csv"})
_REPORT, _MERGES = "report.json", "merges.tsv"


def is_table(name_or_path: str) -> bool:
    """Whether something is checked row by row: tables, folders of them, and what is not there at all."""
    path = Path(name_or_path).expanduser()
    if path.is_dir():
        if is_compiled(path):
            return False
        table_files(path)
        return True
    return not path.is_file() or path.suffix.lower() in _TABLES


def built_problems(name_or_path: str) -> tuple[MetaphorGraph, list[str]]:
    """Open a graph and say what is wrong with it.

    Returns:
        The graph, and one message a fault; none when all is well.

    Raises:
        KnowledgeError: if it can't be opened.
    """
    graph = open_knowledge(name_or_path)
    path = Path(name_or_path).expanduser()
    found: list[str] = []
    try:
        found += sound(graph)
        if path.is_dir():
            found += _manifest(path, name_or_path, graph)
    except (IndexError, MemoryError, UnicodeDecodeError, KnowledgeError) as error:
        # Files of the right size whose bytes were changed: no edge can be read, or some can't.
        found.append(f"the files' contents are damaged ({error or 'too large'}); build or export it again")
    if path.is_dir():
        found += _report(path, graph)
        found += _merges(path, graph)
        found += _synonyms(path, graph)
    return graph, found


def sound(graph: MetaphorGraph) -> Iterator[str]:
    """What is wrong with a graph's nodes, edges and arrays."""
    edges = list(graph.edges)
    yield from _nodes(graph, edges)
    seen: set[tuple[str, str, str | None]] = set()
    for number, edge in enumerate(edges):
        for fault in _edge(edge):
            yield f"edge {number}, {edge.source!r} -> {edge.target!r}: {fault}"
        key = edge.source, edge.target, edge.culture
        if key in seen and not graph.symmetric:
            yield f"edge {number}, {edge.source!r} -> {edge.target!r}: stands there twice"
        seen.add(key)
    yield from _arrays(graph, edges)


def _nodes(graph: MetaphorGraph, edges: Iterable[Edge]) -> Iterator[str]:
    joined = {name for edge in edges for name in edge[:2]}
    for number, name in enumerate(graph.nodes):
        if not name.strip() or name != name.strip():
            yield f"node {number}: the name {name!r} is empty, or has blanks around it"
        if name not in joined:
            yield f"node {number}, {name!r}: no edge leads to it or away from it"
        if graph.node_id(name) != number:
            yield f"node {number}, {name!r}: its name is found as node {graph.node_id(name)}"


def _edge(edge: Edge) -> Iterator[str]:
    if edge.source == edge.target:
        yield "joins a concept to itself"
    if not 0 < edge.weight <= 1:
        yield f"its weight {edge.weight} is not above 0 and up to 1"
    if edge.kind not in KINDS:
        yield f"its kind {edge.kind!r} is none of {', '.join(KINDS)}"
    if (edge.kind == "cultural") != bool(edge.culture):
        yield f"its kind is {edge.kind} and its culture {edge.culture!r}"
    if any(not sentence.strip() for sentence in edge.sentences):
        yield "one of its sentences is empty"


def _arrays(graph: MetaphorGraph, edges: list[Edge]) -> Iterator[str]:
    """Whether arrays say what the edges say."""
    arrays = graph.arrays
    for name in ("forward", "backward", "around"):
        if fault := _csr(getattr(arrays, name), len(graph)):
            yield f"arrays: {name} {fault}"
            return
    number = {name: at for at, name in enumerate(graph.nodes)}
    told = np.array([(number[edge.source], number[edge.target]) for edge in edges], np.int64).reshape(-1, 2)
    forward = arrays.forward
    sources = np.repeat(np.arange(len(graph)), np.diff(forward.indptr))
    if not np.array_equal(np.column_stack((sources, forward.indices)), told):
        yield "arrays: forward joins other nodes than the edges do"
    if not graph.symmetric:
        yield from _backward(arrays, told)


def _backward(arrays: GraphArrays, told: np.ndarray[Any, Any]) -> Iterator[str]:
    targets = np.repeat(np.arange(len(arrays.backward.indptr) - 1), np.diff(arrays.backward.indptr))
    turned = np.column_stack((arrays.backward.indices, targets))
    if not np.array_equal(turned[np.lexsort(turned.T)], told[np.lexsort(told.T)]):
        yield "arrays: backward is not forward turned round"


def _csr(csr: Csr, nodes: int) -> str:
    if len(csr.indptr) != nodes + 1 or csr.indptr[0] != 0 or csr.indptr[-1] != len(csr.indices):
        return "does not begin and end with its nodes"
    if (np.diff(csr.indptr) < 0).any():
        return "runs backwards"
    if len(csr.indices) and not 0 <= int(csr.indices.min()) <= int(csr.indices.max()) < nodes:
        return "names nodes that are not there"
    return ""


def _manifest(path: Path, name: str, graph: MetaphorGraph) -> Iterator[str]:
    manifest = read_manifest(path, name)
    edges = list(graph.edges)
    told = {"nodes": (manifest.nodes, len(graph)), "edges": (manifest.edges, len(edges))}
    for what, (said, found) in told.items():
        if said != found:
            yield f"graph.json: {said} {what}, and there are {found}"
    leaving = map(graph.edges_from, graph.nodes)
    digest = digest_of(leaving, graph.nodes, symmetric=graph.symmetric, others=graph.others)
    if manifest.digest != digest:
        yield f"graph.json: the digest is {manifest.digest}, and that of the contents {digest}"
    licences = {getattr(said, "licence", "") for edge in edges for said in edge.sentences} - {""}
    if missing := sorted(licences - set(manifest.licences)):
        yield f"graph.json: sentences stand under {', '.join(missing)}, which is not among its licences"


def _report(path: Path, graph: MetaphorGraph) -> Iterator[str]:
    if not (path / _REPORT).is_file():
        return
    try:
        report: Any = json.loads((path / _REPORT).read_bytes())
        told = {what: report[what] for what in ("nodes", "edges", "digest")}
    except (ValueError, KeyError, TypeError) as error:
        yield f"{_REPORT}: not a build's report: {error}"
        return
    found = {"nodes": len(graph), "edges": graph.arrays.forward.entries, "digest": graph.digest}
    for what, said in told.items():
        if said != found[what]:
            yield f"{_REPORT}: {what} {said}, and the graph has {found[what]}"


def _merges(path: Path, graph: MetaphorGraph) -> Iterator[str]:
    """Names that were merged away, and are there all the same."""
    if not (path / _MERGES).is_file():
        return
    try:
        rows = [line.split("\t") for line in read_text(path / _MERGES, _MERGES).split("\n")[1:] if line]
    except KnowledgeError as error:
        yield str(error)
        return
    for number, (kept, merged, *_) in enumerate((row for row in rows if len(row) > 1), 2):
        if merged in graph and kept in graph:
            yield f"{_MERGES}:{number}: {merged!r} was merged into {kept!r}, but is a node"


def _synonyms(path: Path, graph: MetaphorGraph) -> Iterator[str]:
    from tools.knowledge.retrieving.synonyms import SYNONYMS_FILE, read_synonyms

    if not (path / SYNONYMS_FILE).is_file():
        return
    try:
        pairs = read_synonyms(path / SYNONYMS_FILE)
    except KnowledgeError as error:
        yield str(error)
        return
    for pair in pairs:
        for name in pair[:2]:
            if name not in graph:
                yield f"{SYNONYMS_FILE}: {name!r} is no node"
