"""A compiled graph's texts: grounds, sentences, provenance in sqlite, read only for the edges that are shown.

Text that UTF-8 can't hold (half a surrogate pair, as cut emoji leave behind) is kept as bytes.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.knowledge.edges import Sentence
from tools.knowledge.linking.other_names import OtherName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tools.knowledge.edges import Edge

__all__ = ["EdgeText", "Texts", "write_others", "write_texts"]

_TABLES = """
CREATE TABLE edges (number INTEGER PRIMARY KEY, ground, provenance INTEGER, sentences TEXT);
CREATE TABLE sentences (number INTEGER PRIMARY KEY, text, origin INTEGER NOT NULL);
CREATE TABLE origins (number INTEGER PRIMARY KEY, source, licence);
CREATE TABLE provenances (number INTEGER PRIMARY KEY, text);
"""
#: sqlite's own bound on values in one question, in its oldest versions.
_MOST_ASKED = 900


class EdgeText(NamedTuple):
    """What is written about an edge; as in `Edge`."""

    ground: str = ""
    sentences: tuple[Sentence, ...] = ()
    provenance: str = ""


class Texts:
    """Reads texts of edges. Every thread has a connection of its own, and so has a process after a fork."""

    def __init__(self, path: Path) -> None:
        """Open nothing yet."""
        # Immutable: no lock is taken, so any number of processes read, from any medium.
        self._uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._path = path
        self._file = _file(path)
        self._own = threading.local()

    def of(self, numbers: Sequence[int]) -> dict[int, EdgeText]:
        """What is written about some edges, by number."""
        found = self._asked("SELECT number, ground, provenance, sentences FROM edges WHERE number", numbers)
        listed = {row[0]: _numbers(row[3]) for row in found}
        sentences = self._sentences(sorted({number for own in listed.values() for number in own}))
        provenances = self._provenances(sorted({row[2] for row in found if row[2] is not None}))
        told: dict[int, EdgeText] = {}
        for number, ground, provenance, _ in found:
            own = tuple(sentences[one] for one in listed[number])
            # A ground that is the first sentence is not kept twice.
            said = _unpacked(ground) if ground is not None else str(own[0])
            told[number] = EdgeText(said, own, provenances.get(provenance, ""))
        return told

    def others(self) -> tuple[OtherName, ...]:
        """The nodes' other names, in the order they were written."""
        rows = self._connection().execute("SELECT * FROM other_names ORDER BY rowid").fetchall()
        return tuple(OtherName(*map(_unpacked, row)) for row in rows)

    def _sentences(self, numbers: Sequence[int]) -> dict[int, Sentence]:
        asked = (
            "SELECT sentences.number, text, source, licence FROM sentences "
            "JOIN origins ON origins.number = origin WHERE sentences.number"
        )
        return {number: Sentence(*map(_unpacked, said)) for number, *said in self._asked(asked, numbers)}

    def _provenances(self, numbers: Sequence[int]) -> dict[int, str]:
        found = self._asked("SELECT number, text FROM provenances WHERE number", numbers)
        return {number: _unpacked(text) for number, text in found}

    def _asked(self, start: str, numbers: Sequence[int]) -> list[Any]:
        rows: list[Any] = []
        for first in range(0, len(numbers), _MOST_ASKED):
            some = numbers[first : first + _MOST_ASKED]
            marks = ", ".join("?" * len(some))
            rows += self._connection().execute(f"{start} IN ({marks})", some).fetchall()
        return rows

    def _connection(self) -> sqlite3.Connection:
        own: _Own | None = getattr(self._own, "opened", None)
        if own is None or own.process != os.getpid():
            if _file(self._path) != self._file:
                msg = "another graph was written here while this one was open; open it again"
                raise sqlite3.OperationalError(msg)
            own = self._own.opened = _Own(self._uri)
        return own.connection


def _file(path: Path) -> tuple[int, ...]:
    """What tells a file from one that has taken its name."""
    facts = path.stat()
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


class _Own:
    """One thread's connection; closed with the thread, by whichever thread comes to it."""

    def __init__(self, uri: str) -> None:
        self.process = os.getpid()
        self.connection = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def __del__(self) -> None:
        # A connection that a fork inherited is left alone.
        if self.process == os.getpid():
            self.connection.close()


def write_texts(connection: sqlite3.Connection, edges: Iterable[Edge]) -> tuple[int, list[str]]:
    """Make the tables and fill them; the caller commits.

    Args:
        connection: to an empty file.
        edges: every edge, by number.

    Returns:
        How many distinct sentences there are, and their licences.
    """
    connection.executescript(_TABLES)
    sentences: dict[tuple[str, int], int] = {}
    origins: dict[tuple[str, str], int] = {}
    provenances: dict[str, int] = {}

    def rows() -> Iterator[tuple[object, ...]]:
        for number, edge in enumerate(edges):
            own: list[int] = []
            for said in edge.sentences:
                where = (getattr(said, "source", ""), getattr(said, "licence", ""))
                origin = origins.setdefault(where, len(origins))
                own.append(sentences.setdefault((str(said), origin), len(sentences)))
            ground = None if edge.sentences and edge.sentences[0] == edge.ground else _packed(edge.ground)
            provenance = (
                provenances.setdefault(edge.provenance, len(provenances)) if edge.provenance else None
            )
            yield number, ground, provenance, " ".join(map(str, own)) or None

    fill = connection.executemany
    fill("INSERT INTO edges VALUES (?, ?, ?, ?)", rows())
    fill(
        "INSERT INTO sentences VALUES (?, ?, ?)",
        ((number, _packed(text), origin) for (text, origin), number in sentences.items()),
    )
    fill(
        "INSERT INTO origins VALUES (?, ?, ?)",
        ((number, *map(_packed, origin)) for origin, number in origins.items()),
    )
    fill(
        "INSERT INTO provenances VALUES (?, ?)",
        ((number, _packed(text)) for text, number in provenances.items()),
    )
    return len(sentences), sorted({licence for _, licence in origins if licence})


def write_others(connection: sqlite3.Connection, others: Iterable[OtherName]) -> None:
    """Make the table of nodes' other names and fill it; the caller commits."""
    connection.execute("CREATE TABLE other_names (node, name, language, relation)")
    connection.executemany(
        "INSERT INTO other_names VALUES (?, ?, ?, ?)", (tuple(map(_packed, other[:4])) for other in others)
    )


def _numbers(listed: str | None) -> list[int]:
    return [int(number) for number in listed.split()] if listed else []


def _packed(text: str) -> str | bytes:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _unpacked(kept: str | bytes) -> str:
    return kept.decode("utf-8", "surrogatepass") if isinstance(kept, bytes) else kept
