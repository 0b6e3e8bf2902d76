"""Checks an edge list as a whole: what no single row can show, such as orphans and elements with one concept.

A *visual element* is a source in any file but `concepts.tsv` and `metaphors.tsv`, whose edges join
concepts to concepts; every other node is a *concept*.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError
from tools.knowledge.checking.other_names import misnamed
from tools.knowledge.checking.wording import named_twice, spelled_twice, style
from tools.knowledge.formats.rows import NODE, Row, faults, read_rows, table_files
from tools.knowledge.linking.other_names import name_files, names_beside, read_names
from tools.knowledge.reading import STARTER, starter_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.linking.other_names import OtherName

__all__ = [
    "CONCEPT_FILES",
    "NO_LEAST",
    "STARTER_LEAST",
    "Least",
    "elements",
    "others_of",
    "problems",
    "rows_of",
]

CONCEPT_FILES = frozenset({"concepts.tsv", "metaphors.tsv"})
_LEAST_CONCEPTS = 2
#: Edges that one wording may explain; more of them say that it explains none.
_MOST_GROUNDS = 3
#: Edges from which a culture counts as one the graph knows.
_KNOWN_CULTURE = 25


class Least(NamedTuple):
    """What an edge list must come up to at the least.

    Attributes:
        elements: visual elements.
        edges: rows.
        nodes: names that are a source or a target.
        cultures: cultures of 25 edges or more.
        of_culture: edges of each culture that is named at all.
        into_concept: elements and concepts that stand for each concept.
        from_concept: concepts that each concept leads on to.
    """

    elements: int = 0
    edges: int = 0
    nodes: int = 0
    cultures: int = 0
    of_culture: int = 0
    into_concept: int = 0
    from_concept: int = 0


NO_LEAST = Least()
#: What the starter data must come up to.
STARTER_LEAST = Least(
    elements=2_500,
    edges=12_000,
    nodes=4_000,
    cultures=12,
    of_culture=3,
    into_concept=2,
    from_concept=1,
)


def rows_of(name_or_path: str | Path = STARTER) -> list[Row]:
    """Every edge's row of the starter data, of a table, or of a folder of tables.

    Raises:
        KnowledgeError: if there is nothing to read, or a file's header is wrong.
    """
    path = Path(name_or_path).expanduser()
    if str(name_or_path) == STARTER:
        tables = table_files(starter_folder())
    else:
        tables = table_files(path) if path.is_dir() else [path]
        if path.is_file() and path.suffix.lower() not in {".tsv", ".csv"}:
            msg = f"{name_or_path}: only .tsv and .csv edge lists are checked row by row; others when opened."
            raise KnowledgeError(msg)
    return [row for table in tables for row in read_rows(table) if row.kind != NODE]


def others_of(name_or_path: str | Path = STARTER) -> tuple[OtherName, ...]:
    """The other names that go with an edge list.

    Raises:
        KnowledgeError: if a table of names can't be read, or at its first row that can't be used.
    """
    if str(name_or_path) == STARTER:
        return read_names(name_files(starter_folder()))
    path = Path(name_or_path).expanduser()
    return read_names(name_files(path) if path.is_dir() else names_beside(path))


def elements(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The visual elements, each with its rows, in the order they are met."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.source and row.file not in CONCEPT_FILES:
            found.setdefault(row.source, []).append(row)
    return found


def problems(rows: Sequence[Row], *, least: Least = NO_LEAST, others: Sequence[OtherName] = ()) -> list[str]:
    """Everything that is wrong with an edge list.

    Args:
        rows: every row of every file.
        least: what there must be.
        others: the nodes' other names.

    Returns:
        One message a fault, each beginning with `file:line` where there is one; empty when all is well.
    """
    sound = [row for row in rows if not row.extra]
    found = [f"{row.where}: {fault}" for row in rows for fault in [*faults(row), *style(row)]]
    found += _duplicates(sound)
    found += _worn_grounds(sound)
    found += spelled_twice(sound)
    found += named_twice(sound, others)
    found += misnamed(sound, others)
    found += _thin_elements(sound)
    found += _orphans(sound)
    found += _lone_concepts(sound, least)
    found += _rare_cultures(sound, least)
    return found + _too_few(sound, least)


def _duplicates(rows: Iterable[Row]) -> list[str]:
    first: dict[tuple[str, str, str], str] = {}
    found: list[str] = []
    for row in rows:
        place = first.setdefault((row.source, row.target, row.culture), row.where)
        if place != row.where:
            found.append(f"{row.where}: {row.source!r} -> {row.target!r} is a duplicate of {place}")
    return found


def _worn_grounds(rows: Iterable[Row]) -> list[str]:
    """Grounds that are written under edge after edge."""
    places: dict[str, list[str]] = {}
    for row in rows:
        if row.ground:
            places.setdefault(row.ground, []).append(row.where)
    return [
        f"{where[_MOST_GROUNDS]}: ground {ground!r} stands at {', '.join(where[:_MOST_GROUNDS])} already"
        for ground, where in places.items()
        if len(where) > _MOST_GROUNDS
    ]


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


def _lone_concepts(rows: Sequence[Row], least: Least) -> list[str]:
    """Concepts that too little stands for, or that lead nowhere."""
    seen = elements(rows)
    into: dict[str, dict[str, str]] = {}
    leading: dict[str, set[str]] = {}
    for row in rows:
        into.setdefault(row.target, {}).setdefault(row.source, row.where)
        leading.setdefault(row.source, set()).add(row.target)
    found: list[str] = []
    for concept, sources in into.items():
        where = next(iter(sources.values()))
        if concept in seen:
            continue
        if len(sources) < least.into_concept:
            told = f"{len(sources)} only, expected {least.into_concept} or more"
            found.append(f"{where}: concept {concept!r} is what {told} stands for")
        if len(leading.get(concept, ())) < least.from_concept:
            found.append(f"{where}: concept {concept!r} leads on to no other; add a row to concepts.tsv")
    return found


def _rare_cultures(rows: Iterable[Row], least: Least) -> list[str]:
    places: dict[str, list[str]] = {}
    for row in rows:
        if row.culture:
            places.setdefault(row.culture, []).append(row.where)
    found = [
        f"{where[0]}: culture {culture!r} has {len(where)} edges, expected {least.of_culture} or more; "
        f"is it another name of one of the others?"
        for culture, where in places.items()
        if len(where) < least.of_culture
    ]
    known = sum(len(where) >= _KNOWN_CULTURE for where in places.values())
    if known < least.cultures:
        found.append(f"{known} cultures of {_KNOWN_CULTURE} edges or more, expected {least.cultures}")
    return found


def _too_few(rows: Sequence[Row], least: Least) -> list[str]:
    nodes = {name for row in rows for name in (row.source, row.target)}
    counts = (
        (len(elements(rows)), least.elements, "visual elements"),
        (len(rows), least.edges, "edges"),
        (len(nodes), least.nodes, "nodes"),
    )
    return [f"{count} {what}, expected {wanted} or more" for count, wanted, what in counts if count < wanted]
