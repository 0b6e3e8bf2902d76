from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evals.run import main as run_main
from tests.fakes import Call, ScriptedChatModel, answering_model
from tests.servers.brain import section

GOLD = (
    ("a candle that burns down beside an empty chair", "grief for someone who has gone"),
    ("a bird that flies out of an open cage", "freedom won at last"),
    ("a wall that grows between two neighbours", "distrust that nobody wanted"),
    ("a seed that breaks the asphalt", "life that will not be held down"),
    ("a clock whose hands are tied together", "an hour that can't be let go"),
    ("a puppet that cuts its own strings", "a will that is not for sale"),
)
TYPES = ("Body_Language", "Causal_Montage")


def scoring(score: Callable[[list[str], list[str], Call], tuple[int, int]]) -> ScriptedChatModel:
    """A judge by a function of the agreed entries, the prediction's, and the call: (strict, loose)."""

    def reply(call: Call) -> dict[str, Any]:
        strict, loose = score(section(call.text, "gold"), section(call.text, "prediction"), call)
        if "strict_score" in str(call.schema):
            return {"reasoning": "r", "strict_score": strict}
        return {"reasoning": "r", "loose_score": loose}

    return ScriptedChatModel(script=reply)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data set ``ds`` of six folders with a frame each; the test works beside it."""
    monkeypatch.chdir(tmp_path)
    rows: list[str] = []
    for number, (presents, expresses) in enumerate(GOLD):
        folder = tmp_path / "ds" / "videos" / f"v{number}"
        folder.mkdir(parents=True)
        Image.new("RGB", (48, 32), (40 * number, 0, 0)).save(folder / "frame_000001.jpg")
        gold = {"analysis_1": f"The video presents {presents}, implicitly expressing {expresses}."}
        row = {"video_id": f"v{number}", "title": "T", "golden_answers": gold}
        rows.append(json.dumps({**row, "metaphor_type": [TYPES[number % 2]]}))
    (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(rows))
    return tmp_path


@pytest.fixture
def made(data: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> Path:
    """A finished run ``run`` of that set by a scripted model, which judged itself: loose 3 everywhere."""
    play(answering_model(), judge=scoring(lambda _gold, _prediction, _call: (0, 3)))
    command = ["--graph", "baseline", "--model", "openai:scripted", "--judge-model", "openai:old"]
    assert run_main([*command, "--dataset", "ds", "--run-dir", "run", "--quiet"]) == 0
    capsys.readouterr()
    return data
