"""Which frames are being decoded in this process, so that nobody decodes the same ones meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

from tools.frames.terms import Fault

__all__ = ["Flights", "shared_flights"]

_MOST_FAULTS = 256


class _Flight:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0


class Flights:
    """Locks by digest, and faults that were met ahead and not told yet."""

    def __init__(self) -> None:
        """Nothing is in the air."""
        self._lock = threading.Lock()
        self._flights: dict[str, _Flight] = {}
        self._faults: dict[str, Fault] = {}

    @contextmanager
    def alone(self, digest: str) -> Generator[None]:
        """Wait until nobody else decodes these frames, and keep others waiting while the block runs."""
        flight = self._enter(digest)
        try:
            with flight.lock:
                yield
        finally:
            self._leave(digest, flight)

    @contextmanager
    def first(self, digest: str) -> Generator[bool]:
        """The same without waiting: False where somebody else decodes them already."""
        flight = self._enter(digest)
        is_mine = flight.lock.acquire(blocking=False)
        try:
            yield is_mine
        finally:
            if is_mine:
                flight.lock.release()
            self._leave(digest, flight)

    def leave_fault(self, digest: str, fault: Fault) -> None:
        """Keep what went wrong ahead for whoever asks for these frames next; the last 256 are kept."""
        with self._lock:
            self._faults[digest] = fault
            while len(self._faults) > _MOST_FAULTS:
                self._faults.pop(next(iter(self._faults)))

    def take_fault(self, digest: str) -> Fault | None:
        """What went wrong ahead, once."""
        with self._lock:
            return self._faults.pop(digest, None)

    def _enter(self, digest: str) -> _Flight:
        with self._lock:
            flight = self._flights.setdefault(digest, _Flight())
            flight.users += 1
            return flight

    def _leave(self, digest: str, flight: _Flight) -> None:
        with self._lock:
            flight.users -= 1
            if not flight.users:
                self._flights.pop(digest, None)


_SHARED = Flights()


def shared_flights() -> Flights:
    """Those of this program."""
    return _SHARED
