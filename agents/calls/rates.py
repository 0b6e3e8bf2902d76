"""At most so many requests and tokens in any minute, decided by a clock that the caller holds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

__all__ = ["Entry", "Rates"]

SPAN = 60.0
"""Seconds of the window in which services count."""


@dataclass(slots=True)
class Entry:
    """A request that was let through: when, and the tokens it is taken, or known, to have."""

    moment: float
    tokens: int


class Rates:
    """A log of the last minute.

    In no window of 60 seconds, wherever it begins, are there more than ``rpm`` requests; nor more than
    ``tpm`` tokens as estimated when they were let through, but for a request that is larger by itself: it
    goes when the minute is empty. What a request really took replaces its estimate for those after it.

    Args:
        rpm: requests a minute at most; None for no limit.
        tpm: tokens a minute at most; None for no limit.
    """

    def __init__(self, rpm: int | None = None, tpm: int | None = None) -> None:
        self.rpm = rpm
        self.tpm = tpm
        self._log: deque[Entry] = deque()
        self._tokens = 0

    def tighten(self, rpm: int | None, tpm: int | None) -> None:
        """Add limits; of two the lower counts."""
        self.rpm = min((n for n in (self.rpm, rpm) if n is not None), default=None)
        self.tpm = min((n for n in (self.tpm, tpm) if n is not None), default=None)

    def wait(self, now: float, tokens: int) -> float:
        """Seconds until a request of so many tokens may go; 0 when it may go at once."""
        self._forget(now)
        until = now
        if self.rpm is not None and len(self._log) >= self.rpm:
            until = max(until, self._log[len(self._log) - self.rpm].moment + SPAN)
        if self.tpm is not None and self._log:
            until = max(until, self._room(now, self.tpm - min(tokens, self.tpm)))
        return max(until - now, 0.0)

    def _room(self, now: float, most: int) -> float:
        """When no more than ``most`` tokens are left in the window."""
        left, until = self._tokens, now
        for entry in self._log:
            if left <= most:
                break
            left -= entry.tokens
            until = entry.moment + SPAN
        return until

    def take(self, now: float, tokens: int) -> Entry:
        """Let a request through; :meth:`wait` must have said 0."""
        entry = Entry(now, tokens)
        if self.rpm is not None or self.tpm is not None:
            self._log.append(entry)
            self._tokens += tokens
        return entry

    def correct(self, entry: Entry, tokens: int) -> None:
        """Replace the estimate of a request by what it took."""
        if self._log and entry.moment >= self._log[0].moment:
            self._tokens += tokens - entry.tokens
        entry.tokens = tokens

    def _forget(self, now: float) -> None:
        while self._log and self._log[0].moment + SPAN <= now:
            self._tokens -= self._log.popleft().tokens
