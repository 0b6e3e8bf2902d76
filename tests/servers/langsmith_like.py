"""A server on 127.0.0.1 that takes what LangSmith's SDK sends, keeps it as LangSmith would, or is unwell.

with LangSmithLike() as server:
    ...
    assert server.root("first")["tags"] == [...]
"""

from __future__ import annotations

import email.parser
import email.policy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit
from uuid import NAMESPACE_URL, uuid5

import zstandard

from tests.servers.loopback import Loopback, Request, Response

__all__ = ["LangSmithLike"]

TENANT = "00000000-0000-4000-8000-000000000001"


@dataclass(frozen=True)
class Listed(Response):
    """An answer whose JSON is a list."""

    def encoded(self) -> tuple[str, bytes]:
        return "application/json", json.dumps(self.body).encode()


class LangSmithLike(Loopback):
    """The server.

    Attributes:
        fails: the status that all is answered with; 0 while it is well.
        hangs: whether it never answers.
        bodies: every body, decompressed.
        runs: by id, as the parts of the multipart bodies tell them.
        feedback: by id.
        projects: by name.
        datasets: by name.
        examples: by id.
        sent: bytes of each request that carried runs, decompressed.
    """

    def __init__(self, *, fails: int = 0, hangs: bool = False, delay: float = 0.0) -> None:
        self.fails, self.hangs = fails, hangs
        self.bodies: list[bytes] = []
        self.runs: dict[str, dict[str, Any]] = {}
        self.feedback: dict[str, dict[str, Any]] = {}
        self.projects: dict[str, dict[str, Any]] = {}
        self.datasets: dict[str, dict[str, Any]] = {}
        self.examples: dict[str, dict[str, Any]] = {}
        self.sent: list[int] = []
        super().__init__(self._answer, delay=delay)

    @property
    def roots(self) -> dict[str, dict[str, Any]]:
        """Runs without a parent, by name."""
        return {run["name"]: run for run in self.runs.values() if "parent_run_id" not in run}

    def children(self, run: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The parts of a run, as their order says."""
        found = [each for each in self.runs.values() if each.get("parent_run_id") == run["id"]]
        return sorted(found, key=lambda each: each["dotted_order"])

    def scores(self, run: Mapping[str, Any]) -> dict[str, Any]:
        """Feedback of a run: its score, or its value where there is one."""
        given = [each for each in self.feedback.values() if each["run_id"] == run["id"]]
        return {each["key"]: each.get("value", each.get("score")) for each in given}

    @property
    def everything(self) -> bytes:
        """All that came, headers but the key's left out."""
        return b"\n".join(self.bodies)

    def _answer(self, request: Request, _number: int) -> Response:
        raw = request.raw
        if request.headers.get("Content-Encoding") == "zstd":
            raw = zstandard.ZstdDecompressor().stream_reader(raw).read()
        self.bodies.append(request.path.encode() + b"\n" + raw)
        if self.hangs:
            self.hang()
        if self.fails:
            return Response({"detail": "unwell"}, status=self.fails)
        path = urlsplit(request.path).path
        for pattern, answer in self._routes():
            if found := re.fullmatch(pattern, f"{request.method} {path}"):
                return answer(request, raw, *found.groups())
        return Response({"detail": f"no such path: {request.method} {path}"}, status=404)

    def _routes(self) -> list[tuple[str, Any]]:
        return [
            ("GET /info", self._info),
            ("POST /runs/multipart", self._multipart),
            ("POST /feedback", self._feedback),
            ("PATCH /feedback/(.+)", self._mend_feedback),
            ("GET /sessions", lambda request, _raw: self._named(self.projects, request)),
            ("POST /sessions", lambda request, _raw: self._made(self.projects, request.body)),
            ("GET /datasets", lambda request, _raw: self._named(self.datasets, request)),
            ("POST /datasets", lambda request, _raw: self._made(self.datasets, request.body)),
            ("GET /examples", self._list_examples),
            (r"POST (?:/v1/platform)?/datasets/(.+)/examples", self._make_examples),
        ]

    def _info(self, _request: Request, _raw: bytes) -> Response:
        ingest = {"use_multipart_endpoint": True, "size_limit_bytes": 20_971_520}
        flags = {"dataset_examples_multipart_enabled": True, "zstd_compression_enabled": True}
        return Response({"version": "0.12.0", "batch_ingest_config": ingest, "instance_flags": flags})

    def _multipart(self, request: Request, raw: bytes) -> Response:
        self.sent.append(len(raw))
        for name, content in _parts(request.headers["Content-Type"], raw):
            event, _, rest = name.partition(".")
            run_id, _, field = rest.partition(".")
            if event == "feedback":
                self.feedback[run_id] = content
                continue
            run = self.runs.setdefault(run_id, {})
            run.update({field: content} if field else content)
        return Response({}, status=202)

    def _feedback(self, request: Request, _raw: bytes) -> Response:
        if request.body["id"] in self.feedback:
            return Response({"detail": "there is one already"}, status=409)
        self.feedback[request.body["id"]] = request.body
        return Response(request.body)

    def _mend_feedback(self, request: Request, _raw: bytes, number: str) -> Response:
        self.feedback[number] |= request.body
        return Response(self.feedback[number])

    def _named(self, kept: Mapping[str, dict[str, Any]], request: Request) -> Response:
        name = parse_qs(urlsplit(request.path).query).get("name", [""])[0]
        return Listed([kept[name]] if name in kept else [])

    def _made(self, kept: dict[str, dict[str, Any]], body: dict[str, Any]) -> Response:
        name = body["name"]
        if name in kept:
            return Response({"detail": "there is one already"}, status=409)
        number = body.get("id") or str(uuid5(NAMESPACE_URL, name))
        at = "2026-01-01T00:00:00+00:00"
        kept[name] = {
            "reference_dataset_id": None,
            **body,
            "id": number,
            "tenant_id": TENANT,
            "start_time": at,
            "created_at": at,
        }
        return Response(kept[name])

    def _list_examples(self, request: Request, _raw: bytes) -> Response:
        asked = parse_qs(urlsplit(request.path).query)
        if int(asked.get("offset", ["0"])[0]):
            return Listed([])
        return Listed([self.examples[each] for each in asked.get("id", []) if each in self.examples])

    def _make_examples(self, request: Request, raw: bytes, dataset: str) -> Response:
        made: dict[str, dict[str, Any]] = {}
        for name, content in _parts(request.headers["Content-Type"], raw):
            number, _, field = name.partition(".")
            if number in self.examples:
                return Response({"detail": "there is one already"}, status=409)
            example = made.setdefault(number, {"id": number, "dataset_id": dataset})
            example.update({field: content} if field else content)
        self.examples |= made
        return Response({"count": len(made), "example_ids": list(made)})


def _parts(content_type: str, raw: bytes) -> list[tuple[str, Any]]:
    """Name and JSON of each part of a multipart body."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + raw)
    found: list[tuple[str, Any]] = []
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        found.append((str(name), json.loads(cast("bytes", part.get_payload(decode=True)) or b"null")))
    return found
