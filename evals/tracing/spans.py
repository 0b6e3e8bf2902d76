"""What a trace is before it is sent anywhere: one tree a sample, without a byte of a frame."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

__all__ = ["Kind", "Span", "Trace"]

Kind = Literal["chain", "llm", "tool", "retriever"]


@dataclass(slots=True)
class Span:
    """A step: a node of a graph, a call of a model, a call of a tool.

    Attributes:
        id: its own.
        parent: the span that it is part of; None for the root.
        name: of the node, model or tool; of the root ``graph:video_id``.
        kind: LangSmith's ``run_type``.
        began: nanoseconds since 1970.
        ended: likewise; 0 while it goes on.
        inputs: what went in, redacted.
        outputs: what came out, redacted.
        error: why it failed; empty where it did not.
        tags: labels to filter by.
        metadata: small facts: of a model's call its provider, name and usage.
    """

    id: UUID
    parent: UUID | None
    name: str
    kind: Kind = "chain"
    began: int = field(default_factory=time.time_ns)
    ended: int = 0
    inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    outputs: dict[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def end(self, *, error: str = "") -> None:
        """Stop the clock."""
        self.ended = time.time_ns()
        self.error = error


@dataclass(slots=True)
class Trace:
    """One sample of one epoch, from its first frame to its verdict.

    Attributes:
        root: the sample.
        spans: all others, in the order in which they began.
        left_out: spans beyond what a trace may hold.
        video_id: the sample's.
        scores: feedback on the root by its key: numbers, and words such as the outcome.
    """

    root: Span
    spans: list[Span] = field(default_factory=list[Span])
    left_out: int = 0
    video_id: str = ""
    scores: dict[str, float | str] = field(default_factory=dict[str, float | str])

    @property
    def all(self) -> list[Span]:
        """The root, then its parts."""
        return [self.root, *self.spans]

    def close(self) -> None:
        """End what was left open: a step that was cancelled never says so."""
        for span in self.spans:
            if not span.ended:
                span.end(error="it did not end")
                span.ended = max(span.began, self.root.ended or span.ended)
