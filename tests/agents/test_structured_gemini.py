from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from agents.asked import InterpretationAnswer, KeywordAnswer, LooseAnswer, StrictAnswer
from agents.errors import ProviderError, RefusedError
from agents.models import close_chat_model, open_chat_model
from agents.schemas import Usage
from agents.structured import structured
from tests.servers.gemini_like import THOUGHT, GeminiLike

GeminiServer = Callable[..., GeminiLike]

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def _messages() -> list[BaseMessage]:
    frame: dict[str, Any] = {"type": "image", "base64": PIXEL, "mime_type": "image/png"}
    prompt = "<keywords>\ncandle\nempty chair\n</keywords>"
    return [SystemMessage("You read metaphors."), HumanMessage([frame, {"type": "text", "text": prompt}])]


@asynccontextmanager
async def _opened(server: GeminiLike, **options: Any) -> AsyncGenerator[BaseChatModel]:
    model = open_chat_model(
        "google_genai:gemini-pretend", base_url=server.base_url, **{"max_retries": 0, **options}
    )
    yield model
    await close_chat_model(model)


async def test_gemini_answers_schemas_with_images_and_thoughts(gemini_server: GeminiServer) -> None:
    server = gemini_server("thoughts")
    async with _opened(server) as model:
        answer = await structured(model, _messages(), KeywordAnswer, name="gemini")
        entries = await structured(model, _messages(), InterpretationAnswer, name="gemini")
    assert answer.value.keywords == ["candle", "empty chair"]
    assert (answer.method, answer.attempts, answer.thinking) == ("json_schema", 1, THOUGHT)
    assert answer.usage == Usage(input_tokens=140, output_tokens=25, reasoning_tokens=5)
    assert server.asks[0].images == (PIXEL,)
    config = server.bodies[0]["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"]["title"] == "KeywordAnswer"
    assert entries.value.entries[0].presents == "a candle"


@pytest.mark.parametrize(
    ("behaviours", "method", "attempts", "later"),
    [
        (("rejects_schema",), "function_calling", 2, 1),
        (("ignores_schema",), "function_calling", 2, 2),
        (("rejects_schema", "no_tools"), "text", 3, 1),
    ],
)
async def test_gemini_that_constrains_less(
    gemini_server: GeminiServer, behaviours: tuple[str, ...], method: str, attempts: int, later: int
) -> None:
    async with _opened(gemini_server(*behaviours)) as model:
        answer = await structured(model, _messages(), StrictAnswer, name="gemini")
        again = await structured(model, _messages(), LooseAnswer, name="gemini")
        third = await structured(model, _messages(), LooseAnswer, name="gemini")
    assert (answer.value.strict_score, answer.method, answer.attempts) == (0, method, attempts)
    assert (again.value.loose_score, again.method, again.attempts) == (0, method, later)
    assert (third.method, third.attempts) == (method, 1)


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        ("safety", r"the service stopped the answer \(safety\)"),
        ("blocked_prompt", r"the service blocked the request \(PROHIBITED_CONTENT\)"),
    ],
)
async def test_gemini_that_declines(gemini_server: GeminiServer, behaviour: str, told: str) -> None:
    async with _opened(gemini_server(behaviour)) as model:
        with pytest.raises(RefusedError, match=told):
            await structured(model, _messages(), KeywordAnswer, name="gemini")


async def test_gemini_that_hangs_times_out(gemini_server: GeminiServer) -> None:
    async with _opened(gemini_server("hangs"), timeout=0.2) as model:
        with pytest.raises(ProviderError, match="in time"):
            await structured(model, _messages(), KeywordAnswer, name="gemini")
