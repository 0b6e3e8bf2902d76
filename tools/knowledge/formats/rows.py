"""Rows of an edge list: read from .tsv and .csv files with their place kept, so that messages can name it.

In a .tsv a field is what stands between two tabs, without outer blanks; in a .csv it may be quoted. A row of
kind `NODE` holds a node's name alone: it gives a node its place in the order, or one that has no edge.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError
from tools.knowledge.edges import KINDS, Edge
from tools.knowledge.formats.evidence import sentences_from_json
from tools.knowledge.formats.files import read_text, suffix_of
from tools.knowledge.linking.other_names import NAMES_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

__all__ = ["COLUMNS", "MORE_COLUMNS", "NODE", "Row", "edge_of", "faults", "read_rows", "table_files"]

COLUMNS = ("source", "target", "kind", "culture", "weight", "ground")
#: Columns of graphs that keep their evidence, were built from several sources, or have no direction.
MORE_COLUMNS = ("sentences", "provenance", "symmetric")
#: The kind of a row that is no edge.
NODE = "node"
_REQUIRED = ("source", "target")
_ENDINGS = (".tsv", ".tsv.gz")
_LEAST, _MOST = 0.0, 1.0
_AS_WRITTEN = frozenset({"ground", "sentences", "provenance"})
_SYMMETRIC = ("", "yes")
_SHOWN = 60
#: Characters; the largest that the csv module takes on every system.
_LONGEST_FIELD = 2**31 - 1


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
        sentences: nothing, or a JSON list as `evidence` reads it.
        provenance: where the edge comes from.
        symmetric: "yes" when edges have no direction and stand in both their nodes' rows.
        extra: what is wrong with the line itself, or nothing.
    """

    where: str
    source: str = ""
    target: str = ""
    kind: str = "symbol"
    culture: str = ""
    weight: str = "1"
    ground: str = ""
    sentences: str = ""
    provenance: str = ""
    symmetric: str = ""
    extra: str = ""

    @property
    def file(self) -> str:
        """The file's name without the folders and the line."""
        return Path(self.where.rpartition(":")[0]).name


def table_files(folder: Path | Traversable) -> list[Path | Traversable]:
    """The edge lists right in a folder, by name: every .tsv and .tsv.gz file but `names.tsv`.

    Raises:
        KnowledgeError: if there are none.
    """
    files: list[Path | Traversable] = [
        file for file in folder.iterdir() if file.name.endswith(_ENDINGS) and file.name != NAMES_FILE
    ]
    if not files:
        msg = f"{folder}: no .tsv file in this folder."
        raise KnowledgeError(msg)
    return sorted(files, key=lambda file: file.name)


def read_rows(file: Path | Traversable) -> Iterator[Row]:
    """The rows of one .tsv or .csv file, or of one of these in .gz; blank lines are passed over.

    The first line names the columns: source and target, and any others of `COLUMNS` and `MORE_COLUMNS`.

    Raises:
        KnowledgeError: if the file can't be read, is not UTF-8, or its header is wrong.
    """
    lines = (_quoted if suffix_of(file.name) == ".csv" else _tabbed)(read_text(file), str(file))
    _, header = next(lines, (1, [""]))
    columns = _columns(header, f"{file}:1")
    for number, fields in lines:
        yield _row(fields, columns, f"{file}:{number}")


def _tabbed(text: str, _: str) -> Iterator[tuple[int, list[str]]]:
    """Each line's number and fields, by tabs."""
    # Not splitlines(), which also splits at separators that may stand inside a field.
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.strip() or number == 1:
            yield number, [field.strip() for field in line.split("\t")]


def _quoted(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Each row's first line and fields, by commas and quotes."""
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 1
    try:
        for fields in reader:
            if fields:
                yield number, fields
            number = reader.line_num + 1
    except csv.Error as error:
        msg = f"{file}:{number}: not CSV: {error}; a field with a comma or a quote in it stands in quotes."
        raise KnowledgeError(msg) from error


def faults(row: Row) -> list[str]:
    """What makes a row unusable as an edge, each in words that follow its place."""
    if row.extra:
        return [row.extra]
    if row.kind == NODE:
        others = (row.target, row.culture, row.ground, row.sentences, row.provenance)
        return (
            [] if row.source and not any(others) else [f"a row of kind {NODE} has a source and nothing else"]
        )
    found: list[str] = []
    found += [f"{column} is empty" for column in _REQUIRED if not getattr(row, column)]
    if row.source and row.source == row.target:
        found.append(f"{_short(row.source)} is joined to itself")
    if row.kind not in KINDS:
        found.append(f"kind {_short(row.kind)} is not one of {', '.join(KINDS)}")
    elif row.kind == "cultural" and not row.culture:
        found.append("kind is cultural, but no culture is given")
    elif row.kind != "cultural" and row.culture:
        found.append(f"culture {_short(row.culture)} is given, but kind is {row.kind}, not cultural")
    if not _is_weight(row.weight):
        found.append(f"weight {_short(row.weight)} is not a number above 0 and up to 1")
    if not _is_evidence(row.sentences):
        found.append("sentences is not a JSON list of strings")
    if row.symmetric not in _SYMMETRIC:
        found.append(f"symmetric {_short(row.symmetric)} is neither empty nor yes")
    return found


def edge_of(row: Row, provenance: str = "") -> Edge:
    """The row as an edge.

    Args:
        row: any row but those of kind `NODE`.
        provenance: where the edge comes from, if its row does not say.

    Raises:
        KnowledgeError: naming the row's place and what is wrong with it.
    """
    if found := faults(row):
        msg = f"{row.where}: {'; '.join(found)}."
        raise KnowledgeError(msg)
    return Edge(
        row.source,
        row.target,
        row.kind,
        row.culture or None,
        float(row.weight),
        row.ground,
        sentences_from_json(row.sentences),
        row.provenance or provenance,
    )


def _columns(header: list[str], where: str) -> list[str]:
    columns = [column.strip() for column in header]
    known = (
        f"the first line names the tab-separated columns {', '.join(COLUMNS)} (source and target at least)"
    )
    if suffix_of(where.rpartition(":")[0]) == ".csv":
        known = known.replace("tab-separated", "comma-separated")
    if missing := [column for column in _REQUIRED if column not in columns]:
        msg = f"{where}: no column {' or '.join(missing)}; {known}."
        raise KnowledgeError(msg)
    allowed = (*COLUMNS, *MORE_COLUMNS)
    if odd := [column for column in columns if column not in allowed or columns.count(column) > 1]:
        msg = f"{where}: column {_short(odd[0])} is unknown or named twice; {known}."
        raise KnowledgeError(msg)
    return columns


def _row(fields: list[str], columns: list[str], where: str) -> Row:
    if len(fields) != len(columns):
        how = "comma" if suffix_of(where.rpartition(":")[0]) == ".csv" else "tab"
        return Row(where, extra=f"{len(fields)} {how}-separated fields where the header names {len(columns)}")
    # Names never have outer blanks; a ground may, where a format keeps them.
    return Row(
        where,
        **{
            column: field if column in _AS_WRITTEN else field.strip()
            for column, field in zip(columns, fields, strict=True)
        },
    )


def _is_weight(text: str) -> bool:
    try:
        return _LEAST < float(text) <= _MOST
    except ValueError:
        return False


def _is_evidence(text: str) -> bool:
    try:
        sentences_from_json(text)
    except ValueError:
        return False
    return True


def _short(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."
