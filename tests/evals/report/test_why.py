"""What a report shows of diagnoses: in the section, of each sample, and what it says of their worth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agents.diagnoses import Rejected
from agents.schemas import Entry, Hop, Interpretation, Mapping, ModelCall
from evals.diagnosis.inputs import Run as DiagnosisRun
from evals.diagnosis.matching import Matcher
from evals.diagnosis.reading import read_diagnosed
from evals.report import Frames, Gathered, Thumbnails, gather, render
from evals.report.content import detail, raw, row
from evals.report.transcript import Quotation, blocks
from evals.report.why import Why, why
from evals.spec import RunSpec
from evals.store.records import Failure, Outcome, RunRecord
from tests.evals.records_for_tests import failed, scored
from tests.evals.report.diagnoses import diagnosed, fault, keep
from tests.evals.report.making import GOLD, make_run, make_set
from tools.knowledge import open_knowledge

IDS = tuple("abcdefghij")
SAID = "I see a \U0001f56f candle. It is a lamp that lights a room."


def call(step: str, raw_: str = "", thinking: str = "") -> ModelCall:
    return ModelCall(step=step, model="m", method="text", attempts=1, seconds=1, raw=raw_, thinking=thinking)


def record(video_id: str, expresses: str = "a warm evening", **changes: Any) -> RunRecord:
    entries = (Entry(presents="a candle", expresses=expresses),)
    base: dict[str, Any] = {
        "keywords": ("candle",),
        "calls": (call("interpret", thinking=SAID), call("judge_loose", "It is a lamp")),
        "interpretation": Interpretation(entries=entries),
    }
    return scored(video_id, **(base | changes))


LAMP = fault("wrong_recognition", "It is a lamp", "thinking", step="interpret")


def two_runs(folder: Path) -> Gathered:
    """Ten videos: the first run misses the mapping everywhere, the second in one alone."""
    data = make_set(folder / "ds", IDS)
    first = [record(name, graph="baseline") for name in IDS]
    second = [record(name, "the passing of time") for name in IDS]
    runs = [make_run(folder / name, records, data) for name, records in (("one", first), ("two", second))]
    keep(runs[0], [diagnosed(each, GOLD, [fault(), LAMP]) for each in first])
    keep(
        runs[1],
        [diagnosed(each, GOLD, [LAMP, *([fault()] * (not place))]) for place, each in enumerate(second)],
    )
    return gather(runs)


def told(gathered: Gathered) -> Why:
    found = why(gathered)
    assert found is not None
    return found


def page_of(gathered: Gathered) -> str:
    return render(gathered, Thumbnails(Frames.NONE).strips(gathered))


def test_without_a_diagnosis_there_is_nothing_of_it(tmp_path: Path) -> None:
    gathered = gather([make_run(tmp_path / "r", [record("a")], make_set(tmp_path / "ds", ["a"]))])
    assert (gathered.diagnosed, why(gathered)) == ((), None)
    assert len(row(gathered.groups[0], gathered)[3][0]) == 6
    assert "diagnosis" not in detail(gathered.groups[0], gathered)["runs"][0][0]
    body = page_of(gathered).partition("<body>")[2].partition("<script")[0]
    assert not [word for word in ("why-h", "f-fault", "eficienc", "Why it fails") if word in body]


def test_shares_counts_rates_and_comparison_are_those_of_the_diagnoses(tmp_path: Path) -> None:
    found = told(two_runs(tmp_path))
    shares = [[figure.value for figure in each.shares] for each in found.runs]
    assert shares == [["50.0", "50.0", "0.0", "0.0"], ["90.9", "9.1", "0.0", "0.0"]]
    assert [(each.found, each.total.value, each.with_any, each.judges) for each in found.runs] == [
        (20, "2.00", "10 of 10", "a-judge"),
        (11, "1.10", "10 of 10", "a-judge"),
    ]
    assert [name for name, _ in found.paper] == ["Gemini-3-Pro", "Qwen3-VL-8B-Thinking"]
    (compared,) = found.differences
    assert "B shows fewer missing mapping" in compared.finding
    assert [(each.name, each.paired.difference) for each in compared.kinds][:2] == [
        ("wrong_recognition", 0.0),
        ("missing_mapping", -0.9),
    ]
    uses = [each.rates[2][0].value for each in found.runs]
    assert uses == ["0.0", "100.0"]
    assert [(each.name, each.letter, each.n) for each in found.types] == [
        ("Body Language", "A", 10),
        ("Body Language", "B", 10),
        ("All", "A", 10),
        ("All", "B", 10),
    ]
    assert found.notices == ()


def test_figures_are_those_of_evals_diagnose(tmp_path: Path) -> None:
    gathered = two_runs(tmp_path)
    run, own = gathered.runs[0], gathered.diagnosed[0]
    assert run.samples is not None
    spec = RunSpec(graph="baseline", dataset=run.settings.spec.dataset)
    opened = DiagnosisRun("one", run.folder, spec, run.records, run.samples)
    other = read_diagnosed(opened, Matcher(open_knowledge()))
    assert own.figures == other.figures
    assert [each for found in own.disagreements.values() for each in found] == list(other.disagreements)


def test_a_sample_has_its_deficiencies_with_what_stands_around_the_evidence(tmp_path: Path) -> None:
    gathered = two_runs(tmp_path)
    shown = detail(gathered.groups[0], gathered)["runs"][0][0]["diagnosis"]
    assert shown["faults"] == [
        [1, "candle", "the passing of time", "nowhere", "", None],
        [0, "candle", "the passing of time", "thinking", "interpret",
         ["I see a \U0001f56f candle. ", "It is a lamp", " that lights a room."]],
    ]  # fmt: skip
    rates = {name: (rate, dict(phrases)) for name, rate, phrases in shown["score"]}
    assert rates["recognition"] == (100, {"candle": "exact: candle"})
    assert rates["use"] == (0, {"passing of time": None})
    assert row(gathered.groups[0], gathered)[3][0][6:] == [[1, 1, 0, 0], len(shown["contrary"])]
    (contradiction,) = shown["contrary"]
    assert contradiction[:3] == [
        "the score finds the element named, the diagnosis says never named",
        "candle",
        "the passing of time",
    ]


def test_a_quotation_is_marked_where_it_stands_and_not_in_the_judges_words(tmp_path: Path) -> None:
    gathered = two_runs(tmp_path)
    (first, second) = raw(gathered.groups[0], gathered)[0][0]
    title, text, ((start, end, number),) = first
    assert (title, number) == ("interpret, thinking", 1)
    assert text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == "It is a lamp"
    assert second == ["judge_loose", "It is a lamp"]


def test_a_quotation_of_an_answer_in_json_is_marked_as_json_spells_it() -> None:
    said = json.dumps({"steps": 'a "quoted" lamp — lit'})
    each = record("a", calls=(call("interpret", said),))
    ((_, text, ((start, end, _),)),) = blocks(
        each, [Quotation(0, '"quoted" lamp — lit', "thinking", "interpret")]
    )
    assert text[start:end] == '\\"quoted\\" lamp \\u2014 lit'


def test_look_ups_stand_behind_the_answer_that_asked_for_them() -> None:
    candle = Mapping(element="candle", concept="time", path=("candle", "time"))
    hops = [
        Hop(round=turn, tool="look", arguments={"n": turn}, answer=f"answer {turn}", mappings=(candle,))
        for turn in (1, 1, 2, 9)
    ]
    calls = [
        call(step, f"{step} said") for step in ("perceive", "explore", "explore", "interpret", "judge_strict")
    ]
    each = record("a", calls=tuple(calls), hops=tuple(hops))
    titles = [block[0] for block in blocks(each)]
    assert titles == [
        "perceive", "explore", "look, round 1", "look, round 1", "explore", "look, round 2", "interpret",
        "look, round 9", "judge_strict",
    ]  # fmt: skip
    (marked,) = [
        block for block in blocks(each, [Quotation(0, "answer 2", "hop", "round 2")]) if len(block) > 2
    ]
    assert marked[0] == "look, round 2"


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None), min_size=1))
def test_marks_count_as_pages_do(before: str, after: str) -> None:
    text = f"{before} the melting wax {after}"
    each = record("a", calls=(call("interpret", thinking=text),))
    ((_, shown, ((start, end, _),)),) = blocks(
        each, [Quotation(0, "the melting wax", "thinking", "interpret")]
    )
    units = shown.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
    assert units.decode("utf-16-le", "surrogatepass") == "the melting wax"


def test_what_takes_from_the_worth_of_diagnoses_is_said(tmp_path: Path) -> None:
    data = make_set(tmp_path / "ds", IDS)
    records = [record(name) for name in IDS[:5]] + [failed("f")]
    run = make_run(tmp_path / "r", records, data)
    rejected = Rejected(kind="missing_mapping", element="x", expected="y", evidence="z", reason="not there")
    told_off = Failure(step="diagnose", phase="judge", kind="ModelOutputError", message="no JSON")
    keep(
        run,
        [
            diagnosed(records[0], GOLD, [fault()], proxy=True, thinking=False),
            diagnosed(records[1], GOLD, rejected=(rejected,)),
            diagnosed(records[2], ("other gold",), [fault()]),
            diagnosed(
                records[3], GOLD, diagnosis=None, outcome=Outcome.MODEL_OUTPUT_ERROR, errors=(told_off,)
            ),
        ],
    )
    gathered = gather([run])
    said = "\n".join(told(gathered).notices)
    assert "1 of 2 diagnoses: offline proxy" in said
    assert "partial: 3 of 5 interpretations have a diagnosis" in said
    assert "1 diagnosis is of a record that changed afterwards, and left out" in said
    assert "1 diagnosis failed (1 model output error)" in said
    assert "1 record is without an interpretation" in said
    assert "0 put right when asked for again, 1 dropped" in said
    shown = [detail(group, gathered)["runs"][0][0]["diagnosis"] for group in gathered.groups]
    assert [each["state"] for each in shown] == ["ok", "ok", "changed", "failed", "missing", "nothing"]
    assert shown[3]["why"] == ["no JSON"]
    assert shown[1]["dropped"] == [["missing_mapping", "x", "z", "not there"]]
    assert row(gathered.groups[2], gathered)[3][0][6:] == [None, None]


def test_a_run_without_diagnoses_beside_one_that_has_them_is_said_to_have_none(tmp_path: Path) -> None:
    data = make_set(tmp_path / "ds", IDS)
    first, second = ([record(name, graph=graph) for name in IDS] for graph in ("boost", "cot"))
    runs = [make_run(tmp_path / "one", first, data), make_run(tmp_path / "two", second, data)]
    keep(runs[1], [diagnosed(each, GOLD, [LAMP], judge="j") for each in second])
    found = told(gather(runs))
    assert found.notices == ("A: not diagnosed",)
    assert (found.runs[0].judges, found.runs[0].with_any, found.differences) == ("", "\N{EN DASH}", ())
    assert found.runs[0].rates[0][0].value == "100.0"


def test_different_judges_and_unknown_gold_are_doubts(tmp_path: Path) -> None:
    records = [record("a")]
    runs = [make_run(tmp_path / name, records) for name in ("one", "two")]
    for run, judge in zip(runs, ("j1", "j2"), strict=True):
        keep(run, [diagnosed(records[0], (), [LAMP], judge=judge)])
    notices = told(gather(runs)).notices
    assert any("gold is not known" in notice for notice in notices)
    assert notices[-1] == "these runs were diagnosed by different judges: the judge may be what differs"
