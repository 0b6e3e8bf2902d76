"""Several graphs and models in one run, with stub graphs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.command import Start, run_spec
from evals.output import Output
from evals.report.gathering import gather
from evals.spec import RunSpec
from evals.statistics import read_systems
from evals.store.folders import run_folders
from evals.store.run_store import read_records

A, B = "tests.evals.stubs:graph", "tests.evals.stubs:picky"
TWO = ("--graph", f"{A},{B}", "--model", "stub:m", "--judge-model", "stub:j", "--dataset", "ds")
Run = Callable[..., int]
MakeSet = Callable[..., None]
Said = pytest.CaptureFixture[str]


@pytest.fixture
def report() -> None:
    """Asks for the report, which takes the longest."""


@pytest.fixture(autouse=True)
def _no_report(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "report" not in request.fixturenames:
        monkeypatch.setattr("evals.report.report_run", lambda _folder, _records: "Report: left out")


def asked() -> list[str]:
    path = Path("asked")
    return path.read_text().splitlines() if path.exists() else []


def recorded(folder: str) -> dict[str, list[str]]:
    return {
        each.name: [r.video_id for r in read_records(each / "records.jsonl")]
        for each in run_folders(Path(folder))
    }


def run_file(folder: str = "r") -> dict[str, Any]:
    return json.loads((Path(folder) / "run.json").read_text())


def events(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines()]


def test_two_graphs_are_one_run_of_two_cells(run: Run, make_set: MakeSet, capsys: Said, report: None) -> None:
    make_set("a", "wrong-b")
    assert run(*TWO, "--run-dir", "r", "--concurrency", "1") == 0
    said = capsys.readouterr()
    assert run_file()["cells"] == ["stubs-graph-m", "stubs-picky-m"]
    assert run_file()["spec"]["over"] == {"graph": [A, B]}
    assert json.loads(Path("r/stubs-picky-m/run.json").read_text())["spec"]["graph"] == B
    assert recorded("r") == {"stubs-graph-m": ["a", "wrong-b"], "stubs-picky-m": ["a", "wrong-b"]}
    assert [line for line in asked() if line.startswith("interpret")] == [
        *("interpret a", "interpret a", "interpret wrong-b", "interpret wrong-b")  # sample by sample
    ]
    assert "\nstubs-graph-m\n=============\ntype " in said.out
    assert "\nstubs-picky-m\n=============\ntype " in said.out
    assert "On 2 common videos stubs-picky-m is 0.0 points from stubs-graph-m" in said.out
    assert "Report: r/report.html" in said.err
    assert sorted(path.name for path in Path("r").iterdir()) == [
        *("comparison.md", "report.html", "run.json", "run.lock", "stubs-graph-m", "stubs-picky-m")
    ]
    assert not Path("r/stubs-graph-m/report.html").exists()


def test_a_directory_whose_name_looks_like_a_flag_holds_cells_too(run: Run, make_set: MakeSet) -> None:
    make_set("a")
    assert run(*TWO, "--run-dir", "./-r") == 0
    assert "stubs-picky-m" in Path("-r/comparison.md").read_text()


def test_readers_take_the_directory_that_holds_the_cells(run: Run, make_set: MakeSet) -> None:
    make_set("a", "b")
    run(*TWO, "--run-dir", "r")
    assert [system.name for system in read_systems([Path("r")])] == ["stubs-graph-m", "stubs-picky-m"]
    gathered = gather([Path("r")])
    assert [(each.letter, each.graph) for each in gathered.runs] == [("A", A), ("B", B)]
    assert run_folders(Path("r/stubs-picky-m/records.jsonl")) == [Path("r/stubs-picky-m")]


def test_a_cell_goes_on_as_a_run_of_its_own(run: Run, make_set: MakeSet) -> None:
    make_set("a", "b")
    run(*TWO, "--run-dir", "r", "--limit", "1")
    assert run("--run-dir", "r/stubs-picky-m", "--limit", "2") == 0
    assert recorded("r") == {"stubs-graph-m": ["a"], "stubs-picky-m": ["a", "b"]}
    assert run("--run-dir", "r", "--limit", "2") == 0
    assert recorded("r") == {"stubs-graph-m": ["a", "b"], "stubs-picky-m": ["a", "b"]}
    assert len(asked()) == 8


def test_a_graph_may_be_added_and_one_left_out_is_told(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a")
    run(*TWO, "--run-dir", "r")
    more = ("--graph", f"tests.evals.stubs:asking,{A}", "--graph", B, *TWO[2:], "--run-dir", "r")
    assert run(*more) == 0
    assert run_file()["cells"] == ["stubs-graph-m", "stubs-picky-m", "stubs-asking-m"]
    assert recorded("r")["stubs-asking-m"] == ["a"]
    assert asked().count("interpret a") == 2
    capsys.readouterr()
    assert run("--graph", B, *TWO[2:], "--run-dir", "r", "--epochs", "2") == 0
    assert "stubs-graph-m, stubs-asking-m are part of this run and not run now" in capsys.readouterr().err
    assert recorded("r") == {"stubs-graph-m": ["a"], "stubs-picky-m": ["a", "a"], "stubs-asking-m": ["a"]}
    assert run_file()["cells"] == ["stubs-graph-m", "stubs-picky-m", "stubs-asking-m"]


def test_a_model_may_be_added_and_names_stay(run: Run, make_set: MakeSet) -> None:
    make_set("a")
    run(*TWO, "--run-dir", "r")
    flags = ("--graph", f"{A},{B}", "--model", "stub:m", "--model", "other:m", *TWO[4:], "--run-dir", "r")
    assert run(*flags) == 0
    assert list(recorded("r")) == ["stubs-graph-m", "stubs-graph-m-2", "stubs-picky-m", "stubs-picky-m-2"]
    assert asked().count("interpret a") == 4


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("--graph", f"{A},tests.evals.stubs:asking", *TWO[2:]), f"(missing: graph {B})"),
        ((*TWO, "--max-hops", "2"), "max_hops was 4 and would be 2"),
        ((*TWO[:2], "--model", "stub:n", *TWO[4:]), "(missing: model stub:m)"),
    ],
)
def test_what_would_alter_records_is_refused_by_name(
    run: Run, make_set: MakeSet, capsys: Said, argv: tuple[str, ...], says: str
) -> None:
    make_set("a")
    run(*TWO, "--run-dir", "r")
    before = asked()
    assert run(*argv, "--run-dir", "r") == 2
    assert says in capsys.readouterr().err
    assert asked() == before


def test_a_run_of_one_cell_takes_no_others(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a")
    run("--graph", A, *TWO[2:], "--run-dir", "r")
    assert run(*TWO, "--run-dir", "r") == 2
    assert f"r holds a single run, of {A} with stub:m" in capsys.readouterr().err


def test_a_model_that_cant_be_had_stops_its_cells_alone(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set(*(f"v{i}" for i in range(6)))
    flags = ("--graph", B, "--model", "stub:away,stub:m", *TWO[4:], "--run-dir", "r", "--concurrency", "1")
    assert run(*flags) == 1
    said = capsys.readouterr().err
    assert "stubs-picky-away stops, since no other sample of it could do better: stub:m: the server" in said
    assert "Not finished: stubs-picky-away stopped. When the cause is mended, continue with:" in said
    assert {name: len(ids) for name, ids in recorded("r").items()} == {
        "stubs-picky-away": 1,
        "stubs-picky-m": 6,
    }
    assert "Report: " in said


def test_a_budget_is_that_of_all_cells(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a", "b", "c", "d")
    limits = ("--max-tokens-total", "500", "--concurrency", "1")  # a sample takes 170
    assert run(*TWO, "--run-dir", "r", *limits) == 4
    assert recorded("r") == {"stubs-graph-m": ["a", "b"], "stubs-picky-m": ["a"]}
    assert "510 tokens are spent, and --max-tokens-total is 500" in capsys.readouterr().err
    only_one = ("--graph", B, *TWO[2:], "--run-dir", "r", *limits)
    assert run(*only_one) == 4  # what the other cell spent counts
    assert len(asked()) == 6
    assert run("--run-dir", "r", "--max-tokens-total", "5000") == 0
    assert [len(ids) for ids in recorded("r").values()] == [4, 4]


def test_events_say_which_cell_they_are_of(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a", "provider-b")
    assert run(*TWO, "--run-dir", "r", "--json") == 0
    found = events(capsys.readouterr().out)
    names = ["stubs-graph-m", "stubs-picky-m"]
    assert [each["cell"] for each in found if each["event"] == "begin"] == names
    samples = [(each["cell"], each["video_id"]) for each in found if each["event"] == "sample"]
    assert sorted(samples) == [(name, video_id) for name in names for video_id in ("a", "provider-b")]
    assert [each["cell"] for each in found if each["event"] == "end"] == names
    (last,) = (each for each in found if each["event"] == "run_end")
    assert last == {"event": "run_end", "run_dir": "r", "cells": dict.fromkeys(names, 0), "code": 0}
    (compared,) = (each for each in found if each["event"] == "comparison")
    assert [each["name"] for each in compared["runs"]] == names


def test_failed_samples_of_every_cell_run_again(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a", "provider-b")
    assert run(*TWO, "--run-dir", "r", "--fail-on-error", "0") == 5
    assert "stubs-picky-m: 1 of 2 samples failed, and --fail-on-error allows 0." in capsys.readouterr().err
    Path("asked").unlink()
    assert run("--run-dir", "r", "--retry-errors") == 0
    assert asked() == ["interpret provider-b"] * 2


def test_a_dry_run_tells_each_cell_and_all(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a", "b")
    flags = ("--graph", "baseline,boost", "--model", "openai:gpt-5", "--dataset", "ds", "--judge-k", "1")
    assert run(*flags, "--dry-run") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["baseline-gpt-5", "2", "2", "2", "4"] in [row[:5] for row in rows]
    assert ["boost-gpt-5", "2", "2", "6", "to", "12", "4"] in [row[:7] for row in rows]
    assert ["all", "4", "8", "to", "14", "8"] in [row[:6] for row in rows]
    assert ["graph:", "[baseline,", "boost]"] in rows
    assert run(*flags, "--dry-run", "--json") == 0
    (told,) = (each for each in events(capsys.readouterr().out) if each["event"] == "dry_run")
    assert (told["to_record"], told["calls"], told["judge_calls"]) == (4, [8, 14], 8)
    assert [each["cell"] for each in told["cells"]] == ["baseline-gpt-5", "boost-gpt-5"]
    assert not Path("runs").exists()


def test_models_that_judge_themselves_are_told_not_to_compare(
    run: Run, make_set: MakeSet, capsys: Said
) -> None:
    make_set("a")
    assert run("--graph", A, "--model", "stub:m,stub:n", "--dataset", "ds", "--run-dir", "r") == 0
    assert "Each model judges its own interpretations" in capsys.readouterr().err


def test_any_setting_can_be_varied_from_python(run: Run, make_set: MakeSet) -> None:
    make_set("a")
    over = {"retrieval.limit": [0, 5]}
    spec = RunSpec.model_validate({"graph": A, "dataset": "ds", "context": {"model": "stub:m"}, "over": over})
    assert run_spec(spec, Start(run_dir="r"), Output(quiet=True)) == 0
    assert list(recorded("r")) == ["stubs-graph-m-limit-0", "stubs-graph-m-limit-5"]
    assert run("--run-dir", "r") == 0


def test_a_run_in_use_is_refused_whole(run: Run, make_set: MakeSet, capsys: Said) -> None:
    from evals.store.folders import GridFolder

    make_set("a")
    run(*TWO, "--run-dir", "r")
    with GridFolder(Path("r")):
        assert run(*TWO, "--run-dir", "r") == 2
    assert "r is in use by another run" in capsys.readouterr().err


def test_what_cant_be_opened_leaves_no_directory(run: Run, make_set: MakeSet, capsys: Said) -> None:
    make_set("a")
    assert run("--graph", f"{A},tests.evals.stubs:nope", *TWO[2:], "--run-dir", "deep/r") == 2
    assert "has no 'nope'" in capsys.readouterr().err
    assert not Path("deep").exists()
