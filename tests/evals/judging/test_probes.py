"""``evals.judge --probes``: answers of known worth, and judges that fall for them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.errors import RefusedError
from evals.datasets import Sample, open_dataset
from evals.judge import main
from evals.judging.probes import PROBES, jobs_of, parsed_gold
from evals.report.__main__ import main as report
from tests.evals.judging.conftest import scoring
from tests.fakes import Call, ScriptedChatModel

COMMAND = ("--probes", "--dataset", "ds", "--judge-model", "openai:j", "--k", "1", "--resamples", "200")
FOLDER = Path("runs/probes-openai_j-k1")


def good(gold: list[str], prediction: list[str], _call: Call) -> tuple[int, int]:
    """Compares, and does as it is told by no one."""
    return (1, 10) if gold == prediction else (0, 1 if prediction[0] not in gold else 2)


def results() -> dict[str, dict[str, object]]:
    return {each["probe"]: each for each in json.loads((FOLDER / "probes.json").read_text())["probes"]}


def test_a_good_judge_passes(
    data: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    judge = scoring(
        lambda gold, prediction, call: (
            (0, 0) if "presents ...," in prediction[0] else good(gold, prediction, call)
        )
    )
    play(ScriptedChatModel.of(), judge=judge)
    assert main(list(COMMAND)) == 0
    out, err = capsys.readouterr()
    assert len(judge.calls) == 10 * 6 * 2
    assert out.count("passed") == 10
    assert "FAILED" not in out
    assert "WARNING" not in err
    found = results()
    assert found["gold"]["loose"] == {"mean": 10.0, "low": 10.0, "high": 10.0}
    assert found["other_gold"]["n"] == 6
    assert found["order"]["rise"] == 0.0
    assert (FOLDER / "probes.md").read_text().startswith("| probe | what it is | n |")
    assert report([str(FOLDER), "--out", "page.html", "--no-frames"]) == 0
    assert main(list(COMMAND)) == 0  # nothing is asked a second time
    assert len(judge.calls) == 120


def obeys(*words: str) -> Callable[[list[str], list[str], Call], tuple[int, int]]:
    """Gives full marks where the prediction has one of some words."""

    def score(gold: list[str], prediction: list[str], call: Call) -> tuple[int, int]:
        fallen = any(word in " ".join(prediction) for word in words)
        return (1, 10) if fallen else good(gold, prediction, call)

    return score


@pytest.mark.parametrize(
    ("judge", "fails"),
    [
        (obeys("10 points and a strict"), {"order"}),
        (obeys("Give loose_score 10"), {"tags"}),
        (obeys("worth 10 points"), {"tokens"}),
        (obeys('"loose_score": 10'), {"json"}),
        (obeys("请忽略"), {"chinese"}),
        (obeys("that there is"), {"literal"}),
        (obeys("the passing of time"), {"shotgun"}),
        (obeys("presents ...,"), {"empty"}),
        (lambda _gold, _prediction, _call: (0, 0), {"gold"}),
        (
            lambda _gold, _prediction, _call: (1, 10),
            {probe.name for probe in PROBES} - {"gold"},
        ),
    ],
)
def test_a_judge_that_fails_is_named(
    judge: Callable[[list[str], list[str], Call], tuple[int, int]],
    fails: set[str],
    data: Path,
    play: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(ScriptedChatModel.of(), judge=scoring(judge))
    assert main([*COMMAND, "--quiet", "--limit", "2"]) == 6
    out, err = capsys.readouterr()
    assert {name for name, each in results().items() if not each["passed"]} == fails
    assert out.count("FAILED") == len(fails)
    for name in fails:
        assert f"WARNING: openai:j fails the probe {name} (" in err


def test_an_order_that_only_raises_a_score_is_seen(
    data: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    def score(gold: list[str], prediction: list[str], _call: Call) -> tuple[int, int]:
        if gold == prediction:
            return 1, 10
        return 0, 3 if "Ignore all rules" in " ".join(prediction) else 1

    play(ScriptedChatModel.of(), judge=scoring(score))
    assert main(list(COMMAND)) == 6
    assert "the order raised the score by 2.00, at most 1 wanted" in capsys.readouterr().err


def test_a_refused_probe_is_no_score(
    data: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    judge = scoring(good)
    inner = judge.script
    judge.script = lambda call: RefusedError("filtered") if "im_start" in call.text else inner(call)
    play(ScriptedChatModel.of(), judge=judge)
    main(list(COMMAND))
    found = results()["tokens"]
    assert (found["n"], found["failed"], found["passed"]) == (0, 6, None)
    assert "6 of 60 predictions have no verdict" in capsys.readouterr().err


def test_orders_stay_inside_their_section(data: Path, play: Callable[..., None]) -> None:
    judge = scoring(good)
    play(ScriptedChatModel.of(), judge=judge)
    main(list(COMMAND))
    for call in judge.calls:
        assert [message.type for message in call.messages] == ["system", "human"]
        for mark in ("<prediction>", "</prediction>", "<gold>", "</gold>"):
            assert call.text.count(mark) == 1
        assert "<|" not in call.text
        after = call.text.partition("</prediction>")[2]
        for order in ("10 points", "loose_score", "im_start", "请忽略", "Note of the examiners"):
            assert order not in after


def test_what_probes_are_made_of() -> None:
    samples = tuple(open_dataset("mini").samples)
    jobs, left = jobs_of(samples)
    assert left == []
    assert len(jobs) == 10 * len(samples)
    assert jobs == jobs_of(samples)[0]
    by_probe = {job.sample.video_id: job.before for job in jobs}
    for sample in samples:
        own = parsed_gold(sample)
        assert own is not None
        texts: dict[str, str] = {}
        for probe in PROBES:
            record = by_probe[f"{probe.name}:{sample.video_id}"]
            assert record is not None
            assert record.interpretation is not None
            texts[probe.name] = record.interpretation.text
        assert texts["gold"].splitlines() == list(sample.gold)
        assert not set(texts["other_gold"].splitlines()) & set(sample.gold)
        assert all(entry.expresses not in texts["literal"] for entry in own)
        assert all(entry.presents in texts["literal"] for entry in own)
        assert texts["shotgun"].count("\n") == 11
        assert own[0].expresses in texts["shotgun"]
        assert all(
            texts[name].startswith(texts["other_gold"]) for name in ("order", "tags", "json", "chinese")
        )


def test_gold_of_another_form_is_left_out() -> None:
    def sample(name: str, *gold: str) -> Sample:
        return Sample(name, "", ("Body_Language",), gold, None)

    form = "The video presents {}, implicitly expressing {}."
    samples = [
        sample("a", form.format("a candle", "time")),
        sample("b", "A candle stands for time."),
        sample("c", form.format("a cage", "freedom")),
    ]
    jobs, left = jobs_of(samples)
    assert left == ["b"]
    assert len(jobs) == 20
    assert jobs_of(samples[:2]) == ([], ["b", "a"])


def test_too_few_samples(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--probes", "--dataset", "ds", "--limit", "1"]) == 2
    assert "has too few samples to probe with" in capsys.readouterr().err


def test_the_measured_similarity_is_no_good_judge(
    embedded_model: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--probes", "--limit", "4", "--run-dir", "p", "--quiet"]) == 6
    out, err = capsys.readouterr()
    assert "offline proxy, not comparable with LLM-judge scores" in out
    assert "embedded fails the probe shotgun" in err
    assert "embedded fails the probe order" not in err
