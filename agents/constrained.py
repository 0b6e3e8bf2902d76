"""Models that are held to a schema, prepared once and not before every question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from agents.json_schema import answer_schema

__all__ = ["constrained"]

_Key = tuple[type[BaseModel], str]

_MADE: dict[int, tuple[BaseChatModel, dict[_Key, Any]]] = {}  # by the model's id, the youngest last
_MOST = 32  # models; what was made holds its model, so that none would ever be forgotten


def constrained(
    model: BaseChatModel, schema: type[BaseModel], method: Literal["json_schema", "function_calling"]
) -> Any:
    """A model that is held to a schema; its reply is a message, or a dict with that as ``raw``.

    Args:
        model: any chat model.
        schema: of the answer.
        method: the way of holding it.

    Raises:
        NotImplementedError, TypeError, ValueError: when the model does not know the way.
    """
    made = _made_for(model)
    key = schema, method
    if key not in made:
        options: dict[str, Any] = {"strict": True} if method == "json_schema" else {}
        whole = model.with_structured_output(
            answer_schema(schema), include_raw=True, method=method, **options
        )
        made[key] = _asking(whole)
    return made[key]


def _made_for(model: BaseChatModel) -> dict[_Key, Any]:
    kept = _MADE.pop(id(model), None) or (model, {})
    _MADE[id(model)] = kept
    if len(_MADE) > _MOST:
        del _MADE[next(iter(_MADE))]
    return kept[1]


def _asking(runnable: Any) -> Any:
    """The part that asks: what LangChain would parse of the reply is read by us, with more care."""
    parts: Any = getattr(getattr(runnable, "first", None), "steps__", None)
    return parts["raw"] if isinstance(parts, Mapping) and set(parts) == {"raw"} else runnable
