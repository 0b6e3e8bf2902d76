"""What runs again, what a failed run returns, and what may change when a run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.store.run_store import read_records

GRAPH = ("--graph", "tests.evals.stubs:graph", "--model", "stub:m", "--dataset", "ds", "--concurrency", "1")
Run = Callable[..., int]
MakeSet = Callable[..., None]


def outcomes() -> dict[str, int]:
    return json.loads(Path("r/summary.json").read_text())["outcomes"]


def asked_since(mark: list[str]) -> list[str]:
    lines = Path("asked").read_text().splitlines()
    new = lines[len(mark) :]
    mark[:] = lines
    return [line for line in new if line.startswith("interpret")]


def test_refusals_and_bad_input_stay_unless_asked_or_changed(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("fine", "refuse-a", "user-b", "provider-c", "output-d", "budget-e", missing=("gone",))
    assert run(*GRAPH, "--run-dir", "r") == 0
    mark: list[str] = []
    asked_since(mark)
    capsys.readouterr()
    assert run("--run-dir", "r", "--retry-errors") == 0
    assert asked_since(mark) == ["interpret provider-c", "interpret output-d", "interpret budget-e"]
    said = capsys.readouterr().err
    assert "1 refused stay as they are: the model declined, and is not asked again." in said
    assert "2 bad_input stay as they are: the input is what it was." in said
    Path("ds/videos/gone.mp4").write_bytes(b"x")
    Path("ds/videos/user-b.mp4").write_bytes(b"another")
    assert run("--run-dir", "r", "--retry-errors") == 0
    assert "interpret gone" in asked_since(mark)
    assert outcomes()["ok"] == 2
    assert run("--run-dir", "r", "--retry-errors", "refused", "bad_input") == 0
    assert asked_since(mark) == ["interpret refuse-a", "interpret user-b"]
    assert len(list(read_records(Path("r/records.jsonl")))) == 7


def test_an_outcome_that_there_is_not_is_refused(run: Run, make_set: MakeSet) -> None:
    make_set("a")
    with pytest.raises(SystemExit) as caught:
        run("--run-dir", "r", "--retry-errors", "everything")
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("allowed", "code"),
    [("0", 5), ("1", 5), ("2", 0), ("0.5", 0), ("50%", 0), ("0.49", 5), ("49%", 5), ("1.0", 0), ("100%", 0)],
)
def test_too_many_failures_are_code_5(run: Run, make_set: MakeSet, allowed: str, code: int) -> None:
    make_set("a", "b", "provider-c", "refuse-d")
    assert run(*GRAPH, "--run-dir", "r", "--fail-on-error", allowed) == code


@pytest.mark.parametrize("allowed", ["-1", "1.5", "101%", "half", "nan", ""])
def test_what_is_allowed_is_a_share_or_a_number(run: Run, make_set: MakeSet, allowed: str) -> None:
    make_set("a")
    with pytest.raises(SystemExit) as caught:
        run(*GRAPH, f"--fail-on-error={allowed}")
    assert caught.value.code == 2


def test_too_many_failures_are_told(run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]) -> None:
    make_set("a", "provider-c")
    assert run(*GRAPH, "--run-dir", "r", "--fail-on-error", "10%") == 5
    assert "1 of 2 samples failed, and --fail-on-error allows 10%." in capsys.readouterr().err


def test_servers_and_patience_may_change_and_are_named(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "provider-b")
    model = ("--model", "openai:m", "--judge-model", "openai:j")
    first = (*GRAPH[:2], *model, *GRAPH[4:], "--run-dir", "r")
    assert run(*first, "--base-url", "http://one/v1") == 0
    capsys.readouterr()
    more = ("--judge-base-url", "http://two/v1", "--base-url", "http://three/v1", "--timeout", "7")
    assert run("--run-dir", "r", "--retry-errors", *more, "--concurrency", "2") == 0
    said = capsys.readouterr().err
    assert "base_url was 'http://one/v1' and is now 'http://three/v1'." in said
    assert "judge_base_url was None and is now 'http://two/v1'." in said
    assert "timeout was 180.0 and is now 7.0." in said
    saved = json.loads(Path("r/run.json").read_text())["spec"]
    assert (saved["context"]["timeout"], saved["concurrency"]) == (7.0, 2)
    assert run("--run-dir", "r", "--temperature", "0") == 2
    assert "--temperature without --graph" in capsys.readouterr().err
    assert run("--run-dir", "r", "--base-url", "http://a:b@c/v1") == 2
    assert "keep the password out" in capsys.readouterr().err


def test_a_smaller_limit_shows_a_part_of_a_finished_run(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "b", "wrong-c")
    assert run(*GRAPH, "--run-dir", "r") == 0
    files: dict[str, Any] = {path.name: path.read_bytes() for path in Path("r").iterdir()}
    capsys.readouterr()
    assert run("--run-dir", "r", "--limit", "2") == 0
    said = capsys.readouterr()
    assert (
        "r holds 3 records. The table is of the 2 that --limit asks for; files stay as they are." in said.err
    )
    assert "All            2       0   100.0" in said.out
    after = {path.name: path.read_bytes() for path in Path("r").iterdir()}
    assert {name: content for name, content in after.items() if name != "run.lock"} == {
        name: content for name, content in files.items() if name != "run.lock"
    }


def test_a_video_id_of_any_length_is_told_shortened(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", missing=("x" * 200_000,))
    assert run(*GRAPH, "--run-dir", "r") == 0
    said = capsys.readouterr()
    assert len(said.err) < 5000
    assert "(200,000 characters)" in said.err
