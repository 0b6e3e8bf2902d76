"""Ctrl-C once: finish what is in flight. Twice: stop at once. SIGTERM counts as the first."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Generator
from types import FrameType

__all__ = ["Stop"]


class Stop:
    """A wish to stop, soft at first.

    Attributes:
        requested: no new sample is started.
        at_once: what is in flight is given up.
        broken: why the run stopped itself; empty when it did not.
        budget: which limit of the run was reached; empty when none was.
        idle: whether it was reached before anything was begun.
    """

    def __init__(self, announce: Callable[[str], None] = lambda _: None) -> None:
        self.requested = False
        self.at_once = False
        self.broken = ""
        self.budget = ""
        self.idle = False
        self._announce = announce
        self._hurry: list[Callable[[], object]] = []

    def press(self) -> None:
        """One Ctrl-C."""
        if not self.requested:
            self.requested = True
            self._announce("Stopping: samples in flight are finished and saved. Once more stops at once.")
        elif not self.at_once:
            self.at_once = True
            self._announce("Stopping at once: samples in flight are given up; what is saved stays.")
            for act in self._hurry:
                act()

    def give_in(self, why: str) -> None:
        """Stop softly, since going on would fail every sample for the same reason."""
        self.broken = self.broken or why
        if not self.requested:
            self.requested = True
            self._announce(f"Stopping, since no other sample could do better: {why}")

    def run_dry(self, why: str) -> None:
        """Stop softly, since the run has spent what it may."""
        self.budget = self.budget or why
        if not self.requested:
            self.requested = True
            self._announce(f"The budget is reached: {why}. Samples in flight are finished and saved.")

    def never_begin(self, why: str) -> None:
        """Begin nothing, since earlier starts have spent what the run may."""
        self.requested = self.idle = True
        self.budget = why
        self._announce(f"The budget is reached: {why}. Nothing is begun.")

    def on_at_once(self, act: Callable[[], object]) -> None:
        """Call ``act`` when what is in flight is to be given up."""
        self._hurry.append(act)

    @contextlib.contextmanager
    def listening(self) -> Generator[None]:
        """Answer SIGINT and SIGTERM inside a running loop, then put the old handlers back."""
        loop = asyncio.get_running_loop()

        def handle(_number: int, _frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.press)

        before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, old in before.items():
                signal.signal(number, old)
