"""`export`: write a graph in another format."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.knowledge.commands.parsers import Subparsers

__all__ = ["add", "run"]


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("export", help="write a graph in another format")
    parser.add_argument("graph", help="a graph's name or path, such as starter")
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help=".json (as published), .graphml, .csv or .tsv, each also with .gz, or a folder to compile to",
    )


def run(args: argparse.Namespace) -> int:
    """Write the file, and tell what the format has no place for.

    Returns:
        0.

    Raises:
        KnowledgeError: if the graph can't be opened, or not be written in that format.
    """
    from tools.knowledge.formats.exporting import export_graph
    from tools.knowledge.reading import open_knowledge

    graph = open_knowledge(args.graph)
    left_out = export_graph(graph, args.out)
    edges = graph.arrays.forward.entries
    sys.stdout.write(f"{args.out}: {len(graph)} nodes, {edges} edges\n")
    if left_out:
        sys.stderr.write(f"{args.out}: the format has no place for {', '.join(left_out)}\n")
    return 0
