"""Compiles a graph to a folder that opens in milliseconds; `manifest.py` tells what is in it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge.edges import KINDS
from tools.knowledge.engine.collector import collector_paused
from tools.knowledge.engine.manifest import FILE, TEXTS, Manifest
from tools.knowledge.engine.mapped import CSRS, PLAIN, MappedStore, hash_of
from tools.knowledge.engine.texts import write_others, write_texts
from tools.knowledge.graph import MetaphorGraph
from tools.knowledge.linking.index import VERSION as INDEX
from tools.knowledge.linking.index import write_index

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.edges import Edge

__all__ = ["compile_graph", "is_compiled", "open_compiled", "write_compiled"]

#: Bytes; fixed, so that a graph's file is the same wherever it is compiled.
_PAGE = 4096


def is_compiled(folder: Path) -> bool:
    """Whether a folder looks like a compiled graph."""
    return (folder / FILE).is_file()


def open_compiled(folder: Path, name: str | None = None) -> MetaphorGraph:
    """Map a compiled graph.

    Args:
        folder: what `compile_graph` wrote.
        name: what the graph is called; as the folder by default.

    Raises:
        KnowledgeError: if the folder is torn, or of another version.
    """
    called = str(folder) if name is None else name
    return MetaphorGraph.over(MappedStore(folder, called), called)


def compile_graph(
    edges: Iterable[Edge],
    folder: Path,
    *,
    nodes: Iterable[str] = (),
    symmetric: bool = False,
    name: str = "graph",
) -> Manifest:
    """Write edges, given as to `MetaphorGraph`, as a compiled graph; the rest as `write_compiled`."""
    with collector_paused():
        graph = MetaphorGraph(edges, nodes=nodes, symmetric=symmetric, name=name)
    return write_compiled(graph, folder)


def write_compiled(graph: MetaphorGraph, folder: Path, *, replace: bool = True) -> Manifest:
    """Write a compiled graph; the folder is there whole, or not at all.

    The same graph gives the same files, byte for byte (with the same version of sqlite).

    Args:
        graph: any graph.
        folder: where to; made, with the folders above it.
        replace: whether a compiled graph there is replaced; else it is left as it is.

    Raises:
        KnowledgeError: if something else is in the folder.
        OSError: (or sqlite3.Error) if it can't be written.
    """
    if folder.exists() and not (folder.is_dir() and (is_compiled(folder) or not any(folder.iterdir()))):
        msg = f"{folder}: there is something else already; give a new folder, or one of a compiled graph."
        raise KnowledgeError(msg)
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".part", dir=folder.parent))
    try:
        part.chmod(0o755)
        with collector_paused():
            manifest = _write(graph, part)
        _move(part, folder, replace=replace)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _write(graph: MetaphorGraph, folder: Path) -> Manifest:
    edges = list(graph.edges)
    _write_arrays(graph, edges, folder)
    _write_names(graph.nodes, folder)
    # Closed in the end, which `with` on the connection alone does not do.
    with contextlib.closing(sqlite3.connect(folder / TEXTS)) as connection:
        connection.executescript(
            f"PRAGMA page_size={_PAGE}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
        )
        sentences, licences = write_texts(connection, edges)
        # Half a surrogate pair can't be a key.
        keyed = [node.encode("utf-8", "replace").decode() for node in graph.nodes]
        write_index(connection, keyed, graph.others)
        write_others(connection, graph.others)
        connection.commit()
    manifest = Manifest(
        index=INDEX,
        name=graph.name,
        symmetric=graph.symmetric,
        nodes=len(graph),
        edges=len(edges),
        sentences=sentences,
        digest=graph.digest,
        licences=licences,
        cultures=sorted({edge.culture or "" for edge in edges} | {""}),
        files={file.name: file.stat().st_size for file in sorted(folder.iterdir())},
    )
    manifest.write(folder)
    return manifest


def _write_arrays(graph: MetaphorGraph, edges: Sequence[Edge], folder: Path) -> None:
    arrays = graph.arrays
    for name in CSRS:
        csr = getattr(arrays, name)
        for part in ("indptr", "indices", "weights"):
            np.save(folder / f"{name}.{part}.npy", getattr(csr, part), allow_pickle=False)
    for name in PLAIN:
        np.save(folder / f"{name}.npy", getattr(arrays, name), allow_pickle=False)
    kinds = {kind: number for number, kind in enumerate(KINDS)}
    numbered = np.fromiter((kinds[edge.kind] for edge in edges), np.int8, len(edges))
    np.save(folder / "kinds.npy", numbered, allow_pickle=False)


def _write_names(names: Sequence[str], folder: Path) -> None:
    told = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = np.cumsum(np.fromiter(map(len, told), np.int64, len(told)))
    hashes = np.fromiter(map(hash_of, names), np.uint64, len(told))
    order = np.argsort(hashes, kind="stable")
    arrays = {
        "names": np.frombuffer(b"".join(told), np.uint8),
        "name_ends": ends.astype(np.int64),
        "name_hashes": hashes[order],
        "name_numbers": order.astype(np.int32),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


def _move(part: Path, folder: Path, *, replace: bool) -> None:
    """Put a finished folder in its place; one that is there already is replaced, or left."""
    try:
        part.rename(folder)
    except OSError:
        if not is_compiled(folder):
            raise
        if not replace:
            return
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".old", dir=folder.parent))
        try:
            folder.rename(old / folder.name)
            part.rename(folder)
        finally:
            shutil.rmtree(old, ignore_errors=True)
