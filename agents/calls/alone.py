"""One at a time for the same thing: who comes second finds what the first one left."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

__all__ = ["alone"]

_BUSY: dict[tuple[int, str], tuple[asyncio.Lock, int]] = {}  # by event loop and name: its lock, who wants it


@contextlib.asynccontextmanager
async def alone(name: str) -> AsyncGenerator[None]:
    """Hold a name for oneself, within this event loop."""
    key = id(asyncio.get_running_loop()), name
    lock, wanted = _BUSY.get(key) or (asyncio.Lock(), 0)
    _BUSY[key] = lock, wanted + 1
    try:
        async with lock:
            yield
    finally:
        lock, wanted = _BUSY.pop(key)
        if wanted > 1:
            _BUSY[key] = lock, wanted - 1
