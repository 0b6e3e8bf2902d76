"""What is drawn: elements, the associations between them, and how both are gathered from a graph."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.edges import Edge, HopResult
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["Element", "Picture", "along", "around", "picture_of"]

#: Of the elements around some starts, the share that may stand one step away when more steps are asked for.
_NEAR_SHARE = 2 / 3
#: Associations besides those on a path, for each element: more would be a thicket.
_BESIDES = 0.5


@dataclass(frozen=True, slots=True)
class Element:
    """A node of the picture.

    Attributes:
        name: the node's name.
        steps: 0 for what the picture is about, else how many steps away it was met.
        is_seen: whether nothing stands for it, so that it is a thing to be seen rather than a concept.
        hidden: how many of its neighbours in the graph are not in the picture.
    """

    name: str
    steps: int = 0
    is_seen: bool = False
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn.

    Attributes:
        title: what it is about.
        elements: each name once.
        associations: edges whose ends are among the elements.
        left_out: how many more concepts were found.
        is_directed: whether an association goes one way, and is drawn with an arrow.
    """

    title: str
    elements: tuple[Element, ...]
    associations: tuple[Edge, ...]
    left_out: int = 0
    is_directed: bool = True


def picture_of(title: str, elements: Iterable[Element], associations: Iterable[Edge]) -> Picture:
    """A picture of elements and associations that need no graph; ends that are missing are added.

    Raises:
        ValueError: if two elements have one name.
    """
    named: dict[str, Element] = {}
    for element in elements:
        if element.name in named:
            msg = f"{element.name!r} is drawn once, but was given twice"
            raise ValueError(msg)
        named[element.name] = element
    edges = tuple(associations)
    for edge in edges:
        for name in (edge.source, edge.target):
            named.setdefault(name, Element(name, steps=1))
    return Picture(title, tuple(named.values()), edges)


def around(
    graph: MetaphorGraph, concepts: Sequence[str], hops: int = 2, limit: int = 40
) -> tuple[Picture, HopResult]:
    """The neighbourhood of some concepts: what `MetaphorGraph.hop` finds, and the paths to it.

    Args:
        graph: any graph.
        concepts: what the picture is about; linked as by `MetaphorGraph.hop`.
        hops: steps away at most, 1 or more.
        limit: elements at most besides those that it is about, 1 or more.

    Returns:
        The picture, without elements when nothing is linked, and the walk that it shows.

    Raises:
        ValueError: if `hops` or `limit` is below 1.
    """
    result = graph.hop(concepts, hops, limit)
    near = graph.hop(concepts, 1, max(int(limit * _NEAR_SHARE), 1)) if hops > 1 else result
    starts = dict.fromkeys([*result.linked.values(), *(found.source for found in result.associations)])
    paths: list[tuple[str, ...]] = [(start,) for start in starts]
    room = limit + len(starts)
    met = set(starts)
    for association in (*near.associations, *result.associations):
        new = set(association.path) - met
        if len(met) + len(new) <= room:
            met |= new
            paths.append(association.path)
    total = result.left_out + len(result.associations)
    left_out = max(total - (len(met) - len(starts)), 0)
    return along(graph, paths, ", ".join(starts), left_out=left_out), result


def along(graph: MetaphorGraph, paths: Iterable[Sequence[str]], title: str, *, left_out: int = 0) -> Picture:
    """The elements on some paths, such as those of a walk, with the associations between them.

    Args:
        graph: the graph that was walked.
        paths: names of nodes, each path from where it began.
        title: what the picture is about.
        left_out: how many more concepts were found.
    """
    steps: dict[str, int] = {}
    pairs: set[frozenset[str]] = set()
    for path in paths:
        for step, name in enumerate(path):
            steps[name] = min(step, steps.get(name, step))
        pairs |= {frozenset(pair) for pair in pairwise(path)}
    edges = _between(graph, steps, pairs)
    elements = tuple(
        Element(
            name,
            step,
            is_seen=not graph.symmetric and not graph.popularity(name),
            hidden=len(set(graph.neighbours(name)) - steps.keys()),
        )
        for name, step in sorted(steps.items(), key=lambda item: item[1])
    )
    return Picture(title, elements, edges, left_out, is_directed=not graph.symmetric)


def _between(graph: MetaphorGraph, names: Iterable[str], pairs: set[frozenset[str]]) -> tuple[Edge, ...]:
    """The edges on the paths, and the strongest of the others between their nodes."""
    kept = set(names)
    on_paths: list[Edge] = []
    besides: list[Edge] = []
    met: set[frozenset[str]] = set()
    for name in names:
        for edge in graph.edges_from(name):
            pair = frozenset((edge.source, edge.target))
            if edge.target not in kept or edge.target == name or (graph.symmetric and pair in met):
                continue
            met.add(pair)
            (on_paths if pair in pairs else besides).append(edge)
    besides.sort(key=lambda edge: (-edge.weight, edge.source, edge.target, edge.culture or ""))
    return (*on_paths, *besides[: int(len(kept) * _BESIDES)])
