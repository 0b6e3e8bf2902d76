"""Gold interpretations come in several shapes; here they become entries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from evals.datasets.sample import shown

__all__ = ["read_gold"]


def read_gold(value: object) -> tuple[str, ...]:
    """Read a ``golden_answers`` value into entries, in its own order.

    Args:
        value: a dict (``{"analysis_1": "..."}``), a list of strings, a string, or a JSON string of one
            of these. None and empty strings hold no entry.

    Returns:
        The entries, stripped; empty when there are none.

    Raises:
        ValueError: when a part is neither text nor a dict or list of text, or parts are nested too deeply.
    """
    try:
        return tuple(_entries(value))
    except RecursionError:
        raise ValueError("golden_answers are nested too deeply to be read") from None


def _entries(value: object) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, str):
        yield from _text(value.strip())
    elif isinstance(value, dict):
        for part in cast("dict[Any, object]", value).values():
            yield from _entries(part)
    elif isinstance(value, list | tuple):
        for part in cast("list[object]", value):
            yield from _entries(part)
    else:
        raise ValueError(  # noqa: TRY004 - the data's fault, not a caller's
            f"expected text, a list or a dict, found {type(value).__name__} {shown(repr(value))}"
        )


def _text(text: str) -> Iterator[str]:
    if text[:1] in ("{", "[", '"'):
        try:
            inner: object = json.loads(text)
        except ValueError:
            inner = None  # a sentence that only begins like JSON: a quotation, say
        if isinstance(inner, dict | list):
            yield from _entries(cast("object", inner))
            return
        if isinstance(inner, str):
            text = inner.strip()
    if text:
        yield text
