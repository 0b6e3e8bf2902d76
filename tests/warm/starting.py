"""Starts our commands in process groups of their own, by ``server.py``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Warm"]

ROOT = Path(__file__).parents[2]
_KEYS = ("OPENAI_", "GOOGLE_", "GEMINI_", "LANGSMITH_", "LANGCHAIN_")


class Warm:
    """A process that has imported what our commands need, and forks them; a context manager.

    One command runs at a time. It finds the project on its path, and no keys.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "server.py")],
            env={name: value for name, value in os.environ.items() if not name.startswith(_KEYS)}
            | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(
        self,
        module: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        log: Path | None = None,
    ) -> int:
        """Run ``python -m MODULE`` in a folder.

        Args:
            module: the command.
            arguments: of it.
            folder: where it runs.
            environment: what it finds there besides.
            log: a file that its words are added to; ``log`` in the folder by default.

        Returns:
            The process, and process group, of the run.
        """
        words = str(log or folder / "log")
        return self._order(module, arguments, folder, environment or {}, (words, words))

    def ended(self) -> int:
        """The wait status of what was started; waits for it."""
        return self._number()

    def run(
        self,
        module: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        timeout: float = 240,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, as :func:`subprocess.run` does; it is killed when it takes too long."""
        out, err = folder / ".warm.out", folder / ".warm.err"
        for file in (out, err):
            file.unlink(missing_ok=True)
        group = self._order(module, arguments, folder, environment or {}, (str(out), str(err)))
        late = threading.Timer(timeout, os.killpg, (group, signal.SIGKILL))
        late.start()
        code = os.waitstatus_to_exitcode(self._number())
        late.cancel()
        said = [file.read_text(encoding="utf-8", errors="replace") for file in (out, err)]
        for file in (out, err):
            file.unlink()
        return subprocess.CompletedProcess([module, *arguments], code, *said)

    def _order(
        self,
        module: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        files: tuple[str, str],
    ) -> int:
        order = {
            "module": module,
            "arguments": list(arguments),
            "folder": str(folder),
            "environment": dict(environment),
            "out": files[0],
            "err": files[1],
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._number()

    def _number(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def __enter__(self) -> Self:
        """Stay for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give no more orders."""
        self._process.communicate(timeout=60)
