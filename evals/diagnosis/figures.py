"""What the diagnoses of a run come to: counts a sample, shares of the kinds, rates; overall and by type.

A video is the unit: its epochs are averaged before anything is, and intervals resample videos.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agents.diagnoses import DeficiencyKind
from evals.diagnosis.mapping_score import RATES, Rate, SampleScore
from evals.diagnosis.records import DiagnosisRecord
from evals.statistics import ALL, Estimate, Floats, Interval, Resampling, estimate
from evals.statistics.ratings import in_order
from evals.statistics.shares import share_intervals, shares_of
from evals.store.records import Outcome

__all__ = ["KINDS", "PAPER", "KindFigure", "RunFigures", "TypeFigures", "figures_of", "video_counts"]

KINDS: tuple[DeficiencyKind, ...] = tuple(DeficiencyKind)

PAPER: dict[str, tuple[float, float, float, float]] = {
    "Gemini-3-Pro": (10.7, 27.9, 33.7, 27.7),
    "Qwen3-VL-8B-Thinking": (13.5, 28.1, 28.3, 30.1),
}
"""Shares of the kinds in percent, in the order of ``KINDS`` (paper, Table 3)."""


@dataclass(frozen=True, slots=True)
class KindFigure:
    """One kind of deficiency in a group of videos.

    Attributes:
        kind: which.
        count: of all samples together.
        mean: a sample, averaged over videos.
        share: of all deficiencies, in percent; None where there are none.
        interval: of the share, by video; None for fewer than five videos.
    """

    kind: DeficiencyKind
    count: int
    mean: Estimate
    share: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class TypeFigures:
    """A type of metaphor, or all videos.

    Attributes:
        name: the type's key, or ``All``.
        videos: that have a diagnosis.
        samples: diagnosed; epochs of them.
        faulty: samples with at least one deficiency.
        total: deficiencies a sample.
        kinds: in the paper's order.
        rates: of the score without a judge, 0 to 100.
    """

    name: str
    videos: int
    samples: int
    faulty: int
    total: Estimate
    kinds: tuple[KindFigure, ...]
    rates: dict[Rate, Estimate]


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run's diagnoses, summed up.

    Attributes:
        types: by type in the paper's order, all videos last.
        outcomes: samples that could not be diagnosed, by why.
        rejected: deficiencies that were dropped, since their evidence does not occur.
        corrected: those whose evidence was put right when it was asked for again.
        thoughtless: samples whose model gave no thinking: their steps and entries were read.
        shortened: samples whose transcript was too long to be shown whole.
        proxies: samples that no model judged.
    """

    types: tuple[TypeFigures, ...]
    outcomes: dict[str, int]
    rejected: int
    corrected: int
    thoughtless: int
    shortened: int
    proxies: int

    @property
    def overall(self) -> TypeFigures:
        """All videos."""
        return self.types[-1]


def figures_of(
    records: Iterable[DiagnosisRecord], scores: Iterable[SampleScore], how: Resampling | None = None
) -> RunFigures:
    """Sum up a run.

    Args:
        records: its diagnoses, failures included.
        scores: of its samples, without a judge.
        how: resamples, seed and level.
    """
    every = list(records)
    done = [each for each in every if each.diagnosis is not None]
    scored = list(scores)
    groups: dict[str, None] = {}
    for types in (*(each.types for each in done), *(each.types for each in scored)):
        groups |= dict.fromkeys(types)
    names = [*in_order(groups), ALL]
    known = [each.diagnosis for each in done if each.diagnosis]
    return RunFigures(
        types=tuple(_type(name, done, scored, how or Resampling()) for name in names),
        outcomes=dict(Counter(str(each.outcome) for each in every if each.outcome is not Outcome.OK)),
        rejected=sum(len(each.rejected) for each in known),
        corrected=sum(each.corrected for each in known),
        thoughtless=sum(not each.thinking for each in known),
        shortened=sum(each.left_out > 0 for each in known),
        proxies=sum(each.proxy for each in known),
    )


def _type(
    name: str, done: Sequence[DiagnosisRecord], scored: Sequence[SampleScore], how: Resampling
) -> TypeFigures:
    here = [each for each in done if name in (ALL, *each.types)]
    counts = video_counts(here)
    matrix = np.array(list(counts.values()), dtype=np.float64).reshape(len(counts), len(KINDS))
    shares = shares_of(matrix.sum(axis=0).tolist())
    intervals = share_intervals(matrix, how, f"{name}/share")
    kinds = tuple(
        KindFigure(
            kind,
            count=sum(each.diagnosis.count(kind) for each in here if each.diagnosis),
            mean=estimate(matrix[:, place], how, f"{name}/{kind}"),
            share=shares[place],
            interval=intervals[place],
        )
        for place, kind in enumerate(KINDS)
    )
    return TypeFigures(
        name=name,
        videos=len(counts),
        samples=len(here),
        faulty=sum(bool(each.diagnosis and each.diagnosis.count()) for each in here),
        total=estimate(matrix.sum(axis=1), how, f"{name}/total"),
        kinds=kinds,
        rates=_rates(name, [each for each in scored if name in (ALL, *each.types)], how),
    )


def video_counts(records: Iterable[DiagnosisRecord]) -> dict[str, tuple[float, ...]]:
    """Deficiencies of each kind a sample, by video, in the order of ids; epochs are averaged."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for record in records:
        if record.diagnosis is not None:
            each = tuple(record.diagnosis.count(kind) for kind in KINDS)
            found.setdefault(record.video_id, []).append(each)
    return {
        name: tuple(float(mean) for mean in np.mean(found[name], axis=0).tolist()) for name in sorted(found)
    }


def _rates(name: str, scored: Sequence[SampleScore], how: Resampling) -> dict[Rate, Estimate]:
    return {rate: estimate(_by_video(scored, rate), how, f"{name}/{rate}") for rate in RATES}


def _by_video(scored: Sequence[SampleScore], rate: Rate) -> Floats:
    found: dict[str, list[float]] = {}
    for each in scored:
        value = each.rate(rate)
        if value is not None:
            found.setdefault(each.key[0], []).append(value)
    means: Mapping[str, float] = {name: float(np.mean(found[name])) for name in sorted(found)}
    return np.array(list(means.values()), dtype=np.float64)
