"""A small HTTP server on 127.0.0.1 in a thread: JSON in, JSON or server-sent events out."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

__all__ = ["Loopback", "Request", "Response"]


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    method: str = "POST"
    raw: bytes = b""
    received: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class Response:
    """What to answer: a JSON body, or a list of them as server-sent events."""

    body: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    done: str | None = None

    def encoded(self) -> tuple[str, bytes]:
        """Content type and bytes."""
        if isinstance(self.body, Mapping):
            return "application/json", json.dumps(self.body).encode()
        events = [json.dumps(event) for event in self.body] + ([self.done] if self.done else [])
        return "text/event-stream", "".join(f"data: {event}\n\n" for event in events).encode()


def _json(raw: bytes) -> dict[str, Any]:
    """A JSON body; nothing of one that is something else, such as a part of an uploaded file."""
    try:
        return json.loads(raw or b"{}")
    except ValueError:
        return {}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def owner(self) -> Loopback:
        """The server whose connection this is."""
        return cast("_Server", self.server).owner

    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self.do_POST()

    def do_DELETE(self) -> None:
        self.do_POST()

    def do_PATCH(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        headers = dict(self.headers.items())
        request = Request(path=self.path, headers=headers, body=_json(raw), method=self.command, raw=raw)
        kind, payload = (response := self.owner.take(request)).encoded()
        try:
            self.send_response(response.status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(payload)))
            if not self.owner.keep_alive:
                self.send_header("connection", "close")
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client timed out and left

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Stay quiet: tests read what they need from ``requests``."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    owner: Loopback

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that breaks off is no news; anything else is a bug of the test's server."""
        import sys

        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):
            self.owner.bugs.append(repr(error))


class Loopback:
    """A server with one ``respond`` function; a context manager.

    Attributes:
        requests: everything received, in order.
        delay: seconds before each answer.
        keep_alive: whether connections stay open; a test then has to close its client.
        bugs: exceptions of the server itself, which tests may assert to be none.
        peak: most requests in flight at once.
    """

    def __init__(self, respond: Callable[[Request, int], Response], *, delay: float = 0.0) -> None:
        self.requests: list[Request] = []
        self.bugs: list[str] = []
        self.delay = delay
        self.keep_alive = False
        self.peak = 0
        self._respond = respond
        self._open = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def root(self) -> str:
        """The server's address without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def take(self, request: Request) -> Response:
        """Record a request and answer it; called in the server's threads."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
            self._open += 1
            self.peak = max(self.peak, self._open)
        try:
            if self.delay:
                self._closing.wait(self.delay)
            return self._respond(request, number)
        except Exception as exc:  # noqa: BLE001 - tests read it from bugs
            self.bugs.append(repr(exc))
            return Response({"error": {"message": f"the test's server failed: {exc!r}"}}, status=500)
        finally:
            with self._lock:
                self._open -= 1

    def hang(self) -> None:
        """Wait until the server closes."""
        self._closing.wait(600)

    def close(self) -> None:
        """Stop serving and let hanging requests go."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
