"""One decoding process as its parent sees it: started, asked, killed at the deadline."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO, cast

from tools.frames.channel import TAKEN, Answer, Task, receive, send
from tools.frames.terms import Fault

__all__ = ["Process", "Untaken"]

# Not multiprocessing: its spawned children import the caller's main module, and run it where it has no guard.
_BOOT = (
    "import json,sys; sys.path[:]=json.loads(sys.argv[1]); from tools.frames.worker import serve; serve({})"
)

_HEAP = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(64 << 20)}
"""Has glibc keep the memory of a picture for the next one: fetching it from the system again, page by page,
is a tenth of the work. Other systems don't look at it."""


_START = 60.0
"""Seconds in which a process has to take its task: a busy machine starts one slowly, whatever the file."""


class Untaken(Fault):
    """The process died, or hung, before it took the task, so that the file is not to blame."""


class Process:
    """A worker process; one task at a time."""

    def __init__(self, memory: int) -> None:
        """Start it, with the caller's import path and a limit of `memory` bytes of address space."""
        paths = json.dumps([str(Path(path).absolute()) for path in sys.path])
        self._complaints = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - closed by `close`
        self._process = subprocess.Popen(  # noqa: S603 - our own module, no input of the user's
            # -P: a json.py in the current folder must not be taken for the library's
            [sys.executable, "-P", "-c", _BOOT.format(memory), paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env=_HEAP | os.environ,
        )
        self._is_doomed = False
        self.tasks = 0

    def ask(self, task: Task) -> Answer:
        """Hand over a task and wait for its answer, at most until its deadline.

        The deadline counts from the moment at which the process takes the task.

        Raises:
            Untaken: if the process died before it took the task.
            Fault: if the process gives no answer in time, or dies. It is not to be used again.
        """
        late = threading.Event()
        self.tasks += 1
        is_taken, patience = False, max(_START, task.deadline)
        try:
            with self._killed_after(patience, late):
                send(cast("BinaryIO", self._process.stdin), task)
                is_taken = receive(cast("BinaryIO", self._process.stdout)) == TAKEN
            with self._killed_after(task.deadline, late):
                return cast("Answer", receive(cast("BinaryIO", self._process.stdout)))
        except (EOFError, OSError) as error:
            fault = self._obituary(task.deadline if is_taken else patience, late, is_taken=is_taken)
            # One that never began won't begin sooner the next time; one that worked before was hanging.
            if is_taken or (late.is_set() and self.tasks == 1):
                raise fault from error
            untaken = Untaken(str(fault))
            untaken.__notes__ = getattr(fault, "__notes__", [])
            raise untaken from error

    @contextlib.contextmanager
    def _killed_after(self, seconds: float, late: threading.Event) -> Generator[None]:
        """Kill the process unless the block ends in time: it bounds a read from a pipe on any system."""

        def expire() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(seconds, expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # it may have begun: then the process is doomed, even with the answer at hand

    def _obituary(self, seconds: float, late: threading.Event, *, is_taken: bool) -> Fault:
        code = self._process.wait()
        if late.is_set():
            what = "not decoded" if is_taken else "not begun"
            return Fault(f"{what} within {seconds:g} s: the decoder was stopped")
        with contextlib.suppress(ValueError):
            code = signal.Signals(-code).name
        fault = Fault(f"the decoder crashed ({code})")
        self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, self._complaints.tell() - 2000))
        said = self._complaints.read().decode(errors="replace").strip()
        if said:
            fault.add_note(f"its last words: {said}")
        return fault

    @property
    def is_alive(self) -> bool:
        """Whether it still runs, and nobody killed it."""
        return not self._is_doomed and self._process.poll() is None

    def kill(self) -> None:
        """End it now; may be called twice, and from another thread than the one that is in `ask`."""
        self._is_doomed = True
        self._process.kill()

    def close(self) -> None:
        """End it, wait for its end and close its pipes. Not while another thread is in `ask`."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._complaints):
            with contextlib.suppress(OSError):  # what was not written yet has no reader any more
                cast("BinaryIO", pipe).close()
