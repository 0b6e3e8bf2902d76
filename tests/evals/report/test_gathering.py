from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import UserError
from evals.report import gather
from tests.evals.records_for_tests import scored, verdict
from tests.evals.report.making import GOLD, make_run, make_set


def test_records_of_a_sample_stand_beside_one_another_in_the_order_of_the_data_set(tmp_path: Path) -> None:
    data = make_set(tmp_path / "ds", ["b", "a", "c"])
    one = make_run(tmp_path / "one", [scored("a"), scored("b", epoch=2), scored("b"), scored("c")], data)
    two = make_run(tmp_path / "two", [scored("a", graph="cot"), scored("x", graph="cot")], data)
    gathered = gather([one, two])
    assert [(run.letter, run.graph) for run in gathered.runs] == [("A", "boost"), ("B", "cot")]
    assert [(group.video_id, sorted(group.runs)) for group in gathered.groups] == [
        ("b", [0]),
        ("a", [0, 1]),
        ("c", [0]),
        ("x", [1]),
    ]
    assert [record.epoch for record in gathered.groups[0].runs[0]] == [1, 2]
    assert [group.gold for group in gathered.groups] == [GOLD, GOLD, GOLD, None]
    assert "B: not finished: 2 of 3 records are there" in gathered.notices


def test_the_same_id_with_other_gold_is_another_sample(tmp_path: Path) -> None:
    one = make_run(tmp_path / "one", [scored("a")], make_set(tmp_path / "ds", ["a"]))
    two = make_run(tmp_path / "two", [scored("a")], make_set(tmp_path / "other", ["a"], gold=["else"]))
    unknown = make_run(tmp_path / "three", [scored("a")])
    groups = gather([one, two, unknown]).groups
    assert [(group.gold, sorted(group.runs)) for group in groups] == [(GOLD, [0, 2]), (("else",), [1])]


def test_a_folder_of_runs_is_all_of_them_and_a_run_counts_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_run(tmp_path / "runs" / name, [scored("a", graph=name)])
    gathered = gather(
        [tmp_path / "runs", tmp_path / "runs" / "one", tmp_path / "runs" / "two" / "records.jsonl"]
    )
    assert [run.graph for run in gathered.runs] == ["one", "two"]


def test_graphs_and_models_of_one_directory_are_told_apart(tmp_path: Path) -> None:
    records = [scored("a", model="n"), scored("b", graph="baseline"), scored("c", model="n")]
    runs = gather([make_run(tmp_path / "r", records)]).runs
    assert [(run.letter, run.graph, run.model, run.table.records) for run in runs] == [
        ("A", "baseline", "m", 1),
        ("B", "boost", "n", 2),
    ]


def test_a_run_that_is_being_written_is_read_as_far_as_it_is_whole(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [scored("a"), scored("b")], make_set(tmp_path / "ds", ["a", "b", "c"]))
    with (run / "records.jsonl").open("a") as file:
        file.write(scored("c").line()[:100])
    gathered = gather([run])
    assert [group.video_id for group in gathered.groups] == ["a", "b"]
    assert gathered.notices == ["not finished: 2 of 3 records are there"]


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    one = make_run(tmp_path / "one", [scored("a", verdict=verdict([1], [5], proxy=True))])
    two = make_run(tmp_path / "two", [scored("a", judge_model="other")])
    notices = gather([one, two]).notices
    assert notices[0] == "A: offline proxy, not comparable with LLM-judge scores"
    assert notices[-1] == "these runs have different judges: their scores can't be compared"


def test_a_run_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [scored("a")])
    (run / "run.json").write_text('{"spec": {"graph": "boost", "context": {"retrieval": {"parity": true}}}}')
    assert gather([run]).runs[0].graph == "boost"


def test_a_run_does_not_choose_what_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "planted.py").write_text("raise SystemExit('imported')")
    run = make_run(tmp_path / "r", [scored("a")], "planted:data")
    assert gather([run]).notices == [
        "gold and videos are not shown: give --dataset planted:data to import that module"
    ]
    data = make_set(tmp_path / "ds", ["a"])
    assert gather([run], str(data)).groups[0].gold == GOLD


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path / "no", "There is no run directory"),
        (lambda path: path, "is no run directory: it holds no records.jsonl"),
        (lambda path: make_run(path / "r", []), "holds no record yet"),
    ],
)
def test_what_is_no_run_is_said(tmp_path: Path, make, message: str) -> None:
    with pytest.raises(UserError, match=message):
        gather([make(tmp_path)])


def test_a_broken_run_file_is_named(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [scored("a")])
    (run / "run.json").write_text("{")
    with pytest.raises(UserError, match=r"run\.json can't be read"):
        gather([run])
