"""Lines: one to each model on each server, shared by all who ask it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from agents.calls.account import current_account
from agents.calls.gate import Gate, Turn
from agents.calls.pauses import OVERLOAD, pause
from agents.calls.rates import Rates
from agents.calls.width import Width
from agents.errors import Fault, MetaphorBoostError, ProviderError
from agents.faults import translate, unsupported
from agents.hints import retry_after

__all__ = ["Line", "LineState", "Patience", "open_line", "traffic"]

T = TypeVar("T")

_SLACK = 1.0  # seconds by which an SDK's own time-out, which knows the server's name, comes first
_IN_A_ROW = 3  # complaints without an answer between them after which the whole line waits


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call is worth.

    Attributes:
        timeout: seconds for one try.
        max_retries: tries after the first.
        total: seconds waited between tries, all together.
    """

    timeout: float = 180.0
    max_retries: int = 3
    total: float = 300.0


@dataclass(frozen=True, slots=True)
class LineState:
    """A line as one watches it.

    Attributes:
        name: the model's.
        in_flight: calls sent and not answered.
        queued: calls that wait to be sent.
        width: calls that may be in flight now.
        retries: tries that failed and were made again.
        last_fault: how the last of them failed; empty when none did.
    """

    name: str
    in_flight: int
    queued: int
    width: int
    retries: int
    last_fault: Fault | None


class Line:
    """The way to one model on one server.

    Args:
        name: the model's, for messages.
        width: how many calls may be in flight.
        rates: how many a minute.
    """

    def __init__(self, name: str, width: Width, rates: Rates) -> None:
        self.name = name
        self.width = width
        self.rates = rates
        self.retries = 0
        self.last_fault: Fault | None = None
        self._in_a_row = 0
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, Gate] = WeakKeyDictionary()

    @property
    def counts_tokens(self) -> bool:
        """Whether calls need an estimate of their tokens."""
        return self.rates.tpm is not None

    @property
    def state(self) -> LineState:
        """What is going on."""
        gates = list(self._gates.values())
        return LineState(
            name=self.name,
            in_flight=sum(gate.in_flight for gate in gates),
            queued=sum(gate.queued for gate in gates),
            width=int(self.width),
            retries=self.retries,
            last_fault=self.last_fault,
        )

    async def ask(
        self,
        send: Callable[[], Awaitable[T]],
        *,
        patience: Patience,
        tokens: int = 0,
        took: Callable[[T], int | None] = lambda _: None,
    ) -> T:
        """Send a call when it is its turn, and again when it fails for a passing reason.

        Notes tries and waiting in the account of whoever asks (:func:`agents.calls.accounting`).

        Args:
            send: sends it once.
            patience: bounds of time and tries.
            tokens: an estimate of what it will take.
            took: what an answer took; None where that is not known.

        Raises:
            Exception: what the last try raised, when it is not worth another.
            ProviderError: when the server asks for more patience than there is.
        """
        failures, waited = 0, 0.0
        while True:
            try:
                async with self._turn(tokens) as turn, asyncio.timeout(patience.timeout + _SLACK):
                    reply = await send()
            except Exception as exc:
                failures += 1
                seconds = self._pause_after(exc, failures, waited, patience)
                if seconds is None:
                    raise
            else:
                self._succeeded(turn, took(reply))
                return reply
            waited += seconds
            current_account().waited += seconds
            await asyncio.sleep(seconds)

    @asynccontextmanager
    async def _turn(self, tokens: int) -> AsyncGenerator[Turn]:
        """One try: its place is given back and a complaint is heard, whatever comes of it."""
        account = current_account()
        async with self._gate().turn(tokens) as turn:
            account.waited += turn.waited
            account.tries += 1
            try:
                yield turn
            except Exception as exc:
                fault = self._fault_of(exc)
                if fault is not None:
                    account.faults.append(fault.fault)
                if fault is not None and fault.fault in OVERLOAD:
                    self._overloaded(turn, retry_after(exc))
                raise

    def _gate(self) -> Gate:
        loop = asyncio.get_running_loop()
        gate = self._gates.get(loop)
        if gate is None:
            gate = self._gates[loop] = Gate(self.width, self.rates)
        return gate

    def _fault_of(self, exc: Exception) -> ProviderError | None:
        """The error of a try that may pass; None for any other."""
        if isinstance(exc, MetaphorBoostError):
            return None  # our own code has tried what there was to try
        if unsupported(exc, "json_schema") or unsupported(exc, "tools"):
            return None  # it would be refused again, and there is another way of asking
        error = translate(exc, model=self.name)
        return error if isinstance(error, ProviderError) else None

    def _pause_after(self, exc: Exception, failures: int, waited: float, patience: Patience) -> float | None:
        """Seconds until the next try; None when there is to be none."""
        error = self._fault_of(exc)
        if error is None or failures > patience.max_retries:
            return None
        asked = retry_after(exc)
        seconds = pause(error.fault, failures, asked)
        if waited + seconds > patience.total:
            if asked is None:
                return None
            raise ProviderError(
                f"{error}\nIt asks to wait {asked:.0f} s, and --patience {patience.total:g} is less.",
                fault=error.fault,
            ) from exc
        self.retries, self.last_fault = self.retries + 1, error.fault
        return seconds

    def _succeeded(self, turn: Turn, tokens: int | None) -> None:
        self._in_a_row = 0
        self.width.succeeded()
        if tokens is not None:
            self.rates.correct(turn.entry, tokens)

    def _overloaded(self, turn: Turn, asked: float | None) -> None:
        self._in_a_row += 1
        self.width.overloaded(turn.sent_after)
        if asked is not None and (self._in_a_row >= _IN_A_ROW or int(self.width) == 1):
            self._gate().close_for(min(asked, 60.0))


_LINES: WeakValueDictionary[tuple[str, str], Line] = WeakValueDictionary()
_LOCK = threading.Lock()


def open_line(
    name: str, server: str | None, *, concurrency: int, rpm: int | None = None, tpm: int | None = None
) -> Line:
    """The line to a model on a server: the same for all who ask it while one of them is there.

    Args:
        name: ``provider:model``.
        server: its address; None for the provider's own.
        concurrency: calls in flight at most.
        rpm: requests a minute at most; of several limits the lowest counts.
        tpm: tokens a minute at most; likewise.
    """
    key = name, (server or "").rstrip("/")
    with _LOCK:
        line = _LINES.get(key)
        if line is None:
            line = _LINES[key] = Line(name, Width(concurrency), Rates())
        line.width.cap(concurrency)
        line.rates.tighten(rpm, tpm)
        return line


def traffic() -> list[LineState]:
    """What is going on on all lines that were asked."""
    with _LOCK:
        return [line.state for line in list(_LINES.values())]
