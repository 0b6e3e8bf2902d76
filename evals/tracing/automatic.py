"""LangChain's own tracing, which would send each frame as it is: kept off wherever we trace ourselves."""

from __future__ import annotations

import os

__all__ = ["switch_off"]


def switch_off() -> None:
    """Keep LangChain from tracing by itself in this process, whatever the environment says."""
    from langsmith.run_trees import configure

    configure(enabled=False)
    # langchain-core takes this old name alone for its first tracer, and refuses to run with it
    os.environ.pop("LANGCHAIN_TRACING", None)
