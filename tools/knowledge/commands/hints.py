"""What is said when something is not in the graph, or leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.knowledge.commands.columns import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["link_or_hint", "readings", "unknowns"]

_SHOWN = 80


def unknowns(unknown: Mapping[str, Sequence[str]]) -> list[str]:
    """A line for each concept that is not in the graph, with names that come near."""
    return [
        f"{_named(concept)}: not in the graph; "
        + (f"did you mean {', '.join(map(printable, near))}?" if near else "no name comes near")
        for concept, near in unknown.items()
    ]


def readings(linked: Mapping[str, str]) -> list[str]:
    """A line for each concept that was read as a node of another name."""
    return [
        f"{_named(concept)}: read as {printable(node)}" for concept, node in linked.items() if concept != node
    ]


def link_or_hint(
    graph: MetaphorGraph, concepts: Sequence[str]
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The node of each concept; and for those that have none, names that come near."""
    linked: dict[str, str] = {}
    unknown: dict[str, list[str]] = {}
    for concept in concepts:
        if links := graph.link(concept, limit=1):
            linked[concept] = links[0].node
        else:
            unknown[concept] = graph.near(concept)
    return linked, unknown


def _named(concept: str) -> str:
    """What was asked, in a few words, and seen even if it is nothing."""
    shown = printable(concept)
    return f"{shown[:_SHOWN]}..." if len(shown) > _SHOWN else shown or repr(concept)
