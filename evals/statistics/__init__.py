"""What scores mean: intervals by video, differences between systems, and what could be seen at all.

``mean_interval``, ``bootstrap``, ``compare_paired`` and ``holm`` take plain arrays, one value a video, of
whatever was measured. ``read_systems``, ``summarise`` and ``compare_all`` apply them to runs.
"""

from __future__ import annotations

from evals.statistics.bootstrap import Floats, Interval, Resampling, bootstrap, mean_interval
from evals.statistics.comparing import Choice, Comparison, Pairing, compare_all, pairs_of
from evals.statistics.corrections import holm
from evals.statistics.paired import Paired, compare_paired, detectable
from evals.statistics.ratings import ALL, Ratings, RatingsBuilder, Score
from evals.statistics.reading import System, of_records, read_systems, with_types
from evals.statistics.reducers import Failures, Reducer, video_values
from evals.statistics.signs import sign_test, signed_rank_test
from evals.statistics.summaries import Estimate, Summary, estimate, summarise

__all__ = [
    "ALL",
    "Choice",
    "Comparison",
    "Estimate",
    "Failures",
    "Floats",
    "Interval",
    "Paired",
    "Pairing",
    "Ratings",
    "RatingsBuilder",
    "Reducer",
    "Resampling",
    "Score",
    "Summary",
    "System",
    "bootstrap",
    "compare_all",
    "compare_paired",
    "detectable",
    "estimate",
    "holm",
    "mean_interval",
    "of_records",
    "pairs_of",
    "read_systems",
    "sign_test",
    "signed_rank_test",
    "summarise",
    "video_values",
    "with_types",
]
