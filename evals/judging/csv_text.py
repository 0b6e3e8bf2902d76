"""Tables as spreadsheets save them: any delimiter, any of three encodings, a mark or a hint at the top."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from agents.errors import UserError
from evals.datasets.sample import shown

__all__ = ["Row", "read_rows"]

Row = tuple[int, dict[str, str]]
"""Line of the file, from 1, and cells by heading in lower case."""

_DELIMITERS = (",", ";", "\t", "|")
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How files of spreadsheets begin: .xlsx and .ods, and the older .xls."""
_MOST = 5


def read_rows(path: Path, wanted: Sequence[str]) -> Iterator[Row]:
    """Read a table whose first line holds headings, in any order and case.

    The delimiter (comma, semicolon, tab or bar) is the one that finds the headings. A byte-order mark,
    UTF-16, the code page of Western Windows, Excel's ``sep=;`` line, no-break spaces, and empty lines or
    columns are all as spreadsheets save them, and mean nothing.

    Args:
        path: the file.
        wanted: headings that must be there.

    Raises:
        UserError: when it can't be read, or a heading is missing or there twice; it names what was found.
    """
    lines = _decoded(path)
    first = next((i for i, line in enumerate(lines) if line.strip(" \t,;|\r\n")), None)
    if first is None:
        raise UserError(f"{path} is empty: it needs a line of headings ({', '.join(wanted)}) and rows below.")
    delimiter = ""
    if lines[first].strip().lower().startswith("sep=") and len(lines) > first + 1:
        delimiter, first = lines[first].strip()[4:5] or "\t", first + 1
    heads, delimiter = _heads(lines[first], delimiter, wanted, f"{path}, line {first + 1}")
    try:
        yield from _cells(lines[first + 1 :], heads, delimiter, first + 2, path)
    except csv.Error as error:  # a quotation mark that is never closed, and swallows the rest
        raise UserError(f"{path} is no table: {error}; save it again as CSV.") from error


def _decoded(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}.") from error
    if content[:4] in _WORKBOOKS:
        raise UserError(f"{path} is a workbook: save its sheet as CSV (UTF-8) and give that.")
    encodings = ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return [f"{line}\n" for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    raise UserError(f"{path} is no text in UTF-8, UTF-16 or Windows-1252: save it as CSV (UTF-8).")


def _heads(line: str, delimiter: str, wanted: Sequence[str], where: str) -> tuple[list[str], str]:
    found = [_split(line, each) for each in ([delimiter] if delimiter else _DELIMITERS)]
    best = max(found, key=lambda pair: len(set(wanted) & set(pair[0])))
    missing = [name for name in wanted if name not in best[0]]
    if missing:
        held = shown(", ".join(filter(None, best[0])), 300) or "nothing"
        held = "".join(each if each.isprintable() else "?" for each in held)
        raise UserError(
            f"{where}: no column {' and no column '.join(missing)}. The headings should be "
            f"{', '.join(wanted)}, in any order; found {held}."
        )
    twice = [name for name in best[0] if name and best[0].count(name) > 1]
    if twice:
        raise UserError(f"{where}: there are two columns {twice[0]}; take one out.")
    return best


def _split(line: str, delimiter: str) -> tuple[list[str], str]:
    cells = next(csv.reader([line], delimiter=delimiter), [])
    return ["_".join(_clean(cell).lower().replace("-", " ").split()) for cell in cells], delimiter


def _cells(lines: list[str], heads: list[str], delimiter: str, start: int, path: Path) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter)
    before = 0
    for row in reader:
        number, before = start + before, reader.line_num
        cells = [_clean(cell) for cell in row]
        if not any(cells):
            continue
        beyond = [cell for cell in cells[len(heads) :] if cell]
        if beyond:
            told = ", ".join(repr(shown(cell)) for cell in beyond[:_MOST])
            raise UserError(
                f"{path}, line {number} has more cells than there are headings ({told}): a decimal comma, or "
                "a text with a delimiter, must stand in quotes."
            )
        padded = cells + [""] * (len(heads) - len(cells))
        yield number, {head: cell for head, cell in zip(heads, padded, strict=False) if head}


def _clean(cell: str) -> str:
    """Without white space of any kind around it, and without the apostrophe that says "this is text"."""
    text = cell.replace("\N{NO-BREAK SPACE}", " ").replace("\N{ZERO WIDTH NO-BREAK SPACE}", "").strip()
    return text[1:].strip() if text.startswith("'") and len(text) > 1 else text
