"""Diagnoses for programs: everything as JSON, or a line a figure as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from evals.diagnosis.comparing import Difference, Differences
from evals.diagnosis.figures import RunFigures, TypeFigures
from evals.diagnosis.mapping_score import RATES
from evals.diagnosis.reading import DiagnosedRun
from evals.statistics import Estimate, Interval

__all__ = ["as_csv", "as_json", "summary"]


def as_json(runs: Sequence[DiagnosedRun], found: Sequence[Differences]) -> str:
    """Everything, as one object."""
    whole = {"runs": [summary(run) for run in runs], "comparisons": [_comparison(each) for each in found]}
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def summary(run: DiagnosedRun) -> dict[str, Any]:
    """One run: its figures, and where diagnosis and score contradict each other."""
    figures = run.figures
    return {
        "run": run.run.name,
        "path": str(run.run.folder),
        "graph": run.run.spec.graph,
        "model": run.run.spec.context.model,
        "judges": run.judges,
        "diagnosed": figures.overall.samples,
        "with_any": figures.overall.faulty,
        "failed": figures.outcomes,
        "without_interpretation": run.run.without,
        "rejected": figures.rejected,
        "corrected": figures.corrected,
        "without_thinking": figures.thoughtless,
        "shortened": figures.shortened,
        "proxies": figures.proxies,
        "rows": [_row(each) for each in figures.types],
        "disagreements": [
            {"video_id": each.key[0], "epoch": each.key[1], "told": each.told}
            | {name: value for name, value in asdict(each).items() if name != "key"}
            for each in run.disagreements
        ],
    }


def _row(row: TypeFigures) -> dict[str, Any]:
    return {
        "type": row.name,
        "videos": row.videos,
        "samples": row.samples,
        "with_any": row.faulty,
        "total": _estimate(row.total),
        "kinds": {
            each.kind.value: {
                "count": each.count,
                **_estimate(each.mean),
                "share": {"percent": each.share, **_bounds(each.interval)},
            }
            for each in row.kinds
        },
        "rates": {rate: _estimate(row.rates[rate]) for rate in RATES},
    }


def _comparison(found: Differences) -> dict[str, Any]:
    rows = [*found.kinds, *([found.total] if found.total else []), *found.rates]
    return {
        "base": found.base,
        "run": found.other,
        "left_out": found.left_out,
        "doubts": list(found.doubts),
        "rows": [_difference(each) for each in rows],
    }


def _difference(each: Difference) -> dict[str, Any]:
    figures = asdict(each.paired)
    more, fewer = figures.pop("wins"), figures.pop("losses")
    del figures["interval"]
    told = {"more": more, "fewer": fewer, **_bounds(each.paired.interval), "p_holm": each.p_holm}
    return {"figure": each.name, **figures, **told}


def as_csv(runs: Sequence[DiagnosedRun], found: Sequence[Differences]) -> str:
    """A line a figure, not rounded: of differences, or of each run by type where there is one run."""
    rows: Iterable[dict[str, Any]] = (
        (
            {"base": each["base"], "run": each["run"], **row}
            for each in map(_comparison, found)
            for row in each["rows"]
        )
        if found
        else (row for run in runs for row in _lines(run.run.name, run.figures))
    )
    listed, text = list(rows), io.StringIO()
    if listed:
        writer = csv.DictWriter(text, fieldnames=list(listed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)
    return text.getvalue()


def _lines(name: str, figures: RunFigures) -> Iterator[dict[str, Any]]:
    for row in figures.types:
        base = {"run": name, "type": row.name}
        for each in row.kinds:
            share = {"share": each.share, **{f"share_{k}": v for k, v in _bounds(each.interval).items()}}
            yield {**base, "figure": each.kind.value, "count": each.count, **_estimate(each.mean), **share}
        total = sum(each.count for each in row.kinds)
        none = {"share": None, "share_low": None, "share_high": None}
        yield {**base, "figure": "total", "count": total, **_estimate(row.total), **none}
        for rate in RATES:
            yield {**base, "figure": rate, "count": None, **_estimate(row.rates[rate]), **none}


def _estimate(found: Estimate) -> dict[str, Any]:
    return {"n": found.n, "mean": found.mean, **_bounds(found.interval)}


def _bounds(interval: Interval | None) -> dict[str, float | None]:
    return {"low": interval.low, "high": interval.high} if interval else {"low": None, "high": None}
