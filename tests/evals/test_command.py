"""The command in this process, with stub graphs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import evals.command
import evals.running.wiring
import graphs.catalog
from agents.errors import UserError
from evals.store.run_store import read_records
from tests.evals import stubs

GRAPH = ("--graph", "tests.evals.stubs:graph", "--model", "stub:m", "--dataset", "ds")
Run = Callable[..., int]
MakeSet = Callable[..., None]


def asked() -> list[str]:
    path = Path("asked")
    return path.read_text().splitlines() if path.exists() else []


def summary(folder: str = "r") -> dict[str, object]:
    return json.loads((Path(folder) / "summary.json").read_text())


def test_a_run_prints_its_table_and_leaves_its_files(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "wrong-b", types=("Body_Language", "Causal_Montage"))
    assert run(*GRAPH, "--run-dir", "r") == 0
    said = capsys.readouterr()
    assert (
        "All             2       0    50.0     -                 50.0   55.0     -                55.0"
        in said.out.splitlines()
    )
    assert "continue with: python -m evals.run --run-dir r" in said.err
    assert "Report: r/report.html (side by side with another run: python -m evals.report r OTHER)" in said.err
    assert sorted(path.name for path in Path("r").iterdir()) == [
        "predictions.jsonl",
        "records.jsonl",
        "report.html",
        "run.json",
        "run.lock",
        "scores.jsonl",
        "summary.json",
        "table.md",
    ]
    assert summary()["outcomes"] == {"ok": 2}
    assert json.loads(Path("r/scores.jsonl").read_text().splitlines()[0])["Thought_Analysis_Score"] in (3, 8)


def test_a_second_start_pays_for_nothing_and_prints_the_table_again(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_set("a", "b", "provider-c")
    assert run(*GRAPH, "--run-dir", "r") == 0
    first, table = asked(), capsys.readouterr().out
    monkeypatch.setattr(graphs.catalog, "load", lambda _name: pytest.fail("a graph was loaded"))
    assert run(*GRAPH, "--run-dir", "r") == 0
    assert run("--run-dir", "r") == 0
    assert asked() == first
    assert capsys.readouterr().out == table * 2


def test_limit_and_epochs_may_grow(run: Run, make_set: MakeSet) -> None:
    make_set("a", "b", "c")
    assert run(*GRAPH, "--run-dir", "r", "--limit", "1") == 0
    assert run(*GRAPH, "--run-dir", "r", "--limit", "2", "--concurrency", "1") == 0
    assert asked() == ["interpret a", "judge a", "interpret b", "judge b"]
    assert run("--run-dir", "r", "--epochs", "2") == 0
    records = [record.key for record in read_records(Path("r/records.jsonl"))]
    assert sorted(records) == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert summary()["records"] == 4


def test_a_changed_setting_is_refused_by_name(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    run(*GRAPH, "--run-dir", "r")
    capsys.readouterr()
    assert run(*GRAPH, "--run-dir", "r", "--max-hops", "2", "--type", "BL") == 2
    assert capsys.readouterr().err == (
        "error: r was begun with other settings: types was [] and would be ['Body_Language']; "
        "max_hops was 4 and would be 2. Give another --run-dir.\n"
    )
    assert run("--run-dir", "r", "--max-hops", "4") == 2
    assert "--max-hops without --graph" in capsys.readouterr().err
    make_set("a", "b")
    assert run(*GRAPH, "--run-dir", "r") == 2
    assert "the content of data set 'ds' is no longer what it was" in capsys.readouterr().err


def test_a_moved_data_set_is_the_same(run: Run, make_set: MakeSet) -> None:
    make_set("a", "b")
    run(*GRAPH, "--run-dir", "r", "--limit", "1")
    Path("ds").rename("elsewhere")
    assert run(*GRAPH[:-1], "elsewhere", "--run-dir", "r") == 0
    assert asked() == ["interpret a", "judge a", "interpret b", "judge b"]


def test_one_bad_sample_ends_nothing_and_a_bug_is_said_loudly(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set(*(f"{name}-x" for name in stubs.ERRORS), "fine", missing=("gone",))
    assert run(*GRAPH, "--run-dir", "r") == 0
    assert summary()["outcomes"] == {
        "internal_error": 3,
        "bad_input": 2,
        "model_output_error": 1,
        "refused": 1,
        "budget": 1,
        "infrastructure": 1,
        "ok": 1,
    }
    said = capsys.readouterr().err
    assert "ds: videos are missing (1):\n  gone: no ds/videos/gone.*" in said.replace("\\", "/")
    assert "A BUG, and not your input, ended 3 of them (internal_error)" in said
    tracebacks = {
        r.video_id: r.errors[0].traceback for r in read_records(Path("r/records.jsonl")) if r.errors
    }
    assert "ZeroDivisionError: division by zero" in tracebacks["bug-x"]
    assert tracebacks["provider-x"] == ""


def test_all_failed_is_code_3(run: Run, make_set: MakeSet) -> None:
    make_set("bug-a", missing=("gone",))
    assert run(*GRAPH, "--run-dir", "r") == 3


def test_retry_errors_runs_what_failed_and_judges_again_what_is_interpreted(
    run: Run, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_set("a", "judgefail", "bug-c")
    assert run(*GRAPH, "--run-dir", "r", "--concurrency", "1") == 0
    Path("asked").unlink()
    monkeypatch.setenv("STUB_JUDGE_MENDED", "1")
    assert run("--run-dir", "r", "--retry-errors", "--concurrency", "1") == 0
    assert asked() == ["judge judgefail", "interpret bug-c"]
    assert summary()["outcomes"] == {"ok": 2, "internal_error": 1}
    assert summary()["records"] == 3


def test_type_filters(run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]) -> None:
    make_set("a", "b", "c", types=("Body_Language", "Surreal_Narrative", "Cultural_Symbol"))
    assert run(*GRAPH, "--run-dir", "r", "--type", "SN", "cultural symbol") == 0
    assert sorted(record.video_id for record in read_records(Path("r/records.jsonl"))) == ["b", "c"]
    assert run(*GRAPH, "--type", "Causal_Montage") == 2
    assert "No sample of ds has type Causal_Montage." in capsys.readouterr().err
    assert run(*GRAPH, "--type", "Surreal") == 2
    assert "Did you mean Surreal_Narrative?" in capsys.readouterr().err


def test_json_puts_nothing_but_events_on_stdout(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", missing=("gone",))
    assert run(*GRAPH, "--run-dir", "r", "--json") == 0
    said = capsys.readouterr()
    events = [json.loads(line) for line in said.out.splitlines()]
    assert said.err == ""
    assert [event["event"] for event in events] == [
        "problem",
        "message",
        "message",
        "begin",
        "sample",
        "sample",
        "end",
        "warning",
        "warning",
        "warning",
        "warning",
        "message",
    ]
    assert {event["video_id"] for event in events if event["event"] == "sample"} == {"a", "gone"}
    end = next(event for event in events if event["event"] == "end")
    assert end["overall"]["loose"] == 40.0
    assert end["run_dir"] == "r"


def test_quiet_prints_the_table_alone(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    assert run(*GRAPH, "--run-dir", "r", "--quiet") == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines()[1].startswith("type ")


def test_a_new_directory_is_named_by_time_graph_and_model(run: Run, make_set: MakeSet) -> None:
    make_set("a")
    run(*GRAPH)
    run(*GRAPH)
    names = sorted(path.name for path in Path("runs").iterdir())
    assert len(names) == 2
    assert names[0][8] == "T"
    assert names[0].partition("-")[2].startswith("tests.evals.stubs_graph-stub_m")


def test_dry_run_asks_nothing_and_makes_nothing(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "b", "c")
    arguments = ("--graph", "boost", "--model", "openai:x", "--dataset", "ds", "--dry-run", "--limit", "2")
    assert run(*arguments, "--epochs", "2", "--judge-k", "1", "--max-hops", "3") == 0
    out = capsys.readouterr().out
    assert out.startswith("graph: boost\nmodel: openai:x\n")
    assert "money: unknown, since no price is known for openai:x; give one with --prices FILE\n" in out
    assert "samples: 2\n" in out
    assert "model calls: 12 to 20 interpreting, 8 judging" in out
    assert asked() == []
    assert not Path("runs").exists()


def test_without_a_model_the_run_says_which_it_takes(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    assert run("--graph", "tests.evals.stubs:graph", "--dataset", "ds", "--run-dir", "r") == 0
    assert "embedded" in capsys.readouterr().err
    assert json.loads(Path("r/run.json").read_text())["spec"]["context"]["model"] == "embedded"


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("--graph", "boots", "--model", "m"), "Did you mean boost?"),
        (("--graph", "boost", "--model", "m", "--dataset", "mimi"), "Did you mean mini?"),
        (("--graph", "boost", "--model", "m", "--dataset", "ds", "--judge-k", "99"), "--judge-k"),
        (("--graph", "no_module:graph", "--model", "m", "--dataset", "ds"), "no_module"),
        (("--graph", "json:dumps", "--model", "m", "--dataset", "ds"), "not a compiled graph"),
        (("--run-dir", "empty"), "holds no run to continue"),
        (
            ("--graph", "boost", "--model", "m", "--dataset", "ds", "--base-url", "http://a:b@c"),
            "keep the password out",
        ),
    ],
)
def test_a_usage_error_is_one_sentence_and_code_2(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], says: str
) -> None:
    make_set("a")
    assert run(*argv) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("error: ")
    assert says in said


def test_what_cant_be_opened_leaves_no_directory(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    wrong = ("--graph", "tests.evals.stubs:grap", *GRAPH[2:], "--run-dir", "r")
    assert run(*wrong) == 2
    assert "Did you mean 'graph'?" in capsys.readouterr().err
    assert not Path("r").exists()
    assert run(*GRAPH, "--run-dir", "r") == 0


def test_a_run_directory_without_run_json_is_left_alone(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    Path("r").mkdir()
    Path("r/records.jsonl").write_text("{}\n")
    assert run(*GRAPH, "--run-dir", "r") == 2
    assert "holds records but no run.json" in capsys.readouterr().err


def test_a_run_stops_itself_when_no_sample_can_do_better(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("fine-1", "fatal-2", *(f"fine-{i}" for i in range(3, 30)))
    assert run(*GRAPH, "--run-dir", "r", "--concurrency", "1") == 1
    told = capsys.readouterr().err
    assert "no other sample could do better: stub:m: the server answered 404: no such model" in told
    assert len(asked()) == 3  # one interpreted and judged, one refused; 27 were never begun
    assert summary()["missing"] == 27
    table = (Path("r") / "table.md").read_text()
    assert "Not finished: 27 of 29 records are missing." in table


def test_every_different_cause_is_told_and_how_to_go_on(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("output-1", "output-2", "provider-1", "fine", missing=("gone", "lost"))
    assert run(*GRAPH, "--run-dir", "r") == 0
    told = capsys.readouterr().err
    assert "output-1 and 1 more: ModelOutputError in interpret: no JSON in the answer" in told or (
        "output-2 and 1 more: ModelOutputError in interpret: no JSON in the answer" in told
    )
    for video_id in ("gone", "lost"):
        assert f"There is no video for '{video_id}'" in told
    assert "python -m evals.run --run-dir r --retry-errors" in told


def test_flags_without_effect_are_named(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    flags = ("--model", "openai:x", "--dataset", "ds", "--max-hops", "2", "--tool", "a:b")
    run("--graph", "cot", *flags, "--dry-run")
    assert "cot does not explore: --max-hops and --tool has no effect." in capsys.readouterr().err


def test_a_start_that_failed_in_a_folder_of_ones_own_can_be_made_again(
    run: Run, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_set("a")
    Path("mine").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(evals.command, "check", lambda _context: (_ for _ in ()).throw(UserError("no key")))
        assert run(*GRAPH, "--run-dir", "mine") == 2
    assert Path("mine").is_dir()
    assert run(*GRAPH, "--run-dir", "mine") == 0


def test_a_setting_out_of_range_is_refused_on_continuing_too(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a")
    assert run(*GRAPH, "--run-dir", "r") == 0
    assert run("--run-dir", "r", "--concurrency", "5000") == 2
    assert "--concurrency: Input should be less than or equal to 1024" in capsys.readouterr().err
    assert run("--run-dir", "r", "--concurrency", "4") == 0


def test_a_torn_line_among_the_records_set_aside_blocks_nothing(run: Run, make_set: MakeSet) -> None:
    make_set("a", "output-1")
    assert run(*GRAPH, "--run-dir", "r") == 0
    Path("r/failed.jsonl").write_text('{"version":1,"video_')
    assert run("--run-dir", "r", "--retry-errors") == 0
    assert run("--run-dir", "r", "--retry-errors") == 0
    assert len(list(read_records(Path("r/records.jsonl")))) == 2
