from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

GOLD = "The video presents a candle, implicitly expressing the passing of time."


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """Makes the data set ``ds`` of so many samples, which share two pictures; titles are their ids."""
    monkeypatch.chdir(tmp_path)

    def make(number: int) -> Path:
        shown = tmp_path / "shown"
        shown.mkdir()
        for i in (1, 2):
            Image.new("RGB", (48, 32), (80 * i, 0, 0)).save(shown / f"frame_{i:06d}.jpg")
        (tmp_path / "ds" / "videos").mkdir(parents=True)
        rows = []
        for i in range(number):
            (tmp_path / "ds" / "videos" / f"v{i}").symlink_to(shown)
            rows.append({"video_id": f"v{i}", "title": f"v{i}", "metaphor_type": "Body_Language"})
        lines = [json.dumps(row | {"golden_answers": {"a": GOLD}}) for row in rows]
        (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(lines), encoding="utf-8")
        return tmp_path

    return make
