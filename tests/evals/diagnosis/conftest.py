from __future__ import annotations

from tests.servers.fixtures import openai_server

__all__ = ["openai_server"]
