from __future__ import annotations

from pathlib import Path

import pytest

from evals.report import gather
from evals.report.figures import contrasts, figures
from evals.statistics import read_systems, summarise
from evals.store.records import Outcome
from tests.evals.records_for_tests import failed, scored
from tests.evals.report.making import make_run


def test_failures_count_as_zero_and_causes_are_counted(tmp_path: Path) -> None:
    records = [
        scored("a", 1, 9),
        scored("b", 0, 3),
        failed("c"),
        failed("d"),
        failed("e", Outcome.REFUSED, phase="judge"),
    ]
    found = figures(gather([make_run(tmp_path / "r", records)]).runs[0])
    assert (found.overall.n, found.overall.failed) == (5, 3)
    assert (found.overall.loose.mean, found.overall.loose.scored) == (24.0, 60.0)
    assert (found.overall.strict.mean, found.overall.strict.scored) == (20.0, 50.0)
    assert found.causes == (
        ("ok", 2, ()),
        ("infrastructure", 2, (("ProviderError in interpret", 2),)),
        ("refused (judge)", 1, (("ProviderError in judge", 1),)),
    )


def test_intervals_are_those_of_the_comparison(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [scored(f"v{i}", i % 2, i % 11) for i in range(40)])
    ours = figures(gather([run]).runs[0]).overall.loose
    theirs = summarise(read_systems([run])[0].ratings)[-1].estimates["loose"]["zero"]
    assert theirs.interval is not None
    assert ours.mean == pytest.approx(theirs.mean)
    assert (ours.low, ours.high) == pytest.approx((theirs.interval.low, theirs.interval.high))
    assert ours.low is not None
    assert ours.high is not None
    assert 0 < ours.low < ours.mean < ours.high < 100


def test_equal_scores_have_no_interval_that_would_look_certain(tmp_path: Path) -> None:
    overall = figures(gather([make_run(tmp_path / "r", [scored("a"), scored("b")])]).runs[0]).overall
    assert (overall.loose.low, overall.loose.high, overall.loose.text) == (None, None, "80.0")


def test_a_later_run_is_set_against_the_first_on_what_they_share(tmp_path: Path) -> None:
    first = make_run(tmp_path / "one", [scored("a", loose=2), scored("b", loose=5), failed("c"), scored("d")])
    second = make_run(tmp_path / "two", [scored("a", loose=6), scored("b", loose=5), scored("c", loose=1)])
    apart = make_run(tmp_path / "three", [scored("z")])
    (found,) = contrasts(gather([first, second, apart]))
    assert (found.base.letter, found.run.letter, found.n) == ("A", "B", 3)
    assert (found.better, found.worse, found.same) == (2, 0, 1)
    assert found.difference.mean == pytest.approx((40 + 0 + 10) / 3)
    assert found.sign_p == pytest.approx(0.5)
