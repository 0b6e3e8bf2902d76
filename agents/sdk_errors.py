"""What an SDK's exception tells: its status, its words, and which server was asked.

No SDK is imported for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agents.answers import whole_characters
from agents.redaction import redacted

__all__ = ["links", "message_of", "said_of", "server_of", "status_of"]

_STATUSES = range(100, 600)
_LONGEST = 300  # characters of a server's words in a message of ours


def links(exc: BaseException) -> Iterator[BaseException]:
    """The exception and what it was raised from."""
    seen: BaseException | None = exc
    while seen is not None:
        yield seen
        seen = seen.__cause__


def status_of(exc: BaseException) -> int | None:
    """The HTTP status behind an SDK's exception, None where there was no answer."""
    for link in links(exc):
        for name in ("status_code", "code", "http_status"):
            status = getattr(link, name, None)
            if isinstance(status, int) and status in _STATUSES:
                return status
    return None


def message_of(exc: BaseException) -> str:
    """What the server said, on one line and of a bearable length."""
    texts = [getattr(link, "message", None) for link in links(exc)]
    text = next((t for t in texts if isinstance(t, str) and t), str(exc) or type(exc).__name__)
    body = getattr(exc, "body", None)
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        text = body["message"]
    text = redacted(whole_characters(" ".join(text.split())))  # before it is cut: half a key is one too
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def said_of(exc: BaseException) -> str:
    """All that is known of the fault, in lower case, to look for words in."""
    return " ".join(
        f"{link} {getattr(link, 'body', '')} {getattr(link, 'code', '')}" for link in links(exc)
    ).lower()


def server_of(exc: BaseException) -> str:
    """The host that was asked, as `` at HOST``; empty when unknown."""
    for link in links(exc):
        for holder in (link, getattr(link, "response", None)):
            try:
                url = getattr(getattr(holder, "request", None), "url", None)
            except RuntimeError:  # httpx raises this from a response that was built without a request
                continue
            host, port = getattr(url, "host", None), getattr(url, "port", None)
            if host:
                return f" at {host}:{port}" if port else f" at {host}"
    return ""
