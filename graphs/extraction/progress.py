"""How far extraction is, on standard error: a line written over in a terminal, one now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from graphs.extraction.budget import Price
from graphs.extraction.calls import Call, Known

__all__ = ["Progress", "spoken"]

_EVERY = 10.0  # seconds between lines where they are not written over


def spoken(seconds: float) -> str:
    """A duration as one says it.

    >>> spoken(42), spoken(150), spoken(7300)
    ('42 s', '2 min 30 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004
        return f"{whole} s"
    if whole < 3600:  # noqa: PLR2004
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Progress:
    """Counts sentences that have an answer, or will have none, and says so.

    Args:
        keys: of all sentences.
        known: what the journal tells, which grows.
        price: for a million tokens; None when not told.
        quiet: count only.
        clock: gives seconds.
    """

    def __init__(
        self,
        keys: list[str],
        known: Known,
        *,
        price: Price | None = None,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._known, self._price, self._quiet, self._clock = known, price, quiet, clock
        self._total = len(keys)
        self._open = {key for key in keys if not known.settled(key)}
        self._before = self._total - len(self._open)
        self._spent = known.usage.total_tokens
        self._failed: set[str] = set()
        self._since = self._last = clock()
        self._over = sys.stderr.isatty()

    def say(self, text: str) -> None:
        """One line for a person."""
        sys.stderr.write(f"\r\x1b[K{text}\n" if self._over and not self._quiet else f"{text}\n")
        sys.stderr.flush()

    def recorded(self, call: Call) -> None:
        """A call is on disk."""
        for key in call.sentences:
            if self._known.settled(key):
                self._open.discard(key)
                self._failed.discard(key)
            elif call.failure:
                self._failed.add(key)
        self.tick()

    def tick(self) -> None:
        """Show how far it is, if it is time to."""
        now = self._clock()
        if self._quiet or now - self._last < (0.2 if self._over else _EVERY):
            return
        self._last = now
        if self._over:
            sys.stderr.write(f"\r\x1b[K{self.line()}")
            sys.stderr.flush()
        else:
            self.say(self.line())

    def close(self) -> None:
        """Leave the last state standing."""
        if not self._quiet:
            self.say(self.line())

    def line(self) -> str:
        """All of it: sentences, rate, tokens, money, time left."""
        done, seconds = self._total - len(self._open), self._clock() - self._since
        share = f"{100 * done / self._total:.0f} %" if self._total else "all"
        parts = [f"{done:,} of {self._total:,} sentences ({share})"]
        fresh = done - self._before
        if fresh and seconds > 0:
            parts.append(f"{fresh / seconds:.1f} a second")
        parts.append(f"{self._known.usage.total_tokens:,} tokens")
        if self._price is not None:
            parts.append(f"{self._price.of(self._known.usage):.4f} spent")
        if self._failed:
            parts.append(f"{len(self._failed):,} failed so far")
        if fresh and self._open:
            parts.append(f"{spoken(seconds / fresh * len(self._open))} left")
        return ", ".join(parts)
