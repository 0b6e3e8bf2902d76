"""One process at a time: an advisory lock that the system releases when its holder dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from agents.errors import UserError

__all__ = ["Lock"]


class Lock:
    """Holds a lock file; released by :meth:`release`, and by any death.

    Attributes:
        path: the lock file.
    """

    def __init__(self, path: Path, *, held: str, way_out: str, local: str) -> None:
        """Take the lock.

        Args:
            path: of the lock file, made where it is missing.
            held: what is said when another process has it, up to that process.
            way_out: what to do then.
            local: what to do where the file system knows no locks.

        Raises:
            UserError: when another process holds it, or the file system knows no locks.
            OSError: when the file can't be made.
        """
        self.path = path
        self._file = path.open("a+b")
        try:
            _take(self._file.fileno())
        except BlockingIOError as error:
            holder = self._holder()
            self._file.close()
            raise UserError(f"{held}{holder}; {way_out}.") from error
        except OSError as error:
            self._file.close()
            raise UserError(f"{path} can't be locked ({error.strerror}); {local}.") from error
        self._file.truncate(0)
        self._file.write(str(os.getpid()).encode())
        self._file.flush()

    def _holder(self) -> str:
        try:
            self._file.seek(0)
            number = self._file.read(20).decode("ascii", "replace").strip()
        except OSError:  # Windows keeps a locked region from readers
            return ""
        return f" (process {number})" if number else ""

    def release(self) -> None:
        """Let go; the empty file stays, since removing it would race with the next holder."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # far behind the text, so that others can read it
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from error

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
