"""The strongest ways from one node to another, for `python -m tools.knowledge path`.

A path that means something goes from what is seen to what it stands for. It may turn round once: forward
and then back, since two things that stand for one concept are alike in it; or back and then forward, since
two concepts are alike in what shows both. A path's strength is the product of its edges' weights, with
`walking.DECAY` for every step after the first and `walking.BACKWARD` for going back, once. A node in the
middle costs by its popularity, as in walking.

The search is A* over the number of steps left: the strongest way on from every node, found backwards from
the goal first, is a bound that is exact but for nodes that are met twice.
"""

from __future__ import annotations

import heapq
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tools.knowledge.retrieving.walking import BACKWARD, DECAY, POPULARITY, SMOOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tools.knowledge.edges import Edge
    from tools.knowledge.engine.arrays import GraphArrays
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["Route", "Step", "steps_between", "strongest"]

#: Where a path may be: it only went forward, only went back, has turned from the one to the other, or is
#: about to begin.
_ON, _BACK, _ON_BACK, _BACK_ON, _START = range(5)
#: For each: where a step forward leads, and where a step back does; None when the path may not go there.
_FORWARD = (_ON, _BACK_ON, None, _BACK_ON, _ON)
_BACKWARD = (_ON_BACK, _BACK, _ON_BACK, None, _BACK)
#: Between these, going back is paid for.
_PAID = frozenset({(_START, _BACK), (_ON, _ON_BACK)})
#: Digits of a bound that count, so that ties never depend on the machine.
_DIGITS = 12


class Step(NamedTuple):
    """One edge of a path, and whether it is walked against its direction."""

    edge: Edge
    is_back: bool


class Route(NamedTuple):
    """A path from one node to another.

    Attributes:
        nodes: every node on the way.
        steps: the edge between each two of them, the strongest where there are several.
        strength: in (0, 1].
    """

    nodes: tuple[str, ...]
    steps: tuple[Step, ...]
    strength: float


def strongest(graph: MetaphorGraph, start: str, goal: str, *, limit: int = 5, most: int = 4) -> list[Route]:
    """The strongest paths between two nodes, none of which meets a node twice.

    Args:
        graph: any graph.
        start: a node's name.
        goal: another's.
        limit: paths at most, 1 or more.
        most: steps at most, 1 or more.

    Returns:
        The strongest first; those of equal strength in the order of their names.

    Raises:
        ValueError: if a node is not in the graph, or a number is below 1.
    """
    first, last = graph.node_id(start), graph.node_id(goal)
    if first is None or last is None or limit < 1 or most < 1:
        msg = f"paths need two nodes, and limit and steps from 1: {start!r}, {goal!r}, {limit}, {most}"
        raise ValueError(msg)
    if first == last:
        return []
    found = islice(_search(graph.arrays, first, last, most), limit)
    return [_route(graph, strength, nodes, edges) for strength, nodes, edges in found]


def steps_between(graph: MetaphorGraph, start: str, goal: str) -> int | None:
    """Steps of the shortest path between two nodes, whatever its edges' directions; None if there is none."""
    first, last = graph.node_id(start), graph.node_id(goal)
    if first is None or last is None:
        return None
    around = graph.arrays.around
    met = np.zeros(around.nodes, bool)
    edge = np.array([first])
    steps = 0
    while len(edge):
        met[edge] = True
        if met[last]:
            return steps
        reached = np.unique(around.indices[around.positions(edge)])
        edge = reached[~met[reached]]
        steps += 1
    return None


def _route(graph: MetaphorGraph, strength: float, nodes: Sequence[int], numbers: Sequence[int]) -> Route:
    edges = graph.edges_numbered(~number if number < 0 else number for number in numbers)
    steps = tuple(Step(edge, number < 0) for edge, number in zip(edges, numbers, strict=True))
    return Route(tuple(map(graph.node_name, nodes)), steps, round(strength, 6))


class _Partial(NamedTuple):
    """The begin of a path, in the order in which they are gone on with.

    Attributes:
        bound: the strength that a path beginning so has at most, negated.
        left: steps that it may still have.
        ranks: the nodes' ranks by name, which decides ties.
        nodes: on the way so far.
        edges: walked so far; ~number for one that is walked backwards.
        strength: so far.
        state: where the path may go on to.
    """

    bound: float
    left: int
    ranks: tuple[int, ...]
    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    strength: float
    state: int


class _Found(NamedTuple):
    strength: float
    nodes: tuple[int, ...]
    edges: tuple[int, ...]


def _search(arrays: GraphArrays, first: int, last: int, most: int) -> Iterator[_Found]:
    """Every path from `first` to `last`, the strongest first."""
    costs = (SMOOTHING / (arrays.popularities + SMOOTHING)) ** POPULARITY
    costs[last] = 1.0
    bounds = _bounds(arrays, last, most, costs)
    waiting = [_Partial(-1.0, most, (int(arrays.ranks[first]),), (first,), (), 1.0, _START)]
    while waiting:
        path = heapq.heappop(waiting)
        if path.nodes[-1] == last:
            yield _Found(path.strength, path.nodes, path.edges)
        elif path.left:
            for longer in _longer(arrays, path, costs, bounds[min(path.left, len(bounds)) - 1]):
                heapq.heappush(waiting, longer)


def _longer(
    arrays: GraphArrays, path: _Partial, costs: NDArray[np.float64], bounds: NDArray[np.float64]
) -> Iterator[_Partial]:
    """The path with one more step, if it can still reach the goal."""
    node = np.array([path.nodes[-1]])
    so_far = path.strength if path.state == _START else path.strength * DECAY
    for ways, csr in ((_FORWARD, arrays.forward), (_BACKWARD, arrays.backward)):
        state = ways[path.state]
        if state is None or (ways is _BACKWARD and arrays.symmetric):
            continue
        entries = csr.positions(node)
        edges = entries if ways is _FORWARD else arrays.arrivals[entries]
        ends = csr.indices[entries]
        strengths = so_far * arrays.weights[edges] * _price(path.state, state) * costs[ends]
        reach = np.round(strengths * bounds[state][ends], _DIGITS)
        # Of several edges to one node the strongest is walked, the first of equals.
        order = np.lexsort((edges, -strengths))
        order = order[np.sort(np.unique(ends[order], return_index=True)[1])]
        for at in order[reach[order] > 0].tolist():
            end = int(ends[at])
            if end in path.nodes:
                continue
            number = int(edges[at])
            yield _Partial(
                -float(reach[at]),
                path.left - 1,
                (*path.ranks, int(arrays.ranks[end])),
                (*path.nodes, end),
                (*path.edges, number if ways is _FORWARD else ~number),
                float(strengths[at]),
                state,
            )


def _bounds(
    arrays: GraphArrays, last: int, most: int, costs: NDArray[np.float64]
) -> list[NDArray[np.float64]]:
    """By steps left, state and node: the strength of the strongest way on to the goal; 0 for none.

    There are fewer than `most` where more steps make nothing stronger: the last holds for any number.
    """
    count = arrays.forward.nodes
    sources = np.repeat(np.arange(count), arrays.forward.degrees())
    targets = arrays.forward.indices
    value = np.zeros((_START, count))
    value[:, last] = 1.0
    bounds = [value]
    for _ in range(most - 1):
        before, value = value, np.zeros((_START, count))
        value[:, last] = 1.0
        for state in range(_START):
            for ways, begin, end in ((_FORWARD, sources, targets), (_BACKWARD, targets, sources)):
                to = ways[state]
                if to is None or (ways is _BACKWARD and arrays.symmetric):
                    continue
                price = _price(state, to) * DECAY
                np.maximum.at(value[state], begin, before[to][end] * arrays.weights * costs[end] * price)
        if np.array_equal(value, before):
            break
        bounds.append(value)
    return bounds


def _price(state: int, to: int) -> float:
    """What going from one state to another costs: going back is paid for once."""
    return BACKWARD if (state, to) in _PAID else 1.0
