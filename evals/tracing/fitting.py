"""Keep a trace small: said once, then by head and tail; texts of steps are shortened before the sample's."""

from __future__ import annotations

import json
from typing import Any

from evals.tracing.redaction import Redaction
from evals.tracing.spans import Span, Trace

__all__ = ["MOST_BYTES", "fit", "size_of"]

MOST_BYTES = 47_000
"""Of a trace as it is sent, envelopes included."""

_ENVELOPE = 950  # bytes of a span besides its content: ids, times, the parts of a multipart body
_LONG = 200  # characters that are worth saying once

_ROOT_TOO = 500  # characters below which the root's own texts are shortened too
_STEPS = ((3000, 60), (1200, 30), (600, 15), (300, 10), (150, 8), (80, 6))


def size_of(trace: Trace) -> int:
    """Bytes of a trace as it is sent, roughly."""
    return sum(map(_size, trace.all))


def fit(trace: Trace, redaction: Redaction, most: int = MOST_BYTES) -> int:
    """Shorten a trace until it is small enough; spans beyond that are left out and counted.

    Returns:
        Its bytes, roughly.
    """
    total = size_of(trace)
    if total > most:
        _say_once(trace)
        total = size_of(trace)
    for longest, items in _STEPS:
        if total <= most:
            return total
        for span in trace.spans:
            _shorten(span, redaction, longest, items)
        if longest < _ROOT_TOO:
            _shorten(trace.root, redaction, 4 * longest, 4 * items)
        total = size_of(trace)
    while total > most and trace.spans:
        total -= _size(trace.spans.pop())
        trace.left_out += 1
    return total


def _say_once(trace: Trace) -> None:
    """Texts that an earlier step has whole, as the turns of a conversation, are only called to mind."""
    seen: set[str] = set()

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            if len(value) < _LONG:
                return value
            if value in seen:
                return f"{value[:80]} [as in an earlier step, {len(value)} characters]"
            seen.add(value)
            return value
        if isinstance(value, dict):
            return {key: walk(each) for key, each in value.items()}
        return [walk(each) for each in value] if isinstance(value, list) else value

    for span in trace.spans:
        span.inputs, span.outputs = walk(span.inputs), walk(span.outputs)


def _shorten(span: Span, redaction: Redaction, longest: int, items: int) -> None:
    span.inputs = redaction.value(span.inputs, longest=longest, items=items)
    span.outputs = redaction.value(span.outputs, longest=longest, items=items)
    span.metadata = redaction.value(span.metadata, longest=longest, items=items)
    span.error = redaction.text(span.error, max(longest, 200))


def _size(span: Span) -> int:
    return (
        _ENVELOPE + len(span.error) + sum(map(_bytes, (span.inputs, span.outputs, span.metadata, span.tags)))
    )


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace"))
