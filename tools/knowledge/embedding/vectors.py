"""The vectors of a graph's nodes: computed once for each embedder, memory-mapped, searched by numpy.

A file holds one row a node, in the order of their numbers: int8, each row scaled so that its largest
number is 127 (a cosine is off by less than 0.01), or floats as somebody else published them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tools.knowledge.embedding.embedders import Embedder
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["VectorTable", "node_vectors", "vectors_name"]

#: Rows that are compared at once: 8192 x 384 numbers take 13 MB.
_BLOCK = 8192
_LARGEST = 127
_SLICE = 64
#: Texts embedded between two writes.
_CHUNK = 4096


class VectorTable:
    """Rows of numbers whose directions are compared."""

    def __init__(self, rows: NDArray[Any]) -> None:
        """Take rows of any length but zero, as int8 or floats, in memory or mapped from a file."""
        self._rows = rows
        self._lengths = np.concatenate([np.zeros(0, np.float32), *map(_lengths, _blocks(rows))])

    @classmethod
    def open(cls, path: Path, count: int) -> VectorTable:
        """Map a file of vectors.

        Args:
            path: a .npy file.
            count: how many rows it must have.

        Raises:
            KnowledgeError: if it is no such file, or has another number of rows.
        """
        try:
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            msg = f"{path}: not a file of vectors: {error}."
            raise KnowledgeError(msg) from error
        if rows.ndim != 2 or len(rows) != count or rows.dtype.kind not in "fi":  # noqa: PLR2004
            msg = f"{path}: {rows.dtype} of shape {rows.shape}, expected one row for each of {count} nodes."
            raise KnowledgeError(msg)
        return cls(rows)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    @property
    def dimensions(self) -> int:
        """Numbers a row."""
        return int(self._rows.shape[1])

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Some rows as float32, each of length 1."""
        return np.asarray(self._rows[numbers], np.float32) / self._lengths[numbers, None]

    def top(
        self, queries: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The rows nearest in direction to each query, the nearest first; among equals the lower number.

        Args:
            queries: float32 of shape (q, dimensions), each of length 1.
            k: how many rows at most.
            allowed: bool, one a row: which rows count; all by default.

        Returns:
            Rows' numbers and cosines, both of shape (q, k), or narrower where fewer rows count.

        Raises:
            KnowledgeError: if queries have another number of dimensions.
        """
        if queries.shape[1] != self.dimensions:
            msg = f"keywords have {queries.shape[1]} dimensions, and the nodes' vectors {self.dimensions}."
            raise KnowledgeError(msg)
        cosines = np.empty((len(self), len(queries)), np.float32)
        for first, block in zip(range(0, len(self), _BLOCK), _blocks(self._rows), strict=False):
            np.matmul(block, queries.T, out=cosines[first : first + len(block)])
        cosines /= self._lengths[:, None]
        if allowed is not None:
            cosines[~allowed] = -np.inf
        k = min(k, len(self) if allowed is None else int(allowed.sum()))
        own = np.ascontiguousarray(cosines.T)
        numbers = np.stack([_largest(row, k) for row in own])
        return numbers, np.take_along_axis(own, numbers, axis=1)


def node_vectors(graph: MetaphorGraph, embedder: Embedder, folder: Path | None) -> VectorTable:
    """The vectors of a graph's names.

    Args:
        graph: any graph.
        embedder: embeds the names, unless that was done before.
        folder: where the file is kept; one that can't be written is done without, as is None.

    Raises:
        KnowledgeError: if the names can't be embedded.
    """
    path = folder / vectors_name(graph, embedder) if folder else None
    if path and path.is_file():
        with contextlib.suppress(KnowledgeError):  # torn: made anew
            return VectorTable.open(path, len(graph))
    parts = [
        _packed(embedder.embed(graph.nodes[first : first + _CHUNK])) for first in range(0, len(graph), _CHUNK)
    ]
    rows = np.concatenate(parts) if parts else np.zeros((0, 1), np.int8)
    if path:
        with contextlib.suppress(OSError):
            _save(rows, path)
            return VectorTable.open(path, len(graph))
    return VectorTable(rows)


def vectors_name(graph: MetaphorGraph, embedder: Embedder) -> str:
    """The name of the file that a graph's vectors by an embedder are kept in."""
    names = hashlib.sha256(embedder.name.encode())
    for node in graph.nodes:
        names.update(b"\n" + node.encode("utf-8", "surrogatepass"))
    return f"vectors-{names.hexdigest()[:32]}.npy"


def _blocks(rows: NDArray[Any]) -> Any:
    """Rows as float32, some at a time."""
    for first in range(0, len(rows), _BLOCK):
        yield np.asarray(rows[first : first + _BLOCK], np.float32)


def _lengths(block: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.sqrt(np.einsum("ij,ij->i", block, block))
    return np.where(lengths > 0, lengths, np.inf).astype(np.float32)


def _largest(values: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The places of the k largest values, the largest first, among equals the first."""
    if k <= 0:
        return np.zeros(0, np.int64)
    # The k largest of the slices' own largest are k values, so none of the k largest is below them.
    largest = values[: len(values) // _SLICE * _SLICE].reshape(-1, _SLICE).max(axis=1)
    least = np.partition(largest, len(largest) - k)[len(largest) - k] if k <= len(largest) else -np.inf
    above = np.flatnonzero(values >= least)
    return above[np.argsort(-values[above], kind="stable")][:k]


def _packed(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    most = np.abs(vectors).max(axis=1, keepdims=True, initial=np.finfo(np.float32).tiny)
    return np.rint(vectors * (_LARGEST / most)).astype(np.int8)


def _save(rows: NDArray[Any], path: Path) -> None:
    """Write aside and move into place, so that any number of processes may do it at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, part = tempfile.mkstemp(suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            np.save(file, rows, allow_pickle=False)
        Path(part).replace(path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
