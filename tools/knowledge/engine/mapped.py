"""A compiled graph, memory-mapped and shared by processes; names and edges are made when asked for."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import weakref
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from tools.errors import KnowledgeError
from tools.knowledge.edges import KINDS, Edge
from tools.knowledge.engine.arrays import Csr, GraphArrays
from tools.knowledge.engine.manifest import FILE, TEXTS, read_manifest
from tools.knowledge.engine.texts import EdgeText, Texts
from tools.knowledge.linking.index import SqliteIndex

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray
    from typing_extensions import Buffer

    from tools.knowledge.engine.manifest import Manifest
    from tools.knowledge.linking.index import NameIndex
    from tools.knowledge.linking.other_names import OtherName

__all__ = ["CSRS", "PLAIN", "MappedStore", "Names", "hash_of", "unheld"]

#: The fields of `GraphArrays` that are matrices, and those that are plain arrays.
CSRS = ("forward", "backward", "around")
PLAIN = ("arrivals", "weights", "cultures", "ranks")
#: Files up to this size are read: cheaper than a mapping.
_SMALL = 4096
#: Nodes whose edges are remembered.
_REMEMBERED = 512


def hash_of(name: str) -> int:
    """A name's place in the order that `Names` looks names up in, 64 bits."""
    told = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(told.digest(), "big")


class Names(Sequence[str]):
    """Every node's name by number, decoded from mapped bytes; equal to any sequence of the same names."""

    def __init__(self, text: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        """Take all names' bytes one after the other, and where each ends."""
        self._text = memoryview(cast("Buffer", text))
        self._ends = ends

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        """A name, or a tuple of names."""
        if isinstance(at, slice):
            return tuple(self._name(number) for number in range(len(self))[at])
        return self._name(range(len(self))[at])

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self._ends)

    def __iter__(self) -> Iterator[str]:
        """Every name."""
        first = 0
        for last in self._ends.tolist():
            yield str(self._text[first:last], "utf-8", "surrogatepass")
            first = last

    def __eq__(self, other: object) -> bool:
        """Whether the names are the same in the same order."""
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(map(str.__eq__, self, other))

    def __hash__(self) -> int:
        """As that of the tuple."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        """The first names and how many there are."""
        return f"Names({', '.join(map(repr, self[:3]))}, ... {len(self)} in all)"

    def _name(self, number: int) -> str:
        first = int(self._ends[number - 1]) if number else 0
        return str(self._text[first : int(self._ends[number])], "utf-8", "surrogatepass")


class MappedStore:
    """Where a compiled graph's names and edges are kept; see `store.Store`.

    Safe to share between threads, to fork with, and to send to another process, which maps the same files.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Map a compiled graph.

        Raises:
            KnowledgeError: if the folder is torn, or of another version.
        """
        self.folder = folder
        self._name = name
        self._hold()
        self.manifest: Manifest = read_manifest(folder, name)
        self.symmetric = self.manifest.symmetric
        self.digest = self.manifest.digest
        try:
            self.arrays = self._mapped_arrays()
            self.names = Names(self._array("names", "uint8"), self._array("name_ends", "int64"))
            self._hashes = self._array("name_hashes", "uint64")
            self._hashed = self._array("name_numbers", "int32")
            self._kinds = self._array("kinds", "int8")
        except (OSError, ValueError) as error:
            msg = f"{name}: not a whole compiled graph: {error}; build or export it again, or copy it whole."
            raise KnowledgeError(msg) from error
        self._check_sizes()
        self._texts = Texts(folder / TEXTS)
        self._index = SqliteIndex(str(folder / TEXTS), self.names)
        self._recent: dict[int, tuple[Edge, ...]] = {}

    def __reduce__(self) -> tuple[type[MappedStore], tuple[Path, str]]:
        """Map the folder again, in the process it is sent to."""
        return type(self), (self.folder, self._name)

    @property
    def index(self) -> NameIndex:
        """The index of names, for linking."""
        return self._index

    @property
    def others(self) -> Sequence[OtherName]:
        """Other names of the nodes."""
        return self._texts.others()

    def number(self, name: str) -> int | None:
        """The node of exactly this name, or None."""
        wanted = np.uint64(hash_of(name))
        at = int(np.searchsorted(self._hashes, wanted))
        while at < len(self._hashes) and self._hashes[at] == wanted:
            number = int(self._hashed[at])
            if not 0 <= number < len(self.names):
                raise KnowledgeError(self._damaged(f"a name stands for node {number}"))
            if self.names[number] == name:
                return number
            at += 1
        return None

    def leaving(self, node: int) -> Sequence[Edge]:
        """The edges whose source a node is."""
        found = self._recent.get(node)
        if found is None:
            first, last = self.arrays.forward.indptr[node : node + 2].tolist()
            found = tuple(self.edges(range(first, last)))
            # No lru_cache: it would hold the store in a ring, and its lock until the collector comes by.
            if len(self._recent) >= _REMEMBERED:
                self._recent.clear()
            self._recent[node] = found
        return found

    def edges(self, numbers: Iterable[int]) -> list[Edge]:
        """Some edges by number."""
        asked = list(numbers)
        at = np.asarray(asked, np.int64)
        sources = np.searchsorted(self.arrays.forward.indptr, at, "right") - 1
        texts = self._read(list(dict.fromkeys(asked)))
        try:
            return [
                self._edge(int(source), number, texts[number])
                for source, number in zip(sources, asked, strict=True)
            ]
        except (IndexError, UnicodeDecodeError) as error:
            raise KnowledgeError(self._damaged(str(error))) from error

    def _damaged(self, what: str) -> str:
        return f"{self._name}: the files' contents are damaged ({what}); build or export it again."

    def _edge(self, source: int, number: int, text: EdgeText) -> Edge:
        arrays = self.arrays
        return Edge(
            self.names[source],
            self.names[int(arrays.forward.indices[number])],
            KINDS[self._kinds[number]],
            self.manifest.cultures[arrays.cultures[number]] or None,
            float(arrays.weights[number]),
            text.ground,
            text.sentences,
            text.provenance,
        )

    def _read(self, numbers: list[int]) -> dict[int, EdgeText]:
        try:
            texts = self._texts.of(numbers)
        except (sqlite3.Error, OSError, IndexError, KeyError, ValueError) as error:
            where = "" if str(self.folder) == self._name else f" in {self.folder}"
            msg = f"{self._name}: {TEXTS}{where} can't be read ({error}); build or export it again."
            raise KnowledgeError(msg) from error
        if len(texts) != len(numbers):
            msg = f"{self._name}: {TEXTS} lacks edges; build or export it again, or copy it whole."
            raise KnowledgeError(msg)
        return texts

    def _mapped_arrays(self) -> GraphArrays:
        return GraphArrays(
            forward=self._csr("forward"),
            backward=self._csr("backward"),
            around=self._csr("around"),
            arrivals=self._array("arrivals", "int32"),
            weights=self._array("weights", "float64"),
            cultures=self._array("cultures", "int32"),
            ranks=self._array("ranks", "int32"),
            symmetric=self.symmetric,
        )

    def _csr(self, name: str) -> Csr:
        return Csr(
            self._array(f"{name}.indptr", "int64"),
            self._array(f"{name}.indices", "int32"),
            self._array(f"{name}.weights", "float32"),
        )

    def _array(self, name: str, kind: str) -> NDArray[Any]:
        """One array, mapped unless it is small.

        Raises:
            ValueError: (or OSError) if the file is no array, or one of another kind.
        """
        file = self.folder / f"{name}.npy"
        mapped = "r" if self.manifest.files.get(file.name, 0) > _SMALL else None
        array = np.asarray(np.load(file, mmap_mode=mapped, allow_pickle=False))
        if array.dtype != kind or array.ndim != 1:
            msg = f"{file.name} holds {array.dtype} in {array.ndim} dimensions, expected {kind} in 1"
            raise ValueError(msg)
        return array

    def _check_sizes(self) -> None:
        """Whether the arrays fit each other, without touching what is mapped but at its ends."""
        nodes, edges = self.manifest.nodes, self.manifest.edges
        arrays = self.arrays
        fits = [len(getattr(arrays, name)) == edges for name in PLAIN[:3]]
        fits += [len(arrays.ranks) == len(self.names) == len(self._hashes) == len(self._hashed) == nodes]
        fits += [len(self._kinds) == arrays.forward.entries == arrays.backward.entries == edges]
        for name in CSRS:
            csr: Csr = getattr(arrays, name)
            fits += [csr.nodes == nodes, csr.indptr[-1] == csr.entries == len(csr.weights)]
        if not all(fits):
            msg = f"{self._name}: the arrays and {FILE} tell different sizes; build or export it again."
            raise KnowledgeError(msg)

    def _hold(self) -> None:
        """Keep a shared lock, so that no process clears the folder away while this one reads it."""
        with contextlib.suppress(OSError, ImportError):  # no such locks there: nothing to hold
            import fcntl

            descriptor = os.open(self.folder / FILE, os.O_RDONLY)
            weakref.finalize(self, os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


@contextlib.contextmanager
def unheld(folder: Path) -> Generator[bool]:
    """Keep others from opening a compiled graph, if none has it open; tells whether that is so."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks, open files can't be removed anyway
        yield True
        return
    try:
        descriptor = os.open(folder / FILE, os.O_RDONLY)
    except OSError:  # no manifest: torn, so nobody has it open
        yield True
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_free = True
    except BlockingIOError:
        is_free = False
    except OSError:  # a file system without locks
        is_free = True
    try:
        yield is_free
    finally:
        os.close(descriptor)
