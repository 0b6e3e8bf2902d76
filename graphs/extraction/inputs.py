"""Read texts into sentences: plain text, JSONL, JSON and CMDAG's own layout, each of them gzipped or not.

A row that can't be used is named with its file and line; none is passed over in silence.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agents.answers import whole_characters
from agents.errors import UserError
from graphs.extraction.splitting import is_chinese, paragraphs, split_sentences

__all__ = ["FORMATS", "BadRow", "Reading", "Sentence", "described", "read_texts"]

FORMATS = ("auto", "text", "lines", "jsonl", "json")
_KEYS = ("text", "sentence", "context")
_CMDAG = {"context", "tenor_1", "vehicle_1"}  # columns that tell this layout
_LOOKED_AT = 1 << 16  # bytes at the start of a file that tell whether it is a text
_LONGEST = 1500  # characters of one sentence; what is longer is no sentence


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence to be asked about, and where it comes from.

    Attributes:
        text: on one line, white space made single.
        file: as it was given; ``-`` for standard input.
        line: from 1; the row for a JSON array.
        dataset: the collection that it belongs to.
        licence: of that collection, empty when not told.
        id: the row's own, empty when it has none.
        chinese: whether it is to be translated.
    """

    text: str
    file: str
    line: int
    dataset: str = ""
    licence: str = ""
    id: str = ""
    chinese: bool = False


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that could not be used."""

    file: str
    line: int
    reason: str


@dataclass
class Reading:
    """What all texts hold together.

    Attributes:
        sentences: each text once, where it was first met, in the order of the files.
        found: sentences met, repeats included.
        repeats: of these, how many had been met before.
        bad: rows that could not be used.
    """

    sentences: list[Sentence] = field(default_factory=list[Sentence])
    found: int = 0
    repeats: int = 0
    bad: list[BadRow] = field(default_factory=list[BadRow])


@dataclass(frozen=True, slots=True)
class _Source:
    """One file: its name, and what is said of all its rows unless they say it themselves."""

    name: str
    dataset: str
    licence: str


def read_texts(
    paths: Sequence[str],
    *,
    layout: str = "auto",
    dataset: str = "",
    licence: str = "",
    limit: int = 0,
) -> Reading:
    """Read all texts.

    Args:
        paths: files; ``-`` is standard input.
        layout: one of :data:`FORMATS`; ``auto`` goes by the name, for standard input by its first character.
        dataset: name of the collection for rows that don't tell theirs; the file's name when empty.
        licence: likewise.
        limit: read no further than this many different sentences; 0 for all.

    Raises:
        UserError: for a file that can't be read at all.
    """
    reading, known = Reading(), set[str]()
    for path in paths:
        for item in _read(path, layout, dataset, licence):
            if isinstance(item, BadRow):
                reading.bad.append(item)
                continue
            reading.found += 1
            if item.text in known:
                reading.repeats += 1
                continue
            known.add(item.text)
            reading.sentences.append(item)
            if len(known) == limit:
                return reading
    return reading


def _read(path: str, layout: str, dataset: str, licence: str) -> Iterator[Sentence | BadRow]:
    content = _bytes(path)
    if b"\0" in content[:_LOOKED_AT]:
        raise UserError(f"{path} is no text but binary data (a zero byte); give UTF-8 text, JSONL or JSON.")
    layout = _layout(path, content) if layout == "auto" else layout
    stem = "stdin" if path == "-" else Path(path).name.removesuffix(".gz").partition(".")[0]
    source = _Source(whole_characters(path), dataset or whole_characters(stem), licence)
    if layout == "json":
        yield from _array(content, source, told=bool(dataset))
    elif layout == "jsonl":
        yield from _objects(content, source)
    else:
        yield from _text(content, source, a_line_each=layout == "lines")


def _bytes(path: str) -> bytes:
    if path == "-":
        content = sys.stdin.buffer.read()
    elif Path(path).is_dir():
        raise UserError(f"{path} is a folder; name the files in it, as in {Path(path) / '*.txt'}.")
    else:
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise UserError(f"{path} can't be read: {error.strerror}.") from error
    if content[:2] != b"\x1f\x8b":
        if path.endswith(".gz"):
            raise UserError(f"{path} is not gzipped, though its name says so; take .gz off the name.")
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path} is gzipped, but damaged: {error}.") from error


def _layout(path: str, content: bytes) -> str:
    if path == "-":
        return {b"{": "jsonl", b"[": "json"}.get(content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1], "text")
    suffix = Path(path.removesuffix(".gz")).suffix.lower()
    return {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json"}.get(suffix, "text")


def _lines(content: bytes, name: str) -> Iterator[tuple[int, str | BadRow]]:
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        try:
            yield number, raw.decode("utf-8")
        except UnicodeDecodeError as error:
            yield number, BadRow(name, number, f"is not UTF-8 (byte {error.start + 1} of the line)")


def _text(content: bytes, source: _Source, *, a_line_each: bool) -> Iterator[Sentence | BadRow]:
    good: list[tuple[int, str]] = []
    for number, line in _lines(content, source.name):
        if isinstance(line, BadRow):
            yield line
            line = ""  # noqa: PLW2901 - as a blank line it keeps its neighbours apart
        good.append((number, line))
    for number, text in paragraphs(good, a_line_each=a_line_each):
        for sentence in [text] if a_line_each else split_sentences(text):
            yield _sentence(sentence, number, source)


def _objects(content: bytes, source: _Source) -> Iterator[Sentence | BadRow]:
    for number, line in _lines(content, source.name):
        if isinstance(line, BadRow):
            yield line
        elif line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield BadRow(source.name, number, f"is no JSON: {error}")
            else:
                yield _row(row, number, source)


def _array(content: bytes, source: _Source, *, told: bool) -> Iterator[Sentence | BadRow]:
    try:
        rows: Any = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{source.name} is no JSON: {error}. JSON a line wants the name .jsonl.") from error
    if not isinstance(rows, list):
        raise UserError(f"{source.name} holds a {type(rows).__name__}; a list of objects is wanted.")
    items = cast("list[Any]", rows)
    if any(isinstance(row, dict) and cast("dict[str, Any]", row).keys() >= _CMDAG for row in items[:10]):
        source = _Source(source.name, source.dataset if told else "cmdag", source.licence or "MIT")
    yield from (_row(row, number, source) for number, row in enumerate(items, 1))


def _row(row: Any, number: int, source: _Source) -> Sentence | BadRow:
    if not isinstance(row, dict):
        return BadRow(source.name, number, f"is a {type(row).__name__}, not an object")
    given: dict[str, Any] = whole_characters(row)
    key = next((key for key in _KEYS if given.get(key) is not None), None)
    if key is None:
        return BadRow(source.name, number, f"has none of {', '.join(_KEYS)}")
    if not isinstance(given[key], str):
        return BadRow(source.name, number, f"{key} is a {type(given[key]).__name__}, not a text")
    told = {name: str(given[name]) for name in ("source", "licence") if given.get(name) not in (None, "")}
    own = _Source(source.name, told.get("source", source.dataset), told.get("licence", source.licence))
    name = next((str(given[each]) for each in ("id", "metaphor_id") if given.get(each) is not None), "")
    return _sentence(given[key], number, own, name)


def _sentence(text: str, number: int, source: _Source, name: str = "") -> Sentence | BadRow:
    text = " ".join(text.split())
    if not any(letter.isalpha() for letter in text):
        return BadRow(source.name, number, f"holds no word: {text[:60]!r}")
    if len(text) > _LONGEST:
        return BadRow(
            source.name, number, f"is {len(text)} characters long, more than {_LONGEST}: {text[:60]!r}..."
        )
    return Sentence(text, source.name, number, source.dataset, source.licence, name, is_chinese(text))


def described(rows: Iterable[BadRow]) -> Iterator[str]:
    """Bad rows in words, one a line."""
    return (f"{row.file}, line {row.line}: {row.reason}" for row in rows)
