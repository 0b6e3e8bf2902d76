"""HTTP with bounds: no request waits long, and what went wrong is kept for a sentence."""

from __future__ import annotations

import logging
import threading
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests

from evals.tracing.outbox import Undelivered

__all__ = ["BoundedSession", "hush"]

_CONNECT, _READ = 3.0, 10.0  # seconds

_NOISY = ("langsmith", "opentelemetry", "urllib3")


def hush() -> None:
    """Keep what libraries log about failed sending off the terminal: the run says it itself, once."""
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class BoundedSession(requests.Session):
    """A session whose requests end in time; it remembers, for each thread, how its last one ended.

    Attributes:
        compresses: whether runs are sent compressed, as the SDK's own background threads would.
        patience: seconds that an answer is waited for.
    """

    def __init__(self, patience: float = _READ) -> None:
        super().__init__()
        self.compresses = False
        self.patience = min(patience, _READ)
        self._last = threading.local()

    def request(self, method: Any, url: Any, *args: Any, **kwargs: Any) -> requests.Response:
        """Make a request, within bounds whatever its caller wanted.

        Raises:
            requests.RequestException: when there is no answer.
        """
        kwargs["timeout"] = (_CONNECT, self.patience)
        kwargs["allow_redirects"] = False  # a key goes to the host that it was given for, and no other
        if self.compresses and str(url).endswith("/runs/multipart") and isinstance(kwargs.get("data"), bytes):
            kwargs = _compressed(kwargs)
        self._last.host = urlsplit(str(url)).netloc.rpartition("@")[2] or "it"
        try:
            answer = super().request(method, url, *args, **kwargs)
        except requests.RequestException as error:
            self._last.end = error
            raise
        if answer.is_redirect:
            self._last.end = requests.TooManyRedirects("sent elsewhere")
            raise self._last.end
        self._last.end = answer.status_code
        return answer

    @property
    def status(self) -> int:
        """How this thread's last request was answered; 0 where it was not."""
        end = getattr(self._last, "end", 0)
        return end if isinstance(end, int) else 0

    def fault(self, error: BaseException | None = None) -> Undelivered:  # noqa: PLR0911 - one for each cause
        """Why this thread's last request failed."""
        end: object = getattr(self._last, "end", error)
        host = getattr(self._last, "host", "it")
        if isinstance(end, requests.Timeout):
            return Undelivered(f"{host} did not answer in time", passing=True)
        if isinstance(end, requests.ConnectionError):
            return Undelivered(f"no connection to {host}", passing=True)
        if not isinstance(end, int):
            return Undelivered(f"{host} can't be asked ({type(end).__name__})", final=True)
        if end in {401, 403}:
            return Undelivered(f"{host} refused access ({end})", final=True)
        if end in {408, 425, 429} or end >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return Undelivered(f"{host} answered {end}", passing=True)
        if end < HTTPStatus.MULTIPLE_CHOICES:
            return Undelivered(f"{host} gave an answer that can't be read ({type(error).__name__})")
        return Undelivered(f"{host} refused the content ({end})")


def _compressed(request: dict[str, Any]) -> dict[str, Any]:
    import zstandard

    headers = {**(request.get("headers") or {}), "Content-Encoding": "zstd"}
    return {
        **request,
        "data": zstandard.ZstdCompressor(level=3).compress(request["data"]),
        "headers": headers,
    }
