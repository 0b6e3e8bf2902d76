"""The figures of a report: means with their intervals, by run and by type, and runs against one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from agents.metaphor_types import MetaphorType
from evals.datasets import UNKNOWN_TYPE
from evals.report.gathering import Gathered, Run
from evals.report.spending import Spent, spent_by
from evals.statistics import Interval, compare_paired, mean_interval
from evals.store.records import RunRecord

__all__ = ["Contrast", "Figures", "Score", "contrasts", "figures", "type_name"]

_PLACES = {name: place for place, name in enumerate((*(kind.value for kind in MetaphorType), UNKNOWN_TYPE))}


@dataclass(frozen=True, slots=True)
class Score:
    """A mean from 0 to 100 over samples.

    Attributes:
        mean: with failures as zero.
        low: of the 95 % interval of ``mean``; None for too few samples, or where all have the same score.
        high: likewise.
        scored: the mean that leaves failures out; None where nothing was scored.
    """

    mean: float
    low: float | None
    high: float | None
    scored: float | None

    @property
    def text(self) -> str:
        """``51.7 [40.0, 62.5]``."""
        if self.low is None or self.high is None:
            return f"{self.mean:.1f}"
        return f"{self.mean:.1f} [{self.low:.1f}, {self.high:.1f}]"


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run, or one type of it, comes to.

    Attributes:
        name: a type's key, or ``All``.
        n: samples.
        failed: records without a score.
        strict: share of complete and correct interpretations.
        loose: how far the core meaning is right.
    """

    name: str
    n: int
    failed: int
    strict: Score
    loose: Score


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The figures of one run.

    Attributes:
        run: whose they are.
        overall: each sample once.
        types: a row for each type met, in the paper's order.
        tokens: of a record, on average, judging included.
        spent: money of all records.
        seconds: of a record, the median.
        causes: (outcome label, number of records, (error kind and step, number) by frequency).
    """

    run: Run
    overall: Figures
    types: tuple[Figures, ...]
    tokens: float
    spent: Spent
    seconds: float
    causes: tuple[tuple[str, int, tuple[tuple[str, int], ...]], ...]

    @property
    def spent_each(self) -> Spent:
        """Money of a record, on average."""
        return self.spent / len(self.run.records)


@dataclass(frozen=True, slots=True)
class Contrast:
    """A run against the first, on their common samples; loose scores, 0 to 100.

    Attributes:
        run: the later run.
        base: the first run.
        n: common samples.
        difference: mean of ``run`` minus ``base``, failures as zero; its interval is paired.
        better: samples on which ``run`` has the higher score.
        worse: the lower.
        same: the same.
        sign_p: of the sign test over better and worse.
        detectable: the smallest true difference that so many samples show 8 times in 10, if that is known.
    """

    run: Run
    base: Run
    n: int
    difference: Score
    better: int
    worse: int
    same: int
    sign_p: float
    detectable: float | None


def type_name(key: str) -> str:
    """A type's key as people write it."""
    return key.replace("_", " ")


def figures(run: Run) -> RunFigures:
    """All figures of a run."""
    samples = run.epochs()
    by_type: dict[str, list[list[RunRecord]]] = {}
    for records in samples.values():
        for name in records[0].types:
            by_type.setdefault(name, []).append(records)
    order = sorted(by_type, key=lambda name: (_PLACES.get(name, len(_PLACES)), name))
    return RunFigures(
        run=run,
        overall=_figures("All", list(samples.values())),
        types=tuple(_figures(name, by_type[name]) for name in order),
        tokens=fmean(record.usage.total_tokens for record in run.records),
        spent=spent_by(run.records, run.prices),
        seconds=median(record.timings.get("total", 0.0) for record in run.records),
        causes=_causes(run),
    )


def contrasts(gathered: Gathered) -> list[Contrast]:
    """Every later run against the first, where they have samples in common."""
    found: list[Contrast] = []
    for place, run in enumerate(gathered.runs[1:], 1):
        pairs = [
            (loose_of(group.runs[0]), loose_of(group.runs[place]))
            for group in gathered.groups
            if 0 in group.runs and place in group.runs
        ]
        if pairs:
            found.append(_contrast(gathered.runs[0], run, pairs))
    return found


def _contrast(base: Run, run: Run, pairs: Sequence[tuple[float | None, float | None]]) -> Contrast:
    import numpy as np

    values = np.array([[score or 0.0 for score in pair] for pair in pairs], dtype=np.float64)
    paired = compare_paired(values[:, 0], values[:, 1], label="difference/All/loose/zero")
    low, high = _bounds(paired.interval)
    return Contrast(
        run=run,
        base=base,
        n=paired.n,
        difference=Score(paired.difference, low, high, None),
        better=paired.wins,
        worse=paired.losses,
        same=paired.ties,
        sign_p=paired.sign_p,
        detectable=paired.detectable,
    )


def loose_of(records: Sequence[RunRecord]) -> float | None:
    """The loose score of a sample, 0 to 100, with failed epochs as zero; None when all failed."""
    return _sample([_verdict(record, "loose") for record in records])


def strict_of(records: Sequence[RunRecord]) -> float | None:
    """The strict score of a sample, likewise."""
    return _sample([_verdict(record, "strict") for record in records])


def _verdict(record: RunRecord, kind: str) -> float | None:
    if not record.ok or record.verdict is None:
        return None
    return record.verdict.strict * 100 if kind == "strict" else record.verdict.loose * 10


def _sample(scores: Sequence[float | None]) -> float | None:
    return None if all(score is None for score in scores) else fmean(score or 0.0 for score in scores)


def _figures(name: str, samples: Sequence[Sequence[RunRecord]]) -> Figures:
    found: dict[str, Score] = {}
    for kind in ("strict", "loose"):
        epochs = [[_verdict(record, kind) for record in records] for records in samples]
        zero = [fmean(score or 0.0 for score in scores) for scores in epochs]
        scored = [fmean(there) for scores in epochs if (there := [s for s in scores if s is not None])]
        found[kind] = _score(zero, scored, f"{name}/{kind}/zero")
    failed = sum(not record.ok for records in samples for record in records)
    return Figures(name, len(samples), failed, found["strict"], found["loose"])


def _score(values: Sequence[float], scored: Sequence[float], label: str) -> Score:
    """As ``evals.compare`` has it: the label names the same resamples."""
    import numpy as np

    low, high = _bounds(mean_interval(np.array(values, dtype=np.float64), label=label))
    return Score(fmean(values), low, high, fmean(scored) if scored else None)


def _bounds(interval: Interval | None) -> tuple[float, float] | tuple[None, None]:
    """None where values can't be resampled to anything else: that would look like certainty."""
    return (None, None) if interval is None or interval.flat else (interval.low, interval.high)


def _causes(run: Run) -> tuple[tuple[str, int, tuple[tuple[str, int], ...]], ...]:
    kinds: dict[str, Counter[str]] = {}
    for record in run.records:
        if not record.ok:
            first = record.errors[0] if record.errors else None
            told = f"{first.kind} in {first.step}" if first else "no reason given"
            kinds.setdefault(record.label, Counter())[told] += 1
    return tuple(
        (
            label,
            number,
            tuple(sorted(kinds.get(label, Counter()).items(), key=lambda item: (-item[1], item[0]))),
        )
        for label, number in run.table.outcomes.items()
    )
