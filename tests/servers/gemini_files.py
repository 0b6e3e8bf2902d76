"""The part of the Gemini-like server that keeps uploaded files, as the SDK speaks to it.

Resumable: a first request names size and type and gets an address; the content follows there in parts, the
last of which finalizes; then the file is asked for until it is processed.
"""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.servers.loopback import Request, Response

__all__ = ["Files"]

LOOKS = 2
"""How often a slow file is looked at before it is ready."""


class Files:
    """Uploaded files by name.

    Attributes:
        kept: the content of each file that is there.
        parts: sizes of the parts in which content came, by name.
        types: the type with which each was announced.
        begun: uploads that were begun.
        deleted: names of those that were deleted.
        looks: how often each was asked for.
        headers: of each request that began an upload.
        lifetime: how long a file is said to be kept.
    """

    def __init__(self, behaviours: set[str], root: Callable[[], str]) -> None:
        self._behaviours = behaviours
        self._root = root
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.kept: dict[str, bytes] = {}
        self.parts: dict[str, list[int]] = {}
        self.types: dict[str, str] = {}
        self.begun = 0
        self.deleted: list[str] = []
        self.looks: dict[str, int] = {}
        self.headers: list[dict[str, str]] = []
        self.lifetime = timedelta(hours=48)

    def has(self, uri: str) -> bool:
        """Whether the file of an address is there."""
        return uri.rpartition("/")[2] in self.kept

    def answer(self, request: Request) -> Response:
        """Answer a request to the Files API."""
        if "no_files" in self._behaviours:
            return _error(404, "Not Found")
        with self._lock:
            if request.path.startswith("/upload/"):
                return self._upload(request)
            name = request.path.rpartition("/")[2]
            if name not in self.kept:
                return _error(403, f"You do not have permission to access the File {name}")
            if request.method == "DELETE":
                self.deleted.append(name)
                del self.kept[name]
                return Response({})
            self.looks[name] += 1
            return Response(self._file(name))

    def _upload(self, request: Request) -> Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        path, _, name = request.path.partition("?upload_id=")
        if not name:
            self.begun += 1
            self.headers.append(headers)
            name = f"clip{next(self._numbers)}"
            self.types[name] = headers["x-goog-upload-header-content-type"]
            self.kept[name], self.parts[name], self.looks[name] = b"", [], 0
            address = f"{self._root()}{path}?upload_id={name}"
            return Response({}, headers={"x-goog-upload-url": address, "x-goog-upload-status": "active"})
        assert int(headers["x-goog-upload-offset"]) == len(self.kept[name])
        self.kept[name] += request.raw
        self.parts[name].append(len(request.raw))
        if "finalize" not in headers["x-goog-upload-command"]:
            return Response({}, headers={"x-goog-upload-status": "active"})
        return Response({"file": self._file(name)}, headers={"x-goog-upload-status": "final"})

    def _file(self, name: str) -> dict[str, Any]:
        made = {
            "name": f"files/{name}",
            "uri": f"{self._root()}/v1beta/files/{name}",
            "mimeType": self.types[name],
            "sizeBytes": str(len(self.kept[name])),
            "sha256Hash": hashlib.sha256(self.kept[name]).hexdigest(),
            "expirationTime": f"{datetime.now(UTC) + self.lifetime:%Y-%m-%dT%H:%M:%SZ}",
            "state": "ACTIVE",
        }
        if "bad_files" in self._behaviours:
            return {**made, "state": "FAILED", "error": {"code": 3, "message": "no frame could be read"}}
        waiting = "slow_files" in self._behaviours and self.looks[name] < LOOKS
        return {**made, "state": "PROCESSING"} if waiting or "stuck_files" in self._behaviours else made


def _error(status: int, message: str) -> Response:
    return Response({"error": {"code": status, "message": message, "status": "X"}}, status=status)
