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
from tools.knowledge.reading import open_knowledge
from tools.knowledge.retrieving.budget import fit_references, reference_lines
from tools.knowledge.retrieving.lines import association_line, fit_lines
from tools.knowledge.retrieving.parity import retrieve_published
from tools.knowledge.retrieving.ranking import DEFAULT_MODE, MODES
from tools.knowledge.retrieving.retrieval import retrieve

__all__ = [
    "DEFAULT_MODE",
    "KINDS",
    "MODES",
    "Association",
    "Edge",
    "HopResult",
    "Link",
    "MetaphorGraph",
    "Reference",
    "association_line",
    "fit_lines",
    "fit_references",
    "open_knowledge",
    "reference_lines",
    "retrieve",
    "retrieve_published",
]
