"""What several cells of one run differ in: values by setting, read and checked."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, cast

from pydantic import BaseModel

from evals.settings.dotted import full_name
from evals.settings.naming import words_of

__all__ = ["MOST_CELLS", "WHOLE", "varied"]

WHOLE = frozenset(
    {
        *("over", "seed", "concurrency", "prices", "budget", "budget.max_tokens_total", "budget.max_cost"),
        *("context", "context.calls", "context.calls.concurrency"),
    }
)
"""Settings of a run as a whole: its cells can't differ in them."""

MOST_CELLS = 256


def varied(given: Any, model: type[BaseModel]) -> dict[str, tuple[Any, ...]]:
    """What is varied, by full names, each value once.

    Args:
        given: values by dotted setting, whose ``context.`` may be left out.
        model: whose settings they are.

    Raises:
        ValueError: for a setting that there is not or that can't differ, for a value that comes twice, and
            for more than 256 combinations.
    """
    if not isinstance(given, dict):
        told = "over wants settings with their values, as in over: {retrieval.limit: [0, 5, 10]}"
        raise ValueError(told)  # noqa: TRY004 - pydantic makes no fault of a TypeError
    found: dict[str, tuple[Any, ...]] = {}
    for short, values in cast("dict[str, Any]", given).items():
        name = full_name(str(short), model)
        if name in found:
            raise ValueError(f"over names {name.removeprefix('context.')} twice")
        if name in WHOLE:
            raise ValueError(f"{short} is the whole run's, and can't be varied in it")
        if not isinstance(values, list | tuple) or not values:
            raise ValueError(f"over: {short} wants a list of values, not {values!r}")
        found[name] = _each_once(str(short), tuple(cast("Sequence[Any]", values)))
    number = math.prod(map(len, found.values()))
    if number > MOST_CELLS:
        raise ValueError(f"{number:,} combinations are too many for one run: {MOST_CELLS} at most")
    return found


def _each_once(name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    seen: set[str] = set()
    for value in values:
        said = json.dumps(value, sort_keys=True, default=str)
        if said in seen:
            raise ValueError(f"{name.removeprefix('context.')} names {words_of(value)} twice")
        seen.add(said)
    return values
