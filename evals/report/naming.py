"""What tells runs of one graph and model apart: the settings in which they differ, else their folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.settings.naming import words_of
from evals.spec import FREE

__all__ = ["folder_names", "told_apart"]

_MOST = 3  # settings that still make a name
_TOLD = frozenset({"graph", "context.model"})

Settings = Mapping[str, object]


def told_apart(runs: Sequence[tuple[str, str, Path, Settings]]) -> list[str]:
    """For each run what its graph and model don't tell: ``retrieval limit 3``; empty where they are enough.

    Args:
        runs: graph, model, directory, and settings by dotted name.
    """
    found = [""] * len(runs)
    alike: dict[tuple[str, str], list[int]] = {}
    for place, (graph, model, _, _) in enumerate(runs):
        alike.setdefault((graph, model), []).append(place)
    for places in alike.values():
        if len(places) > 1:
            names = _named([runs[place][2:] for place in places])
            for place, name in zip(places, names, strict=True):
                found[place] = name
    return found


def _named(runs: Sequence[tuple[Path, Settings]]) -> list[str]:
    settings = [told for _, told in runs]
    names = list(dict.fromkeys(name for told in settings for name in told if name not in FREE | _TOLD))
    varied = [name for name in names if len({repr(told.get(name)) for told in settings}) > 1]
    if all(settings) and 0 < len(varied) <= _MOST:
        keys = [(name.removeprefix("context.").replace(".", " "), name) for name in varied]
        found = [", ".join(f"{key} {words_of(told.get(name))}" for key, name in keys) for told in settings]
        if len(set(found)) == len(found):
            return found
    return folder_names([folder for folder, _ in runs])


def folder_names(folders: Sequence[Path]) -> list[str]:
    """The shortest ends of paths that tell folders apart; one that is there twice has one name."""
    whole = [folder.resolve().parts for folder in folders]
    length = 1
    while len({parts[-length:] for parts in whole}) < len(set(whole)):
        length += 1
    return ["/".join(parts[-length:]) for parts in whole]
