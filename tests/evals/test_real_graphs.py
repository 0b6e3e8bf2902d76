"""The command over the project's own graphs and judge, with a scripted model in every role."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from agents.errors import ProviderError
from evals.run import main
from evals.store.run_store import read_records
from graphs.catalog import variants
from tests.fakes import Call, ScriptedChatModel, answering_model
from tests.servers.brain import answer


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders of frames, and a file that is no video."""
    monkeypatch.chdir(tmp_path)
    rows = []
    for name in ("first", "second"):
        folder = tmp_path / "ds" / "videos" / name
        folder.mkdir(parents=True)
        for number in (1, 2, 3):
            Image.new("RGB", (48, 32), (80 * number, 0, 0)).save(folder / f"frame_{number:06d}.jpg")
        rows.append({"video_id": name, "title": "Wax", "metaphor_type": ["Surreal_Narrative"]})
    (tmp_path / "ds" / "videos" / "broken.mp4").write_bytes(b"no video at all")
    rows.append({"video_id": "broken", "title": "", "metaphor_type": "Body_Language"})
    gold = {"analysis_1": "The video presents a candle, implicitly expressing the passing of time."}
    lines = [json.dumps(row | {"golden_answers": gold}) for row in rows]
    (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def command(graph: str, *more: str) -> int:
    return main(
        [
            "--graph",
            graph,
            "--model",
            "openai:scripted",
            "--dataset",
            "ds",
            "--run-dir",
            "r",
            "--quiet",
            *more,
        ]
    )


@pytest.mark.parametrize("graph", list(variants()))
def test_every_variant_is_run_judged_and_recorded(graph: str, data: Path, play: Callable[..., None]) -> None:
    play(answering_model())
    assert command(graph, "--judge-k", "2") == 0
    records = {record.video_id: record for record in read_records(data / "r" / "records.jsonl")}
    assert {name: str(record.outcome) for name, record in records.items()} == {
        "first": "ok",
        "second": "ok",
        "broken": "bad_input",
    }
    first = records["first"]
    assert first.interpretation is not None
    assert first.verdict is not None
    assert len(first.verdict.judgements) == 4
    assert [call.step for call in first.calls][-4:] == ["judge_strict", "judge_loose"] * 2
    assert len(first.timestamps) == 3
    assert first.frames_reader in {"folder", "pyav"}
    assert first.frame_shots == ()
    assert first.usage.input_tokens == 100 * sum(call.attempts for call in first.calls)
    assert bool(first.hops) is (graph == "boost")
    broken = records["broken"].errors[0]
    assert broken.kind == "FrameError"
    assert "broken.mp4" in broken.message
    assert broken.traceback == ""


def test_what_was_found_and_paid_before_a_failure_is_recorded(data: Path, play: Callable[..., None]) -> None:
    def fails_at_the_end(call: Call) -> object:
        if "entries" in str(call.schema):
            return ProviderError("the service is away")
        return answer(call.ask)

    play(ScriptedChatModel(script=fails_at_the_end))
    assert command("boost_retrieval", "--limit", "1") == 3
    (record,) = read_records(data / "r" / "records.jsonl")
    assert (record.label, record.errors[0].step) == ("infrastructure", "interpret")
    assert record.keywords
    assert [call.step for call in record.calls] == ["perceive", "interpret"]
    assert (record.calls[1].method, record.calls[1].usage.total_tokens) == ("failed", 0)
    assert record.usage.total_tokens == 110


def test_a_judge_that_is_away_costs_no_second_interpretation(data: Path, play: Callable[..., None]) -> None:
    play(answering_model(), judge=ScriptedChatModel(script=lambda _call: ProviderError("the judge is away")))
    assert command("baseline", "--limit", "1") == 3
    (record,) = read_records(data / "r" / "records.jsonl")
    assert (record.label, record.errors[0].step) == ("infrastructure (judge)", "judge")
    assert record.interpretation is not None
    interpreter = ScriptedChatModel.of()
    play(interpreter, judge=answering_model())
    assert main(["--run-dir", "r", "--retry-errors", "--quiet"]) == 0
    (again,) = read_records(data / "r" / "records.jsonl")
    assert again.ok
    assert again.interpretation == record.interpretation
    assert interpreter.calls == []
