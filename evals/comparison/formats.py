"""Tables and results for documents and programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from evals.comparison.grids import Grid
from evals.statistics import Choice, Interval, Pairing, Summary, System

__all__ = ["as_csv", "as_json", "as_latex", "as_markdown"]

_FIRST = 10  # ids of left-out videos that are named
_ESCAPES = {
    "\\": r"\textbackslash{}",
    **{each: f"\\{each}" for each in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
}


def as_markdown(grid: Grid, notes: Iterable[str] = ()) -> str:
    """A table for a document, with notes below."""
    heads = [column.head for column in grid.columns]
    rule = ["---" if column.words else "---:" for column in grid.columns]
    cells = [[_cell(text) for text in row] for row in (heads, rule, *grid.rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes)]).rstrip() + "\n"


def as_latex(grid: Grid, notes: Iterable[str] = ()) -> str:
    """A ``tabular`` that needs the package booktabs; notes become comments."""
    places = "".join("l" if column.words else "r" for column in grid.columns)
    rows: list[str] = []
    for i, row in enumerate(grid.rows):
        if i in grid.rules:
            rows.append(r"\midrule")
        rows.append(" & ".join(map(_escaped, row)) + r" \\")
    heads = " & ".join(_escaped(column.head) for column in grid.columns) + r" \\"
    body = [r"\toprule", heads, r"\midrule", *rows, r"\bottomrule"]
    comments = [f"% {' '.join(note.split())}" for note in notes]
    return "\n".join([*comments, rf"\begin{{tabular}}{{{places}}}", *body, r"\end{tabular}"]) + "\n"


def as_csv(
    systems: Sequence[System], summaries: Sequence[Sequence[Summary]], pairings: Sequence[Pairing]
) -> str:
    """A line a row of figures that are not rounded: of differences, or of scores where there is one run."""
    rows = (
        [row for pairing in pairings for row in _difference_rows(pairing)]
        if pairings
        else [
            row
            for system, parts in zip(systems, summaries, strict=True)
            for part in parts
            for row in _score_rows(system, part)
        ]
    )
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def as_json(
    systems: Sequence[System],
    summaries: Sequence[Sequence[Summary]],
    pairings: Sequence[Pairing],
    choice: Choice,
) -> str:
    """Everything, as one object."""
    found = {
        "settings": {
            "score": choice.score,
            "failures": choice.failures,
            "reducer": str(choice.reducer),
            "by_type": choice.by_type,
            **asdict(choice.resampling),
            "interval": "percentile bootstrap by video, expanded for small samples",
        },
        "runs": [
            _system(system) | {"rows": [_summary(part) for part in parts]}
            for system, parts in zip(systems, summaries, strict=True)
        ],
        "comparisons": [_pairing(pairing) for pairing in pairings],
    }
    return json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _system(system: System) -> dict[str, Any]:
    said = system.conditions
    return {
        "name": system.name,
        "path": str(system.path),
        "graph": system.graph,
        "model": system.model,
        "judges": sorted(said.judges),
        "k": sorted(said.k),
        "verdicts": said.verdicts,
        "proxies": said.proxies,
        "dataset_digest": said.settings.digest,
        "epochs": int(system.ratings.epochs.max()),
        "outcomes": system.outcomes,
        "notes": list(system.notes),
    }


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "type": summary.name,
        "n": summary.n,
        "records": summary.rows,
        "failed": summary.failed,
        **{
            score: {
                way: {"n": each.n, "mean": each.mean, **_bounds(each.interval)} for way, each in ways.items()
            }
            for score, ways in summary.estimates.items()
        },
    }


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {
        "base": pairing.base.name,
        "run": pairing.other.name,
        "common": pairing.common,
        "unscored": pairing.unscored,
        "base_only": {"n": len(pairing.base_only), "first": pairing.base_only[:_FIRST]},
        "run_only": {"n": len(pairing.other_only), "first": pairing.other_only[:_FIRST]},
        "doubts": list(pairing.doubts),
        "differing": list(pairing.differing),
        "rows": [
            {name: value for name, value in row.items() if name not in ("base", "run")}
            for row in _difference_rows(pairing)
        ],
    }


def _difference_rows(pairing: Pairing) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for row in pairing.rows:
        figures = asdict(row.paired)
        figures |= _bounds(row.paired.interval)
        del figures["interval"]
        named = {"base": pairing.base.name, "run": pairing.other.name, "type": row.name}
        rows.append(named | figures | {"p_holm": row.p_holm})
    return rows


def _score_rows(system: System, summary: Summary) -> list[dict[str, Any]]:
    return [
        {
            "run": system.name,
            "type": summary.name,
            "score": score,
            "failures": way,
            "n": each.n,
            "failed": summary.failed,
            "mean": each.mean,
            **_bounds(each.interval),
        }
        for score, ways in summary.estimates.items()
        for way, each in ways.items()
    ]


def _bounds(interval: Interval | None) -> dict[str, float | None]:
    return {"low": interval.low, "high": interval.high} if interval else {"low": None, "high": None}


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("*", "\\*")


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(each, each) for each in text)
