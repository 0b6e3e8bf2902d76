"""The sweep's table: a row a cell, for a terminal, documents and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from evals.comparison.grids import Column, Grid
from evals.comparison.words import FLAT, bounds, p_text, signed, with_interval
from evals.settings.naming import words_of
from evals.statistics import Interval, Score
from evals.statistics.ratings import SCORES
from evals.sweeping.results import Result, Results

__all__ = ["ANY", "as_csv", "as_data", "caption", "cell_words", "grid_of"]

ANY = "any"
"""Stands for a setting that has no effect in a cell."""

_FINDINGS = {1: "better", -1: "worse", 0: ""}


def grid_of(results: Results, score: Score = "loose") -> Grid:
    """The table.

    Args:
        results: of the sweep.
        score: whose differences are shown.
    """
    cells = results.cells
    columns = [
        Column(results.file.word(name), [_value(cell.cell.chosen, name) for cell in cells], words=True)
        for name in results.file.factors
    ]
    columns += [
        Column("n", [str(cell.n) for cell in cells]),
        Column("failed", [str(cell.failed) for cell in cells], spare=4),
        *(
            Column(
                f"{each} [95 %]",
                [with_interval(cell.scores[each]) if cell.scores else "-" for cell in cells],
                spare=0 if each == score else 3,
            )
            for each in SCORES
        ),
    ]
    pairs = [cell.against.get(score) for cell in cells]
    columns += [
        Column("difference", [signed(pair.paired.difference) if pair else "-" for pair in pairs]),
        Column("95 %", [bounds(pair.paired.interval, sign=True) if pair else "-" for pair in pairs], spare=1),
        Column("p", [p_text(pair.paired.p) if pair else "-" for pair in pairs], spare=2),
        Column("p (Holm)", [p_text(pair.p_holm) if pair else "-" for pair in pairs]),
        Column("finding", [_finding(cell, results, score) for cell in cells], words=True),
    ]
    spans = [
        (pair.paired.interval.low, pair.paired.difference, pair.paired.interval.high)
        if pair and pair.paired.interval
        else None
        for pair in pairs
    ]
    return Grid(columns, [cell.verdict(score) for cell in cells], spans if any(spans) else [])


def caption(results: Results, score: Score = "loose") -> list[str]:
    """What stands below the table."""
    tested = sum(
        1 for cell in results.cells if (pair := cell.against.get(score)) and pair.paired.p is not None
    )
    found = [
        "scores from 0 to 100, failures as zero; in brackets 95 % intervals of the mean (bootstrap by video)",
        f"differences in {score} from the base, {cell_words(results, results.base.chosen)}, paired by video",
    ]
    if tested:
        found.append(
            f"p (Holm) is corrected for the {tested} cells compared; better and worse: it is below 0.05"
        )
    if any(set(results.file.factors) - set(cell.cell.chosen) for cell in results.cells):
        found.append(f"{ANY}: the setting has no effect in that cell, which stands for all its values")
    if any(own.interval and own.interval.flat for cell in results.cells for own in cell.scores.values()):
        found.append(
            f"{FLAT} all values are alike: resampling can't vary, which proves nothing of other videos"
        )
    return [*found, *results.notes]


def cell_words(results: Results, chosen: Mapping[str, Any]) -> str:
    """``retrieval.z 10, few_shot off``."""
    return ", ".join(
        f"{results.file.word(name)} {words_of(chosen[name])}"
        for name in results.file.factors
        if name in chosen
    )


def as_csv(results: Results) -> str:
    """A line a cell and score, of figures that are not rounded."""
    text = io.StringIO()
    rows = [row for cell in results.cells for row in _rows(cell, results)]
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_data(results: Results) -> dict[str, Any]:
    """Everything as plain data."""
    return {
        "factors": {results.file.word(name): list(values) for name, values in results.file.factors.items()},
        "base": results.base.name,
        "complete": results.complete,
        "notes": list(results.notes),
        "cells": [
            {
                "cell": cell.cell.name,
                "chosen": {results.file.word(name): value for name, value in cell.cell.chosen.items()},
                "n": cell.n,
                "failed": cell.failed,
                "missing": cell.missing,
                **{score: _figures(cell, score) for score in SCORES},
            }
            for cell in results.cells
        ],
    }


def _rows(cell: Result, results: Results) -> list[dict[str, Any]]:
    values = {results.file.word(name): _value(cell.cell.chosen, name) for name in results.file.factors}
    named = {"cell": cell.cell.name, **values, "n": cell.n, "failed": cell.failed}
    return [
        named | {"score": score} | _figures(cell, score) | {"finding": _finding(cell, results, score)}
        for score in SCORES
    ]


def _figures(cell: Result, score: Score) -> dict[str, Any]:
    own, pair = cell.scores.get(score), cell.against.get(score)
    paired = pair.paired if pair else None
    return {
        "mean": own.mean if own else None,
        **_bounds("", own.interval if own else None),
        "common": paired.n if paired else None,
        "difference": paired.difference if paired else None,
        **_bounds("difference_", paired.interval if paired else None),
        "p": paired.p if paired else None,
        "p_holm": pair.p_holm if pair else None,
    }


def _bounds(before: str, interval: Interval | None) -> dict[str, float | None]:
    low, high = (interval.low, interval.high) if interval else (None, None)
    return {f"{before}low": low, f"{before}high": high}


def _value(chosen: Mapping[str, Any], name: str) -> str:
    return words_of(chosen[name]) if name in chosen else ANY


def _finding(cell: Result, results: Results, score: Score) -> str:
    if cell.cell.name == results.base.name:
        return "base"
    if not cell.n:
        return "no record yet"
    return _FINDINGS[cell.verdict(score)]
