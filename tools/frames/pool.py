"""A few decoding processes, shared by all threads and event loops of a program."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property

from tools.frames.channel import Answer, Task
from tools.frames.process import Process, Untaken
from tools.frames.slots import Slots
from tools.frames.terms import Fault, FrameSet

__all__ = ["Pool", "Ticket", "shared_pool"]

_MEMORY = 3 << 30
_PROCESSES = 4
_TASKS = 100


class Ticket:
    """A caller's hold on a read, so that it can be called off from another thread."""

    def __init__(self) -> None:
        """Start with nothing to stop."""
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._is_cancelled = False

    @property
    def is_cancelled(self) -> bool:
        """Whether the read was called off."""
        return self._is_cancelled

    def cancel(self) -> None:
        """Stop the read: now if it is being decoded, else before it begins."""
        with self._lock:
            self._is_cancelled = True
            if self._process is not None:
                self._process.kill()

    @contextmanager
    def holding(self, process: Process) -> Generator[None]:
        """Let `cancel` kill this process, as long as the block runs.

        Raises:
            Fault: if the read was called off already.
        """
        with self._lock:
            if self._is_cancelled:
                raise Fault("the read was called off")
            self._process = process
        try:
            yield
        finally:
            with self._lock:
                self._process = None


class Pool:
    """Starts decoding processes when they are needed, and replaces those that died or are worn out."""

    def __init__(
        self, size: int | None = None, tasks_per_process: int = _TASKS, memory: int = _MEMORY
    ) -> None:
        """Start nothing yet.

        Args:
            size: at most so many processes at once; by default as many as there are processors, up to 4.
            tasks_per_process: a process is replaced after so many reads, since libraries leak.
            memory: bytes of address space a process may take.
        """
        self.size = size or min(_PROCESSES, os.cpu_count() or 1)
        self._tasks_per_process = tasks_per_process
        self._memory = memory
        self.slots = Slots(self.size)
        self._lock = threading.Lock()
        self._idle: list[Process] = []

    @cached_property
    def threads(self) -> ThreadPoolExecutor:
        """The threads in which async callers wait, one for each process."""
        return ThreadPoolExecutor(self.size, thread_name_prefix="frames")

    @cached_property
    def spare_threads(self) -> ThreadPoolExecutor:
        """The threads in which reads ahead wait, so that they are in nobody's way."""
        return ThreadPoolExecutor(self.size, thread_name_prefix="frames-ahead")

    def run(self, task: Task, ticket: Ticket | None = None) -> FrameSet:
        """Read in one of the processes. Waiting for a free one doesn't count towards the deadline.

        Raises:
            Fault: what is wrong with the file, the decoder's death and the missed deadline included.
        """
        with self.slots.taken():
            return self.answer(task, ticket or Ticket())

    def answer(self, task: Task, ticket: Ticket) -> FrameSet:
        """The same for who holds one of the pool's slots.

        Raises:
            Fault: what is wrong with the file, the decoder's death and the missed deadline included.
        """
        try:
            answer = self._ask(task, ticket)
        except Untaken:  # it had died, or hung, while it was idle: that costs no read
            answer = self._ask(task, ticket)
        if answer.frames is not None:
            return answer.frames
        fault = Fault(answer.fault)
        if answer.trace:
            fault.add_note(f"in the decoder: {answer.trace}")
        raise fault

    def _ask(self, task: Task, ticket: Ticket) -> Answer:
        process = self._take()
        is_fit = False
        try:
            with ticket.holding(process):
                answer = process.ask(task)
            is_fit = not answer.is_worn and process.tasks < self._tasks_per_process
        finally:
            self._put_back(process, is_fit=is_fit)
        return answer

    def _take(self) -> Process:
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None:
            return Process(self._memory)
        if process.is_alive:
            return process
        process.close()
        return Process(self._memory)

    def _put_back(self, process: Process, *, is_fit: bool) -> None:
        if not (is_fit and process.is_alive):
            process.close()
            return
        with self._lock:
            self._idle.append(process)

    def close(self) -> None:
        """End the processes that wait for work."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()


class _Shared:
    """Holds the program's pool; a forked child gets one of its own, since it can't share pipes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        atexit.register(self._close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def get(self) -> Pool:
        with self._lock:
            if self._pool is None:
                self._pool = Pool()
            return self._pool

    def _forget(self) -> None:
        self._lock, self._pool = threading.Lock(), None

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()


_SHARED = _Shared()


def shared_pool() -> Pool:
    """The pool of this program, made at the first call."""
    return _SHARED.get()
