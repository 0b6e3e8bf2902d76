"""Ctrl-C and SIGTERM: whoever works decides what the first means; the second gives up what is in flight."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from types import FrameType

__all__ = ["Interruptible", "all_of"]

_GRACE = 2.0  # seconds that what was given up has to clean up


class Interruptible(ABC):
    """A wish to stop, soft at first.

    Attributes:
        at_once: what is in flight is given up.
    """

    def __init__(self, announce: Callable[[str], None]) -> None:
        """Work on for now; ``announce`` says what becomes of that."""
        self.at_once = False
        self.announce = announce
        self._hurry: list[Callable[[], object]] = []

    @abstractmethod
    def press(self) -> None:
        """One Ctrl-C."""

    def on_at_once(self, act: Callable[[], object]) -> None:
        """Call ``act`` when what is in flight is to be given up."""
        self._hurry.append(act)

    def give_up(self, what: str) -> None:
        """Give up what is in flight, once."""
        if not self.at_once:
            self.at_once = True
            self.announce(f"Stopping at once: {what} in flight are given up; what is saved stays.")
            for act in self._hurry:
                act()

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


async def all_of(hands: Sequence[asyncio.Task[None]]) -> None:
    """Wait for all; the first failure cancels the others and is raised."""
    try:
        await asyncio.wait(hands, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in hands:
            task.cancel()
        await asyncio.wait(hands, timeout=_GRACE)
    for task in hands:
        if task.done() and not task.cancelled() and (error := task.exception()):
            raise error
