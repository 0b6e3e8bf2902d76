"""`check`: say what is wrong with an edge list, with file and line, or with a graph in another format."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tools.knowledge.reading import STARTER

if TYPE_CHECKING:
    from tools.knowledge.commands.parsers import Subparsers

__all__ = ["add", "run"]


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("check", help="say what is wrong with an edge list or a graph")
    parser.add_argument(
        "path",
        nargs="?",
        default=STARTER,
        help="a .tsv or .csv file or a folder of .tsv files, checked row by row; or any other graph, such as "
        "a built folder, checked for being sound (default: starter)",
    )


def run(args: argparse.Namespace) -> int:
    """Print every problem and a count.

    Returns:
        0 when all is well, 1 when there are problems.

    Raises:
        KnowledgeError: if there is nothing to check.
    """
    from tools.knowledge.checking.built import is_table

    if args.path != STARTER and not is_table(args.path):
        return _built(args.path)
    from tools.knowledge.checking.other_names import unnamed
    from tools.knowledge.checking.tables import (
        NO_LEAST,
        STARTER_LEAST,
        elements,
        others_of,
        problems,
        rows_of,
    )

    rows = rows_of(args.path)
    least = STARTER_LEAST if args.path == STARTER else NO_LEAST
    others = others_of(args.path)
    found = problems(rows, least=least, others=others)
    for problem in found:
        sys.stdout.write(f"{problem}\n")
    if others:
        lacking = unnamed(rows, others)
        sys.stdout.write(f"{len(others)} other names; {len(lacking)} nodes have none in Chinese\n")
    sys.stdout.write(f"{len(elements(rows))} visual elements, {len(rows)} edges, {len(found)} problems\n")
    return 1 if found else 0


def _built(path: str) -> int:
    """Check a graph that is no edge list."""
    from tools.knowledge.checking.built import built_problems

    graph, found = built_problems(path)
    for problem in found:
        sys.stdout.write(f"{problem}\n")
    sys.stdout.write(f"{len(graph)} nodes, {graph.arrays.forward.entries} edges, {len(found)} problems\n")
    return 1 if found else 0
