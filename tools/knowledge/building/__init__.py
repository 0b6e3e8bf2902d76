"""Builds a graph from pairs of what is seen and what is meant; `python -m tools.knowledge build`.

reading -> cleaning -> merging -> assembling -> writing; each step can be audited by what it leaves in the
folder: `rejected.jsonl`, `merges.tsv`, `report.json`.
"""

from __future__ import annotations

from tools.knowledge.building.building import BuildOptions, Built, build_graph

__all__ = ["BuildOptions", "Built", "build_graph"]
