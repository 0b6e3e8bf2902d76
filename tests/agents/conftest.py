"""Servers on 127.0.0.1 for the tests of what asks models, and a clean memory of how to ask them."""

from __future__ import annotations

import pytest

from agents.structured import forget_methods
from tests.servers.fixtures import gemini_server, openai_server

__all__ = ["gemini_server", "openai_server"]


@pytest.fixture(autouse=True)
def _no_memory() -> None:
    forget_methods()
