"""What can be wrong with other names of nodes, and which nodes have none in Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.knowledge.linking import chinese

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.formats.rows import Row
    from tools.knowledge.linking.other_names import OtherName

__all__ = ["misnamed", "unnamed"]

_RELATION_OF = {"en": "synonym", "zh": "translation"}


def misnamed(rows: Iterable[Row], others: Sequence[OtherName]) -> list[str]:
    """What is wrong with other names, each message beginning with `file:line`.

    A name has to be of a node there is, differ from it, and be written plainly: English in lower case,
    Chinese in simplified characters without spaces and marks.
    """
    if not others:
        return []
    nodes = {name for row in rows for name in (row.source, row.target)}
    return [f"{other.where}: {fault}" for other in others for fault in _faults(other, nodes)]


def unnamed(rows: Iterable[Row], others: Iterable[OtherName], language: str = "zh") -> list[str]:
    """The nodes that have no other name in a language, in the order they are met."""
    named = {other.node for other in others if other.language == language}
    nodes = dict.fromkeys(name for row in rows for name in (row.source, row.target) if name)
    return [node for node in nodes if node not in named]


def _faults(other: OtherName, nodes: set[str]) -> list[str]:
    found: list[str] = []
    if other.node not in nodes:
        found.append(f"{other.name!r} is given as another name of {other.node!r}, which is no node")
    if other.name == other.node:
        found.append(f"{other.name!r} is given as another name of itself")
    if other.relation != _RELATION_OF[other.language]:
        found.append(
            f"relation {other.relation!r} of {other.name!r} in {other.language} should be "
            f"{_RELATION_OF[other.language]!r}"
        )
    right = _written(other)
    if other.name != right:
        found.append(f"{other.name!r} is not written as names are; write {right!r}")
    if chinese.has_han(other.name) != (other.language == "zh"):
        found.append(f"{other.name!r} is not in the language {other.language!r}")
    return found


def _written(other: OtherName) -> str:
    if other.language != "zh":
        return " ".join(other.name.lower().split())
    plain = chinese.simplified(other.name)
    # Some simplified forms are so rare that nobody types them.
    return plain if plain.isascii() or max(plain) <= "\uffff" else other.name
