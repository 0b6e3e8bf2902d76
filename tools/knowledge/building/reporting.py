"""The report of a build: as data for `report.json`, as lines for a person."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.knowledge.building.pairs import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.knowledge.building.assembling import Assembled
    from tools.knowledge.building.building import BuildOptions
    from tools.knowledge.building.gathering import Gathered
    from tools.knowledge.building.merging import Concepts, Merge
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["components", "report_lines", "report_of"]

_HUBS = 20
#: Characters of a name.
_SHOWN = 60


def report_of(  # noqa: PLR0913, PLR0917
    gathered: Gathered,
    concepts: Concepts,
    made: Assembled,
    graph: MetaphorGraph,
    options: BuildOptions,
    audit: Iterable[Merge],
) -> dict[str, Any]:
    """Everything that can be counted; the same for the same rows in any order."""
    reasons = Counter(row.reason for row in gathered.rejected)
    merged = Counter(_kind_of(merge.why) for merge in audit)
    parts = components(graph)
    licences: Counter[str] = Counter()
    for (licence, _), count in made.licences.items():
        licences[licence] += count
    return {
        "name": options.name,
        "digest": graph.digest,
        "options": _options(options),
        "rows": dict(sorted(gathered.rows.items())),
        "pairs": sum(gathered.usable.values()),
        "rejected": {reason: reasons[reason] for reason in REASONS if reasons[reason]},
        "merged": dict(sorted(merged.items())),
        "counts": {
            "edges": made.counted,
            "repeats": made.repeats,
            "one_concept": made.same,
            "below_min_count": made.rare,
            "dropped_licences": dict(sorted(gathered.left_out.items())),
        },
        "dropped": sorted(gathered.dropping),
        "not_met": {
            "licence-of": sorted(options.licences.of_datasets.keys() - gathered.datasets),
            "keep": sorted(options.overrule.keep - concepts.node.keys()),
            "merge-list": sorted(options.overrule.merges.keys() - concepts.node.keys()),
        },
        "nodes": len(graph),
        "edges": len(made.edges),
        "edges_below_min_count": made.rare_edges,
        "other_names": len(graph.others),
        "components": len(parts),
        "largest_component": max(parts, default=0),
        "kinds": dict(sorted(Counter(edge.kind for edge in made.edges).items())),
        "licences": dict(sorted(licences.items())),
        "datasets": {
            f"{dataset} ({licence})": count
            for (licence, dataset), count in sorted(made.licences.items(), key=lambda item: item[0][::-1])
        },
        "top_sources": _top(edge.source for edge in made.edges),
        "top_targets": _top(edge.target for edge in made.edges),
    }


def report_lines(report: dict[str, Any]) -> Iterator[str]:
    """The report as a person reads it."""
    rows, rejected, counts = report["rows"], report["rejected"], report["counts"]
    yield f"rows        {sum(rows.values()):>10,}   {', '.join(f'{name} {n:,}' for name, n in rows.items())}"
    yield f"rejected    {sum(rejected.values()):>10,}"
    for reason, number in rejected.items():
        yield f"  {reason:<10}{number:>10,}   {REASONS[reason]}"
    yield f"merged names{sum(report['merged'].values()):>10,}"
    for why, number in report["merged"].items():
        yield f"            {number:>10,}   {why}"
    largest = f"{report['components']:,} components, the largest of {report['largest_component']:,}"
    yield f"nodes       {report['nodes']:>10,}   {largest}"
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in report["kinds"].items())
    yield f"edges       {report['edges']:>10,}   {kinds}"
    yield f"counts      {counts['edges']:>10,}"
    for key, words in _LEFT_OUT.items():
        if counts[key]:
            yield f"            {counts[key]:>10,}   {words}"
    for licence, number in counts["dropped_licences"].items():
        yield f"            {number:>10,}   more left out with the licence {licence}"
    licences = (f"{licence} {number:,}" for licence, number in report["licences"].items())
    yield f"licences    {', '.join(licences)}"
    for key, words in (("top_sources", "from"), ("top_targets", "to")):
        hubs = ", ".join(f"{name[:_SHOWN]} {number:,}" for name, number in list(report[key].items())[:10])
        yield f"most edges {words} {hubs}"


_LEFT_OUT = {
    "repeats": "more said again what the same text says",
    "one_concept": "more joined a concept to itself",
    "below_min_count": "more belong to edges below --min-count",
}


def components(graph: MetaphorGraph) -> list[int]:
    """The sizes of the parts that no edge joins, the largest first."""
    forward = graph.arrays.forward
    parent = list(range(len(graph)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    sources = np.repeat(np.arange(len(graph)), np.diff(forward.indptr)).tolist()
    for source, target in zip(sources, forward.indices.tolist(), strict=True):
        one, other = root(source), root(target)
        if one != other:
            parent[max(one, other)] = min(one, other)
    return sorted(Counter(map(root, range(len(graph)))).values(), reverse=True)


def _kind_of(why: str) -> str:
    """A merge's reason without its figures."""
    return re.sub(r" \(.*\)", "", why)


def _top(names: Iterable[str]) -> dict[str, int]:
    found = Counter(names)
    return {name: found[name] for name in sorted(found, key=lambda name: (-found[name], name))[:_HUBS]}


def _options(options: BuildOptions) -> dict[str, Any]:
    return {
        "columns": dict(sorted(options.columns.items())),
        "licence_of": dict(sorted(options.licences.of_datasets.items())),
        "drop_licence": sorted(options.licences.drop),
        "keep": len(options.overrule.keep),
        "merge_list": len(options.overrule.merges),
        "max_words": options.most_words,
        "min_count": options.least_count,
        "grounds": "edge" if options.ground_edges else "note",
        "embeddings": options.embedder.name if options.embedder else None,
        "near": options.near if options.embedder else None,
    }
