"""How far a build is, on stderr: one line a stage, rewritten where a person looks on."""

from __future__ import annotations

import sys
import time

__all__ = ["Progress"]

_SECONDS = 2.0
"""Between two words to somebody who is not looking on, such as a log."""


class Progress:
    """Tells stages and how far they are."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Say nothing at all when quiet."""
        self._quiet = quiet
        self._live = not quiet and sys.stderr.isatty()
        self._stage = ""
        self._told = 0.0

    def stage(self, name: str, size: int | None = None) -> None:
        """Begin a stage."""
        self._stage = name
        self._told = time.monotonic()
        self._say(f"{name}{'' if size is None else f' {size:,}'} ...", final=not self._live)

    def at(self, done: int, of: int | None = None, what: str = "rows") -> None:
        """Tell how far the stage is."""
        now = time.monotonic()
        if self._live or now - self._told > _SECONDS:
            self._told = now
            self._say(
                f"{self._stage}: {done:,}{'' if of is None else f' of {of:,}'} {what}", final=not self._live
            )

    def done(self) -> None:
        """Leave a clean line."""
        if self._live:
            self._say("", final=False)

    def _say(self, text: str, *, final: bool) -> None:
        if not self._quiet:
            sys.stderr.write(f"{text}\n" if final else f"\r\x1b[K{text[:100]}")
            sys.stderr.flush()
