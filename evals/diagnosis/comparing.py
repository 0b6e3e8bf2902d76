"""Two diagnosed runs on the same videos: fewer of which kind (paper, Figure 7), and by more than chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents.diagnoses import DeficiencyKind
from evals.diagnosis.figures import KINDS, video_counts
from evals.diagnosis.mapping_score import RATES, SampleScore
from evals.diagnosis.records import DiagnosisRecord
from evals.statistics import Floats, Paired, Resampling, compare_paired, holm

__all__ = ["Difference", "Differences", "compare_runs"]

_SURE = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of a run less that of the base, over the videos that both have.

    Attributes:
        name: a kind, ``total``, or a rate.
        paired: the figures; ``wins`` are videos where the run has *more*, ``losses`` where it has fewer.
        p_holm: p corrected over the four kinds; None for other figures.
    """

    name: str
    paired: Paired
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Differences:
    """All of two runs.

    Attributes:
        base: what is compared with.
        other: what is compared.
        kinds: deficiencies a sample, in the paper's order.
        total: of all kinds; None without a common video.
        rates: of the score without a judge, in points.
        left_out: videos that only one of them has a diagnosis of.
        doubts: why the comparison may be worthless.
    """

    base: str
    other: str
    kinds: tuple[Difference, ...]
    total: Difference | None
    rates: tuple[Difference, ...]
    left_out: int
    doubts: tuple[str, ...]

    @property
    def finding(self) -> str:
        """What the four kinds show, in a sentence."""
        if not self.kinds:
            return f"{self.other} and {self.base} have no diagnosed video in common{self._rated}."
        sure = [each for each in self.kinds if each.p_holm is not None and each.p_holm < _SURE]
        fewer = [each.name.replace("_", " ") for each in sure if each.paired.difference < 0]
        more = [each.name.replace("_", " ") for each in sure if each.paired.difference > 0]
        n = self.kinds[0].paired.n
        said = [f"fewer {', '.join(fewer)}"] if fewer else []
        said += [f"more {', '.join(more)}"] if more else []
        left = f" {self.left_out} videos are in one of them only, and left out." if self.left_out else ""
        if not said:
            return (
                f"On {n} common videos no difference between {self.other} and {self.base} is shown: "
                f"for no kind is p below .05 after Holm's correction.{left}"
            )
        return (
            f"On {n} common videos, {self.other} shows {' and '.join(said)} "
            f"(p below .05 after Holm's correction).{left}"
        )

    @property
    def _rated(self) -> str:
        """What is compared where nothing was diagnosed."""
        if not self.rates:
            return ""
        return ": compared is what was recognized, reached and used, where more is better, in points"


def compare_runs(
    names: tuple[str, str],
    diagnoses: tuple[Sequence[DiagnosisRecord], Sequence[DiagnosisRecord]],
    scores: tuple[Sequence[SampleScore], Sequence[SampleScore]],
    how: Resampling | None = None,
) -> Differences:
    """Compare two runs: paired bootstrap and sign test, with Holm's correction over the four kinds.

    Args:
        names: of base and other.
        diagnoses: of both; failures are left out.
        scores: of both, without a judge.
        how: resamples, seed and level.
    """
    base, other = (video_counts(each) for each in diagnoses)
    common = sorted(base.keys() & other.keys())
    kinds: list[Difference] = []
    total = None
    if common:
        one, two = (np.array([each[name] for name in common]) for each in (base, other))
        kinds = [_difference(kind, one[:, i], two[:, i], how) for i, kind in enumerate(KINDS)]
        total = _difference("total", one.sum(axis=1), two.sum(axis=1), how)
    corrected = holm([each.paired.p for each in kinds])
    return Differences(
        base=names[0],
        other=names[1],
        kinds=tuple(replace(each, p_holm=p) for each, p in zip(kinds, corrected, strict=True)),
        total=total,
        rates=tuple(_rates(scores, how)),
        left_out=len(base.keys() ^ other.keys()),
        doubts=tuple(_doubts(names, diagnoses)),
    )


def _difference(
    name: DeficiencyKind | str, base: Floats, other: Floats, how: Resampling | None
) -> Difference:
    return Difference(str(name), compare_paired(base, other, how, f"diagnosis/{name}"))


def _rates(
    scores: tuple[Sequence[SampleScore], Sequence[SampleScore]], how: Resampling | None
) -> list[Difference]:
    found: list[Difference] = []
    for rate in RATES:
        base, other = ({s.key: v for s in each if (v := s.rate(rate)) is not None} for each in scores)
        videos: dict[str, list[tuple[float, float]]] = {}
        for key in sorted(base.keys() & other.keys()):
            videos.setdefault(key[0], []).append((base[key], other[key]))
        if videos:
            means = np.array([np.mean(pairs, axis=0) for pairs in videos.values()])
            found.append(_difference(rate, means[:, 0], means[:, 1], how))
    return found


def _doubts(
    names: tuple[str, str], diagnoses: tuple[Sequence[DiagnosisRecord], Sequence[DiagnosisRecord]]
) -> list[str]:
    """Terms in which the diagnoses of two runs differ: then it may be the judge that differs."""
    first, second = ([each.terms for each in part if each.diagnosis] for part in diagnoses)
    if not first or not second:
        return []
    found = [f"{what}: the two were diagnosed differently" for what in first[0].differing(second[0])]
    thinking = [
        sum(bool(each.diagnosis and each.diagnosis.thinking) for each in part) / max(len(part), 1)
        for part in diagnoses
    ]
    if abs(thinking[0] - thinking[1]) > 0.5:  # noqa: PLR2004 - half of all samples
        found.append(
            f"thinking was there to be read in {thinking[0]:.0%} of {names[0]} and {thinking[1]:.0%} of "
            f"{names[1]}: where there is less to read, there is less to find fault with"
        )
    return found
