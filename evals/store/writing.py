"""Durable lines without a stalled loop: lines that wait together share one fsync."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence

__all__ = ["Writer", "writing"]


class Writer:
    """Hands lines to a blocking ``append`` in a thread, in order; each caller waits for the disk."""

    def __init__(self, append: Callable[[Sequence[str]], None]) -> None:
        self._append = append
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._closing = False

    async def put(self, line: str) -> None:
        """Return once the disk has the line.

        Raises:
            OSError: when it refused; the line is not in the file.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, done))
        self._wake.set()
        await asyncio.shield(done)

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

    async def _write(self, batch: list[tuple[str, asyncio.Future[None]]]) -> None:
        try:
            await asyncio.to_thread(self._append, [line for line, _ in batch])
        except OSError as error:
            for _, done in batch:
                done.set_exception(error)
        else:
            for _, done in batch:
                done.set_result(None)


@contextlib.asynccontextmanager
async def writing(append: Callable[[Sequence[str]], None]) -> AsyncGenerator[Writer]:
    """A writer that serves while the block runs, and ends with nothing left to write."""
    writer = Writer(append)
    serving = asyncio.create_task(writer.serve())
    try:
        yield writer
    finally:
        writer.close()
        await serving
