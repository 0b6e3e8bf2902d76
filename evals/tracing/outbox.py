"""Sends in the background and promises little: bounded memory, bounded time at the end, and honest counts.

A trace is never worth a result. What a service is too slow for is dropped and counted; its refusals are told
once, in one sentence; its threads are daemons, so that nothing of it holds up the process.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["AT_THE_END", "Outbox", "Parcel", "Undelivered", "close_all", "counted"]

AT_THE_END = 5.0
"""Seconds that a run waits for its traces at its end, at most."""

_MOST = 256  # parcels that wait
_MOST_BYTES = 16_000_000
_HANDS = 8
_LONGEST_PAUSE = 20.0
_REASONS = 3  # that are told
_TRIES_AT_THE_END = 2
_REFUSALS = 3  # in a row, until nothing more is tried


class Undelivered(Exception):  # noqa: N818 - what happened, not whose fault
    """A parcel could not be sent.

    Attributes:
        passing: whether another try may help.
        final: whether no other parcel will fare better either.
    """

    def __init__(self, why: str, *, passing: bool = False, final: bool = False) -> None:
        super().__init__(why)
        self.passing, self.final = passing, final


class Parcel(Protocol):
    """Something to be sent."""

    @property
    def what(self) -> Counter[str]:
        """What is in it, counted by its name: ``trace``, ``feedback``."""
        ...

    @property
    def size(self) -> int:
        """Bytes, roughly."""
        ...

    def send(self) -> None:
        """Send what has not been sent of it; blocks, for bounded seconds.

        Raises:
            Undelivered: when it failed; ``what`` then counts the rest.
        """
        ...


@dataclass
class _Counts:
    sent: Counter[str] = field(default_factory=Counter[str])
    lost: Counter[str] = field(default_factory=Counter[str])
    why: Counter[str] = field(default_factory=Counter[str])


class Outbox:
    """A queue with a few hands.

    Attributes:
        where: whom it sends to, as a sentence names it: ``LangSmith``.
    """

    def __init__(self, where: str, *, hands: int = _HANDS, most: int = _MOST) -> None:
        """Nothing is begun before the first parcel.

        Args:
            where: whom it sends to.
            hands: parcels on their way at once.
            most: parcels that wait, before new ones are dropped.
        """
        self.where = where
        self._most = most
        self._waiting: deque[Parcel] = deque()
        self._bytes = 0
        self._busy: dict[int, Parcel] = {}
        self._counts = _Counts()
        self._failures = 0
        self._refusals = 0
        self._until = 0.0
        self._over = self._closing = False
        self._change = threading.Condition()
        self._idle = hands  # hands that have not begun

    def put(self, parcel: Parcel) -> None:
        """Take a parcel, or drop and count it where there is no room; never blocks."""
        with self._change:
            if self._over or self._closing:
                self._lose(parcel, "")
            elif len(self._waiting) >= self._most or self._bytes + parcel.size > _MOST_BYTES:
                self._lose(parcel, "it is slower than the run")
            else:
                self._waiting.append(parcel)
                self._bytes += parcel.size
                self._begin_hand()
                self._change.notify()

    def _begin_hand(self) -> None:
        if self._idle:
            self._idle -= 1
            threading.Thread(
                target=self._work, args=(self._idle,), daemon=True, name=f"outbox-{self._idle}"
            ).start()

    def close(self, within: float = AT_THE_END, told: float | None = None) -> str:
        """Wait until all is sent, for so many seconds at most.

        Args:
            within: seconds.
            told: seconds that were waited for all, of which these are what is left; the same when None.

        Returns:
            What was not sent and why, in one sentence; empty where all was.
        """
        deadline = time.monotonic() + within
        with self._change:
            self._closing = True
            self._until = 0.0  # whoever pauses tries once more, now
            self._change.notify_all()
            while (self._waiting or self._busy) and (left := deadline - time.monotonic()) > 0:
                self._change.wait(left)
            told = within if told is None else told
            late = "it is too slow" if self._counts.sent else "it does not answer"
            for parcel in (*self._busy.values(), *self._waiting):
                self._lose(parcel, f"{late}, and {told:.0f} s at the end were not enough")
            self._waiting.clear()
            self._busy.clear()
            self._over = True
            self._change.notify_all()
        return self.said()

    @property
    def sent(self) -> Counter[str]:
        """What has arrived so far."""
        return self._counts.sent

    @property
    def lost(self) -> Counter[str]:
        """What was given up so far."""
        return self._counts.lost

    def said(self) -> str:
        """What was not sent and why, in one sentence."""
        lost, sent = self._counts.lost, self._counts.sent
        if not lost:
            return ""
        told = " and ".join(counted(lost[name], name, lost[name] + sent[name]) for name in lost if lost[name])
        why = "; ".join(self._counts.why) or "it is of no use"
        return f"{self.where} was not sent {told}: {why}. No result is lost by it."

    def _lose(self, parcel: Parcel, why: str) -> None:
        self._counts.lost.update(parcel.what)
        if why and len(self._counts.why) < _REASONS:
            self._counts.why[why] += 1

    def _work(self, number: int) -> None:
        while (parcel := self._next(number)) is not None:
            before = Counter(parcel.what)
            try:
                parcel.send()
            except Undelivered as error:
                self._failed(number, parcel, before, error)
            except Exception as error:  # noqa: BLE001 - a library's own fault costs what it was sending, and no more
                self._failed(number, parcel, before, Undelivered(f"sending failed ({type(error).__name__})"))
            else:
                self._arrived(number, before)

    def _arrived(self, number: int, what: Counter[str]) -> None:
        with self._change:
            if self._busy.pop(number, None) is not None:
                self._counts.sent.update(what)
            self._failures = self._refusals = 0
            self._change.notify_all()

    def _next(self, number: int) -> Parcel | None:
        """The next parcel, when there is one and no pause; None when all is over."""
        with self._change:
            while not self._over:
                pause = self._until - time.monotonic()
                if self._waiting and pause <= 0:
                    parcel = self._waiting.popleft()
                    self._bytes -= parcel.size
                    self._busy[number] = parcel
                    return parcel
                self._change.wait(pause if self._waiting else None)
            return None

    def _failed(self, number: int, parcel: Parcel, before: Counter[str], error: Undelivered) -> None:
        with self._change:
            if self._busy.pop(number, None) is None:
                return  # counted already
            self._counts.sent.update(before - Counter(parcel.what))
            if error.passing and not (self._closing and self._failures >= _TRIES_AT_THE_END):
                now = time.monotonic()
                if now >= self._until:  # several that fail together are one failure
                    self._failures += 1
                    pause = 0.3 if self._closing else min(0.5 * 2**self._failures, _LONGEST_PAUSE)
                    self._until = now + pause
                self._waiting.appendleft(parcel)
                self._bytes += parcel.size
            else:
                self._lose(parcel, str(error))
                self._refusals += 1
                if error.final or error.passing or self._refusals >= _REFUSALS:
                    self._give_up(str(error))
            self._change.notify_all()

    def _give_up(self, why: str) -> None:
        """Nothing more is tried."""
        self._over = not self._closing
        while self._waiting:
            self._lose(self._waiting.popleft(), why)
        self._bytes = 0


def close_all(outboxes: Sequence[Outbox], within: float = AT_THE_END) -> list[str]:
    """Close several together: the seconds are those of all.

    Returns:
        A sentence for each that something was not sent to.
    """
    deadline = time.monotonic() + within
    said = [outbox.close(max(deadline - time.monotonic(), 0.0), within) for outbox in outboxes]
    return [sentence for sentence in said if sentence]


def counted(number: int, name: str, of: int | None = None) -> str:
    """A number with its name: ``1 trace``, ``3 of 8 traces``, ``5 feedback``."""
    whole = number if of is None else of
    many = name if name == "feedback" or whole == 1 else f"{name}s"
    return f"{number} {many}" if of is None else f"{number} of {of} {many}"
