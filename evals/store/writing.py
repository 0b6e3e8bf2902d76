"""Durable lines without a stalled loop: lines that wait together share one write."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

__all__ = ["Writer", "writing"]

T = TypeVar("T")


class Writer(Generic[T]):
    """Hands lines to a blocking ``append`` in a thread, in order; each caller waits until it has returned.

    Args:
        append: writes what waits; all of it or nothing.
        thread: runs it; asyncio's own threads by default.
    """

    def __init__(self, append: Callable[[Sequence[T]], None], thread: Executor | None = None) -> None:
        self._append, self._thread = append, thread
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._closing = False

    async def put(self, line: T) -> None:
        """Return once the line is written.

        Raises:
            OSError: when the disk refused; the line is not in the file.
        """
        await asyncio.shield(self.hand_in(line))

    def hand_in(self, line: T) -> asyncio.Future[None]:
        """Have a line written; the future ends when it is, or with the OSError of a disk that refused."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, done))
        self._wake.set()
        return done

    def close(self) -> None:
        """End :meth:`serve` after what waits has been written."""
        self._closing = True
        self._wake.set()

    async def serve(self) -> None:
        """Write until closed."""
        while self._waiting or not self._closing:
            if not self._waiting:
                await self._wake.wait()
                self._wake.clear()
                continue
            batch, self._waiting = self._waiting, []
            await self._write(batch)

    async def _write(self, batch: list[tuple[T, asyncio.Future[None]]]) -> None:
        lines = [line for line, _ in batch]
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._append, lines)
        except Exception as error:  # noqa: BLE001 - whoever waits for the line is told, and no one else
            for _, done in batch:
                done.set_exception(error)
        else:
            for _, done in batch:
                done.set_result(None)


@contextlib.asynccontextmanager
async def writing(
    append: Callable[[Sequence[T]], None], thread: Executor | None = None
) -> AsyncGenerator[Writer[T]]:
    """A writer that serves while the block runs, and ends with nothing left to write."""
    writer = Writer(append, thread)
    serving = asyncio.create_task(writer.serve())
    try:
        yield writer
    finally:
        writer.close()
        await serving
