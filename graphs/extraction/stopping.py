"""When to stop: Ctrl-C and SIGTERM, a budget, or a fault that no other sentence would be spared."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Generator
from types import FrameType
from typing import Literal

__all__ = ["Stop", "Why"]

Why = Literal["", "interrupted", "budget", "broken"]


class Stop:
    """A wish to stop, soft at first.

    Attributes:
        why: the first reason; empty while none.
        message: that reason in words.
        at_once: what is in flight is given up.
    """

    def __init__(self, announce: Callable[[str], None]) -> None:
        self.why: Why = ""
        self.message = ""
        self.at_once = False
        self._announce = announce
        self._hurry: list[Callable[[], object]] = []

    @property
    def requested(self) -> bool:
        """No new call is begun."""
        return bool(self.why)

    def ask(self, why: Why, message: str) -> None:
        """Stop softly; the first reason counts, save that a fault outweighs a budget."""
        if not self.why or (why == "broken" and self.why == "budget"):
            self.why, self.message = why, message
            self._announce(f"Stopping; calls in flight are finished and saved: {message}")

    def press(self) -> None:
        """One Ctrl-C: softly, then at once."""
        if self.why != "interrupted" and not self.at_once:
            before, self.why = self.why, "interrupted"
            if not before:
                self.message = "interrupted"
                self._announce("Stopping: calls in flight are finished and saved. Once more stops at once.")
                return
        if not self.at_once:
            self.at_once = True
            self._announce("Stopping at once: calls in flight are given up; what is saved stays.")
            for act in self._hurry:
                act()

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
