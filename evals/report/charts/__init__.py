"""Charts as inline SVG: shapes with classes, so that the page's colours, light or dark, are theirs too."""

from __future__ import annotations

from evals.report.charts.bars import bars
from evals.report.charts.counts import Count, counts
from evals.report.charts.deficiencies import STYLES, DeficiencyBar, deficiencies
from evals.report.charts.distribution import distribution
from evals.report.charts.effort import Effort, common_currency, effort
from evals.report.charts.ladder import Dot, Rung, ladder
from evals.report.charts.radar import radar, web
from evals.report.charts.whisker import whisker

__all__ = [
    "STYLES",
    "Count",
    "DeficiencyBar",
    "Dot",
    "Effort",
    "Rung",
    "bars",
    "common_currency",
    "counts",
    "deficiencies",
    "distribution",
    "effort",
    "ladder",
    "radar",
    "web",
    "whisker",
]
