"""The run directory: records that survive a kill, and files that are whole or absent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from agents.errors import UserError
from evals.locking import RunLock
from evals.records import RunKey, RunRecord

__all__ = ["RECORDS", "RunStore", "read_records", "write_whole"]

RECORDS = "records.jsonl"
SET_ASIDE = "failed.jsonl"


class RunStore:
    """An open run directory; a context manager that holds its lock.

    Attributes:
        folder: the directory.
        path: its ``records.jsonl``.
        repaired: bytes of a torn last line that opening removed; its sample runs again.
    """

    def __init__(self, folder: Path) -> None:
        """Open a run directory, made where it is missing; a torn last line is removed.

        Raises:
            UserError: when it can't be made, or another process holds it.
        """
        self.folder = folder
        self.path = folder / RECORDS
        self._made = [each for each in (folder, *folder.parents) if not each.exists()]  # innermost first
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder} can't be a run directory: {error.strerror}.") from error
        self._lock = RunLock(folder)
        try:
            self.repaired = _repair(self.path)
            self._file = os.open(
                self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644
            )
            _sync_folder(folder)
        except OSError as error:
            self._lock.release()
            raise UserError(f"{self.path} can't be opened: {error.strerror}.") from error

    def __enter__(self) -> Self:
        """Stay open for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, whatever happened."""
        self.close()

    def append(self, lines: Sequence[str]) -> None:
        """Write lines and wait until the disk has them; all of them or none.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        block = memoryview("".join(line + "\n" for line in lines).encode())
        before = os.fstat(self._file).st_size
        try:
            while block:
                block = block[os.write(self._file, block) :]
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, before)
            raise

    def records(self) -> Iterator[RunRecord]:
        """Every record, each key once: the first counts."""
        yield from read_records(self.path)

    def aside(self) -> Iterator[RunRecord]:
        """Records that were set aside, in the order of time; a torn last line is left out."""
        path = self.folder / SET_ASIDE
        if path.exists():
            yield from _parsed(path)

    def set_aside(self, unwanted: Callable[[RunRecord], bool]) -> int:
        """Move records to ``failed.jsonl`` so that their samples run again.

        A kill in between leaves a record in both files, never in none.

        Returns:
            How many were moved.
        """
        kept: list[str] = []
        moved: list[str] = []
        for record in self.records():
            (moved if unwanted(record) else kept).append(record.line())
        if moved:
            _repair(self.folder / SET_ASIDE)
            with (self.folder / SET_ASIDE).open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(line + "\n" for line in moved)
                file.flush()
                os.fsync(file.fileno())
            os.close(self._file)
            write_whole(self.path, "".join(line + "\n" for line in kept))
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        return len(moved)

    def interpreted(self) -> dict[RunKey, RunRecord]:
        """Records set aside that only lack a verdict: their interpretation needn't be paid for again."""
        path = self.folder / SET_ASIDE
        if not path.exists():
            return {}
        _repair(path)
        latest = {record.key: record for record in _parsed(path)}
        return {key: record for key, record in latest.items() if record.interpretation is not None}

    def discard_new(self) -> None:
        """Remove the directory again where opening made it and nothing was recorded."""
        if self._made and not os.fstat(self._file).st_size:
            self.close()
            self.path.unlink()
            self._lock.path.unlink()
            for folder in self._made:
                folder.rmdir()

    def close(self) -> None:
        """Let go of the files and the lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
            self._lock.release()


def read_records(path: Path) -> Iterator[RunRecord]:
    """Read a ``records.jsonl``, each key once: the first counts. Needs no lock.

    A torn last line, of a run that is being written or was killed, is left out.

    Raises:
        UserError: when a whole line is no record; it names the line.
    """
    seen: set[RunKey] = set()
    for record in _parsed(path):
        if record.key not in seen:
            seen.add(record.key)
            yield record


def write_whole(path: Path, text: str) -> None:
    """Replace a file so that a reader, or a kill, meets the old one or the new one whole."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _sync_folder(path.parent)


def _parsed(path: Path) -> Iterator[RunRecord]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield RunRecord.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise UserError(
                    f"{path}, line {number} is no record ({where + ': ' if where else ''}{first['msg']}); "
                    "take the line out and its sample runs again."
                ) from error


def _repair(path: Path) -> int:
    """Cut what follows the last newline, unless it is a whole record that only lacks it."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        tail = _tail(file.fileno())
        if not tail:
            return 0
        size = file.seek(0, os.SEEK_END)
        try:
            RunRecord.model_validate_json(tail)
        except ValidationError:
            file.truncate(size - len(tail))
        else:
            file.write(b"\n")
            tail = b""
        file.flush()
        os.fsync(file.fileno())
    return len(tail)


def _tail(descriptor: int, block: int = 1 << 16) -> bytes:
    """What follows the last newline of a file, read from its end."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    tail = b""
    while end > 0:
        start = max(0, end - block)
        os.lseek(descriptor, start, os.SEEK_SET)
        tail = os.read(descriptor, end - start) + tail
        if b"\n" in tail:
            return tail.rpartition(b"\n")[2]
        end = start
    return tail


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder can't be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
