"""How many samples have which loose score: a row of columns for each run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from evals.report.charts.svg import line, picture, rect, series, text
from evals.report.figures import RunFigures, loose_of

__all__ = ["distribution"]

_WIDTH, _ROW, _COLUMNS, _ROOM = 372, 118, 70, 24
_STEP = (_WIDTH - _ROOM) / 12


def distribution(runs: Sequence[RunFigures]) -> Markup:
    """Samples by loose score from 0 to 10, rounded, and those without a score apart."""
    counted = [_counts(run) for run in runs]
    highest = max(max(counts.values(), default=1) for counts in counted)
    parts: list[Markup] = []
    for place, (run, counts) in enumerate(zip(runs, counted, strict=True)):
        parts += _row(run, place, counts, highest)
    parts += [text(_x(score), len(runs) * _ROW + 2, score, "tick", "middle") for score in range(11)]
    parts.append(text(_x(-1), len(runs) * _ROW + 2, "none", "tick", "middle"))
    parts.append(text(_WIDTH, len(runs) * _ROW + 20, "loose score of a sample, 0 to 10", "tick", "end"))
    told = "; ".join(
        f"{run.run.letter}: "
        + ", ".join(f"{n} of {'no score' if s < 0 else s}" for s, n in sorted(c.items()))
        for run, c in zip(runs, counted, strict=True)
    )
    return picture(_WIDTH, len(runs) * _ROW + 26, f"Samples by loose score. {told}", parts)


def _counts(run: RunFigures) -> Counter[int]:
    """By rounded score; -1 for samples without one."""
    counts: Counter[int] = Counter()
    for records in run.run.epochs().values():
        score = loose_of(records)
        counts[-1 if score is None else int(score / 10 + 0.5)] += 1
    return counts


def _row(run: RunFigures, place: int, counts: Counter[int], highest: int) -> list[Markup]:
    base = place * _ROW + _ROW - 16
    parts = [
        text(0, base - _COLUMNS + 4, run.run.letter, f"letter {series(place)}"),
        line((_ROOM - 4, base), (_WIDTH, base), "axis"),
    ]
    for score, count in sorted(counts.items()):
        height = max(_COLUMNS * count / highest, 1.5)
        style = "fill none" if score < 0 else f"fill {series(place)}"
        parts.append(rect((_x(score) - _STEP * 0.36, base - height), (_STEP * 0.72, height), style, 1.5))
        parts.append(text(_x(score), base - height - 4, count, "value small", "middle"))
    return parts


def _x(score: int) -> float:
    return _ROOM + _STEP * (score + 1.5)
