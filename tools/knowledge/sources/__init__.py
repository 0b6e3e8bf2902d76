"""Where associations come from, behind one protocol: keywords in, references or sentences out.

Five come with the package: `graph` (a graph of metaphors), `texts` (plain retrieval over sentences),
`conceptnet` (ConceptNet's dump as a graph), `none`, and `self`, which stands for the interpreting model's own
associations and is asked for by a node. They are what the paper's Table 4 compares. Another is named as
`module:attribute`, or offered by an entry point, as our own are:

    [project.entry-points."metaphorboost.sources"]
    graph = "tools.knowledge.sources.graphs:graph_source"

What is named is a function of `SourceSettings` that gives a `KnowledgeSource`.
"""

from __future__ import annotations

from tools.knowledge.sources.installed import GROUP, installed_sources, open_source
from tools.knowledge.sources.protocol import Findings, KnowledgeSource, Passage, Query, SourceSettings

__all__ = [
    "GROUP",
    "Findings",
    "KnowledgeSource",
    "Passage",
    "Query",
    "SourceSettings",
    "installed_sources",
    "open_source",
]
