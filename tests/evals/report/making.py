"""Run directories with little in them, and pictures for their videos."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from evals.store.records import RunRecord
from tools.frames import Frame, FrameCache, FrameSet

GOLD = ("The video presents a candle that burns down, implicitly expressing the passing of time.",)


def make_set(folder: Path, ids: Sequence[str], *, title: str = "", gold: Sequence[str] = GOLD) -> Path:
    """A data set without videos."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "datas.jsonl").open("w", encoding="utf-8") as table:
        for video_id in ids:
            row = {
                "video_id": video_id,
                "title": title,
                "metaphor_type": ["Body_Language"],
                "golden_answers": list(gold),
            }
            table.write(json.dumps(row) + "\n")
    return folder


def make_run(folder: Path, records: Sequence[RunRecord], dataset: Path | str = "", **frames: Any) -> Path:
    """A run directory."""
    folder.mkdir(parents=True)
    spec = {
        "graph": records[0].graph if records else "boost",
        "dataset": str(dataset),
        "context": {"frames": frames},
    }
    (folder / "run.json").write_text(json.dumps({"spec": spec, "started": "2026-01-01T00:00:00+00:00"}))
    (folder / "records.jsonl").write_text(
        "".join(record.line() + "\n" for record in records), encoding="utf-8"
    )
    return folder


def keep_frames(folder: Path, name: str, count: int = 20) -> str:
    """Frames of one colour each in a cache; returns their digest."""
    frames: list[Frame] = []
    for place in range(count):
        file = io.BytesIO()
        Image.new("RGB", (640, 360), (place * 12, 80, 160)).save(file, "JPEG")
        frames.append(Frame(place, place * 0.5, file.getvalue(), 640, 360))
    digest = hashlib.sha256(name.encode()).hexdigest()
    FrameCache(folder).put(FrameSet("", digest, count * 0.5, "pyav", tuple(frames)))
    return digest
