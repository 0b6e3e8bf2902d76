"""Builds a graph: reads, merges, assembles, and writes it with the account of what was done.

What is written depends on the rows, their files' names and the options alone, not on the order of files or
rows, the time, the folder, or how often a build was stopped before.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.building.assembling import Assembled, assemble
from tools.knowledge.building.cleaning import MOST_WORDS
from tools.knowledge.building.columns import Columns
from tools.knowledge.building.gathering import Gathered, Gatherer
from tools.knowledge.building.licences import Licences
from tools.knowledge.building.merging import Concepts, Overrule, merge_forms
from tools.knowledge.building.nearness import NEAR, embedded, near_synonyms, neighbours_of
from tools.knowledge.building.progress import Progress
from tools.knowledge.building.reading import named, read_pairs
from tools.knowledge.building.reporting import report_of
from tools.knowledge.building.writing import refuse, write_built
from tools.knowledge.engine.collector import collector_paused
from tools.knowledge.graph import MetaphorGraph
from tools.knowledge.linking.chinese import has_han
from tools.knowledge.linking.other_names import OtherName
from tools.knowledge.retrieving.synonyms import nearest_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.knowledge.embedding.embedders import Embedder
    from tools.knowledge.retrieving.synonyms import Synonym

__all__ = ["BuildOptions", "Built", "build_graph"]

#: Rows between two steps of progress.
_STEP = 50_000


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """What a build is told.

    Attributes:
        name: of the graph.
        columns: by role, for tables whose columns have other names.
        licences: which are known, and which are left out.
        overrule: merges that the user wants, and those that they don't.
        most_words: that a name may have.
        least_count: edges found less often are left out.
        ground_edges: whether a ground that is a concept is what the source stands for too.
        embedder: finds near-synonyms, and the synonym edges of the graph; without it there are none.
        near: cosine from which two names may be one.
    """

    name: str = "built"
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    licences: Licences = field(default_factory=Licences)
    overrule: Overrule = field(default_factory=Overrule)
    most_words: int = MOST_WORDS
    least_count: int = 1
    ground_edges: bool = True
    embedder: Embedder | None = None
    near: float = NEAR


@dataclass(frozen=True)
class Built:
    """What a build made.

    Attributes:
        folder: where the graph is.
        report: the contents of `report.json`.
    """

    folder: Path
    report: dict[str, Any]


def build_graph(
    paths: Sequence[str | Path], out: str | Path, options: BuildOptions, progress: Progress | None = None
) -> Built:
    """Build a graph from files of pairs.

    Args:
        paths: .csv, .tsv, .jsonl, .ndjson and .json files, each also as .gz.
        out: the folder to write; one that holds a compiled graph is replaced.
        options: what the build is told.
        progress: is told how far it is.

    Raises:
        KnowledgeError: if a file can't be read or has no row that can be used, if no edge is left, if the
            folder holds something else or can't be written, or another process is writing it.
    """
    told = progress or Progress(quiet=True)
    folder = Path(out).expanduser()
    refuse(folder)
    files = named(paths)
    with collector_paused():
        gathered = _gathered(files, options, told)
        concepts = _concepts(gathered, options, told)
        told.stage("joining", len(gathered.evidence))
        made = assemble(gathered.evidence, concepts.node, options.least_count)
        gathered.rejected = sorted([*gathered.rejected, *set(made.rejected)])
        if not made.edges:
            raise KnowledgeError(_nothing(gathered, made))
        graph = MetaphorGraph(
            made.edges,
            nodes=sorted({name for edge in made.edges for name in edge[:2]}),
            name=options.name,
            others=_others(made, concepts),
        )
        synonyms = _synonyms(graph, options, told)
        audit = concepts.audit(gathered.wordings)
        gathered.wordings.clear()
        report = report_of(gathered, concepts, made, graph, options, audit)
        told.stage("writing", len(made.edges))
        try:
            write_built(folder, graph, report, audit, gathered.rejected, synonyms)
        except (OSError, sqlite3.Error) as error:
            msg = f"{folder}: can't be written: {error}."
            raise KnowledgeError(msg) from error
    told.done()
    return Built(folder, report)


def _gathered(files: Mapping[str, Path], options: BuildOptions, told: Progress) -> Gathered:
    gatherer = Gatherer(options.licences, most_words=options.most_words, ground_edges=options.ground_edges)
    columns = Columns(options.columns)
    for name, file in files.items():
        told.stage(f"reading {name}")
        before = len(gatherer.gathered.rejected)
        for number, row in enumerate(read_pairs(file, name, columns), 1):
            gatherer.take(row)
            if number % _STEP == 0:
                told.at(number)
        first = min(gatherer.gathered.rejected[before:], default=None)
        if not gatherer.gathered.usable[name]:
            rows = gatherer.gathered.rows[name]
            why = f"none of its {rows} rows can be used; the first: {first}" if first else "it has no rows"
            msg = f"{file}: {why}."
            raise KnowledgeError(msg)
    if unmet := columns.unmet():
        msg = f"--columns {','.join(unmet)}: no file has such a column."
        raise KnowledgeError(msg)
    return gatherer.gathered


def _concepts(gathered: Gathered, options: BuildOptions, told: Progress) -> Concepts:
    counts: Counter[str] = _by_form(gathered)
    told.stage("merging", len(counts))
    embedder = options.embedder
    if embedder is None:
        return merge_forms(counts, options.overrule)

    def alike(nodes: Counter[str], node: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        joined = ((node[piece.source], node[piece.target]) for piece in gathered.evidence)
        kept_apart = {node.get(form, form) for form in options.overrule.keep}
        return near_synonyms(
            nodes,
            neighbours_of(joined),
            embedder,
            least=options.near,
            apart_from_all=kept_apart,
            progress=lambda done, of: told.at(done, of, "names embedded"),
        )

    return merge_forms(counts, options.overrule, alike)


def _by_form(gathered: Gathered) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (_, form), count in gathered.wordings.items():
        counts[form] += count
    return counts


def _others(made: Assembled, concepts: Concepts) -> list[OtherName]:
    """Forms that were merged by meaning or by the user's word: other names by which their node is found."""
    there = {name for edge in made.edges for name in edge[:2]}
    return [
        OtherName(node, form, "zh" if has_han(form) else "en", "synonym")
        for form, node in sorted(concepts.node.items())
        if node in there and form not in there and concepts.why.get(form, "")[:5] in {"near-", "merge"}
    ]


def _synonyms(graph: MetaphorGraph, options: BuildOptions, told: Progress) -> list[Synonym] | None:
    """Pairs of nodes near in meaning, for walks to pass between; None without an embedder."""
    if options.embedder is None:
        return None
    english_only = getattr(options.embedder, "english_only", False)
    names = [name for name in graph.nodes if not (english_only and has_han(name))]
    told.stage("joining near names", len(names))
    vectors = embedded(names, options.embedder, lambda done, of: told.at(done, of, "names embedded"))
    return nearest_names(names, vectors)


def _nothing(gathered: Gathered, made: Assembled) -> str:
    causes = [
        f"{sum(gathered.left_out.values())} by --drop-licence ({', '.join(sorted(gathered.left_out))})"
        if gathered.left_out
        else "",
        f"{made.rare} by --min-count" if made.rare else "",
        f"{made.same} whose source and target are one concept" if made.same else "",
    ]
    return f"no edge is left: of the pairs' counts are left out {'; '.join(filter(None, causes)) or 'none'}."
