"""From an exception to an outcome: who has to act."""

from __future__ import annotations

import errno
import re
import sys
import traceback
from typing import cast

from agents.errors import BudgetExceeded, ModelOutputError, ProviderError, RefusedError, UserError
from agents.redaction import redacted
from evals.store.records import Failure, Outcome

__all__ = ["TOOL_FAULT", "classify", "describe", "full_disk"]

TOOL_FAULT = "ToolFault"
"""The class of a bug in a tool of one's own (``tools.errors``): bad input, but with its traceback."""

_NODE = re.compile(r"During task with name '([^']+)'")  # the note that LangGraph adds to an exception

_FULL = frozenset(
    getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS") if hasattr(errno, name)
)

_TREE: tuple[tuple[type[Exception], Outcome], ...] = (
    (ModelOutputError, Outcome.MODEL_OUTPUT_ERROR),
    (RefusedError, Outcome.REFUSED),
    (BudgetExceeded, Outcome.BUDGET),
    (ProviderError, Outcome.INFRASTRUCTURE),
    (UserError, Outcome.BAD_INPUT),
)


def classify(error: BaseException) -> Outcome:
    """The outcome that an exception stands for; ``internal_error`` for any that is not ours."""
    error = _innermost(error)
    for kind, outcome in (*_TREE, *_foreign()):
        if isinstance(error, kind):
            return outcome
    return Outcome.INTERNAL_ERROR


def full_disk(error: BaseException) -> OSError | None:
    """The disk's refusal that an exception stands for, which is no sample's fault and awaits all others."""
    inner = _innermost(error)
    return inner if isinstance(inner, OSError) and inner.errno in _FULL else None


def describe(error: BaseException, phase: str) -> tuple[Outcome, Failure]:
    """The outcome of an exception, and what a record keeps of it; a traceback only of a bug.

    Args:
        error: what was raised.
        phase: ``interpret`` or ``judge``.
    """
    outcome, inner = classify(error), _innermost(error)
    bug = outcome is Outcome.INTERNAL_ERROR or type(inner).__name__ == TOOL_FAULT
    notes = "\n".join(cast("list[str]", getattr(inner, "__notes__", [])))
    node = _NODE.search(notes)
    failure = Failure(
        step=node[1] if node else phase,
        phase=phase,
        kind=type(inner).__name__,
        message=redacted(_storable(str(inner) or repr(inner))),
        raw=redacted(_storable(str(getattr(inner, "raw", "") or "")), by_shape=False),
        traceback=redacted(_storable("".join(traceback.format_exception(error)))) if bug else "",
    )
    return outcome, failure


def _innermost(error: BaseException) -> BaseException:
    """The first leaf of a group: parallel branches raise several at once."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _storable(text: str) -> str:
    """Half characters, which a model's escapes can make, would not go into a file."""
    return text.encode("utf-8", "replace").decode()


def _foreign() -> list[tuple[type[Exception], Outcome]]:
    """Errors of modules that only who runs a graph has imported; what isn't loaded can't have raised."""
    found: list[tuple[type[Exception], Outcome]] = []
    for module, name, outcome in (
        ("tools.errors", "ToolboxError", Outcome.BAD_INPUT),
        ("langgraph.errors", "GraphRecursionError", Outcome.BUDGET),
    ):
        loaded = sys.modules.get(module)
        if loaded is not None:
            found.append((getattr(loaded, name), outcome))
    return found
