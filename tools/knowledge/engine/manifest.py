"""What a compiled graph says of itself: `graph.json`, the last file written and the first one read.

A compiled graph is a folder:

    graph.json      format, version, name, counts, digest, licences, cultures, and every file's size
    *.npy           the arrays of `GraphArrays`, and the names, to be memory-mapped
    texts.sqlite    grounds, sentences with source and licence, provenance, and the index of names
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FILE", "FORMAT", "TEXTS", "VERSION", "Manifest", "read_manifest"]

FILE = "graph.json"
TEXTS = "texts.sqlite"
FORMAT = "metaphorboost-graph"
#: Raised whenever a folder of the version before could not be read, or would be read wrongly.
VERSION = 1
_AGAIN = "build or export it again, or copy it whole"
_KINDS: dict[str, type] = {"int": int, "str": str, "bool": bool, "list": list, "dict": dict}


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The contents of `graph.json`.

    Attributes:
        index: the version of the keys in the index of names.
        name: what the graph was called when it was compiled.
        symmetric: whether its edges have no direction.
        nodes: how many.
        edges: how many.
        sentences: how many distinct ones.
        digest: as `MetaphorGraph.digest`.
        licences: the licences that sentences stand under, in alphabetical order.
        cultures: the names that the ranks in `cultures.npy` stand for; the first is empty.
        files: bytes of every other file.
    """

    index: int
    name: str
    symmetric: bool
    nodes: int
    edges: int
    sentences: int
    digest: str
    licences: list[str]
    cultures: list[str]
    files: dict[str, int]

    def write(self, folder: Path) -> None:
        """Write `graph.json`; all other files have to be there."""
        told = {"format": FORMAT, "version": VERSION, **asdict(self)}
        text = json.dumps(told, indent=1) + "\n"
        (folder / FILE).write_text(text, encoding="utf-8", newline="\n")


def read_manifest(folder: Path, name: str) -> Manifest:
    """Read a compiled graph's `graph.json` and look whether every file is there at its full size.

    Raises:
        KnowledgeError: if it is not one, of another version, or torn; says which file and the way out.
    """
    try:
        told: Any = json.loads((folder / FILE).read_bytes())
    except OSError as error:
        msg = f"{name}: {FILE} can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    except (ValueError, RecursionError) as error:
        msg = f"{name}: {FILE} is not JSON, so it is torn or no compiled graph's; {_AGAIN}."
        raise KnowledgeError(msg) from error
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        msg = f'{name}: {FILE} has no "format": "{FORMAT}", so this is no compiled graph; {_AGAIN}.'
        raise KnowledgeError(msg)
    if fault := _fault(told, folder):
        msg = f"{name}: {fault}; {_AGAIN}."
        raise KnowledgeError(msg)
    return Manifest(**{field.name: told[field.name] for field in fields(Manifest)})


def _fault(told: dict[str, Any], folder: Path) -> str:
    """What is wrong with a compiled graph, or nothing."""
    version = told.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        which = "newer than this program's" if newer else "not this program's"
        return f"compiled in version {version!r} of the format, {which} {VERSION}"
    for field in fields(Manifest):
        kind = _KINDS[str(field.type).partition("[")[0]]
        value = told.get(field.name)
        if type(value) is not kind or (isinstance(value, int) and value < 0):
            return f"{FILE}: {field.name!r} is {value!r:.60}, expected {field.type}"
    for file, size in told["files"].items():
        try:
            found = (folder / file).stat().st_size
        except OSError:
            return f"{file!r} is missing"
        if found != size:
            return f"{file!r} has {found} bytes where {FILE} says {size}"
    return ""
