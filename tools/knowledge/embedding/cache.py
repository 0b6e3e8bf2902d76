"""Vectors that were computed or paid for once, kept on disk by model, address and text."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import sqlite3
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from tools.knowledge.embedding.embedders import Embedder

    Vectors = NDArray[np.float32]

__all__ = ["MAX_BYTES", "CachedEmbedder", "embedding_cache_folder"]

#: The oldest vectors go when all take more than this.
MAX_BYTES = 1_000_000_000
_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    number INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL, vector BLOB NOT NULL
)
"""
#: Seconds to wait for another process that writes.
_PATIENCE = 20.0
#: What a row takes beside its vector.
_OVERHEAD = 100
#: Texts that are embedded before their vectors are written, so that a killed run keeps what it paid for.
_CHUNK = 1024
_MOST_ASKED = 500
_LOG = logging.getLogger(__name__)


def embedding_cache_folder() -> Path:
    """Where vectors are kept unless another folder is given."""
    from platformdirs import user_cache_path

    return user_cache_path("metaphorboost") / "knowledge"


class CachedEmbedder:
    """An embedder that asks another only for texts it does not know; safe between threads and processes.

    The cache never fails a run: where it can't be read or written, the vectors are computed.

    Attributes:
        folder: where vectors are kept, also those of a graph's nodes.
        english_only: as the inner embedder's.
    """

    def __init__(self, inner: Embedder, path: Path, max_bytes: int = MAX_BYTES) -> None:
        """Remember where; the file is made at the first text."""
        self._inner = inner
        self._path = path
        self._max_bytes = max_bytes
        self.folder = path.parent
        self._lock = threading.Lock()
        self._is_told = False
        self.english_only = bool(getattr(inner, "english_only", False))

    @property
    def name(self) -> str:
        """The inner embedder's name."""
        return self._inner.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, as `Embedder.embed`."""
        import numpy as np

        keys = {text: self._key(text) for text in texts}
        known = self._read(list(keys.values()))
        new = [text for text, key in keys.items() if key not in known]
        for start in range(0, len(new), _CHUNK):
            some = new[start : start + _CHUNK]
            fresh = dict(zip([keys[text] for text in some], self._inner.embed(some), strict=True))
            self._write(fresh)
            known.update(fresh)
        if not texts:
            return self._inner.embed(())
        widths = {len(vector) for vector in known.values()}
        if len(widths) > 1:
            # A server that now gives another number of dimensions: what is kept is of no use with it.
            return self._inner.embed(texts)
        return np.stack([known[keys[text]] for text in texts])

    def _key(self, text: str) -> bytes:
        told = f"{self._inner.name}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(told).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        import numpy as np

        found: dict[bytes, Vectors] = {}

        def read(connection: sqlite3.Connection) -> None:
            for start in range(0, len(keys), _MOST_ASKED):
                some = keys[start : start + _MOST_ASKED]
                marks = ", ".join("?" * len(some))
                asked = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608 - marks only
                for key, vector in connection.execute(asked, some):
                    found[key] = np.frombuffer(vector, np.float32)

        if keys and self._path.exists():
            self._with_file(read)
        return found

    def _write(self, fresh: dict[bytes, Vectors]) -> None:
        rows = [(key, vector.astype("float32").tobytes()) for key, vector in fresh.items()]
        most = max(self._max_bytes // (len(rows[0][1]) + _OVERHEAD), 1)

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR IGNORE INTO vectors (key, vector) VALUES (?, ?)", rows)
            # Numbers grow, so the oldest have the smallest.
            connection.execute(
                "DELETE FROM vectors WHERE number <= (SELECT MAX(number) FROM vectors) - ?", (most,)
            )

        self._with_file(write)

    def _with_file(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Read or write the file; what goes wrong with it is told once, in the log."""
        with self._lock:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(self._path, timeout=_PATIENCE)
                with contextlib.closing(connection), connection:
                    connection.execute(_TABLE)
                    work(connection)
            except (OSError, sqlite3.Error) as error:
                if not self._is_told:
                    self._is_told = True
                    _LOG.warning(
                        "%s: vectors can't be kept there (%s), so they are computed.", self._path, error
                    )
