from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.statistics import of_records, summarise
from evals.store.records import Outcome, RunRecord
from evals.table import PROXY_NOTICE, tabulate
from tests.evals.records_for_tests import failed, scored, verdict


def test_failures_count_as_zero_and_are_left_out_side_by_side() -> None:
    table = tabulate([scored("a", 1, 8), scored("b", 0, 5), failed("c"), failed("d", Outcome.REFUSED)])
    overall = table.overall
    assert (overall.n, overall.failed) == (4, 2)
    assert (overall.strict, overall.strict_scored) == (25.0, 50.0)
    assert (overall.loose, overall.loose_scored) == (32.5, 65.0)
    assert table.outcomes == {"ok": 2, "infrastructure": 1, "refused": 1}


def test_a_sample_with_two_types_counts_in_each_and_once_overall() -> None:
    both = scored("a", 1, 10, types=("Surreal_Narrative", "Body_Language"))
    table = tabulate(
        [both, scored("b", 0, 0, types=("Body_Language",)), scored("c", 0, 2, types=("unknown",))]
    )
    assert [(row.name, row.n, row.loose) for row in table.types] == [
        ("Body_Language", 2, 50.0),
        ("Surreal_Narrative", 1, 100.0),
        ("unknown", 1, 20.0),
    ]
    assert (table.overall.n, table.overall.loose) == (3, 40.0)


def test_epochs_are_averaged_by_sample_first() -> None:
    records = [scored("a", 1, 10), scored("a", 1, 10, epoch=2), failed("b"), scored("b", 0, 4, epoch=2)]
    table = tabulate(records)
    assert (table.overall.n, table.records, table.epochs, table.overall.failed) == (2, 4, 2, 1)
    assert (table.overall.loose, table.overall.loose_scored) == (60.0, 70.0)
    assert table.notices == ["4 records, up to 2 epochs a sample, averaged by sample"]


def test_means_of_several_judgements_are_not_rounded() -> None:
    record = scored("a", verdict=verdict([1, 0, 0], [7, 8]))
    assert tabulate([record]).overall.cells == ("All", "1", "0", "33.3", "-", "33.3", "75.0", "-", "75.0")


def test_a_failed_judge_is_told_apart() -> None:
    assert tabulate([failed("a", phase="judge"), failed("b")]).outcomes == {
        "infrastructure (judge)": 1,
        "infrastructure": 1,
    }


def test_nothing_scored_shows_a_dash() -> None:
    assert tabulate([failed("a")]).overall.cells == ("All", "1", "1", "0.0", "-", "-", "0.0", "-", "-")


def test_proxies_are_named_in_the_head() -> None:
    assert PROXY_NOTICE == "offline proxy, not comparable with LLM-judge scores"
    assert tabulate([scored("a", proxy=True)]).notices == [PROXY_NOTICE]
    assert tabulate([scored("a", proxy=True), scored("b")]).notices == [f"1 of 2 verdicts: {PROXY_NOTICE}"]
    assert tabulate([scored("a")]).notices == []
    assert tabulate([scored("a", proxy=True)]).text().splitlines()[0] == f"({PROXY_NOTICE})"
    assert tabulate([scored("a", proxy=True)]).markdown().splitlines()[0] == f"**{PROXY_NOTICE}**"


def test_text_and_markdown() -> None:
    table = tabulate([scored("a", 1, 8), failed("b", types=("Causal_Montage",))])
    assert table.text().splitlines()[:6] == [
        "type            n  failed  strict  95 %  strict, scored only  loose  95 %  loose, scored only",
        "--------------  -  ------  ------  ----  -------------------  -----  ----  ------------------",
        "Body_Language   1       0   100.0     -                100.0   80.0     -                80.0",
        "Causal_Montage  1       1     0.0     -                    -    0.0     -                   -",
        "--------------  -  ------  ------  ----  -------------------  -----  ----  ------------------",
        "All             2       1    50.0     -                100.0   40.0     -                80.0",
    ]
    assert "| Causal_Montage | 1 | 1 | 0.0 | - | - | 0.0 | - | - |" in table.markdown().splitlines()


def test_intervals_are_those_of_evals_compare() -> None:
    marks = verdict([1, 0, 0], [7, 8, 8])
    records = [scored(f"v{i}", i % 2, i % 11, epoch=e) for i in range(20) for e in (1, 2)] + [failed("x")]
    records += [scored(f"v{i}", epoch=3, verdict=marks) for i in range(20)]
    overall = tabulate(records).overall
    (system,) = of_records(records, Path("r"))
    strict, loose = (summarise(system.ratings)[-1].estimates[score]["zero"] for score in ("strict", "loose"))
    assert (overall.strict_interval, overall.loose_interval) == (strict.interval, loose.interval)
    assert loose.interval is not None
    assert overall.cells[7] == f"[{loose.interval.low:.1f}, {loose.interval.high:.1f}]"
    assert loose.interval.low < overall.loose < loose.interval.high


record = st.builds(
    lambda ok, strict, loose, name: scored(name, strict, loose) if ok else failed(name),
    st.booleans(),
    st.integers(0, 1),
    st.integers(0, 10),
    st.uuids().map(str),
)


@settings(deadline=None)
@given(st.lists(record, min_size=1), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_zero_never_beats_scored(
    records: list[RunRecord], dice: random.Random
) -> None:
    table = tabulate(records)
    shuffled = records[:]
    dice.shuffle(shuffled)
    again = tabulate(shuffled)
    assert again.overall.loose == pytest.approx(table.overall.loose)
    assert table.overall.n == len(records)
    if table.overall.loose_scored is not None:
        assert table.overall.loose <= table.overall.loose_scored + 1e-9
        share = 1 - table.overall.failed / table.overall.n
        assert table.overall.loose == pytest.approx(table.overall.loose_scored * share)
