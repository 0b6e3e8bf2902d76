"""LangChain's own tracing, which would send each frame as it is: kept off in every command of ours.

A run traces itself, redacted (``evals.tracing``); the other commands trace nothing, and say so.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["asks_for_langsmith", "langsmith_variable", "switch_off", "untraced"]

_NAMESPACES = ("LANGSMITH", "LANGCHAIN")
_OLD = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""Names that langchain-core takes for its first tracer alone, with which it refuses to run."""


def asks_for_langsmith(environment: Mapping[str, str]) -> bool:
    """Whether the environment turns LangSmith on, as its own SDK reads it."""
    for name in ("TRACING_V2", "TRACING"):
        if value := langsmith_variable(environment, name):
            return value.lower() == "true"
    return False


def langsmith_variable(environment: Mapping[str, str], name: str) -> str:
    """A variable of LangSmith's, without the part of its name that is LANGSMITH or, formerly, LANGCHAIN."""
    values = (environment.get(f"{space}_{name}", "").strip().strip("\"'") for space in _NAMESPACES)
    return next((value for value in values if value), "")


def switch_off() -> None:
    """Keep LangChain from tracing by itself in this process, whatever the environment says."""
    from langsmith.run_trees import configure

    configure(enabled=False)
    for name in _OLD:
        os.environ.pop(name, None)


def untraced(command: str) -> str:
    """Keep a command that does not trace by itself from being traced by LangChain.

    Args:
        command: as one calls it: ``graphs.interpret``.

    Returns:
        What to say about it: one sentence where the environment asks for traces, else nothing.
    """
    if not asks_for_langsmith(os.environ):
        return ""
    switch_off()
    return (
        f"LANGSMITH_TRACING is set, but {command} sends no traces: LangChain's own would hold frames and "
        "words as they are. evals.run sends traces without frames and keys."
    )
