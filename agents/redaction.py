"""Keep keys out of what is said and stored: a server may send back what it was sent."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

__all__ = ["HIDDEN", "redacted", "secret_in_address"]

HIDDEN = "[hidden]"
"""What stands in the place of a secret."""

_NAMED = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$")  # names of the environment
_ADDRESSES = re.compile(r"(?:BASE_URL|API_BASE|ENDPOINT|PROXY)$", re.IGNORECASE)
_SHORTEST = 8  # characters: a shorter value, such as "none", would be found in ordinary words
_PARAMETER = r"(?:[\w-]*(?:key|token|secret|passw(?:or)?d|signature|auth)|sig)"
_SECRET_NAME = re.compile(rf"{_PARAMETER}\Z", re.IGNORECASE)

_SHAPES = (
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)[\w.~+/=-]{12,}"),
    re.compile(
        r"(?i)((?:authorization|(?:x-)?(?:goog-)?api-key)[\"']?\s*[:=]\s*[\"']?)(?!bearer|basic)[^\s\"',}]+"
    ),
    re.compile(rf"(?i)([?&]{_PARAMETER}=)[^&\s\"'#]+"),
    re.compile(r"(://)[^/\s@\"']+(?=@)"),
    re.compile(r"()\b(?:sk|lsv2|hf|gsk|xai|ghp)[-_][\w-]{16,}"),
    re.compile(r"()\bAIza[\w-]{30,}"),
)
"""How keys look, whosever they are; what comes before them stays."""


def redacted(text: str, *, by_shape: bool = True) -> str:
    """A text without the secrets of this process's environment, and without what looks like one.

    Args:
        text: to be shown or stored.
        by_shape: hide what looks like a key, too; not in a model's own words, which may only look so.

    >>> redacted("told: Authorization: Bearer abcdefghijklmnop")
    'told: Authorization: Bearer [hidden]'
    """
    if not text:
        return text
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    for shape in _SHAPES if by_shape else ():
        text = shape.sub(rf"\1{HIDDEN}", text)
    return text


def secret_in_address(address: str) -> str:
    """What in an address may be a secret, in words; empty where nothing is.

    >>> secret_in_address("https://here/v1?api_key=x")
    'the parameter api_key'
    """
    parts = urlsplit(address)
    if parts.username or parts.password:
        return "the password" if parts.password else "the user's name"
    named = (name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if _SECRET_NAME.match(name))
    return next((f"the parameter {name}" for name in named), "")


def _secrets() -> list[str]:
    """Values of the environment that must not be shown, the longest first."""
    found = {secret for name, value in os.environ.items() for secret in _of(name, value)}
    return sorted((secret for secret in found if len(secret) >= _SHORTEST), key=len, reverse=True)


def _of(name: str, value: str) -> Iterator[str]:
    if _NAMED.search(name):
        yield value.strip()
    elif _ADDRESSES.search(name) and "://" in value:
        try:
            parts = urlsplit(value)
        except ValueError:
            return
        for secret in (parts.username, parts.password):
            if secret:
                yield from (secret, unquote(secret))
        yield from (given for key, given in parse_qsl(parts.query) if _SECRET_NAME.match(key))
