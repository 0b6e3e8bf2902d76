from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.errors import UserError
from evals.statistics import read_systems, video_values, with_types
from evals.store.published import export_published
from evals.store.records import RunRecord
from tests.evals.records_for_tests import failed, scored, verdict


def write(folder: Path, *records: RunRecord, tail: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "records.jsonl").write_text("".join(record.line() + "\n" for record in records) + tail)
    return folder


def rows(path: Path, *found: dict[str, object] | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in found))
    return path


def published(video_id: str, strict: object = 1, loose: object = 8, why: str = "") -> dict[str, object]:
    return {
        "video_id": video_id,
        "Content_Mining_Score": strict,
        "Thought_Analysis_Score": loose,
        "reasoning": why,
    }


def test_a_run_directory(tmp_path: Path) -> None:
    run = write(tmp_path / "r", scored("b", 0, 5), scored("a", 1, 8), failed("c"), scored("a", 1, 9, epoch=2))
    (system,) = read_systems([run])
    assert (system.name, system.graph, system.model, system.path) == ("r", "boost", "m", run)
    assert system.ratings.videos == ("a", "b", "c")
    assert video_values(system.ratings, "loose").tolist() == [85, 50, 0]
    assert system.outcomes == {"infrastructure": 1, "ok": 3}
    assert (system.conditions.judges, system.conditions.k) == ({"j"}, {1})
    assert system.notes == ("not finished (it runs, or was interrupted): what it has so far counts",)
    (again,) = read_systems([run / "records.jsonl"])
    assert again.path == run


def test_a_run_that_is_being_written_is_read_as_far_as_it_has_come(tmp_path: Path) -> None:
    run = write(tmp_path / "r", scored("a"), tail='{"version":1,"video_id":"b"')
    (system,) = read_systems([run])
    assert system.ratings.videos == ("a",)
    (run / "summary.json").write_text('{"missing": 7}')
    assert read_systems([run])[0].notes == ("not finished: 7 records are missing",)
    (run / "summary.json").write_text('{"missing": 0}')
    assert read_systems([run])[0].notes == ()


def test_several_graphs_and_models_in_one_directory_are_told_apart(tmp_path: Path) -> None:
    many = write(
        tmp_path / "grid",
        scored("a", graph="cot"),
        scored("b", graph="boost"),
        scored("c", graph="boost", model="n"),
    )
    assert [s.name for s in read_systems([many])] == ["grid:boost:m", "grid:boost:n", "grid:cot:m"]
    two = write(tmp_path / "two", scored("a", graph="cot"), scored("b", graph="boost"))
    other = write(tmp_path / "one", scored("a"))
    assert [s.name for s in read_systems([other, two])] == ["one", "two:boost", "two:cot"]
    same = write(tmp_path / "x" / "one", scored("a"))
    assert [s.name for s in read_systems([other, same])] == [f"{other}:boost:m", f"{same}:boost:m"]


def test_what_we_export_reads_as_what_we_recorded(tmp_path: Path) -> None:
    records = [
        scored("a", verdict=verdict([1, 0], [7, 8])),
        failed("b", phase="judge"),
        scored("a", 0, 4, epoch=2),
    ]
    run = write(tmp_path / "r", *records)
    export_published(records, run)
    (own,) = read_systems([run])
    (run / "records.jsonl").unlink()
    (theirs,) = read_systems([run])
    assert theirs.name == "r"
    assert theirs.ratings.videos == own.ratings.videos
    assert theirs.ratings.failed.tolist() == own.ratings.failed.tolist() == [0, 1]
    for score in ("strict", "loose"):
        assert video_values(theirs.ratings, score).tolist() == video_values(own.ratings, score).tolist()


def test_a_folder_of_published_scores_is_a_system_a_file(tmp_path: Path) -> None:
    rows(
        tmp_path / "score" / "gpt.jsonl",
        published("a"),
        published("b", "0", "7.5"),
        published("c", None, None),
    )
    rows(tmp_path / "score" / "qwen.jsonl", published("a", 0, 2), published("a", 1, 9))
    rows(tmp_path / "score" / "qwen.epoch2.jsonl", published("a", 1, 4))
    rows(tmp_path / "score" / "other.jsonl", {"video_id": "a"})
    gpt, qwen = read_systems([tmp_path])
    assert (gpt.name, qwen.name) == ("gpt", "qwen")
    assert video_values(gpt.ratings, "loose", "excluded")[:2].tolist() == [80, 75]
    assert gpt.ratings.failed.tolist() == [0, 0, 1]
    assert video_values(qwen.ratings, "loose").tolist() == [30]
    assert qwen.notes == ("qwen.jsonl repeats 1 rows (a): the first of each counts",)


def test_a_torn_last_score_is_left_out(tmp_path: Path) -> None:
    path = rows(tmp_path / "s.jsonl", published("a"))
    with path.open("a") as file:
        file.write('{"video_id": "b", "Content_')
    assert read_systems([path])[0].ratings.videos == ("a",)


def test_types_can_come_from_elsewhere(tmp_path: Path) -> None:
    (system,) = read_systems([rows(tmp_path / "s.jsonl", published("a"), published("b"))])
    assert with_types(system, {"a": ("Body_Language",)}).ratings.types == (("Body_Language",), ())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{}", "line 2 is no score: it needs video_id, Content_Mining_Score, Thought_Analysis_Score"),
        ("[1]", "line 2 is no score"),
        ("oops", "line 2 is no JSON"),
        (published("b", 2), "line 2: Content_Mining_Score is 2, not a number from 0 to 1; write null"),
        (published("b", 1, "error"), "Thought_Analysis_Score is 'error', not a number from 0 to 10"),
        (published("b", 1, float("nan")), "Thought_Analysis_Score is nan"),
        (published("b", 1, [8]), r"Thought_Analysis_Score is \[8\]"),
    ],
)
def test_a_bad_row_is_named(line: dict[str, object] | str, words: str, tmp_path: Path) -> None:
    path = rows(tmp_path / "s.jsonl", published("a"), line)
    with pytest.raises(UserError, match=words) as raised:
        read_systems([path])
    assert str(path) in str(raised.value)


def test_a_folder_of_runs_stands_for_them(tmp_path: Path) -> None:
    runs = [write(tmp_path / "all" / name, scored("a")) for name in ("one", "two")]
    assert [system.path for system in read_systems([tmp_path / "all"])] == runs


def test_a_path_without_scores_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nope does not exist: give a run directory"):
        read_systems([tmp_path / "nope"])
    with pytest.raises(UserError, match=r"holds no scores: give a run directory"):
        read_systems([tmp_path])
    with pytest.raises(UserError, match=r"holds no record yet: wait .* --run-dir"):
        read_systems([write(tmp_path / "r")])
    with pytest.raises(UserError, match=r"e.jsonl holds no scores"):
        read_systems([rows(tmp_path / "e.jsonl")])
    run = write(tmp_path / "r", scored("a"))
    with pytest.raises(UserError, match="given twice"):
        read_systems([run, tmp_path / "." / "r"])
    (run / "run.json").write_text("not json")
    with pytest.raises(UserError, match=r"run.json can't be read"):
        read_systems([run])
    write(run, tail="{}\n")
    (run / "run.json").unlink()
    with pytest.raises(UserError, match=r"records.jsonl, line 1 is no record"):
        read_systems([run])
