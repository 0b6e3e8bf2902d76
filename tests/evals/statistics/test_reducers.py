from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import UserError
from evals.statistics import (
    ALL,
    Failures,
    Ratings,
    RatingsBuilder,
    Reducer,
    Resampling,
    summarise,
    video_values,
)

ROW = st.tuples(
    st.sampled_from("abcdef"),
    st.integers(1, 4),
    st.one_of(st.none(), st.tuples(st.sampled_from([0.0, 1 / 3, 1.0]), st.integers(0, 10).map(float))),
)
ROWS = st.lists(ROW, min_size=1, max_size=24, unique_by=lambda row: row[:2])
FEW = Resampling(resamples=200)


def ratings(rows: list[tuple[str, int, tuple[float, float] | None]]) -> Ratings:
    builder = RatingsBuilder()
    for video_id, epoch, scored in rows:
        types = ("Body_Language", "Causal_Montage") if video_id in "ab" else ("Causal_Montage",)
        builder.add(video_id, epoch, types, scored)
    return builder.build()


THREE = ratings(
    [("a", 1, (1, 8)), ("a", 2, None), ("a", 3, (0, 4)), ("b", 1, (0, 6)), ("c", 1, None), ("c", 2, None)]
)


@pytest.mark.parametrize(
    ("reducer", "failures", "loose", "strict"),
    [
        ("mean", "zero", [40, 60, 0], [100 / 3, 0, 0]),
        ("mean", "excluded", [60, 60, math.nan], [50, 0, math.nan]),
        ("best", "zero", [80, 60, 0], [100, 0, 0]),
        ("best", "excluded", [80, 60, math.nan], [100, 0, math.nan]),
        ("at-least:1", "zero", [100, 100, 0], [100, 0, 0]),
        ("at-least:2@40", "zero", [100, 0, 0], [0, 0, 0]),
        ("at-least:2@40", "excluded", [100, math.nan, math.nan], [0, math.nan, math.nan]),
        ("at-least:1@80.5", "zero", [0, 0, 0], [100, 0, 0]),
    ],
)
def test_epochs_become_one_value(
    reducer: str, failures: Failures, loose: list[float], strict: list[float]
) -> None:
    chosen = Reducer.parse(reducer)
    assert video_values(THREE, "loose", failures, chosen) == pytest.approx(np.array(loose), nan_ok=True)
    assert video_values(THREE, "strict", failures, chosen) == pytest.approx(np.array(strict), nan_ok=True)


@pytest.mark.parametrize("text", ["", "worst", "at-least", "at-least:0", "at-least:2@101", "at-least:x"])
def test_what_is_no_reducer_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(UserError, match=r"give mean, best, at-least:K"):
        Reducer.parse(text)


def test_a_reducer_reads_what_it_writes() -> None:
    for text in ("mean", "best", "at-least:2@70", "at-least:3@33.5"):
        assert str(Reducer.parse(text)) == text
    assert str(Reducer.parse("at-least:2")) == "at-least:2@50"


@given(ROWS, st.randoms(use_true_random=False), st.sampled_from(["mean", "best", "at-least:1"]))
def test_order_of_records_does_not_matter(rows, dice, reducer: str) -> None:
    before = summarise(ratings(rows), FEW, reducer=Reducer.parse(reducer))
    dice.shuffle(rows)
    assert summarise(ratings(rows), FEW, reducer=Reducer.parse(reducer)) == before


@given(ROWS)
def test_zero_never_beats_scored_and_best_never_falls_below_the_mean(rows) -> None:
    read = ratings(rows)
    zero, scored = (video_values(read, "loose", way) for way in ("zero", "excluded"))
    best = video_values(read, "loose", "zero", Reducer("best"))
    there = ~np.isnan(scored)
    assert (zero[there] <= scored[there] + 1e-9).all()
    assert (zero[~there] == 0).all()
    assert (best >= zero - 1e-9).all()


@given(ROWS)
def test_summaries_count_every_row_and_agree_with_plain_means(rows) -> None:
    overall = summarise(ratings(rows), FEW, by_type=False)[-1]
    videos = {row[0] for row in rows}
    assert (overall.name, overall.n, overall.rows) == (ALL, len(videos), len(rows))
    assert overall.failed == sum(scored is None for _, _, scored in rows)
    by_video = {
        name: [scored[1] * 10 if scored else 0 for video, _, scored in rows if video == name]
        for name in videos
    }
    mean = sum(sum(values) / len(values) for values in by_video.values()) / len(videos)
    assert overall.estimates["loose"]["zero"].mean == pytest.approx(mean)


def test_a_video_with_two_types_counts_in_each_and_epochs_once() -> None:
    rows = summarise(THREE, FEW)
    assert [(row.name, row.n, row.rows, row.failed) for row in rows] == [
        ("Body_Language", 2, 4, 1),
        ("Causal_Montage", 3, 6, 3),
        ("All", 3, 6, 3),
    ]


def test_all_failed() -> None:
    rows = summarise(ratings([(name, 1, None) for name in "abcde"]), FEW, by_type=False)
    zero, scored = (rows[-1].estimates["strict"][way] for way in ("zero", "excluded"))
    assert (zero.n, zero.mean, scored.n, scored.mean, scored.interval) == (5, 0, 0, None, None)
    assert zero.interval is not None
    assert zero.interval.flat


def test_intervals_of_a_type_do_not_depend_on_other_types() -> None:
    rows = [(f"v{i}", ("Body_Language",), float(i % 11)) for i in range(40)]
    more = [*rows, *((f"w{i}", ("Causal_Montage",), 3.0) for i in range(20))]

    def body(these) -> object:
        builder = RatingsBuilder()
        for video_id, types, loose in these:
            builder.add(video_id, 1, types, (0.0, loose))
        return summarise(builder.build(), FEW)[0]

    assert body(more) == body(rows)
