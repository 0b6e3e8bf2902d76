"""Names of cells: short, the same each time, and fit for a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, cast

__all__ = ["cell_names", "words_of"]

_ALWAYS = ("graph", "context.model")
_LONGEST = 40  # letters of one part
_UNFIT = re.compile(r"[^\w.+]+")


def cell_names(over: Mapping[str, Sequence[Any]], fixed: Mapping[str, Any]) -> dict[tuple[int, ...], str]:
    """Name every combination of values.

    A name is made of graph and model, and of each other setting that is varied: ``boost-gpt-5``,
    ``boost-gpt-5-limit-10``. What would be called alike is numbered by the order of values, so that values
    that are added behind leave the names before them as they are.

    Args:
        over: values by dotted setting.
        fixed: ``graph`` and ``context.model`` where they are not varied.

    Returns:
        By the places of the chosen values, in the order of ``over``; the last setting varies fastest.
    """
    places = {name: place for place, name in enumerate(over)}
    order = [*_ALWAYS, *(name for name in over if name not in _ALWAYS)]
    parts = {name: _parts(name, over.get(name, (fixed.get(name),)), over) for name in order}
    found: dict[tuple[int, ...], str] = {}
    taken: set[str] = set()
    for chosen in product(*(range(len(values)) for values in over.values())):
        told = (parts[name][chosen[places[name]] if name in places else 0] for name in order)
        found[chosen] = _new("-".join(filter(None, told)), taken)
    return found


def words_of(value: object) -> str:
    """A value as a name can hold it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return "-".join(words_of(each) for each in cast("Mapping[str, object]", value).values())
    if isinstance(value, list | tuple):
        return "-".join(words_of(each) for each in cast("Sequence[object]", value)) or "none"
    text = str(value)
    return text if isinstance(value, int | float) else re.split(r"[/\\]", text.rstrip("/\\"))[-1]


def _parts(name: str, values: Sequence[Any], over: Mapping[str, Sequence[Any]]) -> list[str]:
    """What each value of a setting is called, each once."""
    taken: set[str] = set()
    return [_new(_fit(_said(name, value, over)), taken) for value in values]


def _said(name: str, value: object, over: Mapping[str, Sequence[Any]]) -> str:
    if name == "graph":
        module, colon, attribute = str(value).partition(":")
        return f"{module.rpartition('.')[2]}-{attribute}" if colon else module
    if name == "context.model":
        return words_of(str(value).partition(":")[2] or str(value))
    last = name.rpartition(".")[2]
    alike = sum(other.rpartition(".")[2] == last for other in over)
    return f"{name.removeprefix('context.') if alike > 1 else last}-{words_of(value)}"


def _fit(text: str) -> str:
    return _UNFIT.sub("-", text).strip("-.")[:_LONGEST].rstrip("-.") or "x"


def _new(name: str, taken: set[str]) -> str:
    """The name, numbered where it is taken; folders may not tell capitals from small letters."""
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found.casefold())
    return found
