"""Synonym edges: pairs of nodes whose names mean nearly the same, for walks to pass between them.

They come from the names alone, never from the graph's edges: each name is joined to the nearest others by
the cosine of their embeddings. The starter graph's pairs are part of its data; a folder's stand
in it. A graph without any is walked without them.
"""

from __future__ import annotations

import gzip
import zlib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    from tools.knowledge.graph import MetaphorGraph

__all__ = [
    "LEAST",
    "NEAREST",
    "SYNONYMS_FILE",
    "Synonym",
    "nearest_names",
    "read_synonyms",
    "starter_synonyms",
    "synonyms_of",
    "write_synonyms",
]

#: Where a folder keeps them: in a folder of their own, since they are no edge list.
SYNONYMS_FILE = "synonyms/synonyms.tsv.gz"
#: Names that each name is joined to at most, and the lowest cosine that joins.
NEAREST, LEAST = 12, 0.6
_HEADER = "name\tother\tcosine"
#: Cosines are told to this many places: below that, machines differ.
_PLACES = 3
_BLOCK = 512


class Synonym(NamedTuple):
    """Two names that mean nearly the same.

    Attributes:
        name: the first of the two in alphabetical order.
        other: the second.
        cosine: of their embeddings, in (0, 1].
    """

    name: str
    other: str
    cosine: float


def nearest_names(
    names: Sequence[str], vectors: NDArray[np.float32], *, nearest: int = NEAREST, least: float = LEAST
) -> list[Synonym]:
    """Join each name to those nearest in meaning.

    Args:
        names: distinct names.
        vectors: float32, names x dimensions, each of length 1.
        nearest: others that each name is joined to at most; equal cosines by name.
        least: the lowest cosine that joins.

    Returns:
        Each pair once, by name; a pair is kept when either is among the other's nearest.

    Raises:
        ValueError: if there is not one vector for each name.
    """
    if len(vectors) != len(names):
        msg = f"{len(vectors)} vectors for {len(names)} names"
        raise ValueError(msg)
    alphabetical = np.argsort(np.argsort(np.array(names, dtype=object)))
    found: dict[tuple[str, str], float] = {}
    for first in range(0, len(names), _BLOCK):
        cosines = np.round(vectors[first : first + _BLOCK] @ vectors.T, _PLACES)
        for row, near in enumerate(cosines, first):
            near[row] = -1.0
            others = np.flatnonzero(near >= least)
            order = np.lexsort((alphabetical[others], -near[others]))[:nearest]
            chosen: list[int] = others[order].tolist()
            for other in chosen:
                one, two = sorted([names[row], names[other]])
                found[one, two] = min(round(float(near[other]), _PLACES), 1.0)
    return [Synonym(one, two, found[one, two]) for one, two in sorted(found)]


def write_synonyms(path: Path, synonyms: Iterable[Synonym]) -> None:
    """Write pairs as a gzipped table; the same pairs give the same bytes."""
    lines = [_HEADER, *(f"{pair.name}\t{pair.other}\t{pair.cosine:.{_PLACES}f}" for pair in synonyms)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))


def read_synonyms(path: Path | Traversable) -> list[Synonym]:
    """Read what `write_synonyms` wrote.

    Raises:
        KnowledgeError: naming the line and what is wrong with it.
    """
    try:
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        msg = f"{path}: can't be read as a gzipped table of synonyms: {error}."
        raise KnowledgeError(msg) from error
    if lines[:1] != [_HEADER]:
        msg = f"{path}:1: expected the header {_HEADER!r}, got {lines[:1]}."
        raise KnowledgeError(msg)
    return [_synonym(line, f"{path}:{number}") for number, line in enumerate(lines[1:], 2)]


def _synonym(line: str, where: str) -> Synonym:
    try:
        one, two, cosine = line.split("\t")
        pair = Synonym(one, two, float(cosine))
    except ValueError as error:
        msg = f"{where}: expected two names and a cosine, separated by tabs, got {line!r}."
        raise KnowledgeError(msg) from error
    if not 0 < pair.cosine <= 1 or pair.name == pair.other:
        msg = f"{where}: two different names and a cosine above 0 and up to 1 are expected, got {line!r}."
        raise KnowledgeError(msg)
    return pair


def starter_synonyms() -> Traversable:
    """The starter graph's synonym edges, as package data."""
    return files("tools.knowledge").joinpath("data", *SYNONYMS_FILE.split("/"))


def synonyms_of(graph: MetaphorGraph) -> list[Synonym]:
    """A graph's own synonym edges: the starter's, or those in the folder it is named after; else none.

    Raises:
        KnowledgeError: if the table is there and malformed.
    """
    from tools.knowledge.reading import STARTER

    if graph.name == STARTER:
        table = starter_synonyms()
        return read_synonyms(table) if table.is_file() else []
    try:
        beside = Path(graph.name).expanduser() / SYNONYMS_FILE
        found = beside.is_file()
    except (OSError, RuntimeError, ValueError):  # a name that is no path at all
        return []
    return read_synonyms(beside) if found else []
