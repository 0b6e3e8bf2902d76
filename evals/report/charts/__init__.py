"""Charts as inline SVG: shapes with classes, so that the page's colours, light or dark, are theirs too."""

from __future__ import annotations

from evals.report.charts.bars import bars
from evals.report.charts.deficiencies import DeficiencyBar, deficiencies
from evals.report.charts.distribution import distribution
from evals.report.charts.effort import Effort, effort
from evals.report.charts.radar import radar
from evals.report.charts.whisker import whisker

__all__ = ["DeficiencyBar", "Effort", "bars", "deficiencies", "distribution", "effort", "radar", "whisker"]
