"""Tell whoever set a task off of the requests made for it: when one begins and ends, and what it took.

A run counts tokens by sample and for all, and may refuse a request whose sample has spent what it may. A node
knows nothing of that; it asks in a context that carries the meter, as LangGraph's tasks do.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from agents.schemas import Usage

__all__ = ["Meter", "metered", "request", "took"]


class Meter(Protocol):
    """Is told of requests to models."""

    def begin(self, model: str) -> int:
        """A request is about to be made; returns a number for it.

        Raises:
            BudgetExceeded: when it must not be made.
        """
        ...

    def end(self, number: int) -> None:
        """The request has been answered, or failed."""
        ...

    def took(self, model: str, usage: Usage) -> None:
        """A model has answered, for so many tokens."""
        ...


_METER: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered(meter: Meter) -> Generator[None]:
    """Tell a meter of all requests that are made inside."""
    token = _METER.set(meter)
    try:
        yield
    finally:
        _METER.reset(token)


@contextmanager
def request(model: str) -> Generator[None]:
    """One request, from its start to its answer.

    Raises:
        BudgetExceeded: before it is made, when the meter forbids it.
    """
    meter = _METER.get()
    if meter is None:
        yield
        return
    number = meter.begin(model)
    try:
        yield
    finally:
        meter.end(number)


def took(model: str, usage: Usage) -> Usage:
    """Say what an answer took, and give it back."""
    meter = _METER.get()
    if meter is not None:
        meter.took(model, usage)
    return usage
