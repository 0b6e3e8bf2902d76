"""The same traces to any OpenTelemetry collector, over OTLP/HTTP, with the names of the GenAI conventions.

Source: OpenTelemetry semantic conventions for generative AI (``gen_ai.*``); what they have no name for is
told under ``metaphorboost.*``. Where the collector is, the standard variables ``OTEL_EXPORTER_OTLP_*`` say.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from agents.errors import UserError
from evals.tracing.spans import Span, Trace
from evals.tracing.wire import BoundedSession

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import SpanContext

__all__ = ["Collector", "SpansParcel", "trace_id"]

MISSING = (
    "--trace otel needs the OpenTelemetry SDK and its OTLP exporter, which are not installed. "
    'Install them with: pip install "metaphorboost[otel]"'
)
_RETRIES = 0.9  # seconds that the exporter tries by itself: trying again is the outbox's part


class Collector:
    """An OTLP endpoint."""

    def __init__(self) -> None:
        """Check what can be checked before a run.

        Raises:
            UserError: when the libraries are missing, or the environment asks for what can't be done.
        """
        try:
            import_module("opentelemetry.sdk.trace")
            import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        except ImportError as error:
            raise UserError(MISSING) from error
        if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
            raise UserError(
                "--trace otel is given, but OTEL_SDK_DISABLED=true forbids it; leave one of them out."
            )
        for name in ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
            if os.environ.get(name, "http/protobuf") != "http/protobuf":
                raise UserError(f"{name}={os.environ[name]}: only http/protobuf is spoken here; unset it.")
        self.session = BoundedSession(_patience())
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        self._exporter = OTLPSpanExporter(session=self.session, timeout=_RETRIES)

    def close(self) -> None:
        """Let connections go; a try that waits for its next one gives up."""
        self._exporter.shutdown()
        self.session.close()

    def send(self, trace: Trace) -> None:
        """Send a trace.

        Raises:
            Undelivered: when it did not arrive.
        """
        from opentelemetry.sdk.trace.export import SpanExportResult

        if self._exporter.export(list(_spans_of(trace))) is not SpanExportResult.SUCCESS:
            raise self.session.fault()


def _patience() -> float:
    """Seconds that the environment grants a request."""
    for name in ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"):
        try:
            return float(os.environ[name])
        except (KeyError, ValueError):
            continue
    return 10.0


class SpansParcel:
    """A trace on its way; its feedback is part of the root span.

    Attributes:
        size: bytes, roughly.
    """

    def __init__(self, trace: Trace, to: Collector, size: int) -> None:
        self._trace = trace
        self._to = to
        self.size = size

    @property
    def what(self) -> Counter[str]:
        """One trace."""
        return Counter({"trace": 1})

    def send(self) -> None:
        """Send it.

        Raises:
            Undelivered: when it did not arrive.
        """
        self._to.send(self._trace)


def trace_id(root: UUID) -> int:
    """The trace's id: the root's own, which is as long."""
    return root.int


def _spans_of(trace: Trace) -> Iterator[ReadableSpan]:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import SpanKind, Status, StatusCode

    resource = Resource.create(
        {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "metaphorboost"}
    )
    scope = InstrumentationScope("metaphorboost")
    for span in trace.all:
        root = span is trace.root
        yield ReadableSpan(
            name=_name(span),
            context=_context(trace, span.id),
            parent=None if span.parent is None else _context(trace, span.parent),
            resource=resource,
            attributes={**_attributes(span), **(_scores(trace) if root else {})},
            events=[
                Event("gen_ai.evaluation.result", _evaluation(key, value), timestamp=span.ended)
                for key, value in trace.scores.items()
            ]
            if root
            else [],
            kind=SpanKind.CLIENT if span.kind == "llm" else SpanKind.INTERNAL,
            instrumentation_scope=scope,
            status=Status(StatusCode.ERROR, span.error) if span.error else Status(StatusCode.UNSET),
            start_time=span.began,
            end_time=span.ended or span.began,
        )


def _context(trace: Trace, span: UUID) -> SpanContext:
    from opentelemetry.trace import SpanContext, TraceFlags

    # the second half of an id that is made of time and chance is the chance
    own = span.int & (2**64 - 1)
    return SpanContext(
        trace_id(trace.root.id), own, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED)
    )


def _name(span: Span) -> str:
    if span.kind == "llm":
        return f"chat {span.metadata.get('ls_model_name') or span.name}"
    return f"execute_tool {span.name}" if span.kind == "tool" else span.name


def _attributes(span: Span) -> dict[str, Any]:
    """Attributes of one span, without those that would be empty."""
    made = {"llm": _of_model, "tool": _of_tool}.get(span.kind, _of_step)(span)
    if span.tags:
        made["metaphorboost.tags"] = list(span.tags)
    if span.error:
        made["error.type"] = span.error.partition(":")[0]
    return {key: value for key, value in made.items() if value not in (None, "", {}, [])}


def _of_model(span: Span) -> dict[str, Any]:
    usage = cast("Mapping[str, Any]", span.metadata.get("usage_metadata") or {})
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": span.metadata.get("ls_provider"),
        "gen_ai.request.model": span.metadata.get("ls_model_name"),
        "gen_ai.request.temperature": span.metadata.get("ls_temperature"),
        "gen_ai.request.max_tokens": span.metadata.get("ls_max_tokens"),
        "gen_ai.usage.input_tokens": usage.get("input_tokens"),
        "gen_ai.usage.output_tokens": usage.get("output_tokens"),
        "gen_ai.input.messages": _json([_told(each) for each in _asked(span)]),
        "gen_ai.output.messages": _json([_told(each) for each in _answered(span)]),
    }


def _of_tool(span: Span) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": span.name,
        "gen_ai.tool.call.arguments": _json(span.inputs),
        "gen_ai.tool.call.result": _json(span.outputs),
    }


def _of_step(span: Span) -> dict[str, Any]:
    told = {f"metaphorboost.{key}": _plain(value) for key, value in span.metadata.items()}
    return {"metaphorboost.inputs": _json(span.inputs), "metaphorboost.outputs": _json(span.outputs), **told}


def _scores(trace: Trace) -> dict[str, Any]:
    return {f"metaphorboost.score.{key}": value for key, value in trace.scores.items()}


def _evaluation(key: str, value: float | str) -> dict[str, Any]:
    named = "gen_ai.evaluation.score.label" if isinstance(value, str) else "gen_ai.evaluation.score.value"
    return {"gen_ai.evaluation.name": key, named: value}


def _asked(span: Span) -> list[Any]:
    batches = span.inputs.get("messages") or [[]]
    return cast("list[Any]", batches[0]) if isinstance(batches[0], list) else []


def _answered(span: Span) -> list[Any]:
    made = span.outputs.get("generations") or [[]]
    first = cast("list[Any]", made[0]) if isinstance(made[0], list) else []
    return [
        each.get("message") or {"kwargs": {"content": each.get("text")}}
        for each in first
        if isinstance(each, dict)
    ]


_ROLES = {"human": "user", "ai": "assistant"}


def _told(message: Any) -> dict[str, Any]:
    """A message in the form of the conventions: a role and parts."""
    content = cast("Mapping[str, Any]", message.get("kwargs", {}) if isinstance(message, dict) else {})
    kind = str(content.get("type", ""))
    said = content.get("content")
    blocks = cast("list[Any]", said) if isinstance(said, list) else [said] if said else []
    parts = [
        {"type": "text", "content": each.get("text") if isinstance(each, dict) else each} for each in blocks
    ]
    for call in cast("list[Any]", content.get("tool_calls") or []):
        if isinstance(call, dict):
            asked = {"id": call.get("id"), "name": call.get("name"), "arguments": call.get("args")}
            parts.append({"type": "tool_call", **asked})
    return {"role": _ROLES.get(kind, kind), "parts": parts}


def _plain(value: Any) -> Any:
    """An attribute: a text, a number, or JSON of what is neither."""
    return value if isinstance(value, str | bool | int | float) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str) if value else ""
