"""Real SDKs against a server that answers by a schedule: refusals, hangs, resets, torn bodies."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agents.asked import KeywordAnswer
from agents.calls import accounting
from agents.errors import ProviderError
from agents.models import close_chat_model, open_chat_model
from agents.structured import structured

COMPLETION = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": '{"keywords": ["candle"]}'},
        }
    ],
    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
}
GEMINI = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "a candle"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
}
REFUSED = {"error": {"message": "Too many requests", "code": 429, "type": "rate_limit_exceeded"}}


class Scheduled:
    """A server on 127.0.0.1; each request takes the next entry, and ``ok`` when there are no more."""

    def __init__(self, schedule: Iterable[str], reply: dict[str, Any]) -> None:
        self.left, self.reply = iter(schedule), reply
        self.served: Counter[str] = Counter()
        self.busy = self.peak = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode().lower().split("\r\n")
                length = next(int(line[15:]) for line in lines if line.startswith("content-length:"))
                await reader.readexactly(length)
                await self.answer(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer(self, writer: asyncio.StreamWriter) -> None:
        kind = next(self.left, "ok")
        self.served[kind] += 1
        self.busy += 1
        self.peak = max(self.peak, self.busy)
        try:
            await asyncio.sleep(0.001)
            await self.send(kind, writer)
        finally:
            self.busy -= 1

    async def send(self, kind: str, writer: asyncio.StreamWriter) -> None:
        if kind == "hang":
            await asyncio.sleep(600)
        if kind == "reset":
            writer.transport.abort()
            raise ConnectionResetError
        status = {"429": "429 Too Many", "500": "500 Failed", "503": "503 Busy"}.get(kind, "200 OK")
        body = json.dumps(self.reply if status == "200 OK" else REFUSED).encode()
        more = "retry-after: 0.01\r\n" if kind == "429" else ""
        sent = body[: len(body) // 2] if kind == "torn" else b"" if kind == "empty" else body
        writer.write(
            f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{more}"
            f"content-length: {len(sent)}\r\n\r\n".encode()
        )
        writer.write(sent)
        await writer.drain()


@asynccontextmanager
async def scheduled(*schedule: str, reply: dict[str, Any] = COMPLETION) -> AsyncIterator[Scheduled]:
    made = Scheduled(schedule, reply)
    running: set[asyncio.Task[None]] = set()

    def began(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.add(asyncio.ensure_future(made.serve(reader, writer)))

    server = await asyncio.start_server(began, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@asynccontextmanager
async def opened(server: Scheduled, provider: str = "openai", **options: Any) -> AsyncIterator[Any]:
    url = f"{server.url}/v1" if provider == "openai" else server.url
    model = open_chat_model(f"{provider}:scheduled", base_url=url, **{"timeout": 0.2, **options})
    try:
        yield model
    finally:
        await close_chat_model(model)


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.calls.lines._SLACK", 0.1)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("429", "rate_limited"),
        ("503", "overloaded"),
        ("500", "server_error"),
        ("hang", "timeout"),
        ("reset", "connection"),
        ("torn", "unreadable"),
        ("empty", "unreadable"),
    ],
)
async def test_what_a_server_does_once_costs_one_more_try(kind: str, fault: str) -> None:
    async with scheduled(kind) as server, opened(server) as model:
        with accounting() as account:
            reply = await model.ainvoke("hello")
    assert reply.text == '{"keywords": ["candle"]}'
    assert (account.tries, account.faults) == (2, [fault])
    assert server.served == {kind: 1, "ok": 1}


@pytest.mark.parametrize(
    ("kind", "fault"), [("429", "rate_limited"), ("500", "server_error"), ("reset", "connection")]
)
async def test_gemini_is_tried_again_by_the_same_rules(kind: str, fault: str) -> None:
    async with scheduled(kind, reply=GEMINI) as server, opened(server, "google_genai") as model:
        with accounting() as account:
            reply = await model.ainvoke("hello")
    assert reply.text == "a candle"
    assert (account.tries, account.faults) == (2, [fault])


async def test_tries_are_bounded_and_the_last_fault_is_told() -> None:
    async with scheduled(*["500"] * 9) as server, opened(server, max_retries=2) as model:
        with accounting() as account, pytest.raises(ProviderError, match="answered 500") as caught:
            await structured(model, [HumanMessage("?")], KeywordAnswer, name="openai:scheduled")
    assert (caught.value.fault, account.tries, server.served["500"]) == ("server_error", 3, 3)


async def test_a_stream_is_tried_again_until_it_has_begun() -> None:
    async with scheduled("503", "429") as server, opened(server) as model:
        server.reply = {"not": "a stream"}
        with accounting() as account, pytest.raises(Exception):  # noqa: B017, PT011 - the SDK's own
            async for _ in model.astream("hello"):
                pass
    assert account.faults[:2] == ["overloaded", "rate_limited"]


async def test_hundreds_of_calls_against_a_bad_server_all_end_with_an_answer() -> None:
    """The seeded schedule: a tenth refused, and resets, hangs, failures and torn bodies besides."""
    draw = random.Random(5)
    weights = {"429": 10, "500": 5, "hang": 1, "reset": 3, "torn": 3, "empty": 3, "ok": 75}
    schedule = draw.choices(list(weights), list(weights.values()), k=2000)
    async with scheduled(*schedule) as server, opened(server, concurrency=32, max_retries=12) as model:
        accounts = await asyncio.gather(*(_account(model) for _ in range(300)))
    assert server.peak <= 32
    assert sum(account.tries for account in accounts) == server.served.total()
    assert server.served["ok"] == 300
    assert sum(len(account.faults) for account in accounts) == server.served.total() - 300


async def _account(model: Any) -> Any:
    with accounting() as account:
        assert (await model.ainvoke("hello")).usage_metadata["total_tokens"] == 110
    return account


async def test_a_models_class_keeps_its_name_and_its_tools() -> None:
    async with scheduled() as server, opened(server) as model:
        assert type(model).__qualname__ == "OpenAICompatibleChat"
        assert model.model_copy()._way is model._way
        assert (await model.bind(stop=["x"]).ainvoke("hello")).text
        assert server.served == {"ok": 1}
