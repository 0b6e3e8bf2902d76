"""What is sent to LangSmith: a trace as its runs, and feedback on its root."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from evals.tracing.spans import Span, Trace
from evals.tracing.to_langsmith import Destination

__all__ = ["FeedbackParcel", "TraceParcel", "runs_of"]


class TraceParcel:
    """A trace and its feedback."""

    def __init__(self, trace: Trace, to: Destination, size: int) -> None:
        self._trace = trace
        self._to = to
        self._sent = False
        self._scores = dict(trace.scores)
        self.size = size

    @property
    def what(self) -> Counter[str]:
        """What is left to send."""
        return Counter({"trace": 0 if self._sent else 1, "feedback": len(self._scores)})

    def send(self) -> None:
        """Send the runs, then feedback one by one.

        Raises:
            Undelivered: when some of it did not arrive.
        """
        project = self._to.project()
        if not self._sent:
            self._to.service.ingest(runs_of(self._trace, self._to))
            self._sent = True
        for key in list(self._scores):
            self._to.service.feedback(self._trace.root.id, project, key, self._scores[key])
            del self._scores[key]


class FeedbackParcel:
    """Feedback for a trace that was sent by an earlier run.

    Attributes:
        size: of no account.
    """

    size = 200

    def __init__(self, trace: UUID, to: Destination, scores: dict[str, float | str]) -> None:
        self._trace = trace
        self._to = to
        self._scores = dict(scores)

    @property
    def what(self) -> Counter[str]:
        """What is left to send."""
        return Counter({"feedback": len(self._scores)})

    def send(self) -> None:
        """Send it, key by key.

        Raises:
            Undelivered: when some of it did not arrive.
        """
        project = self._to.project()
        for key in list(self._scores):
            self._to.service.feedback(self._trace, project, key, self._scores[key])
            del self._scores[key]


def runs_of(trace: Trace, to: Destination) -> list[dict[str, Any]]:
    """A trace as LangSmith's runs, each after the one that it is part of."""
    orders: dict[UUID, str] = {}
    runs: list[dict[str, Any]] = []
    for span in trace.all:
        own = f"{_time(span.began):%Y%m%dT%H%M%S%fZ}{span.id}"
        before = orders.get(span.parent, orders.get(trace.root.id, "")) if span.parent else ""
        orders[span.id] = f"{before}.{own}" if before else own
        runs.append(_run(span, trace, to, orders[span.id]))
    example = to.example_of(trace.video_id)
    if example is not None:
        runs[0]["reference_example_id"] = str(example)
    return runs


def _run(span: Span, trace: Trace, to: Destination, order: str) -> dict[str, Any]:
    run: dict[str, Any] = {
        "id": str(span.id),
        "trace_id": str(trace.root.id),
        "dotted_order": order,
        "name": span.name,
        "run_type": span.kind,
        "start_time": _time(span.began).isoformat(),
        "end_time": _time(span.ended or span.began).isoformat(),
        "session_name": to.name,
    }
    facts = {
        key: value for key, value in span.metadata.items() if key != "usage_metadata"
    }  # the message has it
    more = {
        "parent_run_id": str(span.parent) if span.parent else None,
        "inputs": span.inputs,
        "outputs": span.outputs,
        "extra": {"metadata": facts} if facts else None,
        "tags": list(span.tags),
        "error": span.error,
    }
    return run | {key: value for key, value in more.items() if value}


def _time(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
