"""Data sets: what is evaluated, in one shape whatever its file.

``open_dataset`` takes the name of an installed set, a path, or ``module:attr``.
"""

from __future__ import annotations

from evals.datasets.gold import read_gold
from evals.datasets.opening import known_datasets, open_dataset
from evals.datasets.sample import UNKNOWN_TYPE, Dataset, Problem, Sample

__all__ = ["UNKNOWN_TYPE", "Dataset", "Problem", "Sample", "known_datasets", "open_dataset", "read_gold"]
