"""What LangSmith's SDK really sends for a run, read back from a server that records it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.feedback import main as feedback
from evals.run import main
from evals.store.run_store import read_records
from tests.evals.tracing.conftest import KEYS, command
from tests.fakes import ScriptedChatModel, answering_model
from tests.servers.langsmith_like import LangSmithLike

Start = Callable[..., LangSmithLike]
Play = Callable[..., None]
Make = Callable[..., None]


def tree(server: LangSmithLike, run: dict[str, Any]) -> list[Any]:
    """Names and kinds below a run."""
    return [(each["name"], each["run_type"], tree(server, each)) for each in server.children(run)]


def test_a_sample_is_one_tree_named_tagged_and_judged(
    langsmith: Start, data: Make, play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = langsmith()
    data("first", "second")
    play(answering_model())
    assert command("boost", "--epochs", "2") == 0
    assert sorted(server.roots) == ["boost:first", "boost:second"]
    assert sum("parent_run_id" not in run for run in server.runs.values()) == 4
    roots = [run for run in server.runs.values() if run["name"] == "boost:first"]
    assert sorted(run["tags"][-1] for run in roots) == ["epoch:1", "epoch:2"]
    for root in roots:
        assert root["tags"][:-1] == ["boost", "openai:scripted", "Surreal_Narrative"]
        model = ("ScriptedChatModel", "llm", [])
        hop = ("hop", "chain", [("explore_metaphors", "tool", [])])
        steps = tree(server, root)
        assert steps[0] == ("perceive", "chain", [model])
        assert steps[1:3] == [("explore", "chain", [model]), hop]
        assert steps[-2] == ("interpret", "chain", [model])
        assert steps[-1][:2] == ("judge", "chain")
        assert len(steps[-1][2]) == 6
        assert server.scores(root) == {"outcome": "ok", "strict": 0.0, "loose": 0.0}
        assert root["outputs"]["entries"][0].startswith("The video presents")
        assert root["extra"]["metadata"]["frames"]["timestamps"] == "0, 1"
        assert {
            run["trace_id"]
            for run in server.runs.values()
            if run["dotted_order"].startswith(root["dotted_order"])
        } == {root["id"]}
    records = {(r.video_id, r.epoch): r for r in read_records(tmp_path / "r" / "records.jsonl")}
    assert {record.trace for record in records.values()} == {
        run["id"] for run in server.runs.values() if "parent_run_id" not in run
    }
    assert {record.trace_project for record in records.values()} == {"default"}
    assert "LangSmith received: 4 traces, 12 feedback." in capsys.readouterr().err


def test_a_tool_run_says_what_was_asked_and_found(langsmith: Start, data: Make, play: Play) -> None:
    server = langsmith()
    data("first")
    play(answering_model())
    assert command("boost") == 0
    tools = [run for run in server.runs.values() if run["run_type"] == "tool"]
    assert tools
    assert tools[0]["inputs"]["concepts"]
    assert "->" in json.dumps(tools[0]["outputs"])


def test_fifty_frames_and_every_key_stay_here(langsmith: Start, data: Make, play: Play) -> None:
    server = langsmith()
    data("first", frames=50, side=230)
    model = answering_model()
    play(model)
    assert command("boost") == 0
    images = [image for call in model.calls for image in call.images]
    assert len(set(images)) == 50
    assert sum(map(len, set(images))) * 3 / 4 > 50 * 60_000
    body = server.everything
    for image in set(images):
        for start in (0, len(image) // 2, len(image) - 40):
            assert image[start : start + 32].encode() not in body
    assert b"/9j/" not in body
    assert b"\xff\xd8\xff" not in body
    assert not [name for name, value in KEYS.items() if value.encode() in body]
    (size,) = server.sent
    assert 5_000 < size < 50_000
    wire = [len(request.raw) for request in server.requests if request.path == "/runs/multipart"]
    assert wire[0] < size / 3
    shown = json.dumps([run["inputs"] for run in server.runs.values() if run["run_type"] == "llm"])
    assert "Frame at 0.00 s [image/jpeg, " in shown
    digest = shown.split("sha256 ")[1][:16]
    import hashlib

    assert digest in {hashlib.sha256(base64.b64decode(image)).hexdigest()[:16] for image in images}


def test_a_failed_sample_is_traced_with_its_error_and_outcome(
    langsmith: Start, data: Make, play: Play
) -> None:
    server = langsmith()
    data("first")
    play(ScriptedChatModel(script=lambda call: ValueError(f"no: data:image/jpeg;base64,{call.images[0]}")))
    assert command("baseline") == 3
    (root,) = server.roots.values()
    assert server.scores(root) == {"outcome": "internal_error"}
    assert root["error"].startswith("ValueError in ")
    assert b"/9j/" not in server.everything
    (step,) = server.children(root)
    assert "[image/jpeg, " in step["error"]


def test_runs_are_experiments_against_a_data_set_and_repeating_adds_nothing(
    langsmith: Start, data: Make, play: Play, tmp_path: Path
) -> None:
    server = langsmith()
    data("first", "second")
    play(answering_model())
    assert command("baseline", "--langsmith-dataset", "bench", "--limit", "1") == 0
    assert [example["inputs"]["video_id"] for example in server.examples.values()] == ["first"]
    assert main(["--run-dir", "r", "--limit", "2"]) == 0
    assert command("boost", "--langsmith-dataset", "bench", run_dir="other") == 0
    assert list(server.datasets) == ["bench"]
    examples = {each["inputs"]["video_id"]: each for each in server.examples.values()}
    assert set(examples) == {"first", "second"}
    assert examples["first"]["inputs"] == {
        "video_id": "first",
        "title": "Wax",
        "types": ["Surreal_Narrative"],
    }
    assert examples["first"]["outputs"]["entries"] == [
        "The video presents a candle, implicitly expressing the passing of time."
    ]
    assert len(server.projects) == 2
    first, other = server.projects
    assert first.startswith("r-")
    assert other.startswith("other-")
    for project in server.projects.values():
        assert project["reference_dataset_id"] == server.datasets["bench"]["id"]
        assert project["num_repetitions"] == 1
    for root in (run for run in server.runs.values() if "parent_run_id" not in run):
        assert root["reference_example_id"] == examples[root["name"].partition(":")[2]]["id"]
        assert root["session_name"] == (first if root["name"].startswith("baseline") else other)
    given = {each["session_id"] for each in server.feedback.values()}
    assert given == {project["id"] for project in server.projects.values()}


def test_each_cell_of_a_run_is_an_experiment_of_its_own(
    langsmith: Start, data: Make, play: Play, tmp_path: Path
) -> None:
    server = langsmith()
    data("first")
    play(answering_model())
    given = ["--graph", "baseline,cot", "--model", "openai:scripted", "--dataset", "ds", "--run-dir", "r"]
    assert main([*given, "--no-cache", "--langsmith-dataset", "bench"]) == 0
    assert sorted(server.roots) == ["baseline:first", "cot:first"]
    assert len(server.projects) == 2
    assert all(name.startswith("r.") for name in server.projects)
    assert len(server.examples) == 1
    for run in server.roots.values():
        graph = run["name"].partition(":")[0]
        assert server.projects[run["session_name"]]["extra"]["metadata"]["graph"] == graph
        assert graph in run["extra"]["metadata"]["cell"]
    assert feedback(["r"]) == 0
    assert len(server.feedback) == 6


def test_a_data_set_that_can_not_be_made_costs_the_experiment_and_not_the_traces(
    langsmith: Start,
    data: Make,
    play: Play,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = langsmith()
    routes = [each for each in server._routes() if "datasets" not in each[0]]
    monkeypatch.setattr(server, "_routes", lambda: routes)
    data("first")
    play(answering_model())
    assert command("baseline", "--langsmith-dataset", "bench") == 0
    assert list(server.roots) == ["baseline:first"]
    assert list(server.projects) == ["default"]
    assert "no experiment against 'bench'" in capsys.readouterr().err


def test_project_key_and_workspace_are_those_of_the_environment(
    langsmith: Start, data: Make, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = langsmith()
    monkeypatch.setenv("LANGSMITH_PROJECT", "mine")
    monkeypatch.setenv("LANGSMITH_WORKSPACE_ID", "00000000-0000-4000-8000-00000000000a")
    data("first")
    play(answering_model())
    assert command("baseline") == 0
    assert list(server.projects) == ["mine"]
    assert {run["session_name"] for run in server.runs.values()} == {"mine"}
    for request in server.requests:
        headers = {name.lower(): value for name, value in request.headers.items()}
        assert headers["x-api-key"] == KEYS["LANGSMITH_API_KEY"]
        assert headers["x-tenant-id"] == "00000000-0000-4000-8000-00000000000a"
