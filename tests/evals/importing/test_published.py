"""Published files become a run directory, and come out of it as they went in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.compare import main as compare
from evals.published import main
from evals.report.gathering import gather
from evals.store.published import export_published
from evals.store.records import Outcome, RunRecord
from evals.store.run_store import read_records
from tests.evals import stubs
from tests.evals.records_for_tests import failed, scored, verdict

Make = Callable[..., None]
SENTENCE = "The video presents {}, implicitly expressing the passing of time."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_set: Make) -> Path:
    monkeypatch.chdir(tmp_path)
    make_set("a", "b", "c", "d", "e", types=("Body_Language", "Surreal_Narrative"))
    return tmp_path


def write(path: Path, *rows: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def said(video_id: str, *things: str, **more: Any) -> dict[str, Any]:
    entries = {f"analysis_{i}": SENTENCE.format(thing) for i, thing in enumerate(things, 1)}
    return {"video_id": video_id, "analysis_dict": entries, "total_output": f"raw {video_id}", **more}


def judged(video_id: str, strict: float | None, loose: float | None, why: str = "so") -> dict[str, Any]:
    scores = {"Content_Mining_Score": strict, "Thought_Analysis_Score": loose}
    return {"video_id": video_id, **scores, "reasoning": why}


def take(*more: str) -> tuple[int, dict[tuple[str, int], RunRecord]]:
    code = main(["output/boost.jsonl", "--dataset", "ds", "--out", "r", *more])
    path = Path("r/records.jsonl")
    return code, {record.key: record for record in read_records(path)} if path.exists() else {}


RECORDS = [
    scored("a", calls=(stubs.call("interpret"),)),
    failed("b"),
    scored("c", verdict=verdict([1, 0, 0], [7, 8, 8])),
    failed("d", Outcome.REFUSED, "judge"),
    scored("e", outcome=Outcome.UNJUDGED, verdict=None),
    scored("a", 0, 3, epoch=2),
]


def test_what_was_written_out_and_read_in_is_written_out_the_same(here: Path) -> None:
    (here / "one").mkdir()
    export_published(RECORDS, here / "one")
    files = sorted(path.name for path in (here / "one").iterdir())
    words = ["--scores", "one/scores.jsonl", "--dataset", "ds", "--out", "two"]
    assert main(["one/predictions.jsonl", *words]) == 0
    for name in files:
        assert (here / "two" / name).read_text() == (here / "one" / name).read_text(), name
    read = list(read_records(here / "two" / "records.jsonl"))
    assert [record.key for record in read] == [record.key for record in RECORDS]
    assert [record.label for record in read] == [record.label for record in RECORDS]
    assert [record.interpretation for record in read] == [record.interpretation for record in RECORDS]
    assert read[0].types == ("Body_Language",)
    assert {(record.graph, record.model) for record in read} == {("published", "one")}


def test_predictions_without_scores_are_neither_right_nor_wrong(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "output" / "boost.jsonl", said("a", "wax"), said("b", "wax", "a clock"))
    code, records = take()
    assert code == 0
    assert {record.outcome for record in records.values()} == {Outcome.UNJUDGED}
    assert [entry.presents for entry in records["b", 1].interpretation.entries] == ["wax", "a clock"]  # type: ignore[union-attr]
    told = capsys.readouterr()
    assert "(2 interpretations are not judged yet, and in no figure)" in told.out
    assert "3 of the data set's 5 videos have no row." in told.err
    assert json.loads((here / "r" / "summary.json").read_text())["overall"]["n"] == 0
    assert (here / "r" / "scores.jsonl").read_text() == ""
    assert compare(["r"]) == 2
    assert "Nothing in r is judged yet" in capsys.readouterr().err


def test_what_is_judged_counts_and_what_is_not_is_left_out(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "output" / "boost.jsonl", said("a", "wax"), said("b", "wax"), said("c", "wax"))
    scores = write(here / "score" / "boost.jsonl", judged("a", 1, 8), judged("b", None, None))
    code, records = take("--scores", str(scores), "--graph", "theirs", "--model", "openai:x")
    assert code == 0
    assert records["a", 1].verdict is not None
    assert records["a", 1].verdict.loose == 8
    assert [records[key, 1].outcome for key in "bc"] == [Outcome.UNJUDGED] * 2
    summary = json.loads((here / "r" / "summary.json").read_text())
    assert (summary["overall"]["n"], summary["overall"]["strict"]) == (1, 100.0)
    capsys.readouterr()
    assert compare(["r", "--json"]) == 0
    found = capsys.readouterr().out
    assert "2 interpretations are not judged yet: they are left out" in found
    (group,) = [gather([here / "r"])]
    assert [run.graph for run in group.runs] == ["theirs"]


def test_every_row_that_can_not_be_used_is_named_with_its_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {"video_id": "c", "analysis_dict": {"analysis_1": "It is about time."}, "total_output": None}
    output = write(
        here / "output" / "boost.jsonl",
        said("a", "wax"),
        "{not json",
        "",
        [1],
        {"video_id": "b"},
        said("a", "wood"),
        odd,
        said("z", "wax"),
        {"video_id": "d", "analysis_dict": {"analysis_1": 7}},
    )
    scores = write(
        here / "score" / "boost.jsonl",
        judged("a", 1, 11),
        judged("e", 1, 8),
        {"video_id": "b"},
        judged("c", 0, 1),
    )
    code, records = take("--scores", str(scores))
    assert code == 1
    assert list(records) == [("a", 1), ("c", 1)]
    assert records["a", 1].outcome is Outcome.UNJUDGED
    assert (records["c", 1].interpretation, records["c", 1].ok) == (None, True)
    assert records["c", 1].notes == ("an entry is not of the fixed form, and is left out: It is about time.",)
    told = capsys.readouterr().err
    for line in (
        f"{output}, line 2 is no JSON",
        f"{output}, line 4 is no JSON object.",
        f"{output}, line 5 is no prediction: it needs video_id and analysis_dict.",
        f"{output}, line 6 repeats 'a' of line 1, which counts.",
        f"{output}, line 7: an entry is not of the form",
        f"{output}, line 9: analysis_dict can't be read: expected text",
        "'z' is not in the data set.",
        f"{scores}, line 1: Thought_Analysis_Score is 11, not a number from 0 to 10",
        f"{scores}, line 3 is no score",
        "'e' has a score (epoch 1) and no prediction.",
        "10 rows or entries were left out.",
    ):
        assert (
            line in told.replace("output/", f"{here}/output/").replace("score/", f"{here}/score/")
            or line in told
        )


def test_entries_without_the_fixed_form_can_not_be_judged(here: Path) -> None:
    odd = {"video_id": "c", "analysis_dict": "It is about time.", "total_output": "x"}
    write(here / "output" / "boost.jsonl", odd)
    code, records = take()
    assert (code, records["c", 1].outcome) == (1, Outcome.MODEL_OUTPUT_ERROR)
    assert records["c", 1].errors[0].raw == "It is about time."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("output/nope.jsonl",), "There is no file output/nope.jsonl"),
        (("output/empty.jsonl",), "No row of output/empty.jsonl can be used"),
        (("output/boost.jsonl", "--scores", "nope"), "There is no file nope"),
        (("output/boost.jsonl", "--dataset", "mimi"), "mimi"),
    ],
)
def test_what_can_not_be_used_leaves_nothing(
    words: tuple[str, ...], told: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "output" / "boost.jsonl", said("a", "wax"))
    (here / "output" / "empty.jsonl").write_text("")
    assert main(["--dataset", "ds", "--out", "r", *words]) == 2
    assert told in capsys.readouterr().err
    assert not (here / "r").exists()


def test_a_run_is_not_written_over_and_an_imported_one_not_continued(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from evals.run import main as run

    write(here / "output" / "boost.jsonl", said("a", "wax"))
    assert take()[0] == 0
    assert take()[0] == 2
    assert "r holds a run already" in capsys.readouterr().err
    assert run(["--run-dir", "r"]) == 2
    assert "published" in capsys.readouterr().err
