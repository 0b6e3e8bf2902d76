"""A table on disk that is read more than once, and must be the same each time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from agents.errors import UserError
from evals.datasets.sample import shown

__all__ = ["LONGEST", "TableFile"]

LONGEST = 16 << 20
"""Bytes that a row may have: a sample is a title and a few sentences."""

_EVERY = 1000  # rows after which the file is looked at again
_Look = tuple[int, int, int]


class TableFile:
    """Lines of JSON; what the first pass has read, any later one reads, or it raises.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is read yet."""
        self.path = path
        self._look: _Look | None = None
        self._digest = b""

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbers, from 1, and texts of lines that hold something.

        Raises:
            UserError: when the file is no text, a line has more than 16 MB, or it is not what it was at the
                first pass: by size and time or, where these differ, by its bytes.
        """
        whole = blake2b()
        with self._opened() as file:
            if self._look is not None:
                self._make_sure()
            before = self._now()
            number = 0
            while line := file.readline(LONGEST + 1):
                number += 1
                whole.update(line)
                if len(line) > LONGEST:
                    raise UserError(self._too_long(number, line))
                if self._look is not None and not number % _EVERY:
                    self._make_sure()
                text = self._text(number, line)
                if text.strip():
                    yield number, text
        self._end(before, whole.digest())

    def _opened(self):  # noqa: ANN202 - whatever open gives
        try:
            return self.path.open("rb")
        except OSError as error:
            raise UserError(f"{self.path} can't be read: {error.strerror}.") from error

    def _end(self, before: _Look, digest: bytes) -> None:
        """A whole pass was made."""
        if self._look is None:
            if self._now() != before:
                raise UserError(f"{self.path} was written to while it was read; start again when it is done.")
            self._look, self._digest = before, digest
        elif digest != self._digest:
            raise self._changed()

    def _make_sure(self) -> None:
        """Compare size and time, and the bytes where these differ."""
        now = self._now()
        if now == self._look:
            return
        if now[0] != (self._look or now)[0]:
            raise self._changed()
        with self._opened() as file:
            whole = blake2b()
            while block := file.read(1 << 20):
                whole.update(block)
        if whole.digest() != self._digest:
            raise self._changed()
        self._look = now

    def _now(self) -> _Look:
        try:
            told = self.path.stat()
        except OSError:
            return -1, 0, 0
        return told.st_size, told.st_mtime_ns, told.st_ino

    def _changed(self) -> UserError:
        return UserError(
            f"{self.path} is no longer what it was when the run began. What was recorded stays: put the old "
            "table back to go on, or give another --run-dir for the new one."
        )

    def _text(self, number: int, line: bytes) -> str:
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise UserError(
                f"{self.path} is not UTF-8 text ({error.reason} at byte {error.start} of line {number})."
            ) from error

    def _too_long(self, number: int, line: bytes) -> str:
        begins = shown(line[:60].decode("utf-8", "replace"))
        size = "" if line.endswith(b"\n") else f"; the file has {os.path.getsize(self.path):,}"  # noqa: PTH202
        return (
            f"{self.path}: line {number} has more than {LONGEST:,} bytes{size}. A row is one JSON object on "
            f"one line, and this one begins {begins!r}."
        )
