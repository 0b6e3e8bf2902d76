from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from agents.context import Context, FrameSettings
from agents.errors import UserError
from evals.money.estimate import estimate
from evals.money.prices import load_prices
from evals.settings.origin import versions
from evals.spec import RunFile, RunSpec, changes


def run_file(**changed: object) -> RunFile:
    context = Context(
        model="openai:a",
        timeout=changed.pop("timeout", 180.0),
        max_hops=changed.pop("max_hops", 4),
        frames=changed.pop("frames", FrameSettings()),
    )
    spec = RunSpec.model_validate({"graph": "boost", "context": context} | changed)
    return RunFile(spec=spec, dataset_digest="d", started="2026-01-01T00:00:00+00:00")


def test_a_run_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = run_file(limit=3, types=("Body_Language",))
    (tmp_path / "run.json").write_text(file.text())
    assert RunFile.read(tmp_path / "run.json") == file


def test_what_is_no_run_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"version": 1}')
    with pytest.raises(UserError, match=r"run\.json can't be read"):
        RunFile.read(path)


def test_harmless_settings_may_change() -> None:
    changed = run_file(limit=5, epochs=2, concurrency=1, dataset="moved/here", timeout=5.0)
    assert changes(run_file(), changed) == []
    elsewhere = run_file(frames=FrameSettings(cache=False, cache_dir="elsewhere"))
    assert changes(run_file(), elsewhere) == []
    assert changes(run_file(), run_file(frames=FrameSettings(method="shots"))) == [
        "frames.method was 'uniform' and would be 'shots'"
    ]


def test_other_settings_are_named_with_both_values() -> None:
    assert changes(run_file(), run_file(graph="cot", max_hops=2)) == [
        "graph was 'boost' and would be 'cot'",
        "max_hops was 4 and would be 2",
    ]


def test_changed_content_is_named() -> None:
    old = run_file().model_copy(update={"fingerprint": {"prompts": "1", "graphs": "2"}})
    new = old.model_copy(update={"dataset_digest": "e", "fingerprint": {"prompts": "3", "graphs": "2"}})
    assert changes(old, new) == [
        "the content of data set 'mini' is no longer what it was",
        "prompts is no longer what it was",
    ]


def test_unknown_keys_and_secrets_fail() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        RunSpec.model_validate({"graph": "boost", "grap": 1})
    with pytest.raises(ValidationError, match="keep the password out"):
        RunSpec(graph="boost", context=Context(base_url="https://me:secret@host/v1"))


def test_versions_name_what_can_change_an_answer() -> None:
    assert {"python", "langgraph", "pydantic"} <= set(versions())


def test_an_estimate_counts_calls_and_bounds_tokens() -> None:
    context = Context(
        model="openai:a", judge_k=3, max_hops=2, frames=FrameSettings(max_frames=10, max_side=1024)
    )
    expected = estimate(RunSpec(graph="boost", context=context), 10, load_prices())
    assert expected.calls == (30, 40)
    assert expected.judge_calls == 60
    assert expected.tokens == (10 * (7500 + 3 * 1200 + 6 * 1300), 10 * (4 * 8700 + 6 * 1300))
    assert "estimated" in expected.text()


def test_an_estimate_takes_the_embedded_models_own_rate_for_frames() -> None:
    from agents.embedded.chat import PICTURE_TOKENS

    context = Context(model="embedded", frames=FrameSettings(max_frames=10))
    expected = estimate(RunSpec(graph="baseline", context=context), 1, load_prices())
    few = Context(model="embedded", frames=FrameSettings(max_frames=1))
    one = estimate(RunSpec(graph="baseline", context=few), 1, load_prices())
    assert expected.tokens[0] - one.tokens[0] == 9 * PICTURE_TOKENS
    assert f"{PICTURE_TOKENS} a frame" in expected.text()


def test_the_embedded_judge_measures_once() -> None:
    assert estimate(RunSpec(graph="baseline", context=Context(judge_k=5)), 1, load_prices()).judge_calls == 2
