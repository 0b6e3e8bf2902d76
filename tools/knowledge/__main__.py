"""Look into a graph from the command line: `python -m tools.knowledge check|hop`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.reading import STARTER

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns:
        0 when all is well, 1 when the check found problems or a walk found nothing, 2 for bad input.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.knowledge", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="say what is wrong with an edge list, with file and line")
    check.add_argument("path", nargs="?", default=STARTER, help="a .tsv file or a folder (default: starter)")
    hop = commands.add_parser("hop", help="what something may stand for")
    hop.add_argument("concepts", nargs="+", help="names, such as candle or 'wilting flower'")
    hop.add_argument("--hops", type=int, default=1, choices=(1, 2, 3), help="steps of a path (default: 1)")
    hop.add_argument("--limit", type=int, default=10, help="associations at most (default: 10)")
    hop.add_argument("--graph", default=STARTER, help="a graph's name or path (default: starter)")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "check":
            return _check(asked.path)
        if asked.limit < 1:
            parser.error(f"--limit {asked.limit}: give 1 or more")
        return _hop(asked.graph, asked.concepts, asked.hops, asked.limit)
    except KnowledgeError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _check(path: str) -> int:
    from tools.knowledge.check import MIN_EDGES, MIN_ELEMENTS, elements, problems, rows_of

    rows = rows_of(path)
    least = (MIN_ELEMENTS, MIN_EDGES) if path == STARTER else (0, 0)
    found = problems(rows, min_elements=least[0], min_edges=least[1])
    for problem in found:
        sys.stdout.write(f"{problem}\n")
    sys.stdout.write(f"{len(elements(rows))} visual elements, {len(rows)} edges, {len(found)} problems\n")
    return 1 if found else 0


def _hop(graph: str, concepts: list[str], hops: int, limit: int) -> int:
    from tools.knowledge.lines import association_line
    from tools.knowledge.reading import open_knowledge

    result = open_knowledge(graph).hop(concepts, hops, limit)
    for association in result.associations:
        sys.stdout.write(f"{association_line(association)}\n")
    if result.left_out:
        sys.stdout.write(f"{result.left_out} more\n")
    for concept, near in result.unknown.items():
        sys.stderr.write(f"{concept}: not in the graph{'; near: ' + ', '.join(near) if near else ''}\n")
    return 0 if result.associations else 1


if __name__ == "__main__":
    sys.exit(main())
