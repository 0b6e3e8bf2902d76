"""A collector on 127.0.0.1 that takes OTLP over HTTP, as protobuf, and can be unwell."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.servers.loopback import Loopback, Request, Response

__all__ = ["OtlpLike"]


@dataclass(frozen=True)
class Taken(Response):
    """An empty success, as protobuf."""

    def encoded(self) -> tuple[str, bytes]:
        return "application/x-protobuf", ExportTraceServiceResponse().SerializeToString()


class OtlpLike(Loopback):
    """The server.

    Attributes:
        fails: the status that all is answered with; 0 while it is well.
        hangs: whether it never answers.
        bodies: every body, decompressed.
        spans: what came, as plain data: ``name``, ``id``, ``parent``, ``trace``, ``attributes``, ``events``.
        resources: attributes of each request's resource.
    """

    def __init__(self, *, fails: int = 0, hangs: bool = False) -> None:
        self.fails, self.hangs = fails, hangs
        self.bodies: list[bytes] = []
        self.spans: list[dict[str, Any]] = []
        self.resources: list[dict[str, Any]] = []
        super().__init__(self._answer)

    @property
    def roots(self) -> dict[str, dict[str, Any]]:
        """Spans without a parent, by name."""
        return {span["name"]: span for span in self.spans if not span["parent"]}

    def children(self, span: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The parts of a span in the order of time."""
        found = [each for each in self.spans if each["parent"] == span["id"]]
        return sorted(found, key=lambda each: each["began"])

    def _answer(self, request: Request, _number: int) -> Response:
        raw = request.raw
        if request.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        self.bodies.append(raw)
        if self.hangs:
            self.hang()
        if self.fails:
            return Response({"detail": "unwell"}, status=self.fails)
        for group in ExportTraceServiceRequest.FromString(raw).resource_spans:
            self.resources.append(_attributes(group.resource.attributes))
            self.spans += [_plain(span) for scope in group.scope_spans for span in scope.spans]
        return Taken({})


def _plain(span: Any) -> dict[str, Any]:
    return {
        "name": span.name,
        "id": span.span_id,
        "parent": span.parent_span_id,
        "trace": span.trace_id,
        "kind": span.kind,
        "began": span.start_time_unix_nano,
        "ended": span.end_time_unix_nano,
        "status": span.status.code,
        "attributes": _attributes(span.attributes),
        "events": [(event.name, _attributes(event.attributes)) for event in span.events],
    }


def _attributes(pairs: Any) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return getattr(value, kind) if kind else None
