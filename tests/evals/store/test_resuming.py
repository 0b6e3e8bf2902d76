"""A run that ends after any of its steps goes on from there: same records, no call made twice."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from PIL import Image

from agents.calls.journal import Finished
from agents.errors import ProviderError
from evals.run import main
from evals.store.journals import SampleJournal
from evals.store.records import Outcome, RunRecord
from evals.store.run_store import read_records
from evals.store.steps import read_steps
from tests.fakes import Call, ScriptedChatModel
from tests.servers.brain import ToolCalls, answer

Play = Callable[..., None]
WALKED: list[str] = []
CALLS = 8  # perceive, three turns, an interpretation and its repair, two judgements


class KilledError(BaseException):
    """Stands for the death of the process: nothing in a run catches it."""


@tool
def smell(thing: str) -> str:
    """Say what a thing smells of."""
    WALKED.append(thing)
    return f"{thing} smells of smoke"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frames = tmp_path / "ds" / "videos" / "one"
    frames.mkdir(parents=True)
    Image.new("RGB", (32, 24), (90, 0, 0)).save(frames / "frame_000001.jpg")
    row = {
        "video_id": "one",
        "title": "Wax",
        "metaphor_type": "Body_Language",
        "golden_answers": "wax is time",
    }
    (tmp_path / "ds" / "datas.jsonl").write_text(json.dumps(row) + "\n")
    WALKED.clear()
    monkeypatch.setattr("evals.ending._report", lambda *_: "")  # pages are not what is tried here
    return tmp_path


def run(folder: str, *more: str) -> int:
    words = ["--graph", "boost", "--model", "openai:m", "--dataset", "ds", "--run-dir", folder, "--quiet"]
    words += ["--judge-k", "1"]
    return main([*words, "--tool", "hop", "--tool", f"{__name__}:smell", *more])


def careless() -> ScriptedChatModel:
    """A model that calls tools, and whose first interpretation is prose."""
    spoilt: list[str] = []

    def say(call: Call) -> object:
        if "smell" in call.tools and call.ask.rounds < 2:
            hop = ("explore_metaphors", {"concepts": ["candle"], "hops": call.ask.rounds + 1})
            return ToolCalls((hop, ("smell", {"thing": f"candle {call.ask.rounds}"})))
        if "entries" in str(call.schema) and not spoilt:
            spoilt.append("once")
            return "I would rather sing"
        return answer(call.ask)

    return ScriptedChatModel(script=say)


def told(record: RunRecord) -> dict[str, Any]:
    """A record without what is different each time."""
    plain = record.model_dump(mode="json", exclude={"timings", "started"})
    plain["calls"] = [{**call, "seconds": 0, "began": 0} for call in plain["calls"]]
    return plain


@contextlib.contextmanager
def killed_after(number: int) -> Generator[None]:
    """Let the process die when so many steps are written down."""
    real, left = SampleJournal.keep, [number]

    async def keep(self: SampleJournal, finished: Finished) -> None:
        await real(self, finished)
        left[0] -= 1
        if not left[0]:
            raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SampleJournal, "keep", keep)
        with pytest.raises(KilledError):
            yield


@pytest.mark.parametrize(("cache", "every"), [((), 5), (("--no-cache",), 2)], ids=["cache", "no cache"])
def test_after_whichever_step_it_ends_the_rest_is_all_that_is_done(
    cache: tuple[str, ...], every: int, data: Path, play: Play
) -> None:
    play(model := careless())
    assert run("whole", "--no-cache") == 0
    (whole,) = read_records(data / "whole" / "records.jsonl")
    assert len(whole.hops) == 4
    number, walked = len(model.calls), list(WALKED)
    assert sum(call.attempts for call in whole.calls) == number == CALLS
    for killed in range(1, number + len(whole.hops) + 1, every):
        play(model := careless())
        WALKED.clear()
        folder, flags = f"r{killed}", cache or ("--cache-dir", f"answers{killed}")
        with killed_after(killed):
            run(folder, *flags)
        kept = list(read_steps(data / folder / "steps.jsonl"))
        assert len(kept) >= killed
        assert run(folder, *flags) == 0
        (record,) = read_records(data / folder / "records.jsonl")
        assert told(record) == told(whole), f"killed after {killed}: {kept[-1].step}"
        assert (len(model.calls), WALKED) == (number, walked)
        assert not (data / folder / "steps.jsonl").exists()
        said = json.loads((data / folder / "summary.json").read_text())["spending"]
        assert said["tokens"]["total"] == record.usage.total_tokens == 110 * number


def test_what_was_paid_before_a_kill_counts_against_the_budgets(
    data: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    play(model := careless())
    with killed_after(4):
        run("r", "--no-cache")
    paid = sum(step.call.usage.total_tokens for step in read_steps(data / "r" / "steps.jsonl") if step.call)
    assert paid == 110 * len(model.calls) > 0
    capsys.readouterr()
    assert run("r", "--no-cache", "--max-tokens-total", str(paid)) == 4
    told_so = capsys.readouterr()
    assert f"{paid:,} tokens are spent" in told_so.err
    assert f"Spent over all starts: {100 * len(model.calls)} in" in told_so.out
    before = len(model.calls)
    assert run("r", "--no-cache", "--max-sample-tokens", str(paid), "--max-tokens-total", "99999") == 3
    (record,) = read_records(data / "r" / "records.jsonl")
    assert (record.outcome, record.usage.total_tokens) == (Outcome.BUDGET, paid)
    assert len(model.calls) == before


def test_a_run_that_moved_to_another_address_asks_nothing_again(data: Path, play: Play) -> None:
    play(model := careless())
    with killed_after(5):
        run("r", "--no-cache", "--base-url", "http://127.0.0.1:1/v1")
    assert run("r", "--no-cache", "--base-url", "http://127.0.0.1:2/v1") == 0
    assert len(model.calls) == CALLS


def test_what_was_refused_is_not_asked_for_again(data: Path, play: Play) -> None:
    def decline(call: Call) -> object:
        if "loose_score" in str(call.schema):
            return AIMessage("", additional_kwargs={"refusal": "I can't judge that."})
        return answer(call.ask)

    play(model := ScriptedChatModel(script=decline))
    with killed_after(9):
        run("r", "--no-cache")
    assert [step.kind for step in read_steps(data / "r" / "steps.jsonl")].count("reply") == 1
    number = len(model.calls)
    assert run("r", "--no-cache") == 3
    assert len(model.calls) == number
    (record,) = read_records(data / "r" / "records.jsonl")
    assert record.label == "refused (judge)"
    assert sum(call.attempts for call in record.calls) == len(model.calls)
    assert record.usage.total_tokens == 110 * len(model.calls)


def test_a_failed_sample_that_runs_again_is_asked_anew_and_paid_for_once_more(data: Path, play: Play) -> None:
    def away(call: Call) -> object:
        return ProviderError("away") if "entries" in str(call.schema) else answer(call.ask)

    play(first := ScriptedChatModel(script=away))
    assert run("r", "--no-cache") == 3
    (failed,) = read_records(data / "r" / "records.jsonl")
    play(model := careless())
    with killed_after(3):
        run("r", "--no-cache", "--retry-errors")
    assert run("r", "--no-cache") == 0
    (record,) = read_records(data / "r" / "records.jsonl")
    assert len(model.calls) == CALLS
    said = json.loads((data / "r" / "summary.json").read_text())["spending"]
    assert said["tokens"]["total"] == failed.usage.total_tokens + record.usage.total_tokens
    assert record.usage.total_tokens == 110 * CALLS
    assert len(first.calls) > 0
