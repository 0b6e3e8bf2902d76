"""Which draw of the same question this is: judgements are repeated, and so are whole runs (epochs)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["current_draw", "drawing"]

_CURRENT: ContextVar[tuple[int, ...]] = ContextVar("draw", default=())


def current_draw() -> tuple[int, ...]:
    """The numbers of the draw, the outermost first; empty where nothing is repeated."""
    return _CURRENT.get()


@contextmanager
def drawing(number: int) -> Generator[None]:
    """Number what is asked inside, so that it is not answered by what an other draw was told.

    >>> with drawing(2), drawing(1):
    ...     current_draw()
    (2, 1)
    """
    token = _CURRENT.set((*_CURRENT.get(), number))
    try:
        yield
    finally:
        _CURRENT.reset(token)
