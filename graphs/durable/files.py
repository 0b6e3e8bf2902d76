"""Files that survive a kill: lines appended whole or not at all, and files that are replaced whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agents.errors import UserError

__all__ = ["Lines", "parsed", "repair", "sync_folder", "write_whole"]

Model = TypeVar("Model", bound=BaseModel)
_BINARY = getattr(os, "O_BINARY", 0)


class Lines:
    """A file that lines are appended to."""

    def __init__(self, path: Path) -> None:
        """Open the file, made where it is missing.

        Raises:
            OSError: when it can't be opened.
        """
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _BINARY, 0o644)

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return os.fstat(self._file).st_size

    def append(self, text: str, *, sync: bool = True) -> None:
        """Write whole lines and wait until the disk has them; all of them or none.

        Without ``sync`` they are the system's when this returns: the death of the process does not lose
        them, that of the machine may until :meth:`sync`.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        block = memoryview(text.encode())
        before = self.size
        try:
            while block:
                block = block[os.write(self._file, block) :]
            if sync:
                os.fsync(self._file)
        except OSError as error:
            error.filename = error.filename or str(self._path)
            os.ftruncate(self._file, before)
            raise

    def sync(self) -> None:
        """Wait until the disk has all that was written.

        Raises:
            OSError: when it refuses.
        """
        try:
            os.fsync(self._file)
        except OSError as error:
            error.filename = error.filename or str(self._path)
            raise

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def parsed(path: Path, model: type[Model], *, what: str, way_out: str) -> Iterator[Model]:
    """Read a file of JSON lines; a torn last line is left out.

    Args:
        path: the file.
        model: what each line is.
        what: how a person calls that.
        way_out: what to do about a line that is none.

    Raises:
        UserError: when a whole line is none; it names the line.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield model.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise UserError(
                    f"{path}, line {number} is no {what} ({where + ': ' if where else ''}{first['msg']}); "
                    f"{way_out}."
                ) from error


def repair(path: Path, is_whole: Callable[[bytes], bool] = lambda _: False) -> int:
    """Cut what follows the last newline, unless it is a whole line that only lacks it.

    Returns:
        How many bytes were cut.
    """
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        tail = _tail(file.fileno())
        if not tail:
            return 0
        size = file.seek(0, os.SEEK_END)
        if is_whole(tail):
            file.write(b"\n")
            tail = b""
        else:
            file.truncate(size - len(tail))
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


def write_whole(path: Path, content: str | bytes) -> None:
    """Replace a file so that a reader, or a kill, meets the old one or the new one whole."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the disk knows of the files that a folder holds."""
    if os.name == "nt":  # a folder can't be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
