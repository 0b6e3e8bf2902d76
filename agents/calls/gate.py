"""Lets calls through one after the other, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from agents.calls.rates import Entry, Rates
from agents.calls.width import Width

__all__ = ["Gate", "Turn"]

_LEAST = 0.001  # seconds of a wait: a clock may stand a hair before the moment that was waited for


@dataclass(slots=True)
class Turn:
    """A call that was let through.

    Attributes:
        entry: in the log of the last minute.
        sent_after: complaints of the server before it was sent.
        waited: seconds in line.
    """

    entry: Entry
    sent_after: int
    waited: float = 0.0


@dataclass(slots=True, eq=False)
class _Waiting:
    tokens: int
    turn: asyncio.Future[Turn] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Gate:
    """The way into one server within one event loop.

    Args:
        width: how many may be in flight.
        rates: how many a minute.
    """

    def __init__(self, width: Width, rates: Rates) -> None:
        self._width = width
        self._rates = rates
        self._queue: deque[_Waiting] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._closed_until = 0.0
        self.in_flight = 0

    @property
    def queued(self) -> int:
        """Calls in line."""
        return sum(not waiting.turn.cancelled() for waiting in self._queue)

    def close_for(self, seconds: float) -> None:
        """Let nobody through for a while: the server asked for it."""
        self._closed_until = max(self._closed_until, asyncio.get_running_loop().time() + seconds)

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncGenerator[Turn]:
        """Wait for one's turn, and hold the place as long as the block runs."""
        came = asyncio.get_running_loop().time()
        waiting = _Waiting(tokens)
        self._queue.append(waiting)
        self._admit()
        turn = await self._let_in(waiting)
        turn.waited = asyncio.get_running_loop().time() - came
        try:
            yield turn
        finally:
            self._leave()

    async def _let_in(self, waiting: _Waiting) -> Turn:
        try:
            return await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.cancelled():
                self._admit()  # whoever comes next
            else:
                self._leave()  # it was let in just before it gave up
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _admit(self) -> None:
        """Let through all who may go now, and come back when the next one may."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._queue and self.in_flight < int(self._width):
            loop, head = asyncio.get_running_loop(), self._queue[0]
            now = loop.time()
            if head.turn.cancelled():
                self._queue.popleft()
                continue
            wait = max(self._rates.wait(now, head.tokens), self._closed_until - now)
            if wait > 0:
                self._timer = loop.call_later(max(wait, _LEAST), self._admit)
                return
            self._queue.popleft()
            self.in_flight += 1
            head.turn.set_result(Turn(self._rates.take(now, head.tokens), self._width.complaints))
