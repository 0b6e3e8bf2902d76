"""What stands in the tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.errors import UserError
from agents.tokens import count_tokens
from evals.datasets import Dataset, Sample
from evals.reproduction import durations
from evals.reproduction.ablation_table import ablation_table
from evals.reproduction.benchmark_table import benchmark_table
from evals.reproduction.cells import cell_of, counterpart
from evals.reproduction.deficiency_table import deficiency_counts, deficiency_table
from evals.reproduction.published import TYPES, published
from evals.reproduction.runs import Ours, by_letters, caveats, is_benchmark, read_runs
from evals.reproduction.score_table import difference_table, score_table
from evals.reproduction.tables import Figure, Line, Standing, Table
from tests.evals.records_for_tests import failed, scored
from tests.evals.reproduction.making import GOLD, make_run, make_set

KNOWN = published()
QWEN = "openai:Qwen/Qwen3-VL-8B-Thinking"


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(durations, "cache_file", lambda: tmp_path / "cache" / "durations.json")
    return tmp_path / "cache" / "durations.json"


def ours(path: Path, records, dataset: Path | str = "", **context) -> list[Ours]:
    return read_runs([make_run(path, records, dataset, **context)], KNOWN)


def line(table: Table, start: str) -> Line:
    return next(each for each in table.lines if each.name.startswith(start))


def spread(graph: str, scores: list[int], **changes) -> list:
    return [
        scored(f"v{i:02}", loose=score, graph=graph, **{"model": QWEN} | changes)
        for i, score in enumerate(scores)
    ]


def test_scores_are_held_against_the_row_of_the_same_model_and_method(tmp_path: Path) -> None:
    records = [*spread("baseline", [1, 2, 3] * 6), failed("z", graph="baseline", model=QWEN)]
    (run,) = ours(tmp_path / "r", records)
    assert run.counterpart is not None
    assert run.counterpart.name == "Qwen3-VL-8B-Thinking"
    table = score_table([run], KNOWN)
    row = line(table, "A: baseline")
    overall = row.figure("All")
    assert overall.value == pytest.approx(360 / 19)
    assert overall.low is not None
    assert overall.high is not None
    assert overall.low < 360 / 19 < overall.high < 52
    assert (overall.against, overall.standing, overall.is_outside) == (52.0, Standing.BELOW, True)
    assert row.figure("Body_Language").against == 56.0
    assert row.figure("Causal_Montage").value is None
    assert line(table, "loose, scored only").figure("All").value == pytest.approx(20)
    strict = line(table, "strict").figure("All")
    assert (strict.value, strict.against) == (pytest.approx(1800 / 19), None)
    assert line(table, "without score").figure("All").value == 1
    notes = " ".join(table.notes)
    assert "A: judged by j, not by DeepSeek-V3.2" in notes
    assert "A: held against Qwen3-VL-8B-Thinking." in notes


def test_a_published_number_inside_the_interval_and_above_it(tmp_path: Path) -> None:
    (within,) = ours(tmp_path / "w", spread("baseline", [4, 5, 6, 7, 4, 5, 6] * 3))
    (above,) = ours(tmp_path / "a", spread("baseline", [8, 9, 10] * 6))
    assert line(score_table([within], KNOWN), "A:").figure("All").standing is Standing.WITHIN
    assert line(score_table([above], KNOWN), "A:").figure("All").standing is Standing.ABOVE


@pytest.mark.parametrize("scores", [[0, 1, 0, 1], [0] * 12])
def test_too_few_or_equal_scores_mark_nothing(tmp_path: Path, scores: list[int]) -> None:
    (run,) = ours(tmp_path / "r", spread("baseline", scores))
    figure = line(score_table([run], KNOWN), "A:").figure("All")
    assert (figure.low, figure.standing) == (None, Standing.OPEN)


def test_differences_are_against_every_published_row(tmp_path: Path) -> None:
    (run,) = ours(tmp_path / "r", spread("baseline", [1, 2, 3] * 6))
    table = difference_table([run], KNOWN)
    assert len(table.lines) == len(KNOWN.systems)
    figure = line(table, "A less GPT-5").figure("All")
    assert figure.value == pytest.approx(20 - 63.7)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < -43.7 < figure.high < 0
    assert (figure.text, figure.standing) == ("-43.7", Standing.BELOW)


def test_table_1_describes_the_data_set_and_says_what_is_missing(tmp_path: Path, kept: Path) -> None:
    rows = {"a": ["Body_Language"], "b": ["Body_Language", "Cultural_Symbol"], "c": ["Cultural_Symbol"]}
    data = make_set(tmp_path / "ds", rows)
    clip = Path(durations.__file__).parents[1] / "datasets/mini/videos/candle_chair.mp4"
    (data / "videos").mkdir()
    (data / "videos" / "a.mp4").write_bytes(clip.read_bytes())
    (data / "videos" / "b.mp4").write_bytes(b"no video")
    runs = read_runs(
        [make_run(tmp_path / name, [scored("a", graph=name)], data) for name in ("one", "two")], KNOWN
    )
    table = benchmark_table(runs, KNOWN)
    assert [each.figure("All").value for each in table.lines[:3]] == [860, 37.2, 114.2]
    assert len(table.lines) == 6
    n, seconds, tokens = table.lines[3:]
    assert n.name.startswith("A, B: ")
    assert [n.figure(key).value for key in ("Body_Language", "Cultural_Symbol", "All")] == [2, 2, 3]
    assert seconds.figure("All").value == 5.5
    assert seconds.figure("Cultural_Symbol").value is None
    assert tokens.figure("All").value == count_tokens(GOLD)
    notes = " ".join(table.notes)
    assert "1 of 3 videos are missing: their seconds are in no mean (c)" in notes
    assert "1 of 3 videos can't be read" in notes
    assert "is not the benchmark" in notes
    assert [round(each, 1) for each in json.loads(kept.read_text()).values()] == [seconds.figure("All").value]


def test_a_length_is_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def looked(videos) -> durations.Lengths:
        asked.extend(videos)
        return dict.fromkeys(videos, 3.0)

    monkeypatch.setattr(durations, "_looked", looked)
    clips = [tmp_path / f"{name}.mp4" for name in "ab"]
    for clip in clips:
        clip.write_bytes(b"x")
    told: list[int] = []
    assert durations.video_lengths(clips, told.append) == dict.fromkeys(clips, 3.0)
    assert durations.video_lengths(clips) == dict.fromkeys(clips, 3.0)
    assert (asked, told) == (clips, [2])
    clips[0].write_bytes(b"another")
    durations.video_lengths(clips)
    assert asked == [*clips, clips[0]]


def test_the_benchmark_is_known_by_its_numbers() -> None:
    types = [key for key, n in zip(TYPES, KNOWN.benchmark.n, strict=True) for _ in range(n)]
    samples = tuple(Sample(f"v{i}", "", (kind,), ("g",), None) for i, kind in enumerate(types))
    assert is_benchmark(Dataset("bench", samples), KNOWN)
    assert not is_benchmark(Dataset("bench", samples[:-1]), KNOWN)
    assert not is_benchmark(
        Dataset("bench", (*samples[1:], Sample("x", "", (types[-1],), ("g",), None))), KNOWN
    )


def test_which_videos_is_said(tmp_path: Path) -> None:
    data = make_set(tmp_path / "ds", {"a": ["Body_Language"]})
    (run,) = ours(tmp_path / "r", [scored("a")], data)
    assert run.videos.startswith("not the same videos: 1 of the data set")
    assert run.name == "A: boost, m †"
    types = [key for key, n in zip(TYPES, KNOWN.benchmark.n, strict=True) for _ in range(n)]
    bench = make_set(tmp_path / "bench", {f"v{i:03}": [kind] for i, kind in enumerate(types)})
    (part,) = ours(tmp_path / "part", [scored("v001")], bench)
    assert part.videos == "not all the same videos: 1 of the benchmark's 860"
    (unknown,) = ours(tmp_path / "u", [scored("a")])
    assert unknown.videos.startswith("it is not known whether its 1 videos are the paper's")
    (whole,) = ours(
        tmp_path / "w", [scored(f"v{i:03}", types=(kind,)) for i, kind in enumerate(types)], bench
    )
    assert (whole.videos, whole.name, caveats([whole])) == ("", "A: boost, m", [])


def flat(graph: str = "boost", source: str = "graph", hops: int = 2, limit: int = 10) -> dict[str, object]:
    return {
        "graph": graph,
        "context.knowledge.source": source,
        "context.retrieval.hops": hops,
        "context.retrieval.limit": limit,
    }


@pytest.mark.parametrize(
    ("settings", "key", "is_published"),
    [
        (flat(), "full", True),
        (flat("boost_retrieval"), "full", True),
        (flat(source="self"), "self", True),
        (flat(source="texts"), "texts", True),
        (flat(source="conceptnet"), "conceptnet", True),
        (flat(hops=1), "h=1", True),
        (flat(limit=5), "z=5", True),
        (flat(hops=3, limit=20), "h=3, z=20", False),
        (flat(source="texts", limit=5), "texts, z=5", False),
        (flat(source="none", limit=5), "none", False),
        ({"graph": "boost"}, "full", True),
        ({"graph": "boost", "context.knowledge": "starter"}, "full", True),
    ],
)
def test_settings_say_which_ablation_a_run_is(settings: dict, key: str, is_published: bool) -> None:
    cell = cell_of(settings, KNOWN)
    assert cell is not None
    assert (cell.key, cell.published) == (key, is_published)


def test_a_graph_that_looks_nothing_up_is_no_ablation_and_an_ablation_has_no_counterpart() -> None:
    assert cell_of(flat("cot"), KNOWN) is None
    found = counterpart("cot", QWEN, flat("cot"), KNOWN)
    assert found is not None
    assert found.all == 52.4
    full = counterpart("boost", "google_genai:gemini-3-pro-preview", flat(), KNOWN)
    assert full is not None
    assert full.all == 66.1
    assert counterpart("boost", QWEN, flat(hops=1), KNOWN) is None
    assert counterpart("baseline", "openai:gpt-5-mini", flat("baseline"), KNOWN) is None


def test_ablations_are_paired_with_the_full_method(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    make_run(runs / "1", spread("boost", [6, 7, 8] * 6))
    make_run(runs / "2", spread("boost", [4, 5, 7] * 6), retrieval={"hops": 1})
    make_run(runs / "3", spread("boost", [6, 7, 9] * 6), knowledge={"source": "none"}, judge_k=5)
    make_run(runs / "4", spread("baseline", [1] * 18))
    found = read_runs([runs], KNOWN)
    assert "B, C: held against no row here, since it is an ablation: see Table 4." in (
        score_table(found, KNOWN).notes
    )
    table = ablation_table(found, KNOWN)
    assert [each.name for each in table.lines[6:]] == [
        "A: full (h=2, z=10) †",
        "B: h=1, z=10 †",
        "C: no outside knowledge †",
    ]
    assert line(table, "ConceptNet").figure("published_change").value == pytest.approx(-3.4)
    full, one, none = table.lines[6:]
    assert full.figure("loose").against == 55.9
    assert "change" not in full.figures
    change = one.figure("change")
    assert (change.value, change.n, change.standing) == (pytest.approx(-50 / 3), 18, Standing.BELOW)
    assert one.figure("published_change").text == "-1.4"
    assert none.figure("change").text == "+3.3"
    assert none.figure("published").value is None
    notes = " ".join(table.notes)
    assert "C: differs from A in more than its row says: judge_k." in notes
    assert "B: differs" not in notes
    assert "D: no ablation: baseline looks nothing up." in notes


def test_a_run_can_be_said_to_be_a_row(tmp_path: Path) -> None:
    one = make_run(tmp_path / "one", spread("boost", [6, 7, 8] * 3))
    two = make_run(tmp_path / "two", spread("mine:graph", [6, 7, 8] * 3, model="x"))
    named = [("h=1", one), ("GPT-5", two)]
    first, second = read_runs([one], KNOWN, named=named)
    assert first.cell is not None
    assert first.cell.key == "h=1"
    assert second.counterpart is not None
    assert second.counterpart.name == "GPT-5"
    with pytest.raises(UserError, match=r"'gpt-6' is no published row. Of Table 2 there are human, gpt-5"):
        read_runs([one], KNOWN, against="gpt-6")


def test_a_sweep_and_its_parent_are_all_their_runs(tmp_path: Path) -> None:
    for name in ("z=5", "z=20"):
        make_run(tmp_path / "runs" / "sweep" / name, spread("boost", [5]), retrieval={"limit": int(name[2:])})
    (tmp_path / "runs" / "sweep" / "run.json").write_text('{"cells": ["z=5", "z=20"]}')
    for path in (tmp_path / "runs" / "sweep", tmp_path / "runs"):
        cells = [run.cell.key for run in read_runs([path], KNOWN) if run.cell]
        assert sorted(cells) == ["z=20", "z=5"]


def diagnosed(folder: Path, found: dict[str, list[str] | None]) -> None:
    lines = [
        json.dumps(
            {
                "video_id": video_id,
                "epoch": 1,
                "graph": "baseline",
                "diagnosis": kinds and {"deficiencies": [{"kind": kind, "element": "x"} for kind in kinds]},
            }
        )
        for video_id, kinds in found.items()
    ]
    (folder / "diagnosis.jsonl").write_text("\n".join(lines) + '\n{"torn')


def test_deficiencies_are_shares_with_intervals_over_videos(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", spread("baseline", [5] * 8))
    (run,) = read_runs([folder], KNOWN)
    assert deficiency_counts(folder, "baseline", QWEN) is None
    assert "nothing was diagnosed yet" in " ".join(deficiency_table([run], KNOWN).notes)
    kinds: dict[str, list[str] | None] = {f"v{i:02}": ["missing_mapping"] * (1 + i % 2) for i in range(8)}
    kinds["v00"] = ["wrong_recognition", "improper_mapping", "missing_mapping"]
    kinds["v01"] = None
    diagnosed(folder, kinds)
    counts = deficiency_counts(folder, "baseline", QWEN)
    assert counts is not None
    assert (len(counts), counts["v00"]) == (7, [[1, 1, 0, 1]])
    table = deficiency_table([run], KNOWN)
    row = line(table, "A: baseline")
    assert row.against == "Qwen3-VL-8B-Thinking"
    missing = row.figure("missing_mapping")
    assert missing.value == pytest.approx(100 * 10 / 12)
    assert (missing.against, missing.standing) == (28.1, Standing.ABOVE)
    assert row.figure("superficial_mapping") == Figure(0.0, n=7, against=28.3)
    assert row.figure("mean").value == pytest.approx(12 / 7)
    shares = [row.figure(kind).value or 0.0 for kind in ("wrong_recognition", "improper_mapping")]
    assert shares == pytest.approx([100 / 12, 100 / 12])


def test_a_note_of_several_runs_is_told_once() -> None:
    notes = [("A", "one"), ("B", "two"), ("C", "one")]
    assert by_letters(notes) == ["A, C: one.", "B: two."]
