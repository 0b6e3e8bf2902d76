"""Ways to ask for an answer of a schema, and which of them each model and server refused or ignored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from langchain_core.language_models import BaseChatModel

__all__ = ["METHODS", "Method", "forget_methods", "learn", "methods_left", "model_key", "refuses"]

Method = Literal["json_schema", "function_calling", "text"]
Key = tuple[str, str, str]

METHODS: tuple[Method, ...] = ("json_schema", "function_calling", "text")

_ignored: dict[Key, Counter[Method]] = {}  # in a row; a single empty answer may have other causes
_refused: dict[Key, set[Method]] = {}

_GIVEN_UP = 2  # times in a row that a way was ignored before it is left out


def model_key(model: BaseChatModel) -> Key:
    """What tells one model on one server from another."""
    names = [getattr(model, name, None) for name in ("model_name", "model", "openai_api_base", "base_url")]
    return type(model).__qualname__, str(names[0] or names[1] or ""), str(names[2] or names[3] or "")


def methods_left(key: Key) -> list[Method]:
    """The ways still to be tried, plain text always the last."""
    ignored, gone = _ignored.get(key, Counter()), _refused.get(key, ())
    return [method for method in METHODS if method not in gone and ignored[method] < _GIVEN_UP]


def refuses(key: Key, method: Method) -> None:
    """Remember that a way was refused: it is not tried again."""
    _refused.setdefault(key, set()).add(method)


def learn(key: Key, worked: Method, passed: Sequence[Method]) -> None:
    """Count the ways that were ignored before another worked, which clears that one's count."""
    counts = _ignored.setdefault(key, Counter())
    counts.update(passed)
    counts.pop(worked, None)


def forget_methods() -> None:
    """Forget which ways each model refused or ignored."""
    _ignored.clear()
    _refused.clear()
