from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import evals.command
import evals.running.wiring
import graphs.catalog
from evals.run import main
from tests.evals import stubs


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """``evals.run`` in this process, with a stub judge and no resources, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STUB_LOG", str(tmp_path / "asked"))
    monkeypatch.setattr(graphs.catalog, "judge", lambda: stubs.judge)
    monkeypatch.setattr(evals.running.wiring, "open_resources", lambda _spec: None)
    monkeypatch.setattr(evals.command, "check", lambda _context: None)
    return lambda *argv: main(list(argv))


@pytest.fixture
def make_set(tmp_path: Path) -> Callable[..., None]:
    """Makes the data set ``ds``: a row and a file of one byte for each id."""

    def make(
        *video_ids: str, missing: tuple[str, ...] = (), types: tuple[str, ...] = ("Body_Language",)
    ) -> None:
        (tmp_path / "ds" / "videos").mkdir(parents=True, exist_ok=True)
        with (tmp_path / "ds" / "datas.jsonl").open("w") as file:
            for i, video_id in enumerate([*video_ids, *missing]):
                kind = [types[i % len(types)]]
                row = {"video_id": video_id, "title": "", "metaphor_type": kind, "golden_answers": ["g"]}
                file.write(json.dumps(row) + "\n")
        for video_id in video_ids:
            (tmp_path / "ds" / "videos" / f"{video_id}.mp4").write_bytes(b"x")

    return make
