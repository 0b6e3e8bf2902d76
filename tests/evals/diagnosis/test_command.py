"""``python -m evals.diagnose`` against a local server: what is planted comes back, and nothing is lost."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from evals.diagnose import main
from evals.diagnosis.records import DiagnosisRecord, read_diagnoses
from graphs import resources
from tests.evals.diagnosis.planted import KINDS, judge_of, make_run, make_set, record
from tests.servers.openai_like import OpenAILike

IDS = [f"clip{i:02d}" for i in range(12)]
Server = Callable[..., OpenAILike]


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resources, "_KEPT", {})
    return make_set(tmp_path, IDS)


def by(server: OpenAILike, *more: str) -> list[str]:
    return ["--judge-model", "openai:judge", "--base-url", server.base_url, "--max-retries", "0", *more]


def kept(run: Path) -> list[DiagnosisRecord]:
    return list(read_diagnoses(run / "diagnosis.jsonl").values())


def planted_evenly(kinds: Iterable[str] = KINDS) -> dict[str, list[str]]:
    listed = list(kinds)
    return {
        video_id: [listed[i % len(listed)], listed[(i // 2) % len(listed)]] for i, video_id in enumerate(IDS)
    }


def test_planted_deficiencies_come_back_and_a_false_quotation_is_caught(
    dataset: Path,
    tmp_path: Path,
    openai_server: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    planted = planted_evenly() | {IDS[0]: []}
    run = make_run(tmp_path / "boost", dataset, planted, lost=["gone"])
    server = openai_server(brain=judge_of(lies=[IDS[1]], keeps_lying=[IDS[2]], fails=[IDS[3]]))
    assert main([str(run), *by(server, "--json")]) == 0
    said = json.loads(capsys.readouterr().out)["runs"][0]

    want = Counter(kind for video_id in planted if video_id != IDS[3] for kind in planted[video_id])
    want[planted[IDS[2]][0]] -= 1  # dropped: its quotation never occurs
    rows = {row["type"]: row for row in said["rows"]}
    assert {kind: each["count"] for kind, each in rows["All"]["kinds"].items()} == want
    assert (said["diagnosed"], said["with_any"]) == (11, 10)
    assert (said["corrected"], said["rejected"]) == (1, 1)
    assert said["failed"] == {"model_output_error": 1}
    assert said["without_interpretation"] == 1
    share = rows["All"]["kinds"]["missing_mapping"]["share"]
    assert share["percent"] == pytest.approx(100 * want["missing_mapping"] / want.total())
    assert share["low"] < share["percent"] < share["high"]
    assert sum(rows[name]["samples"] for name in ("Body_Language", "Cultural_Symbol")) == 11

    records = {each.video_id: each for each in kept(run)}
    found = records[IDS[4]].diagnosis
    assert found is not None
    assert [(each.kind, each.where, each.step) for each in found.deficiencies] == [
        (kind, "thinking", "interpret") for kind in planted[IDS[4]]
    ]
    asked = Counter(section for ask in server.asks for section in IDS if f" of {section}," in ask.text)
    assert (asked[IDS[1]], asked[IDS[2]], asked[IDS[4]]) == (2, 3, 1)
    assert "does not occur" in next(ask.text for ask in server.asks if "<rejected>" in ask.text)
    assert json.loads((run / "diagnosis.json").read_text())["diagnosed"] == 11


def test_a_sample_is_paid_for_once_and_a_kill_costs_what_was_in_flight(
    dataset: Path,
    tmp_path: Path,
    openai_server: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = make_run(tmp_path / "boost", dataset, planted_evenly())
    server = openai_server(brain=judge_of(fails=[IDS[5]]))
    assert main([str(run), *by(server, "--limit", "7", "--no-cache")]) == 0
    paid = len(server.asks)
    assert len(kept(run)) == 7
    with (run / "diagnosis.jsonl").open("a") as file:  # a kill in the middle of a line
        file.write('{"version":1,"video_id":"clip07","ep')
    assert main([str(run), *by(server, "--no-cache", "--quiet")]) == 0
    assert len(server.asks) - paid == 5
    assert len(kept(run)) == 12

    before = len(server.asks)
    assert main([str(run), "--markdown"]) == 0  # nothing is missing: no judge is opened, none is named
    assert len(server.asks) == before
    assert "| missing mapping |" in capsys.readouterr().out

    server.brain = judge_of()
    assert main([str(run), *by(server, "--retry-errors", "--no-cache")]) == 0
    assert len(server.asks) - before == 1
    assert all(each.diagnosis for each in kept(run))


def test_what_has_changed_is_diagnosed_again(dataset: Path, tmp_path: Path, openai_server: Server) -> None:
    run = make_run(tmp_path / "boost", dataset, planted_evenly())
    server = openai_server(brain=judge_of())
    assert main([str(run), *by(server)]) == 0
    lines = (run / "records.jsonl").read_text().splitlines()
    lines[3] = record(IDS[3], ["missing_mapping"], 3).line()
    (run / "records.jsonl").write_text("\n".join(lines) + "\n")
    paid = len(server.asks)
    assert main([str(run), *by(server)]) == 0
    assert len(server.asks) - paid == 1
    changed = next(each for each in kept(run) if each.video_id == IDS[3])
    assert changed.diagnosis is not None
    assert changed.diagnosis.count() == 1


def test_another_judge_needs_a_word_of_its_own(
    dataset: Path,
    tmp_path: Path,
    openai_server: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = make_run(tmp_path / "boost", dataset, planted_evenly())
    server = openai_server(brain=judge_of())
    assert main([str(run), *by(server, "--limit", "2")]) == 0
    other = ["--judge-model", "openai:other", "--base-url", server.base_url]
    assert main([str(run), *other]) == 2
    assert "judge was 'openai:judge' and would be 'openai:other'" in capsys.readouterr().err
    assert main([str(run), *other, "--again", "--limit", "3"]) == 0
    assert {each.terms.judge for each in kept(run)} == {"openai:other"}
    assert len((run / "diagnosis.1.jsonl").read_text().splitlines()) == 2


def test_the_budget_ends_it_and_a_dry_run_asks_nothing(
    dataset: Path,
    tmp_path: Path,
    openai_server: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = make_run(tmp_path / "boost", dataset, planted_evenly())
    server = openai_server(brain=judge_of())
    assert main([str(run), *by(server, "--dry-run")]) == 0
    told = capsys.readouterr().out
    assert "to diagnose: 12" in told
    assert "calls: 12 to 36" in told
    assert server.asks == []
    assert not (run / "diagnosis.jsonl").exists()

    limited = by(server, "--max-tokens-total", "450", "--concurrency", "1")
    assert main([str(run), *limited]) == 4
    assert len(kept(run)) == 3  # 150 tokens each
    assert "start again with a higher --max-tokens-total" in capsys.readouterr().err
    assert main([str(run), *limited]) == 4
    assert len(kept(run)) == 3
    assert main([str(run), *by(server, "--max-tokens-total", "1800")]) == 0  # reached with the last sample
    assert len(kept(run)) == 12


def test_the_paired_comparison_finds_the_planted_improvement(
    dataset: Path,
    tmp_path: Path,
    openai_server: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The base misses a mapping in every video and more; boost in a few. Improper ones are alike.
    base = {
        video_id: ["missing_mapping"] * (1 + i % 2) + ["improper_mapping"] for i, video_id in enumerate(IDS)
    }
    better = {
        video_id: ["missing_mapping"] * (i % 4 == 0) + ["improper_mapping"] for i, video_id in enumerate(IDS)
    }
    runs = [
        make_run(tmp_path / name, dataset, each) for name, each in (("baseline", base), ("boost", better))
    ]
    server = openai_server(brain=judge_of())
    assert main([*map(str, runs), *by(server, "--json")]) == 0
    (found,) = json.loads(capsys.readouterr().out)["comparisons"]
    rows = {row["figure"]: row for row in found["rows"]}
    missing = rows["missing_mapping"]
    assert (missing["n"], missing["base_mean"], missing["mean"]) == (12, 1.5, 0.25)
    assert (missing["fewer"], missing["ties"], missing["more"]) == (9, 3, 0)
    assert missing["high"] < 0
    assert missing["p"] <= missing["p_holm"] < 0.05
    assert missing["sign_p"] < 0.05
    assert rows["improper_mapping"]["difference"] == 0
    assert rows["improper_mapping"]["p_holm"] == 1
    assert rows["wrong_recognition"]["p_holm"] == 1
    assert rows["recognition"]["difference"] == 0

    assert main([*map(str, runs)]) == 0
    assert "boost shows fewer missing mapping (p below .05" in capsys.readouterr().out
    assert main([*map(str, runs), "--csv", "--svg", "kinds.svg"]) == 0
    drawn = ET.parse("kinds.svg").getroot()
    assert {each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")} > {"boost", "Gemini-3-Pro"}
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [line["figure"] for line in lines][:5] == [*KINDS, "total"]
    assert main([*map(str, runs), "--latex"]) == 0
    assert capsys.readouterr().out.count(r"\toprule") == 5


def test_a_service_that_is_gone_is_an_outcome_and_a_bad_key_ends_it(
    dataset: Path,
    tmp_path: Path,
    openai_server: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = make_run(tmp_path / "boost", dataset, planted_evenly())
    server = openai_server("server_error")
    assert main([str(run), *by(server, "--limit", "3")]) == 3
    assert {str(each.outcome) for each in kept(run)} == {"infrastructure"}
    out, err = capsys.readouterr()
    assert "3 infrastructure; --retry-errors" in out
    assert "3 of 3 samples could not be diagnosed:\n  clip0" in err
    assert "answered 500" in err
    server.behaviours = {"unauthorized"}
    assert main([str(run), *by(server, "--concurrency", "1")]) == 1
    assert len(kept(run)) == 4


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["nowhere"], "There is no run directory nowhere"),
        (["ds"], "ds is no run directory"),
        (["boost", "boost"], "boost is given twice"),
        (["boost", "--prompt", "perceive=x"], "a name of diagnose"),
        (["boost", "--dataset", "nothing"], "nothing"),
        (["boost", "--max-cost", "1"], "need a price"),
        (["boost", "--svg", "no/folder/kinds.svg"], "--svg no/folder/kinds.svg can't be written"),
        (["boost", "--svg", "boost"], "--svg boost is a folder"),
        (["boost", "--embeddings", "no_such_thing", "--score-only"], "no_such_thing"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(
    argv: list[str], told: str, dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_run(tmp_path / "boost", dataset, {IDS[0]: []})
    assert main(argv) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said


def test_the_judges_server_may_be_named_as_other_commands_name_it(
    dataset: Path, tmp_path: Path, openai_server: Server
) -> None:
    run = make_run(tmp_path / "boost", dataset, {IDS[0]: []})
    server = openai_server(brain=judge_of())
    words = [word.replace("--base-url", "--judge-base-url") for word in by(server)]
    assert main([str(run), *words]) == 0
    assert [each.video_id for each in kept(run)] == [IDS[0]]


@pytest.mark.parametrize(
    "flags", [("--max-cost", "-1"), ("--max-cost", "nan"), ("--floor", "nan"), ("--floor", "5")]
)
def test_a_number_out_of_range_is_refused_before_anything(
    flags: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["boost", *flags])
    assert f"argument {flags[0]}: '{flags[1]}' is no number above 0" in capsys.readouterr().err


def test_a_data_set_that_has_moved_is_asked_for(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_run(tmp_path / "boost", dataset, {IDS[0]: []})
    dataset.rename(tmp_path / "elsewhere")
    assert main(["boost", "--score-only"]) == 2
    assert "The gold of boost can't be read" in (err := capsys.readouterr().err)
    assert err.endswith("If it has moved, say where to with --dataset.\n")
    assert main(["boost", "--score-only", "--dataset", "elsewhere"]) == 0


def test_a_folder_of_runs_stands_for_each(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("cot", "boost"):
        make_run(tmp_path / "grid" / name, dataset, planted_evenly())
    assert main(["grid", "--score-only", "--json"]) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [run["run"] for run in said["runs"]] == ["boost", "cot"]
    rates = said["runs"][0]["rows"][-1]["rates"]
    assert (rates["recognition"]["mean"], rates["reach"]["mean"], rates["use"]["mean"]) == (100, 100, 0)


def test_the_score_alone_is_shown_and_compared_without_a_diagnosis(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(make_run(tmp_path / name, dataset, planted_evenly())) for name in ("cot", "boost")]
    assert main([*runs, "--score-only", "--markdown"]) == 0
    said = capsys.readouterr().out
    assert "| type | samples | recognition % | reach % | use % |" in said
    assert "missing mapping" not in said
    n = len(planted_evenly())
    assert f"| recognition % | {n} | 100.00 | 100.00 | 0.00 |" in said
    assert "boost and cot have no diagnosed video in common: compared is what was recognized" in said
    assert main([*runs, "--score-only"]) == 0
    assert "boost against cot: the score that asks no judge" in capsys.readouterr().out
