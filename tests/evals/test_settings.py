"""What is varied, what cells are called, and what is saved of where a run came from."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agents.errors import UserError
from evals.settings import origin as origins
from evals.settings.dotted import flat, full_name, laid, merged, nearest, put
from evals.settings.naming import cell_names
from evals.settings.origin import Checkout, origin
from evals.spec import RunSpec
from evals.store.folders import run_folders

VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=60))


def spec(**over: Any) -> RunSpec:
    return RunSpec.model_validate({"graph": "boost", "over": over})


def test_cells_are_all_combinations_the_last_setting_fastest() -> None:
    found = spec(graph=["cot", "boost"], model=["openai:gpt-5", "vllm/Qwen3"]).cells()
    assert [cell.name for cell in found] == ["cot-gpt-5", "cot-Qwen3", "boost-gpt-5", "boost-Qwen3"]
    assert found[1].chosen == {"graph": "cot", "context.model": "vllm/Qwen3"}
    assert (found[1].spec.graph, found[1].spec.context.model, found[1].spec.over) == ("cot", "vllm/Qwen3", {})


def test_without_variation_there_is_one_cell_without_a_name() -> None:
    (cell,) = spec().cells()
    assert (cell.name, cell.spec.graph, cell.chosen) == ("", "boost", {})
    (cell,) = spec(graph=["cot"]).cells()
    assert (cell.name, cell.spec.graph) == ("", "cot")


def test_names_tell_what_is_varied_and_alike_ones_are_numbered() -> None:
    found = spec(**{"limit": [1, 2], "retrieval.limit": [5]}).cells()
    assert [cell.name for cell in found] == ["boost-embedded-limit-1", "boost-embedded-limit-2"]
    both = spec(**{"limit": [1, 2], "retrieval.limit": [5, 6]}).cells()
    assert both[0].name == "boost-embedded-limit-1-retrieval.limit-5"
    found = spec(model=["openai:gpt-5", "other:GPT-5", "x:org/gpt-5"]).cells()
    assert [cell.name for cell in found] == ["boost-gpt-5", "boost-GPT-5-2", "boost-gpt-5-3"]
    found = spec(knowledge=[{"source": "none"}, {"graph": "/a/my graph.json"}]).cells()
    assert [cell.name for cell in found] == [
        "boost-embedded-knowledge-none",
        "boost-embedded-knowledge-my-graph.json",
    ]
    assert found[0].spec.context.knowledge.source == "none"


@given(st.lists(VALUES, min_size=1, max_size=5), st.lists(VALUES, min_size=1, max_size=4))
def test_names_are_folders_of_their_own_and_stay_when_values_are_added(
    graphs: list[Any], others: list[Any]
) -> None:
    over = {"graph": graphs, "context.tools": others}
    names = cell_names(over, {"graph": "x", "context.model": "m"})
    folded = [name.casefold() for name in names.values()]
    assert len(set(folded)) == len(names) == len(graphs) * len(others)
    assert all(name and Path(name).name == name and not name.startswith(".") for name in names.values())
    more = cell_names({"graph": [*graphs, "new"], "context.tools": others}, {"context.model": "m"})
    assert [more[key] for key in names] == list(names.values())


@pytest.mark.parametrize(
    ("over", "says"),
    [
        ({"retrieval.limits": [1]}, "no setting 'retrieval.limits'. Did you mean retrieval.limit"),
        ({"graph": ["a", "a"]}, "graph names a twice"),
        ({"concurrency": [1, 2]}, "concurrency is the whole run's"),
        ({"model": "a"}, "model wants a list of values"),
        ({"model": ["a"], "context.model": ["b"]}, "over names model twice"),
        ({"judge_k": [1, 0]}, "judge_k: Input should be greater than or equal to 1"),
        ({"limit": list(range(1, 300))}, "299 combinations are too many"),
    ],
)
def test_what_cant_be_varied_is_said(over: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        spec(**over)


def test_dotted_settings() -> None:
    tree = laid({"a.b": 1, "a.c.d": 2})
    assert tree == {"a": {"b": 1, "c": {"d": 2}}}
    assert dict(flat(tree)) == {"a.b": 1, "a.c.d": 2}
    assert merged(tree, {"a": {"b": 3}, "e": 4}) == {"a": {"b": 3, "c": {"d": 2}}, "e": 4}
    put(tree, "a.b.f", 5)
    assert tree["a"]["b"] == {"f": 5}
    assert full_name("retrieval.limit", RunSpec) == "context.retrieval.limit"
    assert nearest("quite.other", RunSpec) == ""


def git(folder: Path, *arguments: str) -> str:
    config = ("-c", "user.name=n", "-c", "user.email=e@e", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *config, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_git_tells_commit_and_whether_dirty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert origin().work is None
    git(tmp_path, "init", "-q")
    assert origin().work is None  # nothing is committed yet
    (tmp_path / "a").write_text("1")
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "-qm", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")
    (tmp_path / "untracked").write_text("1")
    assert origin().work == Checkout(folder=str(tmp_path), commit=commit, dirty=False)
    (tmp_path / "a").write_text("2")
    assert origin().work == Checkout(folder=str(tmp_path), commit=commit, dirty=True)


def test_without_git_or_with_a_slow_one_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    assert origin().work is None
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(origins, "_SECONDS", 0.2)
    since = time.monotonic()
    assert origin().work is None
    assert time.monotonic() - since < 30


def test_what_a_run_was_started_with() -> None:
    told = origin()
    assert {"python", "metaphorboost", "langgraph", "pydantic"} <= set(told.versions)
    assert {"system", "machine", "python"} == set(told.platform)


def test_folders_of_a_path(tmp_path: Path) -> None:
    for name, cells in (("b", ["y", "x"]), ("a", [])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(f'{{"cells": {cells}}}'.replace("'", '"'))
        for cell in cells or [""]:
            (tmp_path / name / cell).mkdir(exist_ok=True)
            (tmp_path / name / cell / "records.jsonl").write_text("{}\n" if cell != "x" else "")
    assert run_folders(tmp_path / "b") == [tmp_path / "b" / "y", tmp_path / "b" / "x"]
    assert run_folders(tmp_path / "b", recorded=True) == [tmp_path / "b" / "y"]
    assert run_folders(tmp_path) == [tmp_path / "a", tmp_path / "b" / "y", tmp_path / "b" / "x"]
    for missing in (tmp_path / "none", tmp_path / "b" / "x" / "deeper"):
        with pytest.raises(UserError, match="no run directory"):
            run_folders(missing)
    (tmp_path / "b" / "run.json").write_text('{"cells": ["../a", 3]}')
    assert run_folders(tmp_path / "b") == [tmp_path / "b" / "x", tmp_path / "b" / "y"]  # none that leads out
