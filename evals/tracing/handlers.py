"""Which callbacks a sample's graphs are given; reachable from where nothing of LangSmith is."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["handed", "handlers"]

_HANDLERS: ContextVar[tuple[Any, ...]] = ContextVar("handlers", default=())


def handlers() -> list[Any]:
    """LangChain callback handlers of the sample in hand; none where nothing is traced."""
    return list(_HANDLERS.get())


@contextmanager
def handed(*given: Any) -> Generator[None]:
    """Hand callback handlers to the graphs that run inside."""
    token = _HANDLERS.set(given)
    try:
        yield
    finally:
        _HANDLERS.reset(token)
