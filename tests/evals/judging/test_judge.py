"""``evals.judge RUN``: frozen predictions judged again, by the judge alone, durably and within a budget."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from agents.errors import ProviderError
from evals.agreement import main as agreement
from evals.compare import main as compare
from evals.judge import main
from evals.report.__main__ import main as report
from evals.store.records import RunRecord
from evals.store.run_store import read_records
from tests.evals.judging.conftest import GOLD, scoring
from tests.evals.records_for_tests import failed, scored
from tests.fakes import Call, ScriptedChatModel
from tests.servers.openai_like import OpenAILike

ROOT = Path(__file__).resolve().parents[3]
JUDGE = ("--judge-model", "openai:new", "--k", "2", "--resamples", "200")


def nobody() -> ScriptedChatModel:
    """An interpreting model that must not be asked."""
    return ScriptedChatModel.of()


def judged(name: str = "openai_new-k2", run: str = "run") -> list[RunRecord]:
    found = read_records(Path(run) / "judgements" / f"{name}.jsonl")
    return sorted(found, key=lambda record: record.video_id)


def summary(name: str = "openai_new-k2") -> dict[str, Any]:
    return json.loads((Path("run/judgements") / f"{name}.summary.json").read_text())


def varying() -> ScriptedChatModel:
    """Scores 5 to 8 by the gold's length, and one more in every second judgement."""
    numbers = count()

    def score(gold: list[str], _prediction: list[str], _call: Call) -> tuple[int, int]:
        return 1, 5 + len("".join(gold)) % 3 + (next(numbers) // 2) % 2

    return scoring(score)


def test_new_verdicts_beside_the_old(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in (made / "run").iterdir() if path.is_file()}
    judge = scoring(lambda gold, _prediction, _call: (1, 5 + len(gold[0]) % 4))
    play(nobody(), judge=judge)
    assert main(["run", *JUDGE]) == 0
    out, err = capsys.readouterr()
    assert {path.name: path.read_bytes() for path in (made / "run").iterdir() if path.is_file()} == before
    assert len(judge.calls) == 6 * 2 * 2
    assert not any(call.images for call in judge.calls)
    wanted = [5 + len(f"The video presents {a}, implicitly expressing {b}.") % 4 for a, b in GOLD]
    assert [record.verdict and record.verdict.loose for record in judged()] == wanted
    assert all(record.judge_model == "openai:new" and not record.keywords for record in judged())
    found = summary()
    assert found["overall"]["loose"] == pytest.approx(10 * sum(wanted) / 6)
    assert found["old_and_new"]["error"]["value"] == pytest.approx(sum(wanted) / 6 - 3)
    assert found["old_and_new"]["pearson"]["why"] == "the old judge gave every video the same score"
    assert found["reruns"][0]["loose"]["value"] == 1.0
    assert "All" in out
    assert "mean signed error (new less old)" in out
    assert "verdicts of all judges: run, openai_new-k2" in out
    assert "Judgements: run/judgements/openai_new-k2.jsonl" in err
    assert "python -m evals.judge run --name openai_new-k2 --judge-model openai:new --k 2)" in err


def test_a_second_start_asks_nothing_and_another_name_asks_anew(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=varying())
    assert main(["run", *JUDGE]) == 0
    judge = varying()
    play(nobody(), judge=judge)
    assert main(["run", *JUDGE]) == 0
    assert "Every judgement is there already." in capsys.readouterr().err
    assert judge.calls == []
    assert main(["run", *JUDGE, "--name", "second"]) == 0
    assert len(judge.calls) == 24
    out = capsys.readouterr().out
    assert "judgements of second among themselves" in out
    assert "verdicts of this judge: openai_new-k2, second" in out
    alphas = [each["loose"]["value"] for each in summary("second")["reruns"]]
    assert len(alphas) == 3
    assert alphas[0] < 1
    assert None not in alphas
    # the same name in another run of the same predictions is answered by kept answers
    shutil.copytree("run", "copy", ignore=shutil.ignore_patterns("judgements"))
    assert main(["copy", *JUDGE, "--name", "second"]) == 0
    assert len(judge.calls) == 24


def test_a_name_belongs_to_one_judge(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=varying())
    assert main(["run", *JUDGE, "--name", "x"]) == 0
    assert main(["run", "--judge-model", "openai:other", "--k", "2", "--name", "x"]) == 2
    err = capsys.readouterr().err
    assert "model was 'openai:new' and would be 'openai:other'" in err
    assert "Give another --name." in err
    for name in ("../x", ".x", "x.failed", "a b"):
        assert main(["run", *JUDGE, "--name", name]) == 2
        assert "error: --name" in capsys.readouterr().err


def test_the_budget_stops_it_and_a_higher_one_goes_on(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    judge = varying()
    play(nobody(), judge=judge)
    limits = ("--concurrency", "1", "--no-cache")
    assert main(["run", *JUDGE, *limits, "--max-tokens-total", "800"]) == 4
    assert len(judged()) == 2  # 440 tokens each
    assert "--max-tokens-total is 800. Give a higher one:" in capsys.readouterr().err
    assert main(["run", *JUDGE, *limits, "--max-tokens-total", "800"]) == 4
    assert len(judge.calls) == 8
    assert main(["run", *JUDGE, *limits, "--max-tokens-total", "100000"]) == 0
    assert len(judge.calls) == 24
    assert summary()["spending"]["tokens"]["total"] == 24 * 110
    assert main(["run", *JUDGE, "--name", "y", "--max-cost", "1"]) == 2
    assert "need a price" in capsys.readouterr().err


def test_a_prediction_that_has_changed_is_judged_again(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=varying())
    assert main(["run", *JUDGE]) == 0
    path = made / "run/records.jsonl"
    records = list(read_records(path))
    other = scored("v9").interpretation
    records[2] = records[2].model_copy(update={"interpretation": other, "graph": "other"})
    path.write_text("".join(record.line() + "\n" for record in records))
    judge = varying()
    play(nobody(), judge=judge)
    assert main(["run", *JUDGE]) == 0
    assert len(judge.calls) == 4
    assert other in [record.interpretation for record in judged()]
    assert "1 judgements are of predictions that have changed: judged again" in capsys.readouterr().err


def test_people_are_held_against_later_judgements(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=varying())
    assert main(["run", *JUDGE]) == 0
    rows = [f"v{i},ann,{i}" for i in range(6)]
    (made / "h.csv").write_text("\n".join(["video_id,rater,score", *rows]))
    capsys.readouterr()
    command = ["run", "--human", "h.csv", "--judgements", "openai_new-k2", "--json", "--resamples", "200"]
    assert agreement(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["judge"], found["k"]) == ("openai:new", 2)
    mean = sum(record.verdict.loose for record in judged() if record.verdict) / 6
    assert found["rows"][-1]["figures"]["error"]["value"] == pytest.approx(mean - 2.5)
    assert (made / "run/agreement-openai_new-k2.html").exists()


def test_a_dry_run_asks_and_writes_nothing(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=ScriptedChatModel.of())
    assert main(["run", *JUDGE, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "to judge: 6 predictions" in out
    assert "model calls: 24" in out
    assert "money: unknown, since no price is known for openai:new" in out
    assert not (made / "run/judgements").exists()
    assert main(["run", *JUDGE, "--dry-run", "--json", "--limit", "2"]) == 0
    event = json.loads(capsys.readouterr().out)
    assert (event["event"], event["to_record"], event["judge_calls"]) == ("dry_run", 2, 8)


def test_records_without_a_verdict_or_a_run_file_suffice(
    data: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "run").mkdir()
    records = [
        failed("v0", phase="judge"),
        scored("v1", verdict=None, outcome="infrastructure"),
        failed("v2"),
        scored("gone"),
    ]
    (data / "run/records.jsonl").write_text("".join(record.line() + "\n" for record in records))
    shutil.rmtree(data / "ds/videos")  # nothing of them is looked at
    play(nobody(), judge=scoring(lambda _gold, _prediction, _call: (1, 8)))
    assert main(["run", *JUDGE]) == 2
    assert "has no run.json that says where its gold is: give --dataset." in capsys.readouterr().err
    assert main(["run", *JUDGE, "--dataset", "ds", "--as-run", "again"]) == 0
    err = capsys.readouterr().err
    assert "1 record has no interpretation: there is nothing to judge, and it stays a failure." in err
    assert "Not in data set ds, and left out: gone." in err
    assert [record.video_id for record in judged()] == ["v0", "v1"]
    again = list(read_records(data / "again/records.jsonl"))
    assert [(record.video_id, record.ok) for record in again] == [("v0", True), ("v1", True), ("v2", False)]
    assert not (data / "again/run.json").exists()
    assert compare(["again"]) == 0


def test_as_a_run_of_its_own(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=scoring(lambda _gold, _prediction, _call: (1, 8)))
    assert main(["run", *JUDGE, "--as-run", "new", "--quiet"]) == 0
    old, new = (list(read_records(made / name / "records.jsonl")) for name in ("run", "new"))
    for before, after in zip(old, new, strict=True):
        assert after.verdict is not None
        assert (after.verdict.loose, after.judge_model, after.ok) == (8, "openai:new", True)
        assert (after.keywords, after.interpretation) == (before.keywords, before.interpretation)
        steps = [call.step for call in after.calls]
        assert steps.count("judge_loose") == 2
        assert [s for s in steps if not s.startswith("judge")] == [
            call.step for call in before.calls if not call.step.startswith("judge")
        ]
        assert after.usage.total_tokens == sum(call.usage.total_tokens for call in after.calls)
    said = json.loads((made / "new/run.json").read_text())
    assert (said["spec"]["context"]["judge_model"], said["spec"]["context"]["judge_k"]) == ("openai:new", 2)
    for name in ("table.md", "summary.json", "scores.jsonl", "predictions.jsonl", "report.html"):
        assert (made / "new" / name).exists(), name
    capsys.readouterr()
    assert compare(["run", "new"]) == 0
    out, err = capsys.readouterr()
    assert "different judges (openai:old; openai:new)" in err
    assert "new is 50.0 points above run" in out
    assert report(["run", "new", "--out", "both.html", "--no-frames"]) == 0
    assert main(["run", *JUDGE, "--as-run", "new"]) == 2
    assert "it holds records, which stay as they are; give a new directory" in capsys.readouterr().err


def test_a_judge_that_fails_is_told_and_can_be_asked_again(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(nobody(), judge=ScriptedChatModel(script=lambda _call: ProviderError("the judge is away")))
    assert main(["run", *JUDGE, "--as-run", "new"]) == 3
    err = capsys.readouterr().err
    assert "6 of 6 predictions have no verdict:" in err
    assert "infrastructure (judge): the judge is away" in err
    play(nobody(), judge=varying())
    assert main(["run", *JUDGE]) == 3  # a failure is a record too
    assert main(["run", *JUDGE, "--retry-errors"]) == 0
    assert all(record.ok for record in judged())
    assert "6 failed records were moved aside" in capsys.readouterr().err
    assert (made / "run/judgements/openai_new-k2.failed.jsonl").exists()
    assert main(["run", *JUDGE, "--name", "later"]) == 0
    assert "verdicts of this judge: openai_new-k2, later\n" in capsys.readouterr().out.replace("  ", "\n")


def test_other_gold_is_judged_by_only_when_it_is_named(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    path = made / "ds/datas.jsonl"
    path.write_text(path.read_text().replace("grief", "sorrow"))
    judge = varying()
    play(nobody(), judge=judge)
    assert main(["run", *JUDGE]) == 2
    assert "is no longer what it was when run was begun" in capsys.readouterr().err
    assert main(["run", *JUDGE, "--dataset", "ds"]) == 0
    assert "The gold is not what run was judged by" in capsys.readouterr().err
    assert any("sorrow" in call.text for call in judge.calls)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("ds",), "ds is no run directory: it has no records.jsonl."),
        ((".",), "it has no records.jsonl. Judge what it holds one by one: run."),
        (("run", "--prompt", "perceive=x.md"), "--prompt perceive: the judge is not asked by it."),
        (("run", "--k", "99"), "--judge-k: Input should be less than or equal to 25"),
        (("run", "--no-cache", "--cache-dir", "x"), "exclude each other"),
    ],
)
def test_what_can_not_be_used(
    argv: tuple[str, ...], words: str, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(argv)) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "give RUN, the run whose predictions are judged again; or --probes."),
        (("--probes", "--name", "x"), "--probes judges no run"),
        (("run", "--run-dir", "x"), "--run-dir goes with --probes"),
        (("run", "--k", "0"), "'0' is no whole number above zero"),
        (("run", "--seed", "-1"), "'-1' is no whole number from 0"),
    ],
)
def test_arguments_that_can_not_be_used(
    argv: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(list(argv))
    assert raised.value.code == 2
    assert words in capsys.readouterr().err


def test_killed_it_goes_on_and_asks_nothing_twice(
    made: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    path = made / "run/judgements/killed.jsonl"
    with OpenAILike(delay=0.1) as server:
        command = ["run", "--judge-model", "openai:new", "--judge-base-url", server.base_url, "--k", "1"]
        command += ["--concurrency", "1", "--no-cache", "--name", "killed"]
        code = "import sys; from evals.judge import main; sys.exit(main(sys.argv[1:]))"
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        going = subprocess.Popen([sys.executable, "-c", code, *command], env=env, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while time.monotonic() < until and not (path.exists() and path.read_bytes().count(b"\n") >= 2):
            time.sleep(0.02)
        going.send_signal(signal.SIGKILL)
        going.wait(10)
    kept = path.read_bytes()
    path.write_bytes(kept + b'{"video_id": "v')  # as a kill in the middle of a write leaves it
    judge = varying()
    play(nobody(), judge=judge)
    assert main(command) == 0
    assert path.read_bytes().startswith(kept)
    assert [record.video_id for record in judged("killed")] == [f"v{i}" for i in range(6)]
    assert len(judge.calls) == 2 * (6 - kept.count(b"\n"))
    err = capsys.readouterr().err
    assert "ended in a torn line, which was removed" in err
    assert f"--judge-base-url {server.base_url}" in err
