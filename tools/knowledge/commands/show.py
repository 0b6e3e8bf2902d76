"""`show`: draw what surrounds something, as a page, an image, or SVG."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.commands.parsers import positive
from tools.knowledge.formats.files import writing
from tools.knowledge.reading import STARTER

if TYPE_CHECKING:
    from tools.knowledge.commands.parsers import Subparsers
    from tools.knowledge.drawing import Picture
    from tools.knowledge.edges import HopResult

__all__ = ["add", "run"]

_ENDINGS = (".html", ".png", ".svg")
_MOST_ELEMENTS = 200


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("show", help="draw what surrounds something: a page, an image, or SVG")
    parser.add_argument("concepts", nargs="+", help="names, such as candle or 'wilting flower'")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help=".html, .png or .svg")
    parser.add_argument("--hops", type=int, default=2, choices=(1, 2, 3), help="steps away (default: 2)")
    parser.add_argument(
        "--limit", type=_few, default=40, metavar="N", help="elements around them at most (default: 40)"
    )
    parser.add_argument("--graph", default=STARTER, help="a graph's name or path (default: starter)")
    parser.add_argument("--dark", action="store_true", help="light on dark, for .png (others adapt)")


def run(args: argparse.Namespace) -> int:
    """Write the picture.

    Returns:
        0 when it was written, 1 when nothing was found to draw.

    Raises:
        KnowledgeError: if the graph can't be opened, or the picture not be written.
    """
    from tools.knowledge.commands.hints import readings, unknowns
    from tools.knowledge.drawing import around
    from tools.knowledge.reading import open_knowledge

    ending = args.out.suffix.lower()
    if ending not in _ENDINGS:
        msg = f"{args.out}: {ending or 'no ending'} is not a format of a picture; give {', '.join(_ENDINGS)}."
        raise KnowledgeError(msg)
    picture, result = around(open_knowledge(args.graph), args.concepts, args.hops, args.limit)
    for line in [*readings(result.linked), *unknowns(result.unknown)]:
        sys.stderr.write(f"{line}\n")
    if not picture.elements:
        return 1
    content = _drawn(picture, result, ending, args)
    with writing(args.out) as file:
        file.write(content)
    more = f", {picture.left_out} more not drawn" if picture.left_out else ""
    counts = f"{len(picture.elements)} elements, {len(picture.associations)} associations{more}"
    sys.stdout.write(f"{args.out}: {counts}\n")
    return 0


def _drawn(picture: Picture, result: HopResult, ending: str, args: argparse.Namespace) -> bytes:
    from tools.knowledge.drawing import html, png, svg

    if ending == ".png":
        return png(picture, dark=args.dark)
    if ending == ".svg":
        return svg(picture).encode()
    few = len(picture.elements) - len(set(result.linked.values()))
    steps = "one step" if args.hops == 1 else f"{args.hops} steps"
    more = f" of {few + picture.left_out:,}" if picture.left_out else ""
    summary = f"{few}{more} concepts and things up to {steps} away in the graph {Path(args.graph).name}"
    return html(picture, summary).encode()


def _few(text: str) -> int:
    """A number of elements that can be told apart in a picture."""
    number = positive(text)
    if number > _MOST_ELEMENTS:
        msg = f"{text}: more than {_MOST_ELEMENTS} can't be told apart; ask about fewer, or narrower"
        raise argparse.ArgumentTypeError(msg)
    return number
