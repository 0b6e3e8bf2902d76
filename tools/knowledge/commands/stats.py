"""`stats`: what a graph is made of, in numbers."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from tools.knowledge.reading import STARTER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tools.knowledge.commands.parsers import Subparsers
    from tools.knowledge.statistics import Degrees, Statistics

__all__ = ["add", "run"]

_BAR = 30
#: Rows of a table; the rest is summed up.
_MOST = 30
#: Sizes of parts that are told.
_PARTS = 4


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("stats", help="what a graph is made of, in numbers")
    parser.add_argument("graph", nargs="?", default=STARTER, help="a graph's name or path (default: starter)")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the counts.

    Returns:
        0.

    Raises:
        KnowledgeError: if the graph can't be opened.
    """
    from tools.knowledge.reading import open_knowledge
    from tools.knowledge.statistics import statistics

    counted = statistics(open_knowledge(args.graph))
    if args.json:
        sys.stdout.write(json.dumps(asdict(counted), indent=1) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(counted)) + "\n")
    return 0


def _lines(counted: Statistics) -> Iterator[str]:
    direction = "without directions" if counted.symmetric else "from what is seen to what it stands for"
    yield f"{counted.name} ({counted.digest[:12]}), edges {direction}"
    yield f"{counted.nodes:,} nodes, {counted.edges:,} edges, {counted.names:,} other names"
    if not counted.symmetric:
        yield f"{counted.elements:,} elements that only stand for others, {counted.concepts:,} concepts"
    yield _orphans(counted)
    yield _components(counted.components)
    degrees = {"edges of a node": counted.out_degrees}
    if not counted.symmetric:
        degrees = {"leaving a node": counted.out_degrees, "arriving at a node": counted.in_degrees}
    for title, told in degrees.items():
        yield from ("", title, *_degrees(told))
    yield from _table("kinds", counted.kinds)
    yield from _table("cultures", counted.cultures)
    yield from _table("from", counted.provenances)
    if counted.sentences:
        yield from _table(f"licences of {counted.sentences:,} sentences", counted.licences)
    yield from _table("hubs, by edges that arrive", counted.hubs)


def _orphans(counted: Statistics) -> str:
    if not counted.orphans:
        return "no node without an edge"
    some = ", ".join(counted.orphan_names)
    more = ", ..." if counted.orphans > len(counted.orphan_names) else ""
    return f"{counted.orphans:,} nodes without an edge: {some}{more}"


def _components(sizes: list[int]) -> str:
    if len(sizes) < 2:  # noqa: PLR2004 - a graph that hangs together
        return "all of it hangs together"
    told = ", ".join(f"{size:,}" for size in sizes[:_PARTS])
    more = f" and {len(sizes) - _PARTS:,} more" if len(sizes) > _PARTS else ""
    return f"{len(sizes):,} parts that no edge joins, of {told} nodes{more}"


def _degrees(degrees: Degrees) -> Iterator[str]:
    from tools.knowledge.commands.columns import aligned

    names = {"0.0": "least", "0.5": "median", "1.0": "most"}
    levels = degrees.quantiles.items()
    told = ", ".join(f"{names.get(share, f'{float(share):.0%}')} {level}" for share, level in levels)
    yield f"  mean {degrees.mean:.2f}; {told}"
    largest = max(degrees.counts.values(), default=0)
    rows = [[span, f"{count:,}", "#" * -(-count * _BAR // largest)] for span, count in degrees.counts.items()]
    yield from _indented(aligned(rows, right=frozenset({0, 1})) if rows else [])


def _table(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    from tools.knowledge.commands.columns import aligned

    if not counts:
        return
    items = list(counts.items())
    rows = [[f"{count:,}", name or "not told"] for name, count in items[:_MOST]]
    if rest := items[_MOST:]:
        rows.append([f"{sum(count for _, count in rest):,}", f"in {len(rest)} more"])
    yield from ("", title)
    yield from _indented(aligned(rows, right=frozenset({0})))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
