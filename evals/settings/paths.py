"""Paths among settings: those of a file start from where the file says, not from where a command is run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from evals.datasets import known_datasets
from evals.settings.dotted import put, taken

__all__ = ["placed"]

_MODULE_ATTR = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*\Z")
_PATHS = ("prices", "context.frames.cache_dir", "context.calls.cache_dir", "context.knowledge.conceptnet")


def placed(tree: dict[str, Any], base: Path) -> None:
    """Lead every relative path in a tree of settings through a folder; what is varied, too.

    Args:
        tree: settings as :class:`~evals.spec.RunSpec` lays them out; altered.
        base: the folder that they start from.
    """
    over = cast("dict[str, tuple[Any, ...]]", tree.get("over", {}))
    for name, place in _places(base).items():
        value = taken(tree, name)
        if value is not None:
            put(tree, name, place(value))
        if name in over:
            over[name] = tuple(place(value) for value in over[name])
    if "context.knowledge" in over:
        over["context.knowledge"] = tuple(_knowledge(value, base) for value in over["context.knowledge"])


def _places(base: Path) -> dict[str, Callable[[Any], Any]]:
    """How each setting that may hold a path is led through the folder."""
    path = _through(base)
    dataset = known_datasets()
    return {
        **dict.fromkeys(_PATHS, path),
        "dataset": lambda value: value if value in dataset or _MODULE_ATTR.match(str(value)) else path(value),
        "context.knowledge.graph": lambda value: value if value == "starter" else path(value),
        "context.knowledge.texts": lambda value: _each(value, path),
        "context.prompts": lambda value: _each(value, lambda pair: _second(pair, path)),
    }


def _through(base: Path) -> Callable[[Any], Any]:
    def path(value: Any) -> Any:
        if not isinstance(value, str) or not value:
            return value  # said to be wrong where settings are checked
        return os.path.normpath(base / Path(value).expanduser())

    return path


def _second(pair: Any, change: Callable[[Any], Any]) -> Any:
    """The path of a replaced prompt, which stands behind its name."""
    match pair:
        case [name, path]:
            return [name, change(path)]
        case _:
            return pair


def _each(values: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(values, str):
        return [change(values)]
    return (
        [change(value) for value in cast("list[Any]", values)] if isinstance(values, list | tuple) else values
    )


def _knowledge(value: Any, base: Path) -> Any:
    """A whole table of knowledge settings, or the name of a graph alone."""
    settings = {"graph": value} if isinstance(value, str) else value
    if not isinstance(settings, dict):
        return value
    tree = {"context": {"knowledge": dict(cast("dict[str, Any]", settings))}}
    placed(tree, base)
    return tree["context"]["knowledge"]
