"""The numbers were typed by hand: what they must add up to."""

from __future__ import annotations

import math
import re

import pytest
from pydantic import ValidationError

from evals.reproduction.published import KINDS, TYPES, PublishedSystem, plain_model, published

KNOWN = published()
NEAR = 0.1001  # a mean of rounded figures, rounded: half a tenth twice


def weighted(values: tuple[float, ...]) -> float:
    return math.fsum(n * value for n, value in zip(KNOWN.benchmark.n, values, strict=True)) / 860


def test_types_add_up_to_the_benchmark() -> None:
    assert (sum(KNOWN.benchmark.n), KNOWN.benchmark.videos) == (860, 860)
    assert weighted(KNOWN.benchmark.seconds.types) == pytest.approx(37.2, abs=NEAR)
    assert weighted(KNOWN.benchmark.tokens.types) == pytest.approx(114.2, abs=NEAR)


@pytest.mark.parametrize("row", KNOWN.systems, ids=lambda row: row.key)
def test_means_over_videos_agree_with_those_by_type(row: PublishedSystem) -> None:
    assert 0 < row.all < 100
    assert all(0 < score < 100 for score in row.types)
    if row.types:
        assert weighted(row.types) == pytest.approx(row.all, abs=NEAR)


def test_the_rows_of_the_paper_are_there() -> None:
    named = {row.name: row.all for row in KNOWN.systems}
    assert (named["GPT-5"], named["Gemini-3-Pro"], named["Human"]) == (63.7, 63.8, 83.4)
    assert len(named) == len({row.key for row in KNOWN.systems}) == 11
    assert [len(row.types) for row in KNOWN.systems].count(8) == 6
    assert KNOWN.systems[1].scores["Causal_Montage"] == 45.0
    assert TYPES[2:4] == ("Cultural_Symbol", "Naturalistic_Symbol")


def test_shares_of_deficiencies_are_of_a_hundred() -> None:
    for row in KNOWN.deficiencies:
        assert tuple(row.shares) == KINDS
        assert math.fsum(row.shares.values()) == pytest.approx(100, abs=0.2)


def test_ablations_agree_with_the_table_of_scores() -> None:
    rows = {row.key: row.all for row in KNOWN.ablations.rows}
    boost = next(row for row in KNOWN.systems if row.key == "boost-qwen3-vl-8b")
    assert rows["full"] == boost.all == max(rows.values())
    assert (rows["self"], rows["texts"], rows["conceptnet"]) == (53.4, 54.3, 52.5)
    assert (rows["h=1"], rows["z=5"]) == (54.5, 55.7)


def test_two_rows_do_not_claim_one_model_and_method() -> None:
    claimed = [(model, graph) for row in KNOWN.systems for model in row.models for graph in row.graphs]
    assert len(claimed) == len(set(claimed))
    assert all(re.fullmatch(r"[a-z0-9.-]+", model) for model, _ in claimed)


def test_a_row_without_all_types_is_none() -> None:
    with pytest.raises(ValidationError, match="3 types"):
        PublishedSystem(key="x", name="X", types=(1, 2, 3), all=2)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("openai:Qwen/Qwen3-VL-8B-Thinking", "qwen3-vl-8b-thinking"),
        ("openai:gpt-5-2025-08-07", "gpt-5"),
        ("google_genai:gemini-3-pro-preview", "gemini-3-pro-preview"),
        ("gpt-5-mini", "gpt-5-mini"),
    ],
)
def test_a_model_is_known_by_its_plain_name(name: str, plain: str) -> None:
    assert plain_model(name) == plain
