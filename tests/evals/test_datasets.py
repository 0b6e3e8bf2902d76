from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import UserError
from evals.datasets import Dataset, Sample, known_datasets, open_dataset, read_gold

ENTRY = "The video presents a candle, implicitly expressing time."


def write_set(
    folder: Path, rows: list[dict[str, object]], videos: list[str], table: str = "datas.jsonl"
) -> Path:
    (folder / "videos").mkdir(parents=True)
    for name in videos:
        path = folder / "videos" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"not empty")
    (folder / table).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def row(video_id: object, **changes: object) -> dict[str, object]:
    base = {"video_id": video_id, "title": "Wax", "metaphor_type": ["Body_Language"], "golden_answers": ENTRY}
    return base | changes


def found(dataset: Dataset) -> list[tuple[str, str]]:
    return [(problem.kind, problem.video_id) for problem in dataset.problems]


@pytest.mark.parametrize("table", ["datas.jsonl", "test.jsonl"])
def test_both_names_of_the_published_table_are_read(tmp_path: Path, table: str) -> None:
    folder = write_set(tmp_path / "set", [row("a")], ["a.mp4"], table)
    expected = Sample("a", "Wax", ("Body_Language",), (ENTRY,), folder / "videos" / "a.mp4")
    assert tuple(open_dataset(str(folder)).samples) == (expected,)
    assert tuple(open_dataset(str(folder / table)).samples) == (expected,)
    assert open_dataset(str(folder)).problems == ()


def test_any_container_a_frame_folder_and_dots_in_an_id_are_found(tmp_path: Path) -> None:
    videos = ["a.MKV", "b.weird", "c/frame_000001.jpg", "d.v2.mp4", "e.json", "e.webm", ".f.mp4", "g.txt"]
    folder = write_set(
        tmp_path / "set", [row(i) for i in ("a", "b", "c", "d.v2", "e", "f", "g", "h")], videos
    )
    (folder / "videos" / "h").mkdir()
    dataset = open_dataset(str(folder))
    names = {sample.video_id: sample.video.name if sample.video else None for sample in dataset.samples}
    assert names == {
        "a": "a.MKV",
        "b": "b.weird",
        "c": "c",
        "d.v2": "d.v2.mp4",
        "e": "e.webm",
        "f": None,
        "g": None,
        "h": None,
    }
    assert found(dataset) == [("missing_video", "f"), ("missing_video", "g"), ("missing_video", "h")]
    told = [problem.detail.removeprefix(f"{folder / 'videos'}/") for problem in dataset.problems]
    assert told[1:] == [
        "g.txt is no video by its name; counts as bad_input",
        "h is an empty folder; counts as bad_input",
    ]


def test_what_stands_in_a_videos_place_is_named(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [row("pipe"), row("link")], [])
    (folder / "videos").mkdir(exist_ok=True)
    os.mkfifo(folder / "videos" / "pipe.mp4")
    (folder / "videos" / "link.mp4").symlink_to(folder / "nowhere")
    told = [
        problem.detail.removeprefix(f"{folder / 'videos'}/") for problem in open_dataset(str(folder)).problems
    ]
    assert told == [
        "pipe.mp4 is neither a file nor a folder; counts as bad_input",
        "link.mp4 is a link to nothing; counts as bad_input",
    ]
    kept = next(iter(open_dataset(str(folder)).samples)).no_video
    assert kept == f"{folder / 'videos' / 'pipe.mp4'} is neither a file nor a folder"


def test_composed_and_decomposed_names_are_one(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [row("caf\u00e9")], ["cafe\u0301.mp4"])
    assert open_dataset(str(folder)).problems == ()


def test_problems_are_reported_by_name_and_samples_are_kept(tmp_path: Path) -> None:
    rows = [
        row("a"),
        row("b", metaphor_type=["Causal_Montage", "Sarcasm"]),
        row("a"),
        row("c", golden_answers=""),
        row("a", title="Other"),
        row("d", metaphor_type=None),
        row(7, metaphor_type="bl"),
    ]
    dataset = open_dataset(str(write_set(tmp_path / "set", rows, ["a.mp4", "c.mp4", "d.mp4", "7.mp4"])))
    assert [sample.video_id for sample in dataset.samples] == ["a", "b", "c", "d", "7"]
    assert [sample.types for sample in dataset.samples] == [
        ("Body_Language",),
        ("Causal_Montage", "unknown"),
        ("Body_Language",),
        ("unknown",),
        ("Body_Language",),
    ]
    assert found(dataset) == [
        ("unknown_type", "b"),
        ("missing_video", "b"),
        ("duplicate", "a"),
        ("no_gold", "c"),
        ("duplicate", "a"),
        ("unknown_type", "d"),
    ]
    details = [problem.detail for problem in dataset.problems]
    assert "'Sarcasm'" in details[0]
    assert details[2] == "again on line 3; the first row counts"
    assert details[4] == "again on line 5, with other content; the first row counts"


def test_every_row_that_cant_be_read_is_named_at_once(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [row("a"), row("../b"), row(None), row("c", golden_answers=[3])], [])
    with (folder / "datas.jsonl").open("a") as file:
        file.write('{"video_id": \n[1]\n')
    with pytest.raises(UserError) as error:
        open_dataset(str(folder))
    message = str(error.value)
    assert "line 1" not in message
    for part in (
        "line 2: video_id '../b'",
        "line 3: video_id should be text",
        "line 4: expected text",
        "line 5: not JSON",
        "line 6: not a JSON object but list",
    ):
        assert part in message


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mimi", "Did you mean mini?"),
        ("no/where", "Installed: mini"),
        ("no_module:x", "no_module"),
        ("json:nil", "nil"),
    ],
)
def test_an_unknown_set_answers_with_a_way_out(name: str, says: str) -> None:
    with pytest.raises(UserError, match=says.replace("?", r"\?")):
        open_dataset(name)


def test_a_folder_without_a_table_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"datas\.jsonl or test\.jsonl"):
        open_dataset(str(tmp_path))


def test_a_plug_in_may_be_a_set_a_path_or_a_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_set(tmp_path / "set", [row("a")], ["a.mp4"])
    code = f"""
from pathlib import Path
from evals.datasets import Dataset, Sample
PATH = Path({str(folder)!r})
SET = Dataset("own", (Sample("x", "", ("Body_Language",), ("g",), None),))
def made(): return SET
NUMBER = 3
TWICE = Dataset("own", SET.samples * 2)
ODD = Dataset("own", (Sample("x", "", ("Body_Language",), (3,), None),))
"""
    (tmp_path / "own_sets_plugin.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    assert [s.video_id for s in open_dataset("own_sets_plugin:PATH").samples] == ["a"]
    assert [s.video_id for s in open_dataset("own_sets_plugin:SET").samples] == ["x"]
    assert [s.video_id for s in open_dataset("own_sets_plugin:made").samples] == ["x"]
    with pytest.raises(UserError, match="is int; it should be a Dataset, a path, or samples"):
        open_dataset("own_sets_plugin:NUMBER")
    with pytest.raises(UserError, match="holds 'x' more than once"):
        open_dataset("own_sets_plugin:TWICE")
    with pytest.raises(UserError, match="'x' has an id, title, type or gold that is no text"):
        open_dataset("own_sets_plugin:ODD")


def test_half_characters_are_replaced(tmp_path: Path) -> None:
    folder = write_set(
        tmp_path / "set", [row("a", title="so \ud83d", golden_answers="\u00e9 \U0001f56f")], ["a.mp4"]
    )
    assert "\\ud83d" in (folder / "datas.jsonl").read_text()
    (sample,) = open_dataset(str(folder)).samples
    assert (sample.title, sample.gold) == ("so ?", ("\u00e9 \U0001f56f",))


def test_mini_is_known_without_being_opened() -> None:
    assert known_datasets()["mini"] == "evals.datasets.mini_source:mini"


def test_select_filters_by_type_then_limits() -> None:
    samples = tuple(Sample(str(i), "", ("A",) if i % 2 else ("B", "A"), (), None) for i in range(6))
    dataset = Dataset("d", samples)
    assert [s.video_id for s in dataset.select()] == list("012345")
    assert [s.video_id for s in dataset.select(["B"], 2)] == ["0", "2"]
    assert tuple(dataset.select(["C"])) == ()


def test_the_digest_follows_content_not_place() -> None:
    sample = Sample("a", "t", ("A",), ("g",), Path("x"))
    moved = Sample("a", "t", ("A",), ("g",), Path("y"))
    other = Sample("a", "t", ("A",), ("h",), Path("x"))
    digests = [Dataset("n", (s,)).digest for s in (sample, moved, other)]
    assert digests[0] == digests[1] != digests[2]


def test_gold_comes_in_all_published_shapes() -> None:
    entries = ["first one", "second one"]
    numbered = {"analysis_1": "first one", "analysis_2": "second one"}
    for value in (entries, numbered, json.dumps(entries), json.dumps(numbered)):
        assert read_gold(value) == ("first one", "second one")
    assert read_gold(" one ") == read_gold('"one"') == read_gold(["one"]) == ("one",)
    assert read_gold('"Time" is what the candle says') == ('"Time" is what the candle says',)
    assert read_gold("{not json") == ("{not json",)
    assert read_gold(None) == read_gold("") == read_gold([]) == read_gold({"a": " "}) == ()
    with pytest.raises(ValueError, match="found int 3"):
        read_gold([3])


plain = st.text(min_size=1).map(str.strip).filter(lambda text: text and text[0] not in '{["')


@settings(deadline=None)
@given(st.lists(plain, max_size=5))
def test_gold_reads_the_same_whatever_its_wrapping(entries: list[str]) -> None:
    expected = tuple(entries)
    assert read_gold(entries) == expected
    assert read_gold(json.dumps(entries)) == expected
    assert read_gold({str(i): entry for i, entry in enumerate(entries)}) == expected


@pytest.mark.parametrize(
    "row",
    [
        '{"video_id": "a", "golden_answers": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"video_id": "a", "golden_answers": ' + '{"a":' * 3000 + '"x"' + "}" * 3000 + "}",
        json.dumps({"video_id": "a", "golden_answers": "[" * 100_000 + "]" * 100_000}),
        '{"video_id": ' + "9" * 5000 + "}",
        '{"video_id": "a", "golden_answers": [' + "9" * 5000 + "]}",
    ],
)
def test_deep_json_and_endless_numbers_are_told_as_ours(tmp_path: Path, row: str) -> None:
    (tmp_path / "datas.jsonl").write_text(row + "\n")
    with pytest.raises(UserError, match="line 1: ") as caught:
        open_dataset(str(tmp_path))
    assert len(str(caught.value)) < 600


def _typed(*types: str) -> Dataset:
    return Dataset("d", tuple(Sample(f"v{i}", "", (name,), ("g",), None) for i, name in enumerate(types)))


def test_a_limit_takes_types_in_turn() -> None:
    dataset = _typed("A", "A", "A", "B", "B", "C")
    assert [s.video_id for s in dataset.select(limit=3)] == ["v0", "v3", "v5"]
    assert [s.video_id for s in dataset.select(limit=4)] == ["v0", "v1", "v3", "v5"]
    assert [s.video_id for s in dataset.select(limit=99)] == [f"v{i}" for i in range(6)]
    assert [s.video_id for s in dataset.select(["A"], limit=2)] == ["v0", "v1"]


@given(st.lists(st.sampled_from("ABCDE"), max_size=30), st.integers(1, 30))
def test_a_higher_limit_only_adds(types: list[str], limit: int) -> None:
    dataset = _typed(*types)
    fewer, more = dataset.select(limit=limit), dataset.select(limit=limit + 1)
    assert set(fewer) <= set(more)
    assert len(fewer) == min(limit, len(types))
    counts = {name: sum(s.types == (name,) for s in fewer) for name in set(types)}
    full = {name: types.count(name) for name in set(types)}
    for name, number in counts.items():
        assert number == full[name] or number >= max(counts.values()) - 1
