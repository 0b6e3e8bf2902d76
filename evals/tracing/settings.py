"""Whether, and where, a run is traced: environment variables and flags, read without loading anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["NO_KEY", "LangSmithAccount", "asks_for_langsmith", "langsmith_account"]

_NAMESPACES = ("LANGSMITH", "LANGCHAIN")
_HOSTED = "https://api.smith.langchain.com"

NO_KEY = (
    "LangSmith is asked for, but LANGSMITH_API_KEY is not set: nothing is traced and nothing is sent. "
    "Set it, or unset LANGSMITH_TRACING."
)


@dataclass(frozen=True, slots=True)
class LangSmithAccount:
    """Where LangSmith is, and who we are there.

    Attributes:
        endpoint: its address.
        key: the API key.
        project: where traces go that belong to no experiment.
        workspace: of a key that can use several.
    """

    endpoint: str
    key: str = field(repr=False)
    project: str
    workspace: str | None = None


def asks_for_langsmith(environment: Mapping[str, str]) -> bool:
    """Whether the environment turns LangSmith on, as its own SDK reads it."""
    for name in ("TRACING_V2", "TRACING"):
        if value := _read(environment, name):
            return value.lower() == "true"
    return False


def langsmith_account(environment: Mapping[str, str]) -> LangSmithAccount | None:
    """The account that the environment names; None without a key."""
    key = _read(environment, "API_KEY")
    if not key:
        return None
    return LangSmithAccount(
        endpoint=(_read(environment, "ENDPOINT") or _HOSTED).rstrip("/"),
        key=key,
        project=_read(environment, "PROJECT") or _read(environment, "SESSION") or "default",
        workspace=_read(environment, "WORKSPACE_ID") or None,
    )


def _read(environment: Mapping[str, str], name: str) -> str:
    values = (environment.get(f"{space}_{name}", "").strip().strip("\"'") for space in _NAMESPACES)
    return next((value for value in values if value), "")
