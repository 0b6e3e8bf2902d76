"""Sentences found by their words: Okapi BM25 (Robertson & Zaragoza 2009), as sqlite's own FTS5 counts it.

English words are stemmed by Porter's algorithm; Chinese, which has no spaces, is cut into characters and
pairs of neighbours. The index is made once and kept in the user's cache folder, where processes share it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import tempfile
import threading
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.linking.chinese import has_han, simplified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tools.knowledge.edges import Sentence

__all__ = ["SentenceIndex", "default_directory", "terms"]

_VERSION = 1
_KEPT = 8
"""Indexes that are kept; the least used go first."""
_ABANDONED = 3600.0
"""Seconds after which an index that was never finished is taken for that of a process that died."""
_MOST_TERMS = 400  # of one question; sqlite bounds the depth of an expression
_TABLES = """
CREATE VIRTUAL TABLE words USING fts5(terms, content='', tokenize='porter unicode61');
CREATE TABLE sentences (number INTEGER PRIMARY KEY, text, source, licence);
"""
_TOLD = "SELECT number, text, source, licence FROM sentences WHERE number IN (SELECT value FROM json_each(?))"
_BEST = "SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score, rowid LIMIT ?"
_HAVING = "SELECT rowid FROM words WHERE words MATCH ? AND rowid IN (SELECT value FROM json_each(?))"
_WORD = re.compile(r"[^\W_]+")
_HAN_OR_NOT = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002ffff]+)")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by for from has have in into is it its of on or over that the their there "
        "they this to under up was were with",
    )
)


def default_directory() -> Path:
    """The folder of the user's cache that indexes are kept in."""
    from platformdirs import user_cache_path

    return user_cache_path("metaphorboost") / "texts"


def terms(text: str) -> list[str]:
    """What a text is found by: its words in small letters, Chinese characters and pairs of them.

    >>> terms("A Candle, 蜡烛燃")
    ['a', 'candle', '蜡', '烛', '燃', '蜡烛', '烛燃']
    """
    found: list[str] = []
    for part in _HAN_OR_NOT.split(unicodedata.normalize("NFKC", text)):
        if has_han(part):
            run = simplified(part)
            found += [*run, *(run[at : at + 2] for at in range(len(run) - 1))]
        else:
            found += [word.lower() for word in _WORD.findall(part)]
    return found


class SentenceIndex:
    """An index on disk, read only. Safe between threads."""

    def __init__(self, path: Path) -> None:
        """Open an index that `of` has made."""
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._lock = threading.Lock()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()

    @classmethod
    def of(
        cls, digest: str, sentences: Callable[[], Iterable[Sentence]], directory: Path | None = None
    ) -> SentenceIndex:
        """The index of some sentences, made unless it is kept already.

        Args:
            digest: of what the sentences are read from.
            sentences: reads them; only called when there is no index.
            directory: where indexes are kept; the user's cache by default.

        Raises:
            KnowledgeError: if this Python's sqlite has no FTS5, or the index can't be written anywhere.
        """
        folder = directory or default_directory()
        path = folder / f"{digest}-{_VERSION}.sqlite"
        try:
            if not path.is_file():
                folder.mkdir(parents=True, exist_ok=True)
                _make(path, sentences())
                _make_room(folder, path)
            os.utime(path)
            return cls(path)
        except (OSError, sqlite3.OperationalError) as error:
            if "fts5" in str(error):
                msg = "This Python's sqlite has no full-text search (FTS5); use --texts-by embeddings."
            else:
                msg = f"{path}: the index of sentences can't be kept there: {error}."
            raise KnowledgeError(msg) from error

    def __len__(self) -> int:
        """The number of sentences."""
        return int(self._ask("SELECT count(*) FROM sentences", ())[0][0])

    def texts(self) -> list[str]:
        """Every sentence, in the order of their numbers, from 1."""
        return [row[0] for row in self._ask("SELECT text FROM sentences ORDER BY number", ())]

    def sentences(self, numbers: Sequence[int]) -> dict[int, tuple[str, str, str]]:
        """Some sentences by number: text, source and licence."""
        rows = self._ask(_TOLD, (json.dumps(list(numbers)),))
        return {number: (text, source, licence) for number, text, source, licence in rows}

    def search(self, keywords: Iterable[str], limit: int) -> list[tuple[int, float]]:
        """The sentences that have most of the keywords' words, the best first; of equals the earlier one.

        Returns:
            Numbers and scores, which are above 0.
        """
        asked = _question(word for keyword in keywords for word in terms(keyword))
        if not asked:
            return []
        return [(number, -score) for number, score in self._ask(_BEST, (asked, limit))]

    def having(self, keyword: str, numbers: Sequence[int]) -> set[int]:
        """Which of some sentences have a word of a keyword."""
        if not (asked := _question(terms(keyword))):
            return set()
        return {row[0] for row in self._ask(_HAVING, (asked, json.dumps(list(numbers))))}

    def _ask(self, question: str, values: Sequence[object]) -> list[Any]:
        with self._lock:
            return self._connection.execute(question, tuple(values)).fetchall()


def _question(words: Iterable[str]) -> str:
    """Any of these words; of Chinese, pairs are asked for where there are pairs."""
    every = list(dict.fromkeys(words))
    plain = [word for word in every if word not in _STOP]
    pairs = {character for word in plain if has_han(word) and len(word) > 1 for character in word}
    asked = [word for word in plain if word not in pairs] or every
    return " OR ".join(f'"{word}"' for word in asked[:_MOST_TERMS])


def _make(path: Path, sentences: Iterable[Sentence]) -> None:
    """Write an index aside and move it into place."""
    descriptor, part = tempfile.mkstemp(suffix=".part", dir=path.parent)
    os.close(descriptor)
    try:
        with contextlib.closing(sqlite3.connect(part)) as connection:
            connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_TABLES}")
            for number, said in enumerate(sentences, 1):
                whole = [
                    text.encode("utf-8", "replace").decode() for text in (said, said.source, said.licence)
                ]
                connection.execute("INSERT INTO sentences VALUES (?, ?, ?, ?)", (number, *whole))
                connection.execute(
                    "INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, " ".join(terms(whole[0])))
                )
            connection.commit()
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)


def _make_room(folder: Path, newest: Path) -> None:
    """Remove what is least used; a process that has it open goes on reading it."""
    with contextlib.suppress(OSError):
        for pattern in ("*.sqlite", "*.npy"):
            kept = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in [path for path in kept if path != newest][_KEPT - 1 :]:
                path.unlink()
        for path in folder.glob("*.part"):  # of a process that died
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()
