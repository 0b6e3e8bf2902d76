"""Whether, and where, a run is traced: environment variables and flags, read without loading anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from graphs.untraced import langsmith_variable

__all__ = ["NO_ADDRESS", "NO_KEY", "LangSmithAccount", "langsmith_account"]

_HOSTED = "https://api.smith.langchain.com"

NO_KEY = (
    "LangSmith is asked for, but LANGSMITH_API_KEY is not set: nothing is traced and nothing is sent. "
    "Set it, or unset LANGSMITH_TRACING."
)


NO_ADDRESS = (
    "LANGSMITH_ENDPOINT is no address of a server (http://HOST or https://HOST): nothing is traced and "
    "nothing is sent. Mend it, or unset it for LangSmith's own."
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

    @property
    def host(self) -> str:
        """The server's name and port; empty where the endpoint is no address."""
        try:
            parts = urlsplit(self.endpoint)
            usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError:
            return ""
        return parts.netloc.rpartition("@")[2] if usable else ""


def langsmith_account(environment: Mapping[str, str]) -> LangSmithAccount | None:
    """The account that the environment names; None without a key."""
    key = langsmith_variable(environment, "API_KEY")
    if not key:
        return None
    return LangSmithAccount(
        endpoint=(langsmith_variable(environment, "ENDPOINT") or _HOSTED).rstrip("/"),
        key=key,
        project=_project(environment),
        workspace=langsmith_variable(environment, "WORKSPACE_ID") or None,
    )


def _project(environment: Mapping[str, str]) -> str:
    named = (langsmith_variable(environment, name) for name in ("PROJECT", "SESSION"))
    return next(filter(None, named), "default")
