"""Names of columns: what each may be called, and which one of a file's columns holds what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["ROLES", "Columns", "WhichColumn", "columns_of", "parse_columns"]

#: What a column holds, and the names it goes by; where a file has several of them, the first one counts.
ROLES: dict[str, tuple[str, ...]] = {
    "source": ("source", "vehicle", "image", "symbol", "from"),
    "target": ("target", "tenor", "concept", "meaning", "to"),
    "ground": ("ground", "grounds", "reason", "why", "explanation"),
    "kind": ("kind", "type"),
    "culture": ("culture",),
    "weight": ("weight",),
    "count": ("count", "counts", "n", "freq", "frequency", "times"),
    "sentence": ("sentence", "sentences", "context", "text", "quote"),
    "translation": ("translation",),
    "dataset": ("dataset", "datasets", "data_set", "data_sets", "corpus", "collection", "provenance"),
    "licence": ("licence", "license"),
}
_REQUIRED = ("source", "target")

WhichColumn = dict[str, str]
"""For each role that a file has, the name of its column."""


def parse_columns(text: str) -> WhichColumn:
    """Read `source=vehicle,target=tenor`.

    Raises:
        KnowledgeError: if it is not laid out so, or a role is unknown or given twice.
    """
    chosen: WhichColumn = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        role, equals, column = (piece.strip() for piece in part.partition("="))
        if not equals or not column or role not in ROLES:
            msg = f"--columns: {part!r} is not ROLE=COLUMN; roles are {', '.join(ROLES)}."
            raise KnowledgeError(msg)
        if role in chosen:
            msg = f"--columns: {role} is given twice."
            raise KnowledgeError(msg)
        chosen[role] = column
    return chosen


class Columns:
    """The columns that the user names, and which of them were met in some file."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        """Take what `parse_columns` gave."""
        self._chosen = dict(chosen)
        self._met: set[str] = set()

    def of(self, names: Sequence[str], where: str) -> WhichColumn:
        """What `columns_of` tells of one file's columns; raises the same."""
        self._met |= {role for role, column in self._chosen.items() if column in names}
        return columns_of(names, self._chosen, where)

    def unmet(self) -> list[str]:
        """Those that no file had, as they were given."""
        return [f"{role}={column}" for role, column in self._chosen.items() if role not in self._met]


def columns_of(names: Sequence[str], chosen: Mapping[str, str], where: str) -> WhichColumn:
    """Tell which column holds what.

    Args:
        names: a file's columns.
        chosen: what the user says, by role; columns that are not in this file are passed over.
        where: the place of the header, for messages.

    Raises:
        KnowledgeError: if no column is the source or the target, or more than one may be.
    """
    by_name = {name.strip().casefold().replace(" ", "_").replace("-", "_"): name for name in reversed(names)}
    found = {role: column for role, column in chosen.items() if column in names}
    taken = set(found.values())
    # A table of vehicles and tenors calls the data set a row comes from its source.
    if {"vehicle", "tenor", "source"} <= by_name.keys() and "target" not in by_name and not taken:
        found |= {"source": by_name["vehicle"], "target": by_name["tenor"]}
        found["dataset"] = next(
            (by_name[name] for name in ROLES["dataset"] if name in by_name), by_name["source"]
        )
        taken = set(found.values())
    for role, synonyms in ROLES.items():
        free = [by_name[name] for name in synonyms if name in by_name and by_name[name] not in taken]
        if role in found or not free:
            continue
        if role in _REQUIRED and len(free) > 1:
            msg = f"{where}: {' and '.join(map(repr, free))} may each be the {role}; say --columns {role}=..."
            raise KnowledgeError(msg)
        found[role] = free[0]
        taken.add(free[0])
    if missing := [role for role in _REQUIRED if role not in found]:
        raise KnowledgeError(f"{where}: {_missing(missing, names)}")
    return found


def _missing(roles: Iterable[str], names: Sequence[str]) -> str:
    told = " and ".join(f"a {role} ({', '.join(ROLES[role])})" for role in roles)
    shown = ", ".join(map(repr, names[:12])) or "none"
    return f"no column is {told}; there are {shown}. Say which with --columns source=...,target=..."
