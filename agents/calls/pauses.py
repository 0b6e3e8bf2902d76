"""How long to wait before a call is tried again."""

from __future__ import annotations

import random
from collections.abc import Callable

from agents.errors import Fault

__all__ = ["LONGEST", "OVERLOAD", "pause"]

OVERLOAD: frozenset[Fault] = frozenset({"rate_limited", "overloaded"})
"""Faults that say: too much at once."""

LONGEST = 60.0
"""Seconds that are waited at most where the server asks for nothing."""

_FIRST, _FIRST_OF_OVERLOAD = 0.5, 2.0  # seconds, doubled with each failure
_SPREAD = 0.1  # of what a server asks for, so that not all come back at the same moment


def pause(
    fault: Fault, failures: int, asked: float | None, *, draw: Callable[[], float] = random.random
) -> float:
    """Seconds to wait after so many failures.

    What the server asks for is kept, and a little more. Else any time up to a bound that doubles with each
    failure ("full jitter", aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).

    Args:
        fault: how the last try failed.
        failures: 1 after the first.
        asked: seconds that the server asked to wait; None where it asked for nothing.
        draw: gives numbers from 0 to 1.
    """
    if asked is not None:
        return asked * (1 + _SPREAD * draw())
    first = _FIRST_OF_OVERLOAD if fault in OVERLOAD else _FIRST
    return draw() * min(first * 2 ** (failures - 1), LONGEST)
