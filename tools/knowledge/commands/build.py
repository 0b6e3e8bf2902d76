"""`build`: make a graph from pairs of what is seen and what is meant."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.commands.parsers import positive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.knowledge.building import BuildOptions
    from tools.knowledge.commands.parsers import Subparsers

__all__ = ["add", "run"]

_EPILOG = """\
pairs:
  .csv, .tsv        the first line names the columns: source (or vehicle, image, symbol), target (tenor,
                    concept, meaning), and where you have them ground, kind, culture, count, weight,
                    sentence, translation, dataset, licence; others are passed over
  .jsonl, .ndjson   a line is an object with such names, as extract writes them, or an array
                    [source, target, count, [data sets]]
  .json             a list of these, or CMDAG's layout (tenor_1, vehicle_1, ground_1, ..., final_tenor, ...)
  any of them gzipped (.gz), and mixed

in DIR, beside the graph:
  merges.tsv        every name that became another: kept, merged, why, counts. Strike lines out with --keep,
                    add your own with --merge-list
  rejected.jsonl    every row that was not used, with file, line and reason
  report.json       counts of all of it, licences, components, hubs

An edge's weight is (1 - 0.7 ** (log2(1 + count) + datasets - 1)) * (1 - 0.5 * 0.5 ** others), where others
are further sources of the same target: 0.15 for what was found once and nowhere else, 0.3 for a target that
much stands for, 0.65 for three times in two data sets. A text counts once. A weight that a row states is the
least. The order of rows and files does not matter, and the same pairs make the same bytes.
"""


def add(subparsers: Subparsers) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser(
        "build",
        help="make a graph from pairs of what is seen and what is meant",
        description="Make a graph from pairs of what is seen and what is meant.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pairs", nargs="+", metavar="PAIRS", help="files of pairs")
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="folder of the graph; an older one is replaced"
    )
    parser.add_argument("--name", default="built", help="what the graph is called (default: built)")
    parser.add_argument(
        "--columns", default="", metavar="ROLE=COLUMN,...", help="such as source=vehicle,target=tenor"
    )
    parser.add_argument(
        "--grounds",
        choices=("edge", "note"),
        default="edge",
        help="edge: a ground of up to three words (no pronoun, no auxiliary) is also what its source stands "
        "for; note: grounds only explain (default: edge)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")
    _add_what_is_left_out(parser.add_argument_group("left out"))
    _add_merging(parser.add_argument_group("merged"))


def _add_what_is_left_out(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--max-words",
        type=positive,
        default=5,
        metavar="N",
        help="words of a name; longer ones are clauses that nothing else shares, so they are left out. Two "
        "Chinese characters are a word (default: 5)",
    )
    group.add_argument(
        "--min-count",
        type=positive,
        default=1,
        metavar="N",
        help="leave out edges found less often (default: 1)",
    )
    group.add_argument(
        "--drop-licence",
        nargs="+",
        action="extend",
        default=[],
        metavar="LICENCE",
        help="leave out what stands under it ('CC BY-NC*', 'unknown'); edges with other evidence stay",
    )
    group.add_argument(
        "--licence-of",
        action="append",
        default=[],
        metavar="DATASET=LICENCE",
        help="licence of a data set's rows that don't tell theirs; repeatable",
    )


def _add_merging(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--embeddings",
        metavar="E",
        help="merge near-synonyms too, and join near names by synonym edges: embedded, openai:NAME or "
        "module:attribute. Merged is what is near by cosine, shares a neighbour in the pairs, and is not set "
        "against each other (opposites, negations, numbers, colors)",
    )
    group.add_argument("--embeddings-base-url", metavar="U", help="OpenAI-compatible server")
    group.add_argument(
        "--near", type=_cosine, metavar="C", help="cosine from which names are near (default: 0.86)"
    )
    group.add_argument("--keep", type=Path, metavar="FILE", help="names, one a line, that no merge may touch")
    group.add_argument(
        "--merge-list",
        type=Path,
        metavar="FILE",
        help="kept<TAB>merged a line, as in merges.tsv: merged at any rate",
    )


def run(args: argparse.Namespace) -> int:
    """Build, and print the report.

    Returns:
        0, or 130 when interrupted.

    Raises:
        KnowledgeError: if an input or an option can't be used; nothing is written then.
    """
    from tools.knowledge.building import build_graph
    from tools.knowledge.building.progress import Progress
    from tools.knowledge.building.reporting import report_lines

    options = _options(args)
    try:
        built = build_graph(args.pairs, args.out, options, Progress(quiet=args.quiet))
    except KeyboardInterrupt:
        sys.stderr.write(f"\nstopped; {args.out} is as it was\n")
        return 130
    for line in report_lines(built.report):
        sys.stdout.write(f"{line}\n")
    for warning in _warnings(built.report, options):
        sys.stderr.write(f"{warning}\n")
    sys.stdout.write(
        f"{built.folder}: written; look with python -m tools.knowledge hop NAME --graph {built.folder}\n"
    )
    return 0


def _options(args: argparse.Namespace) -> BuildOptions:
    from tools.knowledge.building import BuildOptions
    from tools.knowledge.building.columns import parse_columns
    from tools.knowledge.building.licences import Licences, parse_licences
    from tools.knowledge.building.merging import read_overrule
    from tools.knowledge.building.nearness import NEAR
    from tools.knowledge.embedding.embedders import open_embedder

    if not args.embeddings and (args.near is not None or args.embeddings_base_url):
        msg = "--near and --embeddings-base-url go with --embeddings; say which embedder."
        raise KnowledgeError(msg)
    licences = Licences(parse_licences(args.licence_of), tuple(args.drop_licence))
    return BuildOptions(
        name=args.name,
        columns=parse_columns(args.columns),
        licences=licences,
        overrule=read_overrule(args.keep, args.merge_list),
        most_words=args.max_words,
        least_count=args.min_count,
        ground_edges=args.grounds == "edge",
        embedder=open_embedder(args.embeddings, base_url=args.embeddings_base_url)
        if args.embeddings
        else None,
        near=NEAR if args.near is None else args.near,
    )


def _warnings(report: dict[str, Any], options: BuildOptions) -> Iterator[str]:
    """What is not known, and what was asked for without effect."""
    unknown = [name for name in report["datasets"] if name.endswith("(unknown)")]
    if unknown:
        names = [name.removesuffix(" (unknown)") for name in unknown]
        told = f"{report['licences']['unknown']:,} counts stand under no licence that is told"
        yield f"{told}: say --licence-of {names[0]}=... ({', '.join(names)})"
    for pattern in sorted(set(options.licences.drop) - set(report["dropped"])):
        yield f"--drop-licence {pattern}: nothing stands under it"
    for option, names in report["not_met"].items():
        if names:
            yield f"--{option}: not in the pairs: {len(names)} ({', '.join(names[:5])})"


def _cosine(text: str) -> float:
    """A cosine above 0, as an argument's type."""
    try:
        cosine = float(text)
    except ValueError:
        cosine = 0.0
    if not 0 < cosine <= 1:
        msg = f"{text}: give a number above 0 and up to 1"
        raise argparse.ArgumentTypeError(msg)
    return cosine
