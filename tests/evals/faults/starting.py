"""Starts runs in process groups of their own, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.warm.starting import Warm

__all__ = ["Starter"]


class Starter:
    """Starts ``evals.run`` in a folder, with a cache of its own; its words go to a file there."""

    def __init__(self, warm: Warm, folder: Path) -> None:
        self._warm, self._folder = warm, folder

    def start(self, arguments: Sequence[str]) -> int:
        """The process, and process group, of a new run."""
        own = {"XDG_CACHE_HOME": str(self._folder / "cache")}
        return self._warm.start("evals.run", arguments, self._folder, own)

    def ended(self) -> int:
        """The wait status of the run; waits for it."""
        return self._warm.ended()

    def said(self) -> str:
        """What all runs have said."""
        log = self._folder / "log"
        return log.read_text() if log.exists() else ""
