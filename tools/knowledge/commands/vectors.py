"""`vectors`: write the published embeddings of a graph's nodes as an array that is memory-mapped."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.knowledge.commands.parsers import Subparsers

__all__ = ["add", "run"]


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("vectors", help="write published embeddings (.pt) as a .npy")
    parser.add_argument("graph", help="the path of the graph that they are of")
    parser.add_argument("embeddings", type=Path, help="a .pt file of one tensor, a row a node")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="a .npy file")


def run(args: argparse.Namespace) -> int:
    """Write the file; nothing in the .pt is ever run.

    Returns:
        0.

    Raises:
        KnowledgeError: if the graph or the embeddings can't be read, or don't belong together.
    """
    from tools.knowledge.formats.tensors import write_vectors
    from tools.knowledge.reading import open_knowledge

    nodes = len(open_knowledge(args.graph))
    write_vectors(args.embeddings, nodes, args.out)
    sys.stdout.write(f"{args.out}: {nodes} rows\n")
    return 0
