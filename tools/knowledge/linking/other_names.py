"""Other names of nodes: synonyms in English and translations in Chinese, from `names/*.tsv` or `names.tsv`.

    node	name	language	relation
    candle	蜡烛	zh	translation
    trash can	garbage bin	en	synonym

One line a name. A name may belong to two nodes; both are linked then.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError
from tools.knowledge.linking.names import normal

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from importlib.resources.abc import Traversable

__all__ = [
    "COLUMNS",
    "LANGUAGES",
    "NAMES_FILE",
    "RELATIONS",
    "OtherName",
    "name_files",
    "names_beside",
    "read_names",
]

COLUMNS = ("node", "name", "language", "relation")
LANGUAGES = ("en", "zh")
RELATIONS = ("synonym", "translation")
#: Beside a graph's own tables or files, the file of its other names.
NAMES_FILE = "names.tsv"
_FOLDER = "names"


class OtherName(NamedTuple):
    """One more name of a node.

    Attributes:
        node: the node's name in the graph.
        name: what it is called as well.
        language: one of `LANGUAGES`.
        relation: one of `RELATIONS`.
        where: `file:line`.
    """

    node: str
    name: str
    language: str
    relation: str
    where: str = ""


def name_files(folder: Path | Traversable) -> list[Path | Traversable]:
    """The tables of other names that belong to a folder's graph: `names.tsv` in it, and `names/*.tsv`."""
    found: list[Path | Traversable] = []
    for entry in folder.iterdir():
        if entry.name == NAMES_FILE and entry.is_file():
            found.append(entry)
        elif entry.name == _FOLDER and entry.is_dir():
            found += [file for file in entry.iterdir() if file.name.endswith(".tsv")]
    return sorted(found, key=str)


def names_beside(file: Path) -> list[Path]:
    """The table of other names beside a graph that is one file: `names.tsv` in its folder, if it is there."""
    beside = file.parent / NAMES_FILE
    return [beside] if beside.is_file() and not beside.samefile(file) else []


def read_names(
    files: Iterable[Path | Traversable], nodes: Container[str] | None = None
) -> tuple[OtherName, ...]:
    """Every other name in some tables, sorted, so that neither the order of files nor of lines matters.

    Args:
        files: the tables.
        nodes: the graph's names, if each node named has to be one of them.

    Raises:
        KnowledgeError: if a file can't be read, or at the first row that can't be used; the message says
            file and line.
    """
    rows: dict[tuple[str, str], OtherName] = {}
    for file in files:
        for row in _rows(file):
            if fault := _fault(row, nodes):
                msg = f"{row.where}: {fault}."
                raise KnowledgeError(msg)
            rows.setdefault((row.node, row.name), row)
    return tuple(sorted(rows.values()))


def _rows(file: Path | Traversable) -> Iterable[OtherName]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        msg = f"{file}: can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{file}: not UTF-8 at byte {error.start}; save it as UTF-8."
        raise KnowledgeError(msg) from error
    # Not splitlines(), which also splits at separators that may stand inside a field.
    lines = text.replace("\r\n", "\n").split("\n")
    columns = tuple(column.strip() for column in lines[0].split("\t"))
    if columns != COLUMNS:
        msg = f"{file}:1: the first line has to be the tab-separated columns {', '.join(COLUMNS)}."
        raise KnowledgeError(msg)
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != len(COLUMNS):
            msg = f"{file}:{number}: {len(fields)} tab-separated fields, expected {len(COLUMNS)}."
            raise KnowledgeError(msg)
        yield OtherName(*fields, where=f"{file}:{number}")


def _fault(row: OtherName, nodes: Container[str] | None) -> str:
    """What makes a row unusable, or nothing."""
    if not row.node or not normal(row.name):
        return f"{'node' if not row.node else 'name'} is empty"
    if row.language not in LANGUAGES:
        return f"language {row.language!r} is not one of {', '.join(LANGUAGES)}"
    if row.relation not in RELATIONS:
        return f"relation {row.relation!r} is not one of {', '.join(RELATIONS)}"
    if nodes is not None and row.node not in nodes:
        return f"node {row.node!r} is not in the graph"
    return ""
