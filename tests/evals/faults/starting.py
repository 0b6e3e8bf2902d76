"""Starts runs in process groups of their own, again and again, by ``starter.py``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Starter"]

ROOT = Path(__file__).parents[3]


class Starter:
    """A context manager; runs work in its folder, and their words go to a file there."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "log"
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "starter.py")],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, arguments: list[str]) -> int:
        """The process, and process group, of a new run."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"arguments": arguments, "log": str(self._log)}) + "\n")
        self._process.stdin.flush()
        return self._number()

    def ended(self) -> int:
        """The exit status of the run; waits for it."""
        return self._number()

    def said(self) -> str:
        """What all runs have said."""
        return self._log.read_text() if self._log.exists() else ""

    def _number(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=60)
