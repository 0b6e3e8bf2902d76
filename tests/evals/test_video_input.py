"""Runs that show the video itself: records, refusals, estimates, and continuing with the same input only."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.context import Context, FrameSettings
from evals.money.estimate import estimate
from evals.run import main
from evals.spec import RunFile, RunSpec, changes
from evals.store.run_store import read_records
from graphs import resources
from tests.servers.fixtures import gemini_server  # noqa: F401 - a fixture
from tests.servers.gemini_like import GeminiLike

GeminiServer = Callable[..., GeminiLike]


@pytest.fixture
def data(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two samples that show the same video, and a folder of frames."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resources, "_KEPT", {})
    videos = tmp_path / "ds/videos"
    videos.mkdir(parents=True)
    for name in ("one", "two"):
        shutil.copy(root / "evals/datasets/mini/videos/candle_chair.mp4", videos / f"{name}.mp4")
    (videos / "folder").mkdir()
    for number in range(2):
        Image.new("RGB", (32, 32)).save(videos / f"folder/{number}.jpg")
    rows = [
        {"video_id": name, "title": "", "metaphor_type": ["Body_Language"], "golden_answers": ["g"]}
        for name in ("one", "two", "folder")
    ]
    (tmp_path / "ds/datas.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def command(server: GeminiLike, *more: str, graph: str = "boost_retrieval") -> int:
    asked = ["--graph", graph, "--dataset", "ds", "--run-dir", "r", "--quiet", "--judge-k", "1"]
    return main([*asked, "--model", "google_genai:pretend", "--base-url", server.base_url, *more])


def test_records_say_how_each_video_was_shown(
    data: Path,
    gemini_server: GeminiServer,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agents.video_input.GEMINI_INLINE_BYTES", 1000)
    server = gemini_server("slow_files")
    assert command(server, "--input", "video", "--frames", "10") == 0
    records = {record.video_id: record for record in read_records(data / "r/records.jsonl")}
    assert {name: str(record.outcome) for name, record in records.items()} == {
        "one": "ok",
        "two": "ok",
        "folder": "bad_input",
    }
    for name in ("one", "two"):
        record = records[name]
        assert record.video is not None
        assert (record.video.delivery, record.video.frames) == ("upload", 10)
        assert (record.frames_reader, record.frames_digest) == ("provider", record.video.digest)
        assert len(record.timestamps) == 10
    failure = records["folder"].errors[0]
    assert (failure.kind, failure.step) == ("FrameError", "perceive")
    assert "--input frames reads it" in failure.message
    assert (server.files.begun, server.files.deleted) == (1, ["clip1"]), "one upload for both samples"
    assert len((data / "r/records.jsonl").read_bytes()) < 40_000
    assert '"input": "video"' in (data / "r/run.json").read_text()
    assert "the model was shown the videos themselves" in (data / "r/table.md").read_text()


def test_another_input_is_no_continuation(
    data: Path,
    gemini_server: GeminiServer,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = gemini_server()
    assert command(server, "--input", "video", "--limit", "1") == 0
    asked = len(server.asks)
    assert command(server, "--limit", "1") == 2
    assert "input was 'video' and would be 'frames'" in capsys.readouterr().err
    assert command(server, "--input", "video", "--limit", "1") == 0
    assert len(server.asks) == asked


def test_a_run_begun_before_there_was_a_choice_was_one_of_frames() -> None:
    spec = {"graph": "boost", "context": {"model": "openai:a"}}
    old = RunFile(spec=RunSpec.model_validate(spec), dataset_digest="d", started="t")
    new = old.model_copy(update={"spec": RunSpec(graph="boost", context=Context(model="openai:a"))})
    assert changes(old, new) == []


def test_a_provider_that_takes_no_video_stops_the_run_at_its_start(
    data: Path, capsys: pytest.CaptureFixture[str], embedded_model: None
) -> None:
    for more in ([], ["--dry-run"]):
        assert main(["--graph", "boost", "--dataset", "ds", "--run-dir", "r", "--input", "video", *more]) == 2
        assert "--input video with --model embedded" in capsys.readouterr().err
    assert not (data / "r").exists()


def test_a_dry_run_tells_of_the_video_and_of_flags_without_effect(
    data: Path,
    gemini_server: GeminiServer,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = gemini_server()
    assert command(server, "--input", "video", "--max-side", "512", "--dry-run") == 0
    said = capsys.readouterr()
    assert "70 to 258 a picture of the video, 50 at most, and 32 a second of sound" in said.out
    assert "\ninput: the video itself\n" in said.out
    assert "--input video shows the file as it is: --max-side has no effect." in said.err
    assert server.requests == []


def test_tokens_of_a_video_follow_the_rate_and_the_provider() -> None:
    def tokens(**context: Any) -> tuple[int, int]:
        spec = RunSpec(graph="baseline", context=Context(judge_model="embedded", **context))
        return estimate(spec, 1).tokens

    ten = FrameSettings(max_frames=10)
    text = tokens(model="openai:a", frames=FrameSettings(max_frames=1))[0] - 750
    gemini = tokens(model="google_genai:g", frames=ten, input="video")
    assert gemini == (text + 10 * 70, text + 10 * 258 + 32 * 60)
    assert tokens(model="openai:a", frames=ten, input="video") == (text + 7500, text + 7500)
    assert tokens(model="openai:a", frames=ten) == (text + 7500, text + 7500)
