"""`path`: the strongest ways from one thing to another, and why."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from tools.knowledge.commands.parsers import positive
from tools.knowledge.reading import STARTER

if TYPE_CHECKING:
    from tools.knowledge.commands.parsers import Subparsers
    from tools.knowledge.graph import MetaphorGraph
    from tools.knowledge.paths import Route, Step

__all__ = ["add", "run"]

#: Associations of either end that are told when no path joins them.
_NEAR = 3


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("path", help="the strongest ways from one thing to another, and why")
    parser.add_argument("start", help="a name, such as candle")
    parser.add_argument("goal", help="another, such as mortality")
    parser.add_argument("--max-hops", type=positive, default=4, metavar="N", help="steps (default: 4)")
    parser.add_argument("--limit", type=positive, default=5, metavar="N", help="paths at most (default: 5)")
    parser.add_argument("--graph", default=STARTER, help="a graph's name or path (default: starter)")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print paths, the strongest first; without one, what comes near.

    Returns:
        0 when there is a path, 1 when there is none.

    Raises:
        KnowledgeError: if the graph can't be opened.
    """
    from tools.knowledge.commands.hints import link_or_hint, readings, unknowns
    from tools.knowledge.paths import strongest
    from tools.knowledge.reading import open_knowledge

    graph = open_knowledge(args.graph)
    linked, unknown = link_or_hint(graph, [args.start, args.goal])
    start, goal = linked.get(args.start), linked.get(args.goal)
    routes: list[Route] = []
    if start is not None and goal is not None:
        routes = strongest(graph, start, goal, limit=args.limit, most=args.max_hops)
    if args.json:
        told = {"linked": linked, "unknown": unknown, "paths": [_told(route) for route in routes]}
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return 0 if routes else 1
    for line in [*readings(linked), *unknowns(unknown)]:
        sys.stderr.write(f"{line}\n")
    if routes:
        sys.stdout.write("\n\n".join(map(_shown, routes)) + "\n")
        return 0
    if start is not None and goal is not None:
        sys.stderr.write("\n".join(_none(graph, start, goal, args.max_hops)) + "\n")
    return 1


def _shown(route: Route) -> str:
    from tools.knowledge.commands.columns import aligned, printable

    rows = [
        [
            f"{step.edge.source} -> {step.edge.target}",
            f"[{step.edge.culture}]" if step.edge.culture else "",
            step.edge.ground,
        ]
        for step in route.steps
    ]
    inset = ["  " + line for line in aligned(rows)]
    return "\n".join([f"{printable(_way(route))}  ({route.strength:.2g})", *inset])


def _way(route: Route) -> str:
    """Every node on the way, with arrows that point as the associations do."""
    arrows = [" <- " if step.is_back else " -> " for step in route.steps]
    return route.nodes[0] + "".join(arrow + node for arrow, node in zip(arrows, route.nodes[1:], strict=True))


def _told(route: Route) -> dict[str, object]:
    return {"nodes": route.nodes, "strength": route.strength, "steps": [_step(step) for step in route.steps]}


def _step(step: Step) -> dict[str, object]:
    fields = ("source", "target", "kind", "culture", "weight", "ground")
    told: dict[str, object] = {field: getattr(step.edge, field) for field in fields}
    return {**told, "backward": step.is_back}


def _none(graph: MetaphorGraph, start: str, goal: str, most: int) -> list[str]:
    """That there is no path, and what comes near."""
    from tools.knowledge.commands.columns import printable
    from tools.knowledge.paths import steps_between

    if start == goal:
        return [f"{printable(start)}: both names are read as this one; give two different things"]
    steps = steps_between(graph, start, goal)
    plural = "" if most == 1 else "s"
    told = f"{printable(start)}, {printable(goal)}: no path of up to {most} step{plural}"
    if steps is None:
        lines = [f"{told}, nor a longer one"]
    elif steps > most:
        lines = [f"{told}; the shortest has {steps}: try --max-hops {steps}"]
    else:
        lines = [f"{told} that turns round once at most, though {steps} steps join them"]
    for end in (start, goal):
        near = [found.concept for found in graph.hop([end], 1, _NEAR).associations]
        lines.append(f"  {printable(end)}: near {', '.join(map(printable, near)) or 'nothing'}")
    return lines
