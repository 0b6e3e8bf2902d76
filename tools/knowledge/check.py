"""Checks an edge list as a whole: what no single row can show, such as orphans and elements with one concept.

A *visual element* is a source in any file but `concepts.tsv` and `metaphors.tsv`, whose edges join
concepts to concepts.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.names import compact, normal
from tools.knowledge.reading import STARTER, starter_folder
from tools.knowledge.rows import Row, faults, read_rows, table_files
from tools.knowledge.spelling import american

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["CONCEPT_FILES", "MIN_EDGES", "MIN_ELEMENTS", "elements", "problems", "rows_of"]

CONCEPT_FILES = frozenset({"concepts.tsv", "metaphors.tsv"})
#: What the starter data must come up to.
MIN_ELEMENTS, MIN_EDGES = 600, 2500
_GROUND_WORDS = range(3, 11)
_LEAST_WEIGHT = 0.1
_LEAST_CONCEPTS = 2


def rows_of(name_or_path: str | Path = STARTER) -> list[Row]:
    """Every row of the starter data, of a .tsv file, or of a folder of these.

    Raises:
        KnowledgeError: if there is nothing to read, or a file's header is wrong.
    """
    path = Path(name_or_path).expanduser()
    if str(name_or_path) == STARTER:
        tables = table_files(starter_folder())
    else:
        tables = table_files(path) if path.is_dir() else [path]
        if path.is_file() and path.suffix.lower() != ".tsv":
            msg = f"{name_or_path}: only .tsv edge lists are checked row by row; others when opened."
            raise KnowledgeError(msg)
    return [row for table in tables for row in read_rows(table)]


def elements(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The visual elements, each with its rows, in the order they are met."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.source and row.file not in CONCEPT_FILES:
            found.setdefault(row.source, []).append(row)
    return found


def problems(rows: Sequence[Row], *, min_elements: int = 0, min_edges: int = 0) -> list[str]:
    """Everything that is wrong with an edge list.

    Args:
        rows: every row of every file.
        min_elements: how many visual elements there must be.
        min_edges: how many rows there must be.

    Returns:
        One message a fault, each beginning with `file:line` where there is one; empty when all is well.
    """
    sound = [row for row in rows if not row.extra]
    found = [f"{row.where}: {fault}" for row in rows for fault in [*faults(row), *_style(row)]]
    found += _duplicates(sound)
    found += _spelled_twice(sound)
    found += _thin_elements(sound)
    found += _orphans(sound)
    if (count := len(elements(sound))) < min_elements:
        found.append(f"{count} visual elements, expected {min_elements} or more")
    if len(sound) < min_edges:
        found.append(f"{len(sound)} edges, expected {min_edges} or more")
    return found


def _style(row: Row) -> list[str]:
    if row.extra:
        return []
    found: list[str] = []
    for column, name in (("source", row.source), ("target", row.target)):
        if name != normal(name):
            found.append(f"{column} {name!r} is not in normal form; write {normal(name)!r}")
        elif name != american(name):
            found.append(f"{column} {name!r} is not in American spelling; write {american(name)!r}")
    words = len(row.ground.split())
    if not words:
        found.append("ground is empty; say why the one stands for the other")
    elif words not in _GROUND_WORDS:
        found.append(f"ground {row.ground!r} has {words} words, expected 3 to 10")
    if row.ground.endswith("."):
        found.append(f"ground {row.ground!r} ends in a full stop")
    if row.culture and not row.culture[0].isupper():
        found.append(f"culture {row.culture!r} should be capitalised")
    if row.weight.replace(".", "", 1).isdigit() and 0 < float(row.weight) < _LEAST_WEIGHT:
        found.append(f"weight {row.weight} is below {_LEAST_WEIGHT}")
    return found


def _duplicates(rows: Iterable[Row]) -> list[str]:
    first: dict[tuple[str, str, str], str] = {}
    found: list[str] = []
    for row in rows:
        place = first.setdefault((row.source, row.target, row.culture), row.where)
        if place != row.where:
            found.append(f"{row.where}: {row.source!r} -> {row.target!r} is a duplicate of {place}")
    return found


def _spelled_twice(rows: Iterable[Row]) -> list[str]:
    """Names that differ in spaces and hyphens alone, or in a regular plural: two nodes for one thing."""
    first: dict[str, tuple[str, str]] = {}
    for row in rows:
        for name in (row.source, row.target):
            first.setdefault(name, (name, row.where))
    by_key: dict[str, tuple[str, str]] = {}
    found: list[str] = []
    for name, where in first.values():
        other, place = by_key.setdefault(compact(name), (name, where))
        if other != name:
            found.append(f"{where}: {name!r} is another spelling of {other!r} at {place}")
    for name, where in first.values():
        singular = name.removesuffix("s")
        if singular != name and singular in first:
            found.append(f"{where}: {name!r} is the plural of {singular!r} at {first[singular][1]}")
    return found


def _thin_elements(rows: Iterable[Row]) -> list[str]:
    return [
        f"{own[0].where}: element {name!r} has one concept only, {own[0].target!r}; give it two or more"
        for name, own in elements(rows).items()
        if len({row.target for row in own}) < _LEAST_CONCEPTS
    ]


def _orphans(rows: Sequence[Row]) -> list[str]:
    """Names that no path joins to the graph's main part."""
    neighbours: dict[str, set[str]] = {}
    for row in rows:
        neighbours.setdefault(row.source, set()).add(row.target)
        neighbours.setdefault(row.target, set()).add(row.source)
    parts: list[set[str]] = []
    seen: set[str] = set()
    for start in neighbours:
        if start not in seen:
            part, todo = {start}, [start]
            while todo:
                fresh = neighbours[todo.pop()] - part
                part |= fresh
                todo += fresh
            seen |= part
            parts.append(part)
    main = max(parts, key=len, default=set[str]())
    return [
        f"{row.where}: {row.source!r} -> {row.target!r} is an orphan, joined to nothing else in the graph"
        for row in rows
        if row.source not in main
    ]
