"""Python's cyclic garbage collector, at rest while a large graph is built."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Generator[None]:
    """Keep the collector from scanning a growing graph again and again, which doubles the time it takes."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
