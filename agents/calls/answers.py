"""Answers that were paid for, kept on disk: the same question is not asked twice."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from agents.calls.alone import alone

__all__ = ["BOUND", "Answers", "default_directory"]

T = TypeVar("T")

BOUND = 256 << 20
"""Bytes that kept answers take at most, unless told otherwise: some hundred thousand."""

_SUFFIX = ".answer"
_UNFINISHED = ".part"
_ABANDONED = 3600.0  # seconds after which an unfinished file is that of a process that died
_ROOM = 0.9  # share of the bound that is left after answers were removed
_EVERY = 1000  # answers written after which the folder is looked through: other processes write too

_LOG = logging.getLogger(__name__)


def default_directory() -> Path:
    """The folder of the user's cache that answers are kept in."""
    from platformdirs import user_cache_path

    return user_cache_path("metaphorboost") / "answers"


class _Kept(NamedTuple):
    """An answer as the folder lists it: when it was last used (ns), its size in bytes, its path."""

    used: int
    size: int
    path: str


class Answers:
    """Answers by the digest of their question, one file each; the longest unused go first.

    Any number of processes may share the folder: an answer is written aside and moved into place, and
    carries a checksum; one that is torn or altered counts as missing. A folder that can't be read or
    written to fails no call: it is told once, in the log, and nothing is kept any more.
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None, *, bound: int = BOUND) -> None:
        """Name the folder; it is made at the first write.

        Args:
            directory: the folder; the user's cache by default.
            bound: bytes that answers take at most.
        """
        self.directory = default_directory() if directory is None else Path(directory)
        self.bound = bound
        self._is_given_up = False
        self._size: int | None = None
        self._written = 0

    async def recalled(
        self,
        key: str,
        ask: Callable[[], Awaitable[T]],
        *,
        load: Callable[[dict[str, Any]], T],
        dump: Callable[[T], dict[str, Any]],
    ) -> tuple[T, bool]:
        """An answer, and whether it was kept; else it is asked for, and kept from now on.

        Of several that want the same answer at once, one asks and the others are given what it was told. When
        it fails, the next one asks.

        Args:
            key: of the question.
            ask: asks; what it raises is not kept.
            load: makes an answer of plain data; a ValueError, TypeError or KeyError lets it be asked for.
            dump: makes plain data of an answer.
        """
        async with alone(str(self._path(key))):
            kept = await asyncio.to_thread(self.get, key)
            if kept is not None:
                with contextlib.suppress(ValueError, TypeError, KeyError):  # the work of another version
                    return load(kept), True
            answer = await ask()
            await asyncio.to_thread(self.put, key, dump(answer))
            return answer, False

    def get(self, key: str) -> dict[str, Any] | None:
        """What is kept under a key; None if nothing is that is whole."""
        path = self._path(key)
        try:
            entry = path.read_bytes()
        except OSError:
            return None
        kept = _unpacked(entry, key)
        with contextlib.suppress(OSError):  # somebody else's, or just removed
            if kept is None:
                path.unlink()
            else:
                os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        return kept

    def put(self, key: str, answer: dict[str, Any]) -> None:
        """Keep an answer. What can't be written is not kept."""
        entry = _packed(key, answer)
        if self._is_given_up or len(entry) > self.bound:
            return
        try:
            path = self._path(key)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, entry)
            self._make_room(len(entry))
        except OSError as error:
            self._give_up(error)

    def _path(self, key: str) -> Path:
        return self.directory / key[:2] / f"{key[2:]}{_SUFFIX}"

    def _make_room(self, added: int) -> None:
        self._written += 1
        self._size = None if self._size is None or self._written % _EVERY == 0 else self._size + added
        if self._size is not None and self._size <= self.bound:
            return
        kept = sorted(self._entries())
        self._size = sum(entry.size for entry in kept)
        if self._size <= self.bound:
            return
        for entry in kept:
            with contextlib.suppress(FileNotFoundError, PermissionError):  # removed, or read, by another
                os.unlink(entry.path)  # noqa: PTH108
            self._size -= entry.size
            if self._size <= self.bound * _ROOM:
                break

    def _entries(self) -> Iterator[_Kept]:
        """The answers; what was left unfinished long ago is removed on the way."""
        for path in self.directory.glob("??/*"):
            with contextlib.suppress(FileNotFoundError, PermissionError):
                facts = path.stat()
                if path.suffix == _SUFFIX:
                    yield _Kept(facts.st_atime_ns, facts.st_size, str(path))
                elif path.suffix == _UNFINISHED and time.time() - facts.st_mtime > _ABANDONED:
                    path.unlink()

    def _give_up(self, error: OSError) -> None:
        if not self._is_given_up:
            self._is_given_up = True
            reason = error.strerror or str(error)
            _LOG.warning("answers are not kept: %s can't be written to (%s)", self.directory, reason)


def _packed(key: str, answer: dict[str, Any]) -> bytes:
    """A checksum of the rest, and the answer in JSON, on a line each."""
    body = json.dumps({"key": key, "answer": answer}).encode()
    return f"{hashlib.sha256(body).hexdigest()}\n".encode() + body


def _unpacked(entry: bytes, key: str) -> dict[str, Any] | None:
    """The answer of an entry; None if it isn't whole, or not the one that was asked for."""
    told, _, body = entry.partition(b"\n")
    if told.decode("ascii", "replace") != hashlib.sha256(body).hexdigest():
        return None
    whole = json.loads(body)
    return whole["answer"] if whole["key"] == key else None


def _write(path: Path, entry: bytes) -> None:
    descriptor, part = tempfile.mkstemp(suffix=_UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(entry)
        Path(part).replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            Path(part).unlink()
        # Windows doesn't replace a file that another process reads: then it is there already.
        if not (isinstance(error, PermissionError) and path.exists()):
            raise
