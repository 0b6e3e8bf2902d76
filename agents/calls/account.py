"""What it took to get an answer: tries, waiting, and what went wrong on the way."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from agents.errors import Fault

__all__ = ["Account", "accounting", "current_account"]


@dataclass
class Account:
    """What one question cost besides its tokens.

    Attributes:
        tries: requests that were sent.
        waited: seconds between tries and in line.
        faults: why each of the tries that failed did so, in order.
    """

    tries: int = 0
    waited: float = 0.0
    faults: list[Fault] = field(default_factory=list[Fault])


_CURRENT: ContextVar[Account | None] = ContextVar("account", default=None)


def current_account() -> Account:
    """The account of the question that is being asked here; one that nobody reads where there is none."""
    return _CURRENT.get() or Account()


@contextmanager
def accounting() -> Generator[Account]:
    """Keep an account of what is asked inside, in tasks that are begun inside too."""
    account = Account()
    token = _CURRENT.set(account)
    try:
        yield account
    finally:
        _CURRENT.reset(token)
