"""What a process and its children cost: CPU-seconds and peak memory, read from Linux's /proc."""

from __future__ import annotations

import os
import resource
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Watch", "family", "idle"]

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def family() -> list[int]:
    """This process and all that it started, directly or not, as far as they run."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields:
                parents[int(entry.name)] = int(fields[1])
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def idle() -> float:
    """CPU-seconds so far in which a core of this machine had nothing to do, whoever might have used it."""
    first = Path("/proc/stat").read_text(encoding="utf-8").partition("\n")[0].split()
    return (int(first[4]) + int(first[5])) / _TICK


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on; none if the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


class Watch:
    """Follows the memory of a family of processes in a thread, ten times in a tenth of a second.

    Attributes:
        peak: most resident bytes of all of them together; pages they share count once for each.
    """

    def __init__(self) -> None:
        self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the thread."""
        self._stop.set()
        self._thread.join()

    def _follow(self) -> None:
        pids, rounds = family(), 0
        while not self._stop.wait(0.01):
            rounds += 1
            if rounds % 10 == 0:
                pids = family()
            self.peak = max(self.peak, sum(_resident(pid) for pid in pids))

    def cpu(self) -> float:
        """CPU-seconds so far of this process, the children that ended and those that run.

        What the watching itself costs is left out.
        """
        own = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        if self._thread.is_alive() and self._thread.ident is not None:
            own -= time.clock_gettime(time.pthread_getcpuclockid(self._thread.ident))
        ended = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        running = [_stat(pid) for pid in family()[1:]]
        return own + ended + sum((int(f[11]) + int(f[12])) / _TICK for f in running if f)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * _PAGE
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return 0
