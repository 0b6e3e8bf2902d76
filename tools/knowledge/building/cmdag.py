"""CMDAG's layout: one context a row, what several annotators found in it, and what they agreed on.

(Shao et al. 2024.) Columns are `context`, `tenor_1`, `vehicle_1`, `ground_1`, ..., `final_tenor`,
`final_vehicle`, `final_ground`; several items stand in one field, parted by commas of any kind.
"""

# ruff: noqa: RUF001  (full-width marks are meant)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tools.knowledge.building.pairs import Pair, Rejected

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["DATASET", "LICENCE", "cmdag_pairs", "is_cmdag"]

#: What rows of this layout are taken for when they don't tell.
DATASET, LICENCE = "cmdag", "MIT"
_PARTED = re.compile(r"[，、,;；]")
_BLANK = "None"


def is_cmdag(row: Mapping[str, Any]) -> bool:
    """Whether a row is laid out so: a vehicle and a tenor of the same annotator."""
    return any(f"tenor{end}" in row for end in _ends(row)) or {"final_vehicle", "final_tenor"} <= row.keys()


def cmdag_pairs(row: Mapping[str, Any], file: str, line: int) -> Iterator[Pair | Rejected]:
    """The pairs of one context, annotator by annotator; those of `final_` last.

    Sources and targets of one annotator that are as many belong together one by one; one of either
    belongs to each of the others. Grounds that are as many as the pairs belong to one each, others to all.
    """
    for tenors, vehicles, grounds in _annotations(row):
        if not vehicles and not tenors:
            continue
        shown = (", ".join(vehicles), ", ".join(tenors))
        if not vehicles or not tenors:
            yield Rejected(file, line, "missing", "", *shown)
            continue
        size = max(len(vehicles), len(tenors))
        if {len(vehicles), len(tenors)} - {1, size}:
            told = f"{len(vehicles)} and {len(tenors)}"
            yield Rejected(file, line, "unpaired", told, *shown)
            continue
        for at in range(size):
            own = (grounds[at],) if len(grounds) == size > 1 else tuple(grounds)
            yield Pair(
                file,
                line,
                vehicles[at % len(vehicles)],
                tenors[at % len(tenors)],
                own,
                sentences=(" ".join(str(row.get("context") or "").split()),),
                datasets=(DATASET,),
                licence=LICENCE,
            )


def _ends(row: Mapping[str, Any]) -> list[str]:
    """What annotators' columns end in: `_1`, `_2`, ..."""
    return sorted(name.removeprefix("vehicle") for name in row if re.fullmatch(r"vehicle_\d+", name))


def _annotations(row: Mapping[str, Any]) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """For each annotator, and what they agreed on: tenors, vehicles, grounds."""
    for end in _ends(row):
        yield _items(row, f"tenor{end}"), _items(row, f"vehicle{end}"), _items(row, f"ground{end}")
    yield _items(row, "final_tenor"), _items(row, "final_vehicle"), _items(row, "final_ground")


def _items(row: Mapping[str, Any], name: str) -> list[str]:
    value = row.get(name)
    text = value if isinstance(value, str) and value != _BLANK else ""
    return [item.strip() for item in _PARTED.split(text) if item.strip()]
