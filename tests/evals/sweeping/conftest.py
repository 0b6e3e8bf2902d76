from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PIL import Image

from evals.spec import RunSpec
from evals.store.run_store import RunStore
from evals.sweeping.design import Design, design_of
from evals.sweeping.saved import SweepFile
from tests.evals.records_for_tests import scored
from tests.tools.knowledge.sources.conftest import ROWS, conceptnet_line

GOLD = {"analysis_1": "The video presents a candle, implicitly expressing the passing of time."}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three videos as folders of frames, sentences and a slice of ConceptNet, where tests work."""
    monkeypatch.chdir(tmp_path)
    rows: list[str] = []
    for number, name in enumerate(("one", "two", "three")):
        folder = tmp_path / "ds" / "videos" / name
        folder.mkdir(parents=True)
        for frame in (1, 2):
            Image.new("RGB", (48, 32), (80 * frame, 60 * number, 0)).save(folder / f"frame_{frame:06d}.jpg")
        row = {"video_id": name, "title": name, "metaphor_type": "Body_Language", "golden_answers": GOLD}
        rows.append(json.dumps(row))
    (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "said.txt").write_text("A candle burns down like a life. A chair waits.\n", encoding="utf-8")
    lines = [conceptnet_line(*row) for row in ROWS]
    (tmp_path / "conceptnet.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


Scores = Callable[[dict[str, object], int], tuple[int, int]]
Fill = Callable[..., Design]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Lays a sweep out, and records what a function of chosen values and video gives as (strict, loose)."""

    def filled(
        factors: dict[str, Sequence[object]], scores: Scores, videos: int = 12, **asked: object
    ) -> Design:
        given = {name: tuple(values) for name, values in factors.items()}
        design = design_of(RunSpec(graph="boost_retrieval"), SweepFile(factors=given, **asked))  # pyright: ignore[reportArgumentType]
        for cell in design.file.cells:
            with RunStore(tmp_path / cell.name) as store:
                for number in range(videos):
                    strict, loose = scores(cell.chosen, number)
                    store.append([scored(f"v{number:02d}", strict, loose).line()])
            (tmp_path / cell.name / "summary.json").write_text('{"missing": 0}')
        return design

    return filled
