"""The index of names: every wording of a node, as keys, in memory or in a compiled graph's sqlite file.

A compiled graph stores what `entries` and `words` give, by `write_index`, and opens it by `SqliteIndex`;
nothing is built again in each process. What the keys are is decided here and in `names.py` and
`chinese.py` alone: raise `VERSION` when one of these changes a key.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tools.knowledge.linking import chinese
from tools.knowledge.linking.names import compact, gist, lemma, normal, unordered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.knowledge.linking.other_names import OtherName

__all__ = ["VERSION", "WAYS", "Found", "MemoryIndex", "NameIndex", "SqliteIndex", "forms", "write_index"]

#: The version of the keys; a compiled graph whose index has another one is compiled anew.
VERSION = 3
#: How near a key is to a name as it is written: the name itself, its spelling, its dictionary form, its
#: words that matter, and these in any order.
WAYS = ("exact", "variant", "lemma", "gist", "order")


class Found(NamedTuple):
    """A node that has a key.

    Attributes:
        way: place in `WAYS` of what the key keeps of the name.
        other: whether the key is of another name (a synonym, a translation), not of the node's own.
        node: the node's name.
    """

    way: int
    other: bool
    node: str


class NameIndex(Protocol):
    """What the linker asks of a graph's names. Safe to share between threads."""

    def found(self, key: str) -> list[Found]:
        """Every node that has a key, the nearest way first, then in the order of nodes."""
        ...

    def find(self, how: str, key: str) -> list[str]:
        """The nodes that have a key in one way of `WAYS`, or as "word" those that have a word in a name."""
        ...

    def vocabulary(self) -> Sequence[str]:
        """Every word of every name, in alphabetical order."""
        ...

    def names(self) -> Sequence[str]:
        """Every node's name."""
        ...


class Entry(NamedTuple):
    """A row of the index: a key, its place in `WAYS`, whether of another name, and the node's number."""

    key: str
    way: int
    other: bool
    node: int


def forms(text: str) -> list[str]:
    """A normal form's keys, one for each of `WAYS`; empty where a way adds nothing to those before it.

    >>> forms("the broken mirrors")
    ['the broken mirrors', 'thebrokenmirrors', 'break mirror', 'break mirror', '~break mirror']
    """
    if chinese.has_han(text):
        plain = chinese.simplified(text)
        gist_ = chinese.gist(plain)
        return [text, plain, chinese.bare(plain), gist_, chinese.unordered(gist_)]
    return [text, compact(text), lemma(text), gist(text), unordered(text)]


def entries(nodes: Sequence[str], others: Iterable[OtherName] = ()) -> list[Entry]:
    """Every row of the index, in the order it is answered in.

    Args:
        nodes: the nodes' names, by number.
        others: their other names, in any order; those of unknown nodes are passed over.
    """
    numbers = {node: number for number, node in enumerate(nodes)}
    nearest: dict[tuple[str, bool, int], int] = {}
    named = [(node, number, False) for node, number in numbers.items()]
    named += [(other.name, numbers[other.node], True) for other in others if other.node in numbers]
    for name, number, other in named:
        for way, key in enumerate(forms(normal(name))):
            # A key stands once a node, at the nearest way: what matches it there matches it further off.
            if key and way < nearest.get((key, other, number), len(WAYS)):
                nearest[key, other, number] = way
    rows = [Entry(key, way, other, number) for (key, other, number), way in nearest.items()]
    return sorted(rows, key=lambda row: (row.way, row.other, row.node, row.key))


def words(nodes: Sequence[str], others: Iterable[OtherName] = ()) -> list[tuple[str, int]]:
    """The words of every name with the number of the node, sorted; in Chinese each character is a word."""
    numbers = {node: number for number, node in enumerate(nodes)}
    named = list(numbers.items())
    named += [(other.name, numbers[other.node]) for other in others if other.node in numbers]
    return sorted({(word, number) for name, number in named for word in words_of(normal(name))})


def words_of(text: str) -> set[str]:
    """The words of a normal form, as written and as dictionary forms; the characters of a Chinese one."""
    if chinese.has_han(text):
        return set(chinese.characters(text))
    return {*text.split(), *lemma(text).split()}


class MemoryIndex:
    """The index of a graph that is kept in memory, made at first need."""

    def __init__(self, nodes: Sequence[str], others: Sequence[OtherName] = ()) -> None:
        """Keep the names; nothing is computed yet."""
        self._nodes = nodes
        self._others = others

    def found(self, key: str) -> list[Found]:
        """Every node that has a key; see `NameIndex`."""
        return self._by_key.get(key, [])

    def find(self, how: str, key: str) -> list[str]:
        """The nodes that have a key in one way; see `NameIndex`."""
        if how == "word":
            return [self._nodes[number] for number in self._by_word.get(key, ())]
        return _in_way(self.found(key), how)

    def vocabulary(self) -> Sequence[str]:
        """Every word of every name."""
        return list(self._by_word)

    def names(self) -> Sequence[str]:
        """Every node's name."""
        return self._nodes

    @cached_property
    def _by_key(self) -> dict[str, list[Found]]:
        index: dict[str, list[Found]] = {}
        for key, way, other, number in entries(self._nodes, self._others):
            index.setdefault(key, []).append(Found(way, other, self._nodes[number]))
        return index

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for word, number in words(self._nodes, self._others):
            index.setdefault(word, []).append(number)
        return index


_TABLES = """
CREATE TABLE name_keys (
    key TEXT NOT NULL, way INTEGER NOT NULL, other INTEGER NOT NULL, node INTEGER NOT NULL,
    PRIMARY KEY (key, way, other, node)
) WITHOUT ROWID;
CREATE TABLE name_words (word TEXT NOT NULL, node INTEGER NOT NULL, PRIMARY KEY (word, node)) WITHOUT ROWID;
"""


def write_index(
    connection: sqlite3.Connection, nodes: Sequence[str], others: Iterable[OtherName] = ()
) -> None:
    """Make the tables `name_keys` and `name_words` and fill them; the caller commits."""
    others = list(others)
    connection.executescript(_TABLES)
    keys = sorted({(_clean(key), *rest) for key, *rest in entries(nodes, others)})
    connection.executemany("INSERT INTO name_keys VALUES (?, ?, ?, ?)", keys)
    pairs = sorted({(_clean(word), node) for word, node in words(nodes, others)})
    connection.executemany("INSERT INTO name_words VALUES (?, ?)", pairs)


class SqliteIndex:
    """The index of a compiled graph; each thread, and each process after a fork, has its own connection."""

    def __init__(self, path: str | Path, names: Sequence[str]) -> None:
        """Remember where the tables are; nothing is opened yet.

        Args:
            path: the sqlite file that `write_index` filled; it must not change any more.
            names: the nodes' names by number; only asked for those that are found.
        """
        # Immutable: no lock is taken, so any number of processes read, from any medium.
        self._uri = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
        self._names = names
        self._own = threading.local()

    def found(self, key: str) -> list[Found]:
        """Every node that has a key; see `NameIndex`."""
        asked = "SELECT way, other, node FROM name_keys WHERE key = ? ORDER BY way, other, node"
        rows = self._rows(asked, key)
        return [Found(way, bool(other), self._names[int(node)]) for way, other, node in rows]

    def find(self, how: str, key: str) -> list[str]:
        """The nodes that have a key in one way; see `NameIndex`."""
        if how != "word":
            return _in_way(self.found(key), how)
        asked = "SELECT node FROM name_words WHERE word = ? ORDER BY node"
        return [self._names[int(node)] for (node,) in self._rows(asked, key)]

    def vocabulary(self) -> Sequence[str]:
        """Every word of every name."""
        return self._vocabulary

    def names(self) -> Sequence[str]:
        """Every node's name."""
        return self._names

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        return tuple(word for (word,) in self._rows("SELECT DISTINCT word FROM name_words ORDER BY word"))

    def _rows(self, asked: str, *values: str) -> list[tuple[Any, ...]]:
        own: _Own | None = getattr(self._own, "opened", None)
        if own is None or own.process != os.getpid():
            own = self._own.opened = _Own(self._uri)
        return own.connection.execute(asked, [_clean(value) for value in values]).fetchall()


class _Own:
    """One thread's connection; closed with the thread, by whichever thread comes to it."""

    def __init__(self, uri: str) -> None:
        self.process = os.getpid()
        self.connection = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def __del__(self) -> None:
        # A connection that a fork inherited is left alone.
        if self.process == os.getpid():
            self.connection.close()


def _clean(text: str) -> str:
    """A text that sqlite takes: half a surrogate pair, as cut emoji leave behind, is a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _in_way(found: Sequence[Found], how: str) -> list[str]:
    """The nodes of one way, the node's own names before other names, each node once."""
    return list(dict.fromkeys(hit.node for hit in found if WAYS[hit.way] == how))
