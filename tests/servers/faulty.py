"""A server that fails by a seeded schedule and keeps its own books, to hold a run's against.

It speaks OpenAI's chat completions, in a thread and an event loop of its own.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

__all__ = ["SCHEDULE", "Faulty"]

SCHEDULE: Mapping[str, float] = {
    "429": 10,
    "500": 5,
    "hang": 3,
    "reset": 3,
    "torn": 1.5,  # half of a body, whole as HTTP goes
    "cut": 1.5,  # a whole completion whose words end in the middle
    "blank": 1.5,  # an empty body
    "empty": 1.5,  # a completion without words
    "prose": 3,
    "refusal": 1,
    "ok": 69,
}
"""Per cent of requests by what becomes of them."""

COMPLETE = frozenset({"ok", "cut", "empty", "prose", "refusal"})
"""What comes with a usage: it is what a provider would have charged, and told."""

_ANSWERS: dict[str, dict[str, Any]] = {
    "strict_score": {"reasoning": "complete", "strict_score": 1},
    "loose_score": {"reasoning": "close", "loose_score": 8},
    "presents": {"entries": [{"presents": "a burning candle", "expresses": "the passing of time"}]},
    "keywords": {"keywords": ["candle", "chair"]},
}
_TITLE = re.compile(r"<title>\\n(.*?)\\n</title>")
_ERRORS = {"429": "429 Too Many Requests", "500": "500 Internal Server Error"}


class Faulty:
    """The server; a context manager.

    Attributes:
        served: requests by what became of them.
        asked: requests by what they asked: ``(title, field of the answer)``.
        answered: the same of those whose completion was sent whole.
        tokens: input and output tokens of all completions that were sent whole.
        busy: requests in flight now.
        peak: most requests in flight at once.
        crowd: requests in flight, itself included, as each one came.
        moments: when each one came, on a clock that only goes forward.
        bears: requests in flight that it bears; it answers 429 to others.
        seconds: before each answer.
        retry_after: the header of a 429.
    """

    def __init__(self, schedule: Mapping[str, float] = SCHEDULE, *, seed: int = 1, **options: Any) -> None:
        self._draw = random.Random(seed)
        self._kinds, self._weights = list(schedule), list(schedule.values())
        self.seconds: float = options.get("seconds", 0.002)
        self.retry_after: str = options.get("retry_after", "0.02")
        self.bears: int = options.get("bears", 1_000_000)
        self.served: Counter[str] = Counter()
        self.asked: Counter[tuple[str, str]] = Counter()
        self.answered: Counter[tuple[str, str]] = Counter()
        self.tokens = (0, 0)
        self.busy = self.peak = 0
        self.crowd: list[int] = []
        self.moments: list[float] = []
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._began, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _close(self) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _began(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lines = head.decode("latin-1").lower().split("\r\n")
                length = next(int(line[15:]) for line in lines if line.startswith("content-length:"))
                await self._take((await reader.readexactly(length)).decode(), reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _take(self, text: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        title = _TITLE.search(text)
        step = next((field for field in _ANSWERS if f'"{field}' in text or f'\\"{field}' in text), "")
        key = (title[1] if title else "", step)
        self.busy += 1
        self.crowd.append(self.busy)
        self.moments.append(time.monotonic())
        self.peak = max(self.peak, self.busy)
        self.asked[key] += 1
        kind = self._draw.choices(self._kinds, self._weights)[0] if self.busy <= self.bears else "429"
        self.served[kind] += 1
        try:
            if kind == "hang":
                await reader.readexactly(1)  # until the client leaves
            if kind == "drip":
                await _drip(reader, writer)
            await asyncio.sleep(self.seconds)
            await self._answer(kind, key, writer)
        finally:
            self.busy -= 1

    async def _answer(self, kind: str, key: tuple[str, str], writer: asyncio.StreamWriter) -> None:
        if kind == "reset":
            writer.transport.abort()
            raise ConnectionResetError
        if kind in _ERRORS:
            more = f"retry-after: {self.retry_after}\r\n" if kind == "429" else ""
            body = json.dumps({"error": {"message": "not now", "code": kind}}).encode()
            _write(writer, body, _ERRORS[kind], more)
        else:
            body, usage = self._completion(kind, _ANSWERS.get(key[1], {}))
            _write(writer, body[: len(body) // 2] if kind == "torn" else b"" if kind == "blank" else body)
            if kind in COMPLETE and not writer.transport.is_closing():
                self.answered[key] += 1
                self.tokens = self.tokens[0] + usage[0], self.tokens[1] + usage[1]
        await writer.drain()

    def _completion(self, kind: str, answer: Mapping[str, Any]) -> tuple[bytes, tuple[int, int]]:
        usage = self._draw.randint(100, 999), self._draw.randint(1, 99)
        words = json.dumps(answer)
        message: dict[str, Any] = {"role": "assistant", "content": words}
        if kind == "refusal":
            message |= {"content": None, "refusal": "I can't help with that."}
        elif kind != "ok":
            said = {"cut": words[: len(words) // 2], "empty": "", "prose": "It is about time, I would say."}
            message["content"] = said.get(kind, words)
        choice = {"index": 0, "message": message, "finish_reason": "length" if kind == "cut" else "stop"}
        told = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        return json.dumps(whole | {"usage": told}).encode(), usage


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a byte at a time, for ever: there is always something to read, and never an answer."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n")
    while not reader.at_eof():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)
    raise ConnectionResetError


def _write(writer: asyncio.StreamWriter, body: bytes, status: str = "200 OK", more: str = "") -> None:
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{more}content-length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
