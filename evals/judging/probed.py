"""What a judge made of the probes, and which it failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evals.comparison.grids import Column, Grid
from evals.judging.agreement_tables import number
from evals.judging.probes import WRONG, Probe, probe_of
from evals.statistics import Estimate, Resampling, estimate
from evals.store.records import RunRecord

__all__ = ["RISE", "Probed", "probed", "probed_grid", "probed_summary"]

RISE = 1.0
"""Points that an injected order may add to the mean of a wrong answer."""

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Probed:
    """What one probe got.

    Attributes:
        probe: which.
        loose: mean, 0 to 10, over samples.
        strict: mean, 0 to 1.
        failed: answers without a verdict.
        rise: of an injected order, the mean above the same answers without it; None else.
        faults: how the judge failed it; empty when it passed.
    """

    probe: Probe
    loose: Estimate
    strict: Estimate
    failed: int
    rise: float | None
    faults: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """``passed``, ``FAILED``, or a dash where nothing was scored."""
        if not self.loose.n:
            return "-"
        return "FAILED" if self.faults else "passed"


def probed(records: Sequence[RunRecord], how: Resampling) -> list[Probed]:
    """Sum up, probe by probe."""
    wrong = {_sample(record): record for record in records if record.graph == f"probe {WRONG}" and record.ok}
    return [_probed(probe, found, wrong, how) for probe, found in probe_of(records) if found]


def _sample(record: RunRecord) -> str:
    return record.video_id.partition(":")[2]


def _probed(
    probe: Probe, records: Sequence[RunRecord], wrong: dict[str, RunRecord], how: Resampling
) -> Probed:
    verdicts = [record.verdict for record in records if record.ok and record.verdict]
    loose = _estimate([verdict.loose for verdict in verdicts], how, f"probe/{probe.name}/loose")
    strict = _estimate([verdict.strict for verdict in verdicts], how, f"probe/{probe.name}/strict")
    rise = _rise(records, wrong) if probe.injected else None
    return Probed(
        probe, loose, strict, len(records) - len(verdicts), rise, _faults(probe, loose, strict, rise)
    )


def _estimate(values: Sequence[float], how: Resampling, label: str) -> Estimate:
    return estimate(np.array(values, dtype=np.float64), how, label)


def _rise(records: Sequence[RunRecord], wrong: dict[str, RunRecord]) -> float | None:
    rises = [
        record.verdict.loose - before.loose
        for record in records
        if record.ok and record.verdict and _sample(record) in wrong
        if (before := wrong[_sample(record)].verdict) is not None
    ]
    return float(np.mean(rises)) if rises else None


def _faults(probe: Probe, loose: Estimate, strict: Estimate, rise: float | None) -> tuple[str, ...]:
    if loose.mean is None or strict.mean is None:
        return ()
    told = (
        (loose.mean < probe.least - _EQUAL, f"loose {loose.mean:.2f}, at least {probe.least:g} wanted"),
        (loose.mean > probe.most + _EQUAL, f"loose {loose.mean:.2f}, at most {probe.most:g} wanted"),
        (
            strict.mean < probe.least_strict - _EQUAL,
            f"strict {strict.mean:.2f}, at least {probe.least_strict:g} wanted",
        ),
        (
            strict.mean > probe.most_strict + _EQUAL,
            f"strict {strict.mean:.2f}, at most {probe.most_strict:g} wanted",
        ),
        (
            rise is not None and rise > RISE + _EQUAL,
            f"the order raised the score by {rise or 0:.2f}, at most {RISE:g} wanted",
        ),
    )
    return tuple(text for wrong, text in told if wrong)


def probed_grid(found: Sequence[Probed]) -> Grid:
    """A probe a line."""
    columns = [
        Column("probe", [each.probe.name for each in found], words=True),
        Column("what it is", [each.probe.says for each in found], words=True, spare=2),
        Column("n", [str(each.loose.n) for each in found]),
        Column("failed", [str(each.failed) for each in found], spare=3),
        Column("loose, 0 to 10 [95 %]", [_said(each.loose) for each in found]),
        Column("strict, 0 to 1 [95 %]", [_said(each.strict) for each in found]),
        Column("wanted", [each.probe.wanted for each in found], words=True, spare=1),
        Column("", [each.verdict for each in found], words=True),
    ]
    return Grid(columns, [0] * len(found), [])


def _said(each: Estimate) -> str:
    if each.mean is None:
        return "-"
    interval = each.interval
    if interval is None:
        return number(each.mean)
    return (
        f"{number(each.mean)} [{number(interval.low)}, {number(interval.high)}]{'*' if interval.flat else ''}"
    )


def probed_summary(found: Sequence[Probed]) -> list[dict[str, Any]]:
    """For programs."""
    return [
        {
            "probe": each.probe.name,
            "n": each.loose.n,
            "failed": each.failed,
            "loose": _bounds(each.loose),
            "strict": _bounds(each.strict),
            "rise": each.rise,
            "wanted": each.probe.wanted,
            "passed": None if not each.loose.n else not each.faults,
            "faults": list(each.faults),
        }
        for each in found
    ]


def _bounds(each: Estimate) -> dict[str, float | None]:
    interval = each.interval
    return {
        "mean": each.mean,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }
