"""Runs that have settings, and data sets with types."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.store.records import RunRecord

GOLD = "The video presents a candle that burns down, implicitly expressing the passing of time."


def make_run(folder: Path, records: Sequence[RunRecord], dataset: Path | str = "", **context: Any) -> Path:
    folder.mkdir(parents=True)
    spec = {"graph": records[0].graph, "dataset": str(dataset), "context": context}
    (folder / "run.json").write_text(json.dumps({"spec": spec, "started": "2026-01-01T00:00:00+00:00"}))
    (folder / "records.jsonl").write_text("".join(record.line() + "\n" for record in records))
    return folder


def make_set(folder: Path, rows: dict[str, Sequence[str]], gold: str = GOLD) -> Path:
    """A data set without videos, from ids to types."""
    folder.mkdir(parents=True)
    lines = [
        json.dumps({"video_id": name, "title": "", "metaphor_type": list(types), "golden_answers": [gold]})
        for name, types in rows.items()
    ]
    (folder / "datas.jsonl").write_text("\n".join(lines) + "\n")
    return folder
