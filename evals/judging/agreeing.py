"""The figures of agreement between a judge and people, by type and overall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.judging.humans import Scale
from evals.judging.matching import Matched, Unit, table, video_numbers
from evals.statistics.bootstrap import Floats, Resampling
from evals.statistics.pairing import ScorePairs, correlation_p
from evals.statistics.reliability import Reliability
from evals.statistics.weighing import Estimated, Weighted, estimated

__all__ = ["FIGURES", "Agreed", "Confusion", "agree", "judge_alpha"]

FIGURES = {
    "kappa": "quadratic weighted kappa",
    "error": "mean signed error (judge less people)",
    "alpha_humans": "Krippendorff's alpha, people",
    "alpha_all": "Krippendorff's alpha, judge and people",
    "alpha_judge": "Krippendorff's alpha, the judge's own judgements",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "pearson": "Pearson's r",
    "strict_agreement": "strict: share of like verdicts",
    "strict_kappa": "strict: Cohen's kappa",
    "strict_recall": "strict: judge says yes where people do",
    "strict_precision": "strict: people say yes where the judge does",
}
"""Titles by name, in the order shown. Alpha is ordinal."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Strict verdicts of both, counted.

    Attributes:
        both: both say yes.
        judge_only: the judge alone does.
        humans_only: people alone do.
        neither: both say no.
    """

    both: int
    judge_only: int
    humans_only: int
    neither: int

    @property
    def total(self) -> int:
        """Predictions with a strict verdict of both."""
        return self.both + self.judge_only + self.humans_only + self.neither


@dataclass(frozen=True, slots=True)
class Agreed:
    """One row: a type, or all.

    Attributes:
        name: the type's key, or ``All``.
        videos: how many.
        units: predictions: epochs of videos, where ratings tell epochs apart.
        figures: by the names of ``FIGURES``.
        p: of "no correlation", for Pearson; None where it isn't defined, or epochs of one video would be
            counted as if they were other videos.
        confusion: None where people's strict verdicts are not told.
    """

    name: str
    videos: int
    units: int
    figures: dict[str, Estimated]
    p: float | None
    confusion: Confusion | None


def agree(matched: Matched, how: Resampling | None = None, *, by_type: bool = True) -> list[Agreed]:
    """Figures by type, in the paper's order, and overall, last."""
    how = how or Resampling()
    return [_agreed(matched, name, units, how) for name, units in matched.groups(by_type=by_type).items()]


def _agreed(matched: Matched, name: str, units: Sequence[Unit], how: Resampling) -> Agreed:
    numbers = video_numbers([unit.video_id for unit in units])
    videos = int(numbers.max()) + 1 if len(units) else 0
    judge = np.array([unit.judge for unit in units], dtype=np.float64)
    people = np.array([unit.human for unit in units], dtype=np.float64)
    pairs = ScorePairs(judge, people)
    reasons = pairs.reasons("the judge", "people")
    if reasons and not (judge.max() == judge.min() == people.max() == people.min()):
        del reasons["kappa"]  # defined, and 0, unless both are the same constant
    reasons.pop("error", None)
    statistics: dict[str, Weighted] = dict(pairs.statistics)
    ratings = table(units)
    for key, each in (("alpha_humans", ratings), ("alpha_all", np.column_stack([ratings, judge]))):
        reliability = Reliability(each)
        statistics[key], reasons[key] = reliability.alpha, reliability.why
    figures = estimated(statistics, numbers, how, f"agreement/{name}", reasons)
    figures["alpha_judge"] = judge_alpha(units, matched.humans.scale, how, f"judge/{name}")
    strict, confusion = _strict(units, how, f"agreement/{name}")
    pearson = figures["pearson"].value
    p = correlation_p(pearson, videos) if pearson is not None and videos == len(units) else None
    ordered = {key: (figures | strict)[key] for key in FIGURES if key in figures or key in strict}
    return Agreed(name, videos, len(units), ordered, p, confusion)


def judge_alpha(units: Sequence[Unit], kind: Scale, how: Resampling, label: str) -> Estimated:
    """Alpha of the judgements that verdicts are means of: does the judge agree with itself?"""
    records = {(one.video_id, one.epoch): one for unit in units for one in unit.records}
    rows = [(key[0], one.judgements.get(kind, ())) for key, one in sorted(records.items())]
    most = max((len(scores) for _, scores in rows), default=0)
    if most < 2:  # noqa: PLR2004
        return Estimated(None, why="one judgement a verdict" if most else "single judgements are not told")
    ratings = np.full((len(rows), most), np.nan)
    for place, (_, scores) in enumerate(rows):
        ratings[place, : len(scores)] = scores
    reliability = Reliability(ratings)
    numbers = video_numbers([video_id for video_id, _ in rows])
    found = estimated({"alpha": reliability.alpha}, numbers, how, label, {"alpha": reliability.why})
    return found["alpha"]


def _strict(
    units: Sequence[Unit], how: Resampling, label: str
) -> tuple[dict[str, Estimated], Confusion | None]:
    told = [unit for unit in units if unit.human_strict is not None]
    if not told:
        return {}, None
    judge = np.array([unit.judge_strict for unit in told], dtype=np.float64)
    people = np.array([unit.human_strict for unit in told], dtype=np.float64)
    both, neither = judge * people, (1 - judge) * (1 - people)
    confusion = Confusion(
        *(int(each.sum()) for each in (both, judge * (1 - people), (1 - judge) * people, neither))
    )
    statistics: dict[str, Weighted] = {
        "strict_agreement": lambda weights: _share(weights, both + neither, np.ones(len(told))),
        "strict_kappa": ScorePairs(judge, people).kappa,
        "strict_recall": lambda weights: _share(weights, both, people),
        "strict_precision": lambda weights: _share(weights, both, judge),
    }
    reasons = {
        "strict_kappa": "all strict verdicts of both are alike",
        "strict_recall": "people call nothing strict",
        "strict_precision": "the judge calls nothing strict",
    }
    numbers = video_numbers([unit.video_id for unit in told])
    return estimated(statistics, numbers, how, f"{label}/strict", reasons), confusion


def _share(weights: Floats, part: Floats, whole: Floats) -> Floats:
    total = weights @ whole
    return np.divide(weights @ part, total, out=np.full(len(weights), np.nan), where=total > 0)
