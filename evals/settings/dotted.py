"""Settings by dotted names: ``context.retrieval.limit`` is the ``limit`` of a context's ``retrieval``."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

from pydantic import BaseModel

__all__ = ["dotted_names", "flat", "full_name", "laid", "merged", "nearest", "put", "taken"]

CONTEXT = "context."


def flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every setting by its dotted name; what is nested is not told apart from what is dotted."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from flat(cast("Mapping[str, Any]", value), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


@cache
def dotted_names(model: type[BaseModel], prefix: str = "") -> dict[str, bool]:
    """Every setting that a model has, by its dotted name; True for one that holds others."""
    found: dict[str, bool] = {}
    for name, field in model.model_fields.items():
        inner = field.annotation
        holds = isinstance(inner, type) and issubclass(inner, BaseModel)
        found[prefix + name] = holds
        if holds:
            found |= dotted_names(cast("type[BaseModel]", inner), f"{prefix}{name}.")
    return found


def full_name(name: str, model: type[BaseModel]) -> str:
    """The full name of a setting whose ``context.`` may be left out.

    Raises:
        ValueError: for a name that there is not, with the nearest one.
    """
    known = dotted_names(model)
    for full in (name, CONTEXT + name):
        if full in known:
            return full
    near = nearest(name, model)
    hint = f" Did you mean {near}?" if near else ""
    raise ValueError(f"there is no setting {name!r}.{hint}")


def nearest(name: str, model: type[BaseModel]) -> str:
    """The setting that was most likely meant, without ``context.``; empty where none is near."""
    known = [full.removeprefix(CONTEXT) for full in dotted_names(model)]
    name = name.removeprefix(CONTEXT)
    above, _, last = name.rpartition(".")
    same = [full for full in known if full.rpartition(".")[2] == last]
    beside = [full for full in known if full.rpartition(".")[0] == above]
    ends = {full.rpartition(".")[2]: full for full in reversed(known)}
    tries = (
        same,
        difflib.get_close_matches(name, beside, n=1, cutoff=0.7),
        difflib.get_close_matches(name, known, n=1, cutoff=0.7),
        [ends[end] for end in difflib.get_close_matches(last, ends, n=1, cutoff=0.7)],
    )
    return next((found[0] for found in tries if found), "")


def put(tree: dict[str, Any], name: str, value: Any) -> None:
    """Set one setting in a tree of them; what stands in its way as plain value gives way."""
    *above, last = name.split(".")
    for part in above:
        inner = tree.get(part)
        if isinstance(inner, BaseModel):
            inner = inner.model_dump(exclude_unset=True)
        tree[part] = dict(cast("Mapping[str, Any]", inner)) if isinstance(inner, Mapping) else {}
        tree = tree[part]
    tree[last] = value


def taken(tree: Mapping[str, Any], name: str) -> Any:
    """One setting of a tree; None where it isn't there."""
    found: Any = tree
    for part in name.split("."):
        found = cast("Mapping[str, Any]", found).get(part) if isinstance(found, Mapping) else None
    return found


def laid(values: Mapping[str, Any]) -> dict[str, Any]:
    """A tree of dotted settings."""
    tree: dict[str, Any] = {}
    for name, value in values.items():
        put(tree, name, value)
    return tree


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two trees of settings; where both say something, ``above`` counts."""
    found = dict(below)
    for name, value in above.items():
        old = found.get(name)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            found[name] = merged(cast("Mapping[str, Any]", old), cast("Mapping[str, Any]", value))
        else:
            found[name] = value
    return found
