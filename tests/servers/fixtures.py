"""Fixtures that start servers; a conftest makes them known by importing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.servers.gemini_like import GeminiLike
from tests.servers.openai_like import OpenAILike

__all__ = ["gemini_server", "openai_server"]


@pytest.fixture
def openai_server() -> Iterator[Callable[..., OpenAILike]]:
    """Start servers that speak OpenAI's protocol: ``openai_server("fenced", brain=..., delay=...)``."""
    servers: list[OpenAILike] = []
    with ExitStack() as stack:

        def start(*behaviours: str, **options: object) -> OpenAILike:
            servers.append(stack.enter_context(OpenAILike(*behaviours, **options)))  # type: ignore[arg-type]
            return servers[-1]

        yield start
    assert [bug for server in servers for bug in server.bugs] == []


@pytest.fixture
def gemini_server() -> Iterator[Callable[..., GeminiLike]]:
    """Start servers that speak Gemini's protocol."""
    servers: list[GeminiLike] = []
    with ExitStack() as stack:

        def start(*behaviours: str, **options: object) -> GeminiLike:
            servers.append(stack.enter_context(GeminiLike(*behaviours, **options)))  # type: ignore[arg-type]
            return servers[-1]

        yield start
    assert [bug for server in servers for bug in server.bugs] == []
