"""How many calls a server bears at once, found out while it is asked."""

from __future__ import annotations

__all__ = ["START", "Width"]

START = 16
"""Calls in flight that a line begins with, where no more than fewer are allowed."""


class Width:
    """Calls that may be in flight.

    Until a server first complains, each success makes room for one more; afterwards, as many successes as
    there is room for do. A complaint halves it, but only once for all calls that were in flight
    together: their complaints are one. It is never less than 1, and any success makes it grow, so
    that it can't be stuck.

    Args:
        ceiling: the most there may ever be.
        start: what it begins with.
    """

    def __init__(self, ceiling: int, start: int = START) -> None:
        self.ceiling = max(ceiling, 1)
        self._room = float(min(start, self.ceiling))
        self._complaints = 0

    def __int__(self) -> int:
        return int(self._room)

    @property
    def complaints(self) -> int:
        """How often it was halved; a call notes it when it is sent."""
        return self._complaints

    def succeeded(self) -> None:
        """A call was answered."""
        step = 1.0 if not self._complaints else 1.0 / self._room
        self._room = min(self._room + step, float(self.ceiling))

    def overloaded(self, sent_after: int) -> None:
        """A server complained.

        Args:
            sent_after: :attr:`complaints` when the call was sent.
        """
        if sent_after == self._complaints:
            self._complaints += 1
            self._room = max(self._room / 2, 1.0)

    def cap(self, ceiling: int) -> None:
        """Change the most there may be."""
        self.ceiling = max(ceiling, 1)
        self._room = min(self._room, float(self.ceiling))
        if not self._complaints:
            self._room = max(self._room, float(min(START, self.ceiling)))
