"""Where words go: results to stdout, all else to stderr; with ``--json`` everything is an event on stdout."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

from evals.datasets import Problem
from evals.datasets.sample import ProblemKind, shown

__all__ = ["Output", "open_streams"]

_KINDS = {
    "missing_video": "videos are missing",
    "duplicate": "rows repeat a video_id",
    "unknown_type": "metaphor types are unknown",
    "no_gold": "rows have no gold interpretation",
}


class Output:
    """Says things the way that the flags ask for.

    Attributes:
        as_json: events instead of text.
        quiet: nothing but results and warnings.
        speak: prints one line for a person; a progress bar may take its place for a while.
    """

    def __init__(self, *, as_json: bool = False, quiet: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.speak: Callable[[str], None] = _to_stderr

    def say(self, text: str) -> None:
        """Something good to know."""
        if self.as_json:
            self.event("message", text=text)
        elif not self.quiet:
            self.speak(text)

    def warn(self, text: str) -> None:
        """Something one must know."""
        if self.as_json:
            self.event("warning", text=text)
        else:
            self.speak(text)

    def result(self, event: str, text: str, **content: Any) -> None:
        """A result: text on stdout, or an event with ``content``."""
        if self.as_json:
            self.event(event, **content)
        else:
            sys.stdout.write(text.rstrip("\n") + "\n")
            sys.stdout.flush()

    def event(self, event: str, **content: Any) -> None:
        """One JSON object on stdout."""
        sys.stdout.write(json.dumps({"event": event, **content}, ensure_ascii=False, default=str) + "\n")
        sys.stdout.flush()

    def of(self, cell: str) -> Output:
        """The same words of one cell of several, whose name they then say; this output for the only cell."""
        return _CellOutput(self, cell) if cell else self

    def problems(self, name: str, problems: Iterable[Problem], counts: Mapping[ProblemKind, int]) -> None:
        """Problems of a data set, by kind, each with its video, and how many there are.

        Args:
            name: of the data set.
            problems: the first of each kind.
            counts: how many there are of each kind.
        """
        found = list(problems)
        for kind, number in counts.items():
            rows = [problem for problem in found if problem.kind == kind]
            left = number - len(rows)
            if self.as_json:
                for row in rows:
                    self.event("problem", kind=kind, video_id=row.video_id, detail=row.detail)
                if left:
                    self.event("problem", kind=kind, video_id=None, detail=f"and {left} more")
                continue
            self.warn(f"{name}: {_KINDS[kind]} ({number}):")
            for row in rows:
                self.warn(f"  {shown(row.video_id)}: {row.detail}")
            if left:
                self.warn(f"  and {left:,} more")


class _CellOutput(Output):
    """Says things of one cell: lines begin with its name, results stand under it, events carry it."""

    def __init__(self, whole: Output, cell: str) -> None:
        super().__init__(as_json=whole.as_json, quiet=whole.quiet)
        self._whole, self._cell = whole, cell
        self.speak = lambda text: whole.speak(f"{cell}: {text}")  # who speaks may change meanwhile

    def result(self, event: str, text: str, **content: Any) -> None:
        super().result(event, f"\n{self._cell}\n{'=' * len(self._cell)}{text}", **content)

    def event(self, event: str, **content: Any) -> None:
        self._whole.event(event, cell=self._cell, **content)


def open_streams() -> None:
    """Lead standard streams that whoever started the process has closed to nowhere.

    A file that is opened later would otherwise take the place of one, and what a library prints would go
    into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            _hold(number)
            setattr(sys, name, _nowhere())


def _hold(number: int) -> None:
    """Have a descriptor lead to nowhere, unless a file has it already."""
    try:
        os.fstat(number)
    except OSError:
        os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # takes the lowest number that is free


def _nowhere() -> TextIO:
    return open(os.devnull, "r+", encoding="utf-8")  # noqa: PTH123 - open for as long as the process is


def _to_stderr(text: str) -> None:
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:  # a terminal that is gone, a log on a full disk: no reason to end paid work
        sys.stderr = _nowhere()
