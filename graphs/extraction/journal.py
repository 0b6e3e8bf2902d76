"""Calls on disk before anything follows from them: resumed after any kill, and a cache.

One JSON line a call, only ever appended. A sentence is known by a hash of its text, an answer by that and
by what it was asked with (model, temperature, prompt, schema), so that a changed prompt asks anew and a
changed order of files does not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from agents.errors import UserError
from graphs.extraction.calls import Call, Known
from graphs.extraction.lock import Lock

__all__ = ["Journal", "beside", "read_calls"]


def beside(out: Path, kind: str) -> Path:
    """The path of a companion of the output: ``pairs.journal.jsonl`` beside ``pairs.jsonl.gz``."""
    name = out.name.removesuffix(".gz").removesuffix(".jsonl")
    return out.with_name(f"{name}.{kind}")


class Journal:
    """An open journal; a context manager that holds its lock.

    Attributes:
        path: its file.
        known: what its calls tell.
        repaired: bytes of a torn last line that opening removed; what it said is asked again.
    """

    def __init__(self, out: Path, known: Known) -> None:
        """Open the journal beside an output file, made where it is missing, and learn its calls.

        Raises:
            UserError: when it can't be opened, another process holds it, or a whole line is no call.
        """
        self.path, self.known = beside(out, "journal.jsonl"), known
        self._lock = Lock(beside(out, "lock"))
        try:
            self.repaired = _repair(self.path)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file = os.open(self.path, flags, 0o644)
            for call in read_calls(self.path):
                known.take(call)
        except OSError as error:
            self._lock.release()
            raise UserError(f"{self.path} can't be opened: {error.strerror}.") from error
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        """Stay open for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, whatever happened."""
        os.close(self._file)
        self._lock.release()

    def append(self, call: Call) -> None:
        """Write a call and wait until the disk has it, whole or not at all.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        block = memoryview((call.model_dump_json(exclude_defaults=True) + "\n").encode())
        before = os.fstat(self._file).st_size
        try:
            while block:
                block = block[os.write(self._file, block) :]
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, before)
            raise
        self.known.take(call, fresh=True)


def read_calls(path: Path) -> Iterator[Call]:
    """Read a journal; a torn last line is left out.

    Raises:
        UserError: when a whole line is no call; it names the line.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield Call.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise UserError(
                    f"{path}, line {number} is no call ({where + ': ' if where else ''}{first['msg']}); "
                    "take the line out and its sentences are asked again."
                ) from error


def _repair(path: Path) -> int:
    """Cut what follows the last newline, read from the end; returns how many bytes that were."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        size = end = file.seek(0, os.SEEK_END)
        keep = 0
        while end > 0 and not keep:
            start = max(0, end - (1 << 16))
            file.seek(start)
            keep = start + file.read(end - start).rfind(b"\n") + 1 if end else 0
            if keep == start:  # no newline in this piece
                keep, end = 0, start
        if keep < size:
            file.truncate(keep)
            file.flush()
            os.fsync(file.fileno())
    return size - keep
