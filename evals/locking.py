"""One process a run directory: an advisory lock that the system releases when its holder dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from agents.errors import UserError

__all__ = ["RunLock"]


class RunLock:
    """Holds ``run.lock`` of a run directory; released by :meth:`release`, and by any death.

    Attributes:
        path: the lock file.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock.

        Raises:
            UserError: when another process holds it, or the file system knows no locks.
        """
        self.path = path = folder / "run.lock"
        self._file = path.open("a+b")
        try:
            _take(self._file)
        except BlockingIOError as error:
            holder = _holder(self._file)
            self._file.close()
            raise UserError(
                f"{folder} is in use by another run{holder}; wait for it, or give another --run-dir."
            ) from error
        except OSError as error:
            self._file.close()
            raise UserError(
                f"{path} can't be locked ({error.strerror}); use a run directory on a local disk."
            ) from error
        self._file.truncate(0)
        self._file.write(str(os.getpid()).encode())
        self._file.flush()

    def release(self) -> None:
        """Let go; the empty lock file stays, since removing it would race with the next holder."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


def _holder(file: IO[bytes]) -> str:
    try:
        file.seek(0)
        number = file.read(20).decode("ascii", "replace").strip()
    except OSError:  # Windows keeps a locked region from readers
        return ""
    return f" (process {number})" if number else ""


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        file.seek(1 << 20)  # a byte far behind the text, so that others can read who holds it
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from error

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
