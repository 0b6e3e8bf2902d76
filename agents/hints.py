"""How long a server asks to wait before it is asked again, wherever it says so."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, cast

from agents.sdk_errors import links

__all__ = ["retry_after"]

_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


def retry_after(exc: BaseException, *, now: Callable[[], float] = time.time) -> float | None:
    """Seconds that a server asked to wait, None where it asked for nothing that can be read.

    Read are the headers ``retry-after-ms`` and ``retry-after``, the latter in seconds or as a date, and
    the ``RetryInfo`` in the body of Google's errors (google.rpc, error_details.proto).

    Args:
        exc: as raised by an SDK.
        now: seconds since 1970, for dates.
    """
    for link in links(exc):
        headers = getattr(getattr(link, "response", None), "headers", None)
        found = _of_headers(cast("Mapping[str, str]", headers), now) if hasattr(headers, "get") else None
        if found is None:
            found = _of_details(getattr(link, "details", None))
        if found is not None:
            return found
    return None


def _of_headers(headers: Mapping[str, str], now: Callable[[], float]) -> float | None:
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    with suppress(ValueError, OverflowError):  # neither a number nor a date: as if nothing was said
        return max(parsedate_to_datetime(text).timestamp() - now(), 0.0)
    return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(value, 0.0) if math.isfinite(value) else None


def _of_details(body: object) -> float | None:
    """The longest delay of the ``RetryInfo`` in an error of Google's."""
    error = cast("dict[str, Any]", body).get("error") if isinstance(body, dict) else None
    parts = cast("dict[str, Any]", error).get("details") if isinstance(error, dict) else None
    delays: list[float] = []
    for part in cast("list[Any]", parts) if isinstance(parts, list) else []:
        if isinstance(part, dict) and str(part.get("@type", "")).endswith("google.rpc.RetryInfo"):
            told = _SECONDS.fullmatch(str(part.get("retryDelay", "")))
            delays += [float(told[1])] if told else []
    return max(delays, default=None)
