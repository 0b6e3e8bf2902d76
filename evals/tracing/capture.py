"""What LangChain and LangGraph tell of a sample's run, gathered into one tree and redacted as it comes.

The callbacks run where the work runs, so they do little: replace frames by references, note a time. Plumbing
is left out, and its children belong to the step around it: what stays are nodes of graphs, calls of models
and calls of tools.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from evals.tracing.messages import answer_of, message_of, output_of, state_of
from evals.tracing.redaction import Redaction
from evals.tracing.spans import Kind, Span, Trace

__all__ = ["Capture"]

_MOST_SPANS = 200
_TOLD = ("ls_provider", "ls_model_name", "ls_model_type", "ls_temperature", "ls_max_tokens")


class Capture(BaseCallbackHandler):
    """Fills one trace; raises nothing, for a trace is never worth a sample."""

    run_inline = True
    raise_error = False

    def __init__(self, trace: Trace, redaction: Redaction) -> None:
        self._trace = trace
        self._redaction = redaction
        self._open: dict[UUID, Span] = {}
        self._owner: dict[UUID, UUID] = {}  # of every run, the span that stands for it
        self._lock = threading.Lock()
        self._closed = False

    def close(self) -> None:
        """Take no more: a step that was given up may still talk."""
        with self._lock:
            self._closed = True
            self._open.clear()
            self._owner.clear()
            self._trace.close()

    def on_chain_start(  # noqa: D102 - LangChain's own
        self,
        serialized: Any,  # noqa: ARG002
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **told: Any,
    ) -> None:
        if _is_step(told, top=parent_run_id is None):
            span = self._span(run_id, parent_run_id, str(told.get("name") or "chain"), "chain")
            # a graph's node is given the whole state: the root, and what other nodes brought, say it already
            node = "langgraph_node" in (told.get("metadata") or {})
            self._begin(span, run_id, inputs=lambda: {} if node else state_of(inputs, self._redaction))
        else:
            self._pass(run_id, parent_run_id)

    def on_chat_model_start(  # noqa: D102
        self,
        serialized: Any,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **told: Any,
    ) -> None:
        span = self._model_span(serialized, run_id, parent_run_id, told)

        def asked() -> dict[str, Any]:
            return {"messages": [[message_of(each, self._redaction) for each in batch] for batch in messages]}

        self._begin(span, run_id, inputs=asked)

    def on_llm_start(  # noqa: D102
        self,
        serialized: Any,
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **told: Any,
    ) -> None:
        span = self._model_span(serialized, run_id, parent_run_id, told)
        self._begin(span, run_id, inputs=lambda: {"prompts": self._redaction.value(prompts)})

    def on_tool_start(  # noqa: D102
        self, serialized: Any, input_str: str, *, run_id: UUID, parent_run_id: UUID | None = None, **told: Any
    ) -> None:
        span = self._span(run_id, parent_run_id, str(told.get("name") or _name(serialized) or "tool"), "tool")
        given = told.get("inputs")
        asked = given if isinstance(given, Mapping) else {"input": input_str}
        self._begin(span, run_id, inputs=lambda: self._redaction.mapping(asked))

    def on_retriever_start(  # noqa: D102
        self,
        serialized: Any,  # noqa: ARG002
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **told: Any,
    ) -> None:
        span = self._span(run_id, parent_run_id, str(told.get("name") or "retriever"), "retriever")
        self._begin(span, run_id, inputs=lambda: {"query": self._redaction.value(query)})

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._end(run_id, lambda: state_of(outputs, self._redaction))

    def on_tool_end(self, output: Any, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._end(run_id, lambda: {"output": output_of(output, self._redaction)})

    def on_retriever_end(self, documents: Any, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._end(run_id, lambda: {"documents": self._redaction.value(documents, longest=1000, items=20)})

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        span = self._open.get(run_id)
        usage = _usage(response)
        if span is not None and usage:
            span.metadata["usage_metadata"] = self._redaction.value(usage)
        self._end(run_id, lambda: answer_of(response, self._redaction))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._fail(run_id, error)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._fail(run_id, error)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._fail(run_id, error)

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **_told: Any) -> None:  # noqa: D102
        self._fail(run_id, error)

    def _owner_of(self, run_id: UUID | None) -> UUID:
        root = self._trace.root.id
        return root if run_id is None else self._owner.get(run_id, root)

    def _pass(self, run_id: UUID, parent: UUID | None) -> None:
        """A run that is left out: the span around it stands for it."""
        self._owner[run_id] = self._owner_of(parent)

    def _span(self, run_id: UUID, parent: UUID | None, name: str, kind: Kind) -> Span:
        return Span(run_id, self._owner_of(parent), self._redaction.text(name, 200), kind)

    def _model_span(
        self, serialized: Any, run_id: UUID, parent: UUID | None, told: Mapping[str, Any]
    ) -> Span:
        span = self._span(run_id, parent, str(told.get("name") or _name(serialized) or "model"), "llm")
        metadata = cast("Mapping[str, Any]", told.get("metadata") or {})
        span.metadata = self._redaction.mapping({key: metadata[key] for key in _TOLD if key in metadata})
        return span

    def _begin(self, span: Span, run_id: UUID, *, inputs: Any) -> None:
        with self._lock:
            if self._closed:
                return
            if len(self._trace.spans) >= _MOST_SPANS:
                self._trace.left_out += 1
                self._owner[run_id] = cast("UUID", span.parent)
                return
            self._trace.spans.append(span)
            self._owner[run_id], self._open[run_id] = run_id, span
        span.inputs = self._kept(inputs)

    def _end(self, run_id: UUID, outputs: Any) -> None:
        span = self._open.pop(run_id, None)
        if span is not None:
            span.end()
            span.outputs = self._kept(outputs)

    def _fail(self, run_id: UUID, error: BaseException) -> None:
        span = self._open.pop(run_id, None)
        if span is not None:
            span.end(error=self._redaction.text(f"{type(error).__name__}: {error}", 2000))

    def _kept(self, make: Any) -> dict[str, Any]:
        """Redacted content; what can't be read is named, for a trace must not fail a sample."""
        try:
            return make()
        except Exception as error:  # noqa: BLE001 - objects of others' code may fail in any way when read
            return {"[not traced]": type(error).__name__}


def _is_step(told: Mapping[str, Any], *, top: bool) -> bool:
    """Whether a chain is a step that a reader knows: a graph's node, or a named part of one's own chain."""
    name, tags = str(told.get("name") or ""), cast("Sequence[str]", told.get("tags") or ())
    metadata = cast("Mapping[str, Any]", told.get("metadata") or {})
    if top or told.get("run_type") in {"parser", "prompt"} or "langsmith:hidden" in tags:
        return False  # the graph as a whole is the root
    if "langgraph_node" in metadata:
        return name == metadata["langgraph_node"] and any(tag.startswith("graph:step") for tag in tags)
    return not name.startswith("Runnable")


def _name(serialized: Any) -> str:
    """The class, or name, that LangChain's description of an object ends with."""
    if not isinstance(serialized, Mapping):
        return ""
    path = serialized.get("id") or [""]
    return str(serialized.get("name") or path[-1])


def _usage(response: LLMResult) -> Any:
    for batch in response.generations:
        for each in batch:
            message = getattr(each, "message", None)
            if usage := getattr(message, "usage_metadata", None):
                return usage
    return None
