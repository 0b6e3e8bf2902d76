"""Rows of an edge list: read from .tsv files with their place kept, so that every message can name it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError
from tools.knowledge.edges import KINDS, Edge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

__all__ = ["COLUMNS", "Row", "edge_of", "faults", "read_rows", "table_files"]

COLUMNS = ("source", "target", "kind", "culture", "weight", "ground")
_REQUIRED = ("source", "target")
_LEAST, _MOST = 0.0, 1.0


class Row(NamedTuple):
    """One line of an edge list, as text, before anything is believed of it.

    Attributes:
        where: `file:line`.
        source: what is seen.
        target: what it stands for.
        kind: one of `KINDS`.
        culture: empty, or whose custom it is.
        weight: a number above 0 and up to 1.
        ground: why, in a few words.
        extra: what is wrong with the line itself, or nothing.
    """

    where: str
    source: str = ""
    target: str = ""
    kind: str = "symbol"
    culture: str = ""
    weight: str = "1"
    ground: str = ""
    extra: str = ""

    @property
    def file(self) -> str:
        """The file's name without the folders and the line."""
        return Path(self.where.rpartition(":")[0]).name


def table_files(folder: Path | Traversable) -> list[Path | Traversable]:
    """The .tsv files right in a folder, by name.

    Raises:
        KnowledgeError: if there are none.
    """
    files: list[Path | Traversable] = [file for file in folder.iterdir() if file.name.endswith(".tsv")]
    if not files:
        msg = f"{folder}: no .tsv file in this folder."
        raise KnowledgeError(msg)
    return sorted(files, key=lambda file: file.name)


def read_rows(file: Path | Traversable) -> Iterator[Row]:
    """The rows of one .tsv file; blank lines are passed over.

    The first line names the columns: source and target, and any of kind, culture, weight and ground.

    Raises:
        KnowledgeError: if the file can't be read, is not UTF-8, or its header is wrong.
    """
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
    columns = _columns(lines[0], f"{file}:1")
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            yield _row(line, columns, f"{file}:{number}")


def faults(row: Row) -> list[str]:
    """What makes a row unusable as an edge, each in words that follow its place."""
    if row.extra:
        return [row.extra]
    found: list[str] = []
    found += [f"{column} is empty" for column in _REQUIRED if not getattr(row, column)]
    if row.source and row.source == row.target:
        found.append(f"{row.source!r} is joined to itself")
    if row.kind not in KINDS:
        found.append(f"kind {row.kind!r} is not one of {', '.join(KINDS)}")
    elif row.kind == "cultural" and not row.culture:
        found.append("kind is cultural, but no culture is given")
    elif row.kind != "cultural" and row.culture:
        found.append(f"culture {row.culture!r} is given, but kind is {row.kind}, not cultural")
    if not _is_weight(row.weight):
        found.append(f"weight {row.weight!r} is not a number above 0 and up to 1")
    return found


def edge_of(row: Row) -> Edge:
    """The row as an edge.

    Raises:
        KnowledgeError: naming the row's place and what is wrong with it.
    """
    if found := faults(row):
        msg = f"{row.where}: {'; '.join(found)}."
        raise KnowledgeError(msg)
    return Edge(row.source, row.target, row.kind, row.culture or None, float(row.weight), row.ground)


def _columns(header: str, where: str) -> list[str]:
    columns = [column.strip() for column in header.split("\t")]
    known = (
        f"the first line names the tab-separated columns {', '.join(COLUMNS)} (source and target at least)"
    )
    if missing := [column for column in _REQUIRED if column not in columns]:
        msg = f"{where}: no column {' or '.join(missing)}; {known}."
        raise KnowledgeError(msg)
    if odd := [column for column in columns if column not in COLUMNS or columns.count(column) > 1]:
        msg = f"{where}: column {odd[0]!r} is unknown or named twice; {known}."
        raise KnowledgeError(msg)
    return columns


def _row(line: str, columns: list[str], where: str) -> Row:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != len(columns):
        return Row(where, extra=f"{len(fields)} tab-separated fields where the header names {len(columns)}")
    return Row(where, **dict(zip(columns, fields, strict=True)))


def _is_weight(text: str) -> bool:
    try:
        return _LEAST < float(text) <= _MOST
    except ValueError:
        return False
