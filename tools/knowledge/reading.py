"""Opens a graph by name or path: our starter data, the published JSON, or a user's own edge lists."""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.graph import MetaphorGraph
from tools.knowledge.published import read_published
from tools.knowledge.rows import edge_of, read_rows, table_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.resources.abc import Traversable

    from tools.knowledge.edges import Edge

__all__ = ["STARTER", "open_knowledge", "starter_folder"]

STARTER = "starter"
#: Graphs that come with the package, by the name that opens them.
_KNOWN = (STARTER,)
_FORMATS = "a published metaphor_graph.json, a .tsv edge list, or a folder of .tsv files"


def open_knowledge(name_or_path: str | Path = STARTER) -> MetaphorGraph:
    """Open a graph of metaphorical associations.

    Args:
        name_or_path: "starter" for the data that comes with the package, or a path to a published
            `metaphor_graph.json`, a .tsv edge list (columns source, target, kind, culture, weight,
            ground), or a folder of these.

    Returns:
        The graph, read and checked whole.

    Raises:
        KnowledgeError: if there is no such graph or file, or if it is malformed; the message says where
            (line or node) and what to do about it.
    """
    name = str(name_or_path)
    if name == STARTER:
        return _from_tables(table_files(starter_folder()), STARTER)
    try:
        path = Path(name).expanduser()
    except RuntimeError as error:
        msg = f"{name}: {error}"
        raise KnowledgeError(msg) from error
    if path.is_dir():
        return _from_tables(table_files(path), name)
    if not path.is_file():
        raise KnowledgeError(_no_such(name))
    suffix = path.suffix.lower()
    if suffix == ".json":
        return read_published(path, name)
    if suffix == ".tsv":
        return _from_tables([path], name)
    hint = " A pickle is never opened, since it can run code." if suffix in {".pkl", ".pickle"} else ""
    msg = f"{name}: {suffix or 'a file without an ending'} is not a format of a graph; give {_FORMATS}.{hint}"
    raise KnowledgeError(msg)


def starter_folder() -> Traversable:
    """The folder of the starter data, as package data."""
    return files("tools.knowledge") / "data"


def _no_such(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), _KNOWN, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return (
        f"{name}: no graph of this name and no such file.{meant} "
        f"Known names: {', '.join(_KNOWN)}; or give a path to {_FORMATS}."
    )


def _from_tables(tables: Iterable[Path | Traversable], name: str) -> MetaphorGraph:
    edges: list[Edge] = []
    places: dict[tuple[str, str, str], str] = {}
    for table in tables:
        for row in read_rows(table):
            edge = edge_of(row)
            first = places.setdefault((row.source, row.target, row.culture), row.where)
            if first != row.where:
                msg = f"{row.where}: {row.source!r} -> {row.target!r} stands at {first} already; keep one."
                raise KnowledgeError(msg)
            edges.append(edge)
    if not edges:
        msg = f"{name}: no edges, so nothing could ever be found in it."
        raise KnowledgeError(msg)
    return MetaphorGraph(edges, name=name)
