"""The graph of metaphorical associations: read it, link keywords to it, walk it.

>>> from tools.knowledge import Edge, MetaphorGraph
>>> graph = MetaphorGraph([Edge("candle", "passing of time", ground="burns down as time passes")])
>>> graph.link("burning candles")[0]
Link(node='candle', score=0.76, how='suffix')
>>> graph.hop(["burning candles"]).associations[0].concept
'passing of time'
"""

from __future__ import annotations

from tools.knowledge.edges import KINDS, Association, Edge, HopResult, Link, Reference
from tools.knowledge.graph import MetaphorGraph
from tools.knowledge.lines import association_line, fit_lines
from tools.knowledge.reading import open_knowledge
from tools.knowledge.retrieval import retrieve_published

__all__ = [
    "KINDS",
    "Association",
    "Edge",
    "HopResult",
    "Link",
    "MetaphorGraph",
    "Reference",
    "association_line",
    "fit_lines",
    "open_knowledge",
    "retrieve_published",
]
