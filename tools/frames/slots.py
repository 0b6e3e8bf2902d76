"""Places in a pool: whoever is waited for comes before work that is done ahead."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from tools.frames.terms import Fault

__all__ = ["Slots"]

_LOOK = 0.2  # seconds after which spare work looks again whether it was called off


class Slots:
    """So many at once; spare work gets a place only while nobody else waits for one."""

    def __init__(self, size: int) -> None:
        """All places are free."""
        self._free = size
        self._waiting = 0
        self._changed = threading.Condition()

    @contextmanager
    def taken(self) -> Generator[None]:
        """Wait for a place, and hold it while the block runs."""
        with self._changed:
            self._waiting += 1
            try:
                while not self._free:
                    self._changed.wait()
            finally:
                self._waiting -= 1
            self._free -= 1
        yield from self._held()

    @contextmanager
    def spare(self, is_off: Callable[[], bool]) -> Generator[None]:
        """Wait until a place is free that nobody else waits for, and hold it while the block runs.

        Raises:
            Fault: when it was called off meanwhile.
        """
        with self._changed:
            while not self._free or self._waiting:
                if is_off():
                    raise Fault("the read was called off")
                self._changed.wait(_LOOK)
            self._free -= 1
        yield from self._held()

    def _held(self) -> Generator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
