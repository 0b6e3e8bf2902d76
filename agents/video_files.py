"""From the name of a video to its content, at the last moment before a request is sent.

Bytes are read off the event loop, checked against the digest that was recorded, and bounded in sum over all
requests in flight, so that many large videos at once wait for each other instead of filling the memory.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from agents.errors import UserError

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["VIDEO_BLOCK", "Room", "check_unchanged", "filled", "read_video", "video_blocks"]

VIDEO_BLOCK = "video_file"
"""The type of a block that names a video file; no provider knows it."""

_AT_ONCE = 128_000_000  # bytes of video in requests in flight; each takes about five times that in memory
_CHANGED = "--input video: {}: the file is no longer what it was when the sample began; run it again."


def video_blocks(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    """The blocks of a conversation that name a video."""
    return [
        block
        for message in messages
        if isinstance(message.content, list)
        for block in message.content
        if _names_video(block)
    ]


async def filled(
    messages: Sequence[BaseMessage], fill: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
) -> list[BaseMessage]:
    """The conversation with ``fill``'s block in the place of each that names a video."""
    made: list[BaseMessage] = []
    for message in messages:
        content = message.content
        if isinstance(content, list) and video_blocks([message]):
            parts = [await fill(part) if _names_video(part) else part for part in content]
            made.append(message.model_copy(update={"content": parts}))
        else:
            made.append(message)
    return made


def _names_video(part: str | dict[str, Any]) -> TypeGuard[dict[str, Any]]:
    return isinstance(part, dict) and part.get("type") == VIDEO_BLOCK


async def read_video(block: dict[str, Any]) -> bytes:
    """The content of the file that a block names.

    Raises:
        UserError: when it can't be read any more, or is not what was recorded.
    """
    return await asyncio.to_thread(_read, str(block["path"]), int(block["size"]), str(block["digest"]))


def _read(path: str, size: int, digest: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            content = file.read(size + 1)  # a file that grew is not read to its end
    except OSError as error:
        raise UserError(f"--input video: {path} can't be read: {error.strerror or error}.") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise UserError(_CHANGED.format(path))
    return content


async def check_unchanged(block: dict[str, Any]) -> None:
    """Raise when a file that is not to be held in memory is no longer what was recorded.

    Raises:
        UserError: naming the file.
    """
    path = str(block["path"])

    def digest() -> str:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    try:
        found = await asyncio.to_thread(digest)
    except OSError as error:
        raise UserError(f"--input video: {path} can't be read: {error.strerror or error}.") from error
    if found != block["digest"]:
        raise UserError(_CHANGED.format(path))


class Room:
    """A bound on the bytes that are in flight at once, first come, first served.

    One request always passes, whatever its size; what holds no video never waits.
    """

    def __init__(self, size: int = _AT_ONCE) -> None:
        self._size = size
        self._taken = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._queue: deque[tuple[asyncio.Future[None], int]] = deque()

    @asynccontextmanager
    async def taken(self, amount: int) -> AsyncGenerator[None]:
        """Wait until there is room, and hold it as long as the block runs."""
        if not amount:
            yield
            return
        self._settle()
        await self._enter(amount)
        try:
            yield
        finally:
            self._leave(amount)

    def _settle(self) -> None:
        """Forget in a new event loop what a closed one left."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._taken, self._queue = loop, 0, deque()

    async def _enter(self, amount: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((turn, amount))
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was let in just before it gave up
                self._leave(amount)
            elif (turn, amount) in self._queue:
                self._queue.remove((turn, amount))
                self._admit()
            raise

    def _leave(self, amount: int) -> None:
        self._taken -= amount
        self._admit()

    def _admit(self) -> None:
        while self._queue and (not self._taken or self._taken + self._queue[0][1] <= self._size):
            turn, amount = self._queue.popleft()
            if not turn.cancelled():  # it gave up, and has not left the line yet
                self._taken += amount
                turn.set_result(None)
