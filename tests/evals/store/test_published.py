from __future__ import annotations

import json
from pathlib import Path

from evals.store.published import export_published, prediction, score
from evals.store.records import Outcome
from tests.evals import stubs
from tests.evals.records_for_tests import failed, scored, verdict

ENTRY = "The video presents a candle, implicitly expressing time."


def test_a_prediction_has_the_published_keys() -> None:
    record = scored("a", calls=(stubs.call("perceive"), stubs.call("interpret"), stubs.call("judge_strict")))
    assert prediction(record) == {
        "video_id": "a",
        "analysis_dict": {"analysis_1": ENTRY},
        "total_output": "raw interpret",
    }
    assert prediction(scored("a")) == {
        "video_id": "a",
        "analysis_dict": {"analysis_1": ENTRY},
        "total_output": ENTRY,
    }
    assert prediction(failed("a")) is None


def test_scores_are_whole_where_judgements_agree_and_means_elsewhere() -> None:
    assert score(scored("a", 1, 8)) == {
        "video_id": "a",
        "Content_Mining_Score": 1,
        "Thought_Analysis_Score": 8,
        "reasoning": "worth 8",
    }
    mixed = score(scored("a", verdict=verdict([1, 0], [7, 8])))
    assert mixed is not None
    assert (mixed["Content_Mining_Score"], mixed["Thought_Analysis_Score"]) == (0.5, 7.5)
    whole = score(scored("a"))
    assert whole is not None
    assert json.dumps(whole["Content_Mining_Score"]) == "1"


def test_a_failed_sample_scores_zero_and_says_why() -> None:
    assert score(failed("a", phase="judge")) == {
        "video_id": "a",
        "Content_Mining_Score": 0,
        "Thought_Analysis_Score": 0,
        "reasoning": "[infrastructure (judge)] 429 after 3 tries",
    }


def test_what_nobody_judged_has_a_prediction_and_no_score() -> None:
    record = scored("a", outcome=Outcome.UNJUDGED, verdict=None)
    assert score(record) is None
    assert prediction(record) is not None


def test_epochs_go_to_files_of_their_own(tmp_path: Path) -> None:
    records = [scored("a"), failed("b"), scored("a", 0, 1, epoch=2), scored("b", 0, 2, epoch=2)]
    files = [path.name for path in export_published(records, tmp_path)]
    assert files == ["predictions.jsonl", "scores.jsonl", "predictions.epoch2.jsonl", "scores.epoch2.jsonl"]

    def ids(name: str) -> list[str]:
        return [json.loads(line)["video_id"] for line in (tmp_path / name).read_text().splitlines()]

    assert [ids(name) for name in files] == [["a"], ["a", "b"], ["a", "b"], ["a", "b"]]


def test_nothing_recorded_gives_empty_files(tmp_path: Path) -> None:
    export_published([], tmp_path)
    assert (tmp_path / "scores.jsonl").read_text() == ""
