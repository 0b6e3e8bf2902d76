"""Agreement as tables: for a terminal, for documents, for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from evals.comparison.grids import Column, Grid
from evals.comparison.words import FLAT, p_text
from evals.judging.agreeing import FIGURES, Agreed, Confusion
from evals.judging.matching import Matched
from evals.statistics.bootstrap import Interval, Resampling
from evals.statistics.pairing import expected_range
from evals.statistics.weighing import Estimated

__all__ = [
    "as_csv",
    "as_json",
    "confusion_grid",
    "figure_grid",
    "reading",
    "said",
    "type_grid",
]

_SHORT = {
    "kappa": ("kappa", 0),
    "error": ("error", 0),
    "alpha_humans": ("alpha, people", 3),
    "alpha_all": ("alpha, all", 4),
    "spearman": ("Spearman", 1),
    "kendall": ("tau-b", 2),
    "pearson": ("Pearson", 0),
    "strict_agreement": ("strict alike", 6),
    "strict_kappa": ("strict kappa", 5),
}
"""Heads of columns, and which is left out first where there is no room."""

_REFERENCE_N, _REFERENCE_R = 100, 0.85  # the paper's check of its judge


def said(estimated: Estimated) -> str:
    """``0.82 [0.80, 0.84]``; a dash where it is not defined."""
    if estimated.value is None:
        return "-"
    return f"{number(estimated.value)} {bounds(estimated.interval)}".removesuffix(" -")


def number(value: float) -> str:
    """Two decimals; no minus before zero."""
    return f"{value + 0.0:.2f}".replace("-0.00", "0.00")


def bounds(interval: Interval | None) -> str:
    """``[0.80, 0.84]``; a dash for none."""
    if interval is None:
        return "-"
    return f"[{number(interval.low)}, {number(interval.high)}]{FLAT if interval.flat else ''}"


def figure_grid(row: Agreed) -> Grid:
    """One row of results, a figure a line, with the reason where one is not defined."""
    names = list(row.figures)
    told = [row.figures[name] for name in names]
    remarks = [_remark(row, name) for name in names]
    columns = [
        Column("figure", [FIGURES[name] for name in names], words=True),
        Column("value", ["-" if each.value is None else number(each.value) for each in told]),
        Column("95 %", [bounds(each.interval) for each in told]),
        Column("remark", remarks, words=True, spare=1),
    ]
    return Grid(columns, [0] * len(names), [])


def _remark(row: Agreed, name: str) -> str:
    found = row.figures[name]
    if found.value is None:
        return f"undefined: {found.why}"
    p = f"p {p_text(row.p)}" if name == "pearson" and row.p is not None else ""
    return "; ".join(filter(None, (p, found.why)))


def type_grid(rows: Sequence[Agreed]) -> Grid:
    """All rows, a type a line."""
    columns = [
        Column("type", [row.name for row in rows], words=True),
        Column("n", [str(row.videos) for row in rows]),
    ]
    for name, (head, spare) in _SHORT.items():
        if any(name in row.figures for row in rows):
            cells = [said(row.figures[name]) if name in row.figures else "-" for row in rows]
            columns.append(Column(head, cells, spare=spare))
    columns.append(Column("p", ["-" if row.p is None else p_text(row.p) for row in rows], spare=7))
    return Grid(columns, [0] * len(rows), [], frozenset({len(rows) - 1} - {0}))


def confusion_grid(confusion: Confusion) -> Grid:
    """Strict verdicts: people's in rows, the judge's in columns."""
    yes, no = (confusion.both, confusion.humans_only), (confusion.judge_only, confusion.neither)
    columns = [
        Column("people", ["strict", "not strict", "together"], words=True),
        *(
            Column(head, [str(top), str(bottom), str(top + bottom)])
            for head, top, bottom in (
                ("judge: strict", yes[0], no[0]),
                ("judge: not strict", yes[1], no[1]),
                ("together", sum(yes), sum(no)),
            )
        ),
    ]
    return Grid(columns, [0, 0, 0], [], frozenset({2}))


def reading(matched: Matched, rows: Sequence[Agreed]) -> list[str]:
    """How to read the figures, and what to know of the data, a sentence each."""
    row, judged = rows[-1], matched.judged
    what = "loose scores from 0 to 10" if matched.humans.scale == "loose" else "strict scores, 0 or 1"
    k = f", each the mean of {judged.k} judgements" if judged.k > 1 else ""
    raters = len(matched.humans.raters)
    against = f"the judge's{k}, against the mean of the raters a video has ({raters} in all)"
    found = [f"{what}: {against}; intervals (95 %) by resampling videos"]
    if row.confusion is not None:
        found.append(f"strict means, to the judge: half of its judgements or more; {matched.strictness.said}")
    usual = expected_range(_REFERENCE_R, _REFERENCE_N)
    here = expected_range(_REFERENCE_R, row.videos)
    if usual is not None:
        own = "" if here is None else f"; with {row.videos} it would be {here[0]:.2f} to {here[1]:.2f}"
        found.append(
            f"a correlation of {_REFERENCE_R:.2f} over {_REFERENCE_N} videos has an interval of "
            f"{usual[0]:.2f} to {usual[1]:.2f}{own}"
        )
    if judged.proxies:
        found.append("the judge is a measured similarity (offline proxy), no model that judges")
    if row.units != row.videos:
        found.append(f"{row.units} predictions of {row.videos} videos: epochs are resampled with their video")
    cells = [cell for grid in (figure_grid(row), type_grid(rows)) for line in grid.rows for cell in line]
    if any(cell.endswith(f"]{FLAT}") for cell in cells):
        found.append(f"{FLAT} every resample gives the same: no proof that other videos would")
    return [*found, *matched.notes]


def as_csv(rows: Sequence[Agreed]) -> str:
    """A line for each type and figure, unrounded."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("type", "n", "figure", "value", "low", "high", "p", "why"))
    for row in rows:
        for name, each in row.figures.items():
            p = row.p if name == "pearson" else None
            limits = (each.interval.low, each.interval.high) if each.interval else (None, None)
            writer.writerow((row.name, row.videos, name, each.value, *limits, p, each.why))
    return text.getvalue()


def as_json(matched: Matched, rows: Sequence[Agreed], how: Resampling) -> str:
    """Everything, as one object."""
    judged, humans = matched.judged, matched.humans
    found: dict[str, Any] = {
        "run": str(judged.path),
        "judge": judged.judge,
        "k": judged.k,
        "proxies": judged.proxies,
        "human": [str(path) for path in humans.paths],
        "raters": list(humans.raters),
        "scale": humans.scale,
        "threshold": matched.strictness.threshold,
        "resamples": how.resamples,
        "seed": how.seed,
        "level": how.level,
        "notes": reading(matched, rows),
        "rows": [_row(row) for row in rows],
    }
    return json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _row(row: Agreed) -> dict[str, Any]:
    figures = {
        name: {
            "value": each.value,
            "low": each.interval.low if each.interval else None,
            "high": each.interval.high if each.interval else None,
            "why": each.why or None,
        }
        for name, each in row.figures.items()
    }
    confusion = row.confusion
    counts = confusion and {
        "both": confusion.both,
        "judge_only": confusion.judge_only,
        "humans_only": confusion.humans_only,
        "neither": confusion.neither,
    }
    return {
        "type": row.name,
        "videos": row.videos,
        "predictions": row.units,
        "figures": figures,
        "pearson_p": row.p,
        "confusion": counts,
    }
