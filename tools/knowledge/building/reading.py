"""Reads files of pairs: tables with named columns, JSON lines of arrays or objects, JSON, CMDAG's layout.

A row that can't be used is told with its place; a file without any that can is an error.
"""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tools.errors import KnowledgeError
from tools.knowledge.building.cmdag import cmdag_pairs, is_cmdag
from tools.knowledge.building.pairs import Pair, Rejected
from tools.knowledge.building.rows import pair_of_array, pair_of_fields
from tools.knowledge.formats.files import read_bytes, suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.knowledge.building.columns import Columns, WhichColumn

__all__ = ["named", "read_pairs"]

_TABLES = (".csv", ".tsv")
_LINES = (".jsonl", ".ndjson")
_FORMATS = ".csv, .tsv, .jsonl, .ndjson or .json, each also as .gz"
_ESCAPED = "\udc80", "\udcff"
_LONGEST_FIELD = 2**31 - 1
#: What JSON holds, in its own words.
_JSON: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def named(paths: Sequence[str | Path]) -> dict[str, Path]:
    """Files by the names they are told of by: without their folders where that tells them apart.

    Raises:
        KnowledgeError: if a file is given twice.
    """
    files = [Path(path).expanduser() for path in paths]
    for at, file in enumerate(files):
        # Not resolve(), which has an error of its own for links that lead nowhere but to each other.
        if any(os.path.realpath(file) == os.path.realpath(other) for other in files[:at]):
            msg = f"{file}: given twice; its pairs would count double."
            raise KnowledgeError(msg)
    short = [file.name for file in files]
    return {
        file.name if short.count(file.name) == 1 else str(file): file
        for file in sorted(files, key=lambda file: (file.name, str(file)))
    }


def read_pairs(file: Path, name: str, columns: Columns) -> Iterator[Pair | Rejected]:
    """The pairs of one file, and its rows that are none.

    Args:
        file: any of the formats.
        name: what it is called in places.
        columns: tells which one holds what.

    Raises:
        KnowledgeError: if it can't be read at all, or its columns are not told apart.
    """
    suffix = suffix_of(file.name)
    if file.is_dir():
        msg = f"{file}: a folder; name the files in it."
        raise KnowledgeError(msg)
    if suffix not in (*_TABLES, *_LINES, ".json"):
        msg = f"{file}: {suffix or 'a file without an ending'} is not a format of pairs; give {_FORMATS}."
        raise KnowledgeError(msg)
    # Bytes that are not UTF-8 become characters that no text has, so that only their rows are lost.
    text = read_bytes(file, str(file)).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    if suffix in _TABLES:
        yield from _table(text, name, suffix, columns)
        return
    seen: dict[tuple[str, ...], WhichColumn] = {}
    for line, row in _json(text, name) if suffix == ".json" else _json_lines(text, name):
        yield from [row] if isinstance(row, Rejected) else _row(row, name, line, columns, seen)


def _table(text: str, name: str, suffix: str, columns: Columns) -> Iterator[Pair | Rejected]:
    lines = _quoted(text, name) if suffix == ".csv" else _tabbed(text)
    _, header = next(lines, (1, list[str]()))
    which = columns.of(header, f"{name}:1")
    if twice := [column for column in header if header.count(column) > 1]:
        msg = f"{name}:1: column {twice[0]!r} is named twice."
        raise KnowledgeError(msg)
    for line, fields in lines:
        if _is_broken("".join(fields)):
            yield Rejected(name, line, "encoding")
        elif len(fields) != len(header):
            yield Rejected(name, line, "fields", f"{len(fields)} where the header names {len(header)}")
        else:
            yield pair_of_fields(dict(zip(header, fields, strict=True)), which, name, line)


def _tabbed(text: str) -> Iterator[tuple[int, list[str]]]:
    for line, row in enumerate(_lines(text), 1):
        told = row.rstrip("\r\n")
        if told.strip():
            yield line, told.split("\t")


def _quoted(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(_lines(text), strict=True)
    line = 1
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                yield line, fields
            line = reader.line_num + 1
    except csv.Error as error:
        msg = f"{name}:{line}: not CSV: {error}; a field with a comma or a quote in it stands in quotes."
        raise KnowledgeError(msg) from error


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends, cut one by one, since a copy of all is several times its size."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _json_lines(text: str, name: str) -> Iterator[tuple[int, Any]]:
    for line, told in enumerate(_lines(text), 1):
        if _is_broken(told):
            yield line, Rejected(name, line, "encoding")
        elif told.strip():
            try:
                yield line, json.loads(told)
            except (ValueError, RecursionError) as error:
                yield line, Rejected(name, line, "json", _fault(error))


def _json(text: str, name: str) -> Iterator[tuple[int, Any]]:
    if _is_broken(text):
        msg = f"{name}: not UTF-8; save it as UTF-8."
        raise KnowledgeError(msg)
    try:
        rows: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"{name}: not JSON: {_fault(error)}. JSON a line wants the name .jsonl."
        raise KnowledgeError(msg) from error
    if not isinstance(rows, list):
        msg = f"{name}: holds {_JSON[type(rows)]}, where a list of rows is wanted."
        raise KnowledgeError(msg)
    yield from enumerate(cast("list[Any]", rows), 1)


def _row(
    row: Any, name: str, line: int, columns: Columns, seen: dict[tuple[str, ...], WhichColumn]
) -> Iterator[Pair | Rejected]:
    if isinstance(row, list):
        yield pair_of_array(cast("list[Any]", row), name, line)
        return
    if not isinstance(row, dict):
        yield Rejected(name, line, "layout", _JSON[type(row)])
        return
    given = cast("dict[str, Any]", row)
    if is_cmdag(given):
        yield from cmdag_pairs(given, name, line)
        return
    keys = tuple(given)
    try:
        if keys not in seen:
            seen[keys] = columns.of(keys, f"{name}:{line}")
    except KnowledgeError as error:
        yield Rejected(name, line, "layout", str(error).removeprefix(f"{name}:{line}: "))
        return
    yield pair_of_fields(given, seen[keys], name, line)


def _fault(error: ValueError | RecursionError) -> str:
    """Why a text is no JSON, in words that don't speak of this program."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error)[:120] if isinstance(error, json.JSONDecodeError) else "a number has too many digits"


def _is_broken(text: str) -> bool:
    return not text.isascii() and any(_ESCAPED[0] <= char <= _ESCAPED[1] for char in text)
