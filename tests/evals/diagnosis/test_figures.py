"""Figures of diagnoses: epochs averaged by video, types apart, and what makes a comparison doubtful."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.diagnoses import Deficiency, DeficiencyKind, Diagnosis
from agents.schemas import Usage
from evals.diagnosis.comparing import compare_runs
from evals.diagnosis.figures import KINDS, PAPER, figures_of, video_counts
from evals.diagnosis.progress import Progress
from evals.diagnosis.records import DiagnosisRecord, Terms
from evals.diagnosis.working import Spending
from evals.money.budget import Budget
from evals.money.ledger import Ledger
from evals.money.prices import Prices
from evals.running.interrupts import Stop
from evals.statistics import Resampling, compare_paired, holm
from evals.store.records import Outcome

FAST = Resampling(resamples=500)
TERMS = Terms(judge="j", prompt="p")


def found(video_id: str, *kinds: int, epoch: int = 1, thinking: bool = True, **more: Any) -> DiagnosisRecord:
    told = {"types": ("Body_Language",), "terms": TERMS} | more
    listed = tuple(Deficiency(kind=KINDS[kind], element=f"e{i}") for i, kind in enumerate(kinds))
    diagnosis = Diagnosis(deficiencies=listed, thinking=thinking)
    outcome = {"seen": "s", "outcome": Outcome.OK, "diagnosis": diagnosis}
    return DiagnosisRecord(video_id=video_id, epoch=epoch, **told, **outcome)


def lost(video_id: str) -> DiagnosisRecord:
    return DiagnosisRecord(video_id=video_id, epoch=1, terms=TERMS, seen="s", outcome=Outcome.REFUSED)


def test_epochs_of_a_video_are_one() -> None:
    counts = video_counts([found("b", 1), found("a", 1, 1, 3), found("a", epoch=2), lost("c")])
    assert counts == {"a": (0, 1, 0, 0.5), "b": (0, 1, 0, 0)}


def test_counts_means_and_shares_by_type() -> None:
    records = [
        *(found(f"v{i}", 1, 1, 3) for i in range(6)),
        *(found(f"w{i}", 0, types=("Cultural_Symbol", "Body_Language")) for i in range(6)),
        found("clean"),
        lost("gone"),
    ]
    figures = figures_of(records, [], FAST)
    assert [row.name for row in figures.types] == ["Body_Language", "Cultural_Symbol", "All"]
    row = figures.overall
    assert (row.videos, row.samples, row.faulty) == (13, 13, 12)
    assert [each.count for each in row.kinds] == [6, 12, 0, 6]
    assert [each.mean.mean for each in row.kinds] == pytest.approx([6 / 13, 12 / 13, 0, 6 / 13])
    assert [each.share for each in row.kinds] == pytest.approx([25, 50, 0, 25])
    assert row.total.mean == pytest.approx(24 / 13)
    assert figures.types[1].kinds[0].share == 100
    assert figures.outcomes == {"refused": 1}
    assert row.rates["recognition"].n == 0


def test_the_papers_shares_make_a_whole() -> None:
    assert all(sum(shares) == pytest.approx(100) for shares in PAPER.values())
    assert [kind.label for kind in KINDS][1:] == [
        "missing mapping",
        "superficial mapping",
        "improper mapping",
    ]
    assert DeficiencyKind.parse(" Improper-Mapping ") is DeficiencyKind.IMPROPER_MAPPING


def test_a_comparison_is_the_paired_one_of_the_statistics() -> None:
    base = [found(f"v{i:02}", *[1] * (i % 3), 2) for i in range(20)]
    other = [found(f"v{i:02}", *[1] * (i % 2)) for i in range(1, 21)]
    said = compare_runs(("a", "b"), (base, other), ([], []), FAST)
    want = [
        compare_paired(
            np.array([float(each.diagnosis.count(kind)) for each in base[1:] if each.diagnosis]),
            np.array([float(each.diagnosis.count(kind)) for each in other[:-1] if each.diagnosis]),
            FAST,
            f"diagnosis/{kind}",
        )
        for kind in KINDS
    ]
    assert [each.paired for each in said.kinds] == want
    assert [each.p_holm for each in said.kinds] == holm([each.p for each in want])
    assert said.left_out == 2
    assert said.total is not None
    assert said.total.paired.n == 19
    assert said.doubts == ()


def test_what_was_diagnosed_otherwise_is_doubtful() -> None:
    base = [found(f"v{i}", 1) for i in range(6)]
    other = [found(f"v{i}", terms=Terms(judge="k", prompt="p"), thinking=False) for i in range(6)]
    doubts = compare_runs(("a", "b"), (base, other), ([], []), FAST).doubts
    assert "judge was 'j' and would be 'k'" in doubts[0]
    assert "100% of a and 0% of b" in doubts[1]


def test_nothing_in_common_is_no_comparison() -> None:
    said = compare_runs(("a", "b"), ([found("x", 1)], [found("y", 1)]), ([], []), FAST)
    assert (said.kinds, said.total, said.left_out) == ((), None, 2)


@pytest.mark.parametrize(("estimated", "told"), [(False, " 1,100 tokens "), (True, " ~1,100 tokens ")])
def test_progress_marks_estimated_tokens(estimated: bool, told: str) -> None:
    spending = Spending(Budget(), Ledger(Prices()), Stop())
    spending.ledger.add("openai:x", Usage(input_tokens=1000, output_tokens=100, estimated=estimated))
    assert told in Progress(3, spending).line()
