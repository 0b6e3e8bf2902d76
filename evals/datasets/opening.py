"""From a name, a path or ``module:attr`` to a data set."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from agents.errors import MetaphorBoostError, UserError
from evals.datasets.layout import read_layout
from evals.datasets.plugged import CalledAgain, checked
from evals.datasets.sample import Dataset, Sample

__all__ = ["GROUP", "known_datasets", "open_dataset"]

GROUP = "metaphorboost.datasets"
"""The entry-point group of data sets."""

_OWN = {"mini": "evals.datasets.mini_source:mini"}  # so that a bare checkout knows them too
_MODULE_ATTR = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*\Z")


def known_datasets() -> dict[str, str]:
    """Names of data sets that are installed, with the ``module:attr`` behind each; nothing is imported."""
    return _OWN | {point.name: point.value for point in entry_points(group=GROUP)}


def open_dataset(name_or_path: str) -> Dataset:
    """Open a data set.

    Args:
        name_or_path: an installed name (``mini``), the path of a folder or table in the published layout,
            or ``module:attr``, where attr is a :class:`Dataset`, a path, anything that gives samples each
            time it is iterated, or a function that returns one of these, or yields samples.

    Raises:
        UserError: when there is no such data set, or it can't be read.
    """
    known = known_datasets()
    if name_or_path in known:
        return _resolve(name_or_path, known[name_or_path])
    if Path(name_or_path).exists():
        return read_layout(Path(name_or_path))
    if _MODULE_ATTR.match(name_or_path):
        return _resolve(name_or_path, name_or_path)
    near = difflib.get_close_matches(name_or_path, known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise UserError(
        f"There is no data set or path {name_or_path!r}.{hint} Installed: {', '.join(sorted(known))}; "
        "or give the folder that holds datas.jsonl and videos/, or module:attr."
    )


def _resolve(name: str, spec: str) -> Dataset:
    found = _import(name, spec)
    value = _called(name, spec, found) if callable(found) else found
    if isinstance(value, Dataset):
        return checked(value, spec)
    if isinstance(value, str | Path):
        return read_layout(Path(value), name)
    if isinstance(value, Iterator) and callable(found):  # a generator: it begins anew when it is called again
        return checked(Dataset(name, CalledAgain(found)), spec)
    if isinstance(value, Iterable):
        return checked(Dataset(name, cast("Iterable[Sample]", value)), spec)
    raise UserError(
        f"Data set {name!r} ({spec}) is {type(value).__name__}; it should be a Dataset, a path, or samples."
    )


def _called(name: str, spec: str, function: Callable[[], object]) -> object:
    try:
        return function()
    except MetaphorBoostError:
        raise
    except Exception as error:
        raise UserError(f"Data set {name!r} ({spec}) failed: {type(error).__name__}: {error}.") from error


def _import(name: str, spec: str) -> object:
    module, _, attribute = spec.partition(":")
    try:
        found: object = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise UserError(f"Data set {name!r} can't be loaded from {spec}: {told}.") from error
    return found
