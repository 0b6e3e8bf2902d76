from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from agents.errors import UserError
from agents.schemas import ModelCall
from evals.statistics import Choice, Pairing, Reducer, Resampling, System, compare_all, of_records, pairs_of
from evals.statistics.conditions import RunSettings
from tests.evals.records_for_tests import failed, scored, verdict

FEW = Resampling(resamples=500)


def system(name: str, *records: Any, settings: RunSettings | None = None) -> System:
    (found,) = of_records(records, Path(name), settings)
    return found


def pair(one: System, two: System, **choice: Any) -> Pairing:
    (found,) = compare_all([(one, two)], Choice(resampling=FEW, **choice))
    return found


def many(name: str, shift: int = 0, number: int = 30, **changes: Any) -> System:
    records = [scored(f"v{i:02d}", i % 2, min(10, i % 8 + shift), **changes) for i in range(number)]
    return system(name, *records)


def test_only_common_videos_count_and_the_others_are_named() -> None:
    found = pair(
        system("a", scored("x", 1, 4), scored("y", 1, 6), scored("p")),
        system("b", scored("y", 1, 9), scored("x", 1, 5), *(scored(f"q{i}") for i in range(8))),
    )
    assert (found.common, found.base_only) == (2, ("p",))
    assert len(found.other_only) == 8
    (row,) = found.rows
    assert (row.paired.n, row.paired.base_mean, row.paired.mean, row.paired.difference) == (2, 50, 70, 20)
    assert found.notes == [
        "1 videos are in a only and left out: p",
        "8 videos are in b only and left out: q0, q1, q2, q3, q4 and 3 more",
    ]


def test_no_common_video() -> None:
    found = pair(system("a", scored("x")), system("b", scored("y")))
    assert (found.common, found.rows) == (0, ())


def test_failures_as_zero_and_excluded() -> None:
    one = system("a", scored("x", 1, 4), failed("y"), scored("z", 1, 2))
    two = system("b", scored("x", 1, 6), scored("y", 1, 8), failed("z"))
    assert pair(one, two).rows[-1].paired.difference == pytest.approx((20 + 80 - 20) / 3)
    excluded = pair(one, two, failures="excluded")
    assert (excluded.rows[-1].paired.n, excluded.rows[-1].paired.difference) == (1, 20)
    assert excluded.notes == ["2 of 3 common videos are left out, since a score is missing"]
    assert pair(system("a", failed("x")), two, failures="excluded").rows == ()
    assert pair(system("a", failed("x")), system("b", failed("x"))).rows[-1].paired.ties == 1


def test_types_are_the_papers_and_holm_counts_every_row_of_every_pair() -> None:
    types = ("Surreal_Narrative", "Body_Language")
    base = many("a", types=types)
    found = compare_all(
        pairs_of([base, many("b", 1, types=types), many("c", types=types)]),
        Choice(by_type=True, resampling=FEW),
    )
    assert [[row.name for row in each.rows] for each in found] == [
        ["Body_Language", "Surreal_Narrative", "All"]
    ] * 2
    better, same = found
    for row in better.rows:
        assert row.paired.p is not None
        assert row.p_holm == pytest.approx(min(1, 6 * row.paired.p))
    assert [row.p_holm for row in same.rows] == [1.0, 1.0, 1.0]


def test_types_that_differ_are_those_of_the_base() -> None:
    one = system("a", scored("x", types=("Body_Language",)), scored("y", types=()))
    two = system("b", scored("x", types=("Causal_Montage",)), scored("y", types=("Causal_Montage",)))
    found = pair(one, two, by_type=True)
    assert [(row.name, row.paired.n) for row in found.rows] == [
        ("Body_Language", 1),
        ("Causal_Montage", 1),
        ("All", 2),
    ]
    assert found.notes == ["1 common videos have other types in b: the base's count"]


def test_the_order_of_records_and_runs_changes_no_figure() -> None:
    records = [scored(f"v{i}", i % 2, i % 11) for i in range(40)]
    other = [scored(f"v{i}", i % 2, (i * 7) % 11) for i in range(40)]
    before = pair(system("a", *records), system("b", *other)).rows
    random.Random(3).shuffle(records)
    random.Random(4).shuffle(other)
    assert pair(system("a", *records), system("b", *other)).rows == before


def test_which_pairs() -> None:
    systems = [many(name) for name in ("runs-a", "runs-b", "other")]
    a, b, c = systems
    assert pairs_of(systems) == [(a, b), (a, c)]
    assert pairs_of(systems, "other") == [(c, a), (c, b)]
    assert pairs_of(systems, "runs-b") == pairs_of(systems, "-b")
    assert pairs_of(systems, all_pairs=True) == [(a, b), (a, c), (b, c)]
    with pytest.raises(UserError, match=r"--base: 2 runs match 'runs'. Runs: runs-a, runs-b, other"):
        pairs_of(systems, "runs")
    with pytest.raises(UserError, match=r"no run is named 'othr'. Did you mean other\?"):
        pairs_of(systems, "othr")


def test_a_reducer_that_needs_more_epochs_is_refused() -> None:
    with pytest.raises(UserError, match=r"at-least:2@50 needs 2 epochs and a has 1: .*--epochs 2"):
        pair(many("a"), many("b"), reducer=Reducer.parse("at-least:2"))


def test_more_tries_more_luck() -> None:
    one = system("a", scored("x"))
    two = system("b", scored("x"), scored("x", epoch=2))
    assert pair(one, two).doubts == ()
    assert pair(one, two, reducer=Reducer("best")).doubts == (
        "different numbers of epochs (1; 2) under best: more tries, more luck.",
    )


def asked(prompt: str) -> tuple[ModelCall, ...]:
    return (ModelCall(step="judge_loose", model="j", method="text", attempts=1, seconds=0, prompt=prompt),)


def saved(tmp_path: Path, **changes: Any) -> RunSettings:
    content: dict[str, Any] = {
        "dataset_digest": "d1",
        "fingerprint": {"prompt perceive": "p1", "graph boost": "g"},
        "spec": {"graph": "boost", "limit": 3, "context": {"model": "m", "retrieval": {"hops": 2}}},
    }
    path = tmp_path / "run.json"
    path.write_text(json.dumps(content | changes))
    return RunSettings.read(path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"judge_model": "k"},
            "different judges (j; k): a comparison between different judges is no comparison",
        ),
        ({"proxy": True}, "one is scored by a measured similarity (offline proxy)"),
        ({"calls": asked("bbb")}, "the judge was asked by different prompts (judge_loose)"),
        ({"verdict": verdict([1, 1, 1], [8, 8, 8])}, "different numbers of judgements a verdict, k (1; 3)"),
    ],
)
def test_other_judging_is_told_loudly(changes: dict[str, Any], words: str) -> None:
    base = system("a", scored("x", calls=asked("aaa")))
    found = pair(base, system("b", scored("x", **({"calls": asked("aaa")} | changes))))
    assert len(found.doubts) == 1
    assert words in found.doubts[0]
    assert pair(base, system("b", scored("x", calls=asked("aaa")))).doubts == ()


def test_a_run_with_two_judges_is_told() -> None:
    mixed = system("a", scored("x"), scored("y", judge_model="k"))
    assert any(
        "the base itself was scored by several judges (j, k)" in d for d in pair(mixed, many("b")).doubts
    )


def test_settings_and_data_sets_that_differ(tmp_path: Path) -> None:
    one = system("a", scored("x"), settings=saved(tmp_path))
    spec = {"graph": "cot", "limit": 9, "context": {"model": "m", "retrieval": {"hops": 3}}}
    other = saved(tmp_path, dataset_digest="d2", spec=spec, fingerprint={"prompt perceive": "p2"})
    found = pair(one, system("b", scored("x"), settings=other))
    assert found.differing == ("graph", "retrieval.hops", "prompt perceive")
    assert len(found.doubts) == 1
    assert "different data sets (digests d1 and d2)" in found.doubts[0]
    assert pair(one, system("b", scored("x"))).differing == ()


def test_settings_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(UserError, match="holds no settings of a run"):
        RunSettings.read(tmp_path / "run.json")
