"""What a record, and what was found out about it later, says as feedback on its trace."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agents.errors import UserError
from evals.store.records import RunKey, RunRecord

__all__ = ["DIAGNOSIS", "DIAGNOSIS_FILE", "deficiencies_in", "scores_of"]

DIAGNOSIS_FILE = "diagnosis.jsonl"

DIAGNOSIS = ("wrong_recognition", "missing_mapping", "superficial_mapping", "improper_mapping")
"""Kinds of deficiency; each is counted for every sample that was diagnosed, so that a zero counts too."""


def scores_of(record: RunRecord) -> dict[str, float | str]:
    """Feedback of a record: ``outcome``, and ``strict`` and ``loose`` where it was judged."""
    scores: dict[str, float | str] = {"outcome": record.label}
    if record.verdict is not None:
        scores |= {"strict": record.verdict.strict, "loose": record.verdict.loose}
    return scores


def deficiencies_in(folder: Path) -> dict[RunKey, dict[str, float | str]]:
    """Counts of deficiencies by kind, for each sample in a run's ``diagnosis.jsonl``; its last line counts.

    Raises:
        UserError: when a line is none of a diagnosis.
    """
    path = folder / DIAGNOSIS_FILE
    if not path.exists():
        return {}
    found: dict[RunKey, dict[str, float | str]] = {}
    for number, row in _rows(path):
        if row.get("diagnosis") is None:  # diagnosing it failed
            continue
        try:
            key = (str(row["video_id"]), int(row["epoch"]))
            counts = Counter(str(each["kind"]) for each in row["diagnosis"]["deficiencies"])
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"{path}, line {number} is no diagnosis ({error!r}).") from error
        kinds = dict.fromkeys((*DIAGNOSIS, *counts))
        scores: dict[str, float | str] = {kind: float(counts[kind]) for kind in kinds}
        found[key] = {**scores, "deficiencies": float(counts.total())}
    return found


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            if number == len(lines):  # torn: it is being written
                return
            raise UserError(f"{path}, line {number} is no JSON ({error}).") from error
        if isinstance(row, dict):
            yield number, row
