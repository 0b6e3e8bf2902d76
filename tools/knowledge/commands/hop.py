"""`hop`: what something may stand for."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from tools.knowledge.commands.parsers import positive
from tools.knowledge.reading import STARTER

if TYPE_CHECKING:
    from tools.knowledge.commands.parsers import Subparsers
    from tools.knowledge.edges import Association, HopResult

__all__ = ["add", "run"]


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("hop", help="what something may stand for")
    parser.add_argument("concepts", nargs="+", help="names, such as candle or 'wilting flower'")
    parser.add_argument("--hops", type=int, default=1, choices=(1, 2, 3), help="steps of a path (default: 1)")
    parser.add_argument("--limit", type=positive, default=10, help="associations at most (default: 10)")
    parser.add_argument("--graph", default=STARTER, help="a graph's name or path (default: starter)")
    parser.add_argument("-v", "--verbose", action="store_true", help="with kind and strength")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the associations, and what is unknown.

    Returns:
        0 when something was found, 1 when nothing was.

    Raises:
        KnowledgeError: if the graph can't be opened.
    """
    from tools.knowledge.commands.hints import readings, unknowns
    from tools.knowledge.reading import open_knowledge

    result = open_knowledge(args.graph).hop(args.concepts, args.hops, args.limit)
    if args.json:
        sys.stdout.write(json.dumps(asdict(result), indent=1) + "\n")
        return 0 if result.associations else 1
    for line in readings(result.linked):
        sys.stderr.write(f"{line}\n")
    for line in _lines(result, verbose=args.verbose):
        sys.stdout.write(f"{line}\n")
    for line in [*unknowns(result.unknown), *_nowhere(result, args.hops)]:
        sys.stderr.write(f"{line}\n")
    return 0 if result.associations else 1


def _lines(result: HopResult, *, verbose: bool) -> list[str]:
    from tools.knowledge.commands.columns import aligned, width_of_terminal

    rows = [_row(association, verbose=verbose) for association in result.associations]
    lines = aligned(rows, room=width_of_terminal()) if rows else []
    if result.left_out:
        lines.append(f"{result.left_out} more; --limit shows them")
    return lines


def _row(association: Association, *, verbose: bool) -> list[str]:
    path = list(association.path)
    first = f" {'<-' if association.backward else '->'} "
    way = path[0] + first + " -> ".join(path[1:])
    culture = f"[{association.culture}]" if association.culture else ""
    if not verbose:
        return [way, culture, association.ground]
    return [way, f"{association.weight:.2f}", association.kind, culture, association.ground]


def _nowhere(result: HopResult, hops: int) -> list[str]:
    """What to do where everything is known but nothing was found."""
    if result.associations or not result.linked:
        return []
    nodes = ", ".join(dict.fromkeys(result.linked.values()))
    return [f"{nodes}: joined to nothing within {hops} {'step' if hops == 1 else 'steps'}"]
