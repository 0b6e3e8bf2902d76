"""Predictions and scores in the layout of the published code, for tools that read it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from evals.store.records import Outcome, RunRecord
from graphs.durable.files import write_whole

__all__ = ["export_published", "prediction", "score"]


def prediction(record: RunRecord) -> dict[str, object] | None:
    """``video_id, analysis_dict, total_output``; None without an interpretation."""
    if record.interpretation is None:
        return None
    said = [call.raw for call in record.calls if call.step == "interpret" and call.raw]
    return {
        "video_id": record.video_id,
        "analysis_dict": record.interpretation.published(),
        "total_output": said[-1] if said else record.interpretation.text,
    }


def score(record: RunRecord) -> dict[str, object] | None:
    """``video_id, Content_Mining_Score, Thought_Analysis_Score, reasoning``; None where nobody judged yet.

    The first is strict (0 to 1), the second loose (0 to 10). Whole numbers when every judgement agrees, as in
    the published files; else the mean, which is not rounded. A failed sample has zeros and says why: its
    reader's mean is then our column that counts failures as zero.
    """
    if record.outcome is Outcome.UNJUDGED:
        return None
    verdict = record.verdict if record.ok else None
    why = f"[{record.label}] {record.errors[0].message}" if record.errors else f"[{record.label}]"
    return {
        "video_id": record.video_id,
        "Content_Mining_Score": _plain(verdict.strict) if verdict else 0,
        "Thought_Analysis_Score": _plain(verdict.loose) if verdict else 0,
        "reasoning": verdict.reasoning if verdict else why,
    }


def export_published(records: Iterable[RunRecord], folder: Path) -> list[Path]:
    """Write ``predictions.jsonl`` and ``scores.jsonl``.

    Further epochs go to ``predictions.epoch2.jsonl`` and so on.

    Args:
        records: read once.
        folder: where to write.

    Returns:
        The files written.
    """
    files: dict[str, list[str]] = {"predictions.jsonl": [], "scores.jsonl": []}
    for record in records:
        mark = "" if record.epoch == 1 else f".epoch{record.epoch}"
        for name, row in (("predictions", prediction(record)), ("scores", score(record))):
            lines = files.setdefault(f"{name}{mark}.jsonl", [])
            if row is not None:
                lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    for name, lines in files.items():
        write_whole(folder / name, "".join(lines))
    return [folder / name for name in files]


def _plain(mean: float) -> int | float:
    return int(mean) if mean == int(mean) else mean
