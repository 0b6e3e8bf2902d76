from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evals.run import main
from tests.servers.langsmith_like import LangSmithLike

KEYS = {
    "LANGSMITH_API_KEY": "lsv2_pt_planted0123456789abcdef_0123456789",
    "OPENAI_API_KEY": "sk-planted-0123456789abcdef",
    "GOOGLE_API_KEY": "AIzaPlanted0123456789abcdefghijklmnop",
    "MY_SERVICE_TOKEN": "planted-token-of-a-tool",
    "LANGCHAIN_FOOD": "planted-variable-of-the-environment",
}


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of the developer's own, and LangChain's automatic tracing as it was afterwards."""
    from langsmith.run_trees import configure

    for name in list(os.environ):
        if name.startswith(("LANGSMITH_", "LANGCHAIN_", "OTEL_")):
            monkeypatch.delenv(name)
    yield
    configure(enabled=None)


@pytest.fixture
def langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., LangSmithLike]]:
    """Start a LangSmith-shaped server, and let the environment ask for it: ``langsmith(fails=401)``."""
    servers: list[LangSmithLike] = []

    def start(**options: object) -> LangSmithLike:
        servers.append(LangSmithLike(**options))  # type: ignore[arg-type]
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        monkeypatch.setenv("LANGSMITH_ENDPOINT", servers[-1].root)
        for name, value in KEYS.items():
            monkeypatch.setenv(name, value)
        return servers[-1]

    yield start
    for server in servers:
        server.close()
    assert [bug for server in servers for bug in server.bugs] == []


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the data set ``ds`` in the working directory: folders of frames."""
    monkeypatch.chdir(tmp_path)

    def make(*video_ids: str, frames: int = 2, side: int = 32) -> None:
        noise = np.random.default_rng(0)
        lines: list[str] = []
        for video_id in video_ids:
            folder = tmp_path / "ds" / "videos" / video_id
            folder.mkdir(parents=True)
            for number in range(1, frames + 1):
                picture = noise.integers(0, 255, (side, side, 3), dtype=np.uint8)
                Image.fromarray(picture).save(folder / f"frame_{number:06d}.jpg", quality=95)
            gold = {"analysis_1": "The video presents a candle, implicitly expressing the passing of time."}
            row = {"video_id": video_id, "title": "Wax", "metaphor_type": ["Surreal_Narrative"]}
            lines.append(json.dumps(row | {"golden_answers": gold}))
        (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(lines), encoding="utf-8")

    return make


def command(graph: str, *more: str, run_dir: str = "r") -> int:
    """``evals.run`` over ``ds`` with a scripted model."""
    given = [
        "--graph",
        graph,
        "--model",
        "openai:scripted",
        "--dataset",
        "ds",
        "--run-dir",
        run_dir,
        "--no-cache",
    ]
    return main([*given, *more])
