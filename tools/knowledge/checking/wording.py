"""What can be wrong with the names and the wording of an edge list's rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tools.knowledge.linking.names import compact, normal
from tools.knowledge.linking.spelling import american

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.formats.rows import Row
    from tools.knowledge.linking.other_names import OtherName

__all__ = ["named_twice", "spelled_twice", "style"]

_GROUND_WORDS = range(3, 11)
_LEAST_WEIGHT = 0.1
_OF = " of "


def style(row: Row) -> list[str]:
    """What is wrong with a row's names, ground, culture and weight, each in words that follow its place."""
    if row.extra:
        return []
    found = [*_name_style("source", row.source), *_name_style("target", row.target), *_ground_style(row)]
    if row.culture and not row.culture[0].isupper():
        found.append(f"culture {row.culture!r} should be capitalised")
    if row.weight.replace(".", "", 1).isdigit() and 0 < float(row.weight) < _LEAST_WEIGHT:
        found.append(f"weight {row.weight} is below {_LEAST_WEIGHT}")
    return found


def spelled_twice(rows: Iterable[Row]) -> list[str]:
    """Names that differ in spaces and hyphens, in "of" ("bag of money", "money bag"), or in a plural."""
    first: dict[str, str] = {}
    for row in rows:
        first.setdefault(row.source, row.where)
        first.setdefault(row.target, row.where)
    by_key: dict[str, str] = {}
    by_words: dict[str, str] = {}
    found: list[str] = []
    for name, where in first.items():
        other = by_key.setdefault(compact(name), name)
        if other != name:
            found.append(f"{where}: {name!r} is another spelling of {other!r} at {first[other]}")
            continue
        turned = by_words.setdefault(_words(name), name)
        if turned != name:
            found.append(f"{where}: {name!r} is another wording of {turned!r} at {first[turned]}")
        found += [
            f"{where}: {name!r} is the plural of {singular!r} at {first[singular]}"
            for singular in _singulars(name)
            if singular in first
        ]
    return found


def named_twice(rows: Iterable[Row], others: Sequence[OtherName]) -> list[str]:
    """Other names of a node that are nodes themselves, so that one thing has two places in the graph."""
    if not others:
        return []
    nodes = {name for row in rows for name in (row.source, row.target)}
    return [
        f"{other.where}: {other.name!r} is given as another name of {other.node!r}, but is a node itself"
        for other in others
        if other.name != other.node and other.name in nodes
    ]


def _name_style(column: str, name: str) -> list[str]:
    if name != normal(name):
        return [f"{column} {name!r} is not in normal form; write {normal(name)!r}"]
    if name != american(name):
        return [f"{column} {name!r} is not in American spelling; write {american(name)!r}"]
    return []


def _ground_style(row: Row) -> list[str]:
    ground = row.ground
    words = len(ground.split())
    if not words:
        return ["ground is empty; say why the one stands for the other"]
    found: list[str] = []
    if words not in _GROUND_WORDS:
        found.append(f"ground {ground!r} has {words} words, expected 3 to 10")
    if ground.endswith("."):
        found.append(f"ground {ground!r} ends in a full stop")
    if ground != american(ground):
        found.append(f"ground {ground!r} is not in American spelling; write {american(ground)!r}")
    if row.target and re.search(rf"\b{re.escape(row.target)}\b", ground):
        found.append(f"ground {ground!r} repeats its concept {row.target!r}; say why, not what")
    return found


def _words(name: str) -> str:
    """A name's words in the order of the alphabet; only "bag of money" and "money bag" share them.

    Names of more parts are left as they are: "from warm to cold" is not "from cold to warm".
    """
    parts = name.split(_OF)
    return " ".join(reversed(parts)) if len(parts) == 2 else name  # noqa: PLR2004


def _singulars(name: str) -> list[str]:
    """What a name may be the plural of."""
    found: list[str] = []
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if name.endswith(ending) and not name.endswith("ss"):
            found.append(name.removesuffix(ending) + instead)
    return found
