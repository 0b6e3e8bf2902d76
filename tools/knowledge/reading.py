"""Opens a graph by name or path: our starter data, a compiled folder, or any format that graphs come in."""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError
from tools.knowledge.engine.kept import kept
from tools.knowledge.formats.files import suffix_of
from tools.knowledge.formats.rows import table_files
from tools.knowledge.linking.other_names import name_files, names_beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["STARTER", "open_knowledge", "read_knowledge", "starter_folder"]

STARTER = "starter"
#: Graphs that come with the package, by the name that opens them.
_KNOWN = (STARTER,)
_TABLES = frozenset({".tsv", ".csv"})
_FORMATS = (
    "a compiled folder, a folder of .tsv files, a .tsv or .csv edge list, a published metaphor_graph.json, "
    "or a .graphml (each also as .gz)"
)
_PICKLES = frozenset({".pkl", ".pickle", ".pt", ".gpickle"})


class _Found(NamedTuple):
    """What a name stands for.

    Attributes:
        name: as it was given.
        tables: edge lists, or the one file of another format.
        names: tables of other names.
    """

    name: str
    tables: Sequence[Path | Traversable]
    names: Sequence[Path | Traversable] = ()

    def read(self) -> MetaphorGraph:
        """Read and check everything."""
        file = self.tables[0]
        suffix = suffix_of(file.name)
        if suffix == ".json" and isinstance(file, Path):
            from tools.knowledge.formats.published import read_published

            return read_published(file, self.name)
        if suffix == ".graphml" and isinstance(file, Path):
            from tools.knowledge.formats.graphml import read_graphml

            return read_graphml(file, self.name)
        from tools.knowledge.formats.tables import read_tables

        return read_tables(self.tables, self.name, self.names, STARTER if self.name == STARTER else "")


def open_knowledge(name_or_path: str | Path = STARTER) -> MetaphorGraph:
    """Open a graph of metaphorical associations.

    A compiled folder is memory-mapped. Everything else is read and checked whole, compiled to the user's
    cache folder, and mapped from there; the next time, as long as its files stay as they are, it opens in
    milliseconds. Where that folder can't be written to, the graph stays in memory.

    Args:
        name_or_path: "starter" for the data that comes with the package, or a path to a compiled folder, a
            published `metaphor_graph.json`, a .graphml, a .tsv or .csv edge list (columns source, target,
            kind, culture, weight, ground), each also as .gz, or a folder of .tsv files.

    Returns:
        The graph.

    Raises:
        KnowledgeError: if there is no such graph or file, or if it is malformed; the message says where
            (line or node) and what to do about it.
    """
    name = str(name_or_path)
    found = _found(name)
    if isinstance(found, Path):
        from tools.knowledge.engine.compiled import open_compiled

        return open_compiled(found, name)
    return kept([*found.tables, *found.names], name, found.read)


def read_knowledge(name_or_path: str | Path = STARTER) -> MetaphorGraph:
    """The same graph in memory, read from its own files whatever the cache holds; raises the same."""
    found = _found(str(name_or_path))
    return open_knowledge(found) if isinstance(found, Path) else found.read()


def _found(name: str) -> _Found | Path:
    """What a name stands for: files to read, or a compiled folder."""
    from tools.knowledge.engine.manifest import FILE

    if name == STARTER:
        folder = starter_folder()
        return _Found(name, table_files(folder), name_files(folder))
    try:
        path = Path(name).expanduser()
    except RuntimeError as error:
        msg = f"{name}: {error}"
        raise KnowledgeError(msg) from error
    try:
        if path.is_dir():
            if (path / FILE).is_file():
                return path
            return _Found(name, table_files(path), name_files(path))
        is_file = path.is_file()
    except ValueError as error:  # a path with a null character
        raise KnowledgeError(_no_such(name)) from error
    except OSError as error:
        msg = f"{name}: can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    if not is_file:
        raise KnowledgeError(_in_its_place(path) or _no_such(name))
    suffix = suffix_of(path.name)
    if suffix in _TABLES:
        return _Found(name, [path], names_beside(path))
    if suffix in {".json", ".graphml"}:
        return _Found(name, [path])
    hint = " A pickle is never opened, since it can run code." if suffix in _PICKLES else ""
    msg = f"{name}: {suffix or 'a file without an ending'} is not a format of a graph; give {_FORMATS}.{hint}"
    raise KnowledgeError(msg)


def starter_folder() -> Traversable:
    """The folder of the starter data, as package data."""
    return files("tools.knowledge") / "data"


def _in_its_place(path: Path) -> str:
    """What stands where a graph was looked for, in a sentence; empty where nothing does."""
    if path.is_symlink() and not path.exists():
        return f"{path}: a link to {path.readlink()}, which isn't there."
    if path.exists():
        return f"{path}: not a regular file (a pipe, a socket or a device), which is never opened as a graph."
    return ""


def _no_such(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), _KNOWN, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return (
        f"{name}: no graph of this name and no such file.{meant} "
        f"Known names: {', '.join(_KNOWN)}; or give a path to {_FORMATS}."
    )
