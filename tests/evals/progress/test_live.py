from __future__ import annotations

import io
import json
from pathlib import Path
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.calls import LineState
from agents.schemas import Usage
from evals.output import Output
from evals.progress.bars import Bars
from evals.progress.live import Events, Lines, Quiet, open_progress
from evals.progress.tally import Mean, Tally, spoken
from evals.progress.together import Together
from evals.store.records import Outcome
from tests.evals.records_for_tests import failed, scored

USED = Usage(input_tokens=1000, output_tokens=234)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_tally_tells_time_left_from_this_start_alone() -> None:
    clock = Clock()
    tally = Tally(total=10, clock=clock)
    for name in "abcd":
        tally.count_earlier(scored(name))
    assert tally.line() == "4/10 done, 0 failed, 0 tokens; strict 100.0, loose 80.0"
    tally.began(("e", 1))
    tally.began(("f", 1))
    clock.now += 40
    tally.finished(scored("e", usage=USED))
    assert (tally.done, tally.left) == (5, 200.0)
    assert tally.line() == (
        "5/10 done, 0 failed, 1,234 tokens, cost unknown, 1.5/min, 3 min 20 s left; "
        "strict 100.0 ± 0.0, loose 80.0 ± 0.0"
    )
    clock.now += 40
    assert tally.line().endswith("; f in flight for 1 min 20 s")
    tally.finished(failed("f"))
    assert tally.line() == (
        "6/10 done, 1 failed, 1,234 tokens, cost unknown, 1.5/min, 2 min 40 s left; "
        "strict 83.3 ± 32.7, loose 66.7 ± 26.1"
    )
    assert tally.last_error == "f: infrastructure: 429 after 3 tries"


def test_bad_input_sets_no_pace() -> None:
    clock = Clock()
    tally = Tally(total=4, clock=clock)
    clock.now += 1
    tally.finished(failed("a", Outcome.BAD_INPUT))
    assert (tally.done, tally.failed, tally.left) == (1, 1, None)
    clock.now += 9
    tally.finished(scored("b"))
    assert tally.left == 20.0


@pytest.mark.parametrize(
    ("seconds", "says"), [(0.4, "0 s"), (59.6, "1 min 00 s"), (3599, "59 min 59 s"), (7500, "2 h 05 min")]
)
def test_seconds_as_a_person_says_them(seconds: float, says: str) -> None:
    assert spoken(seconds) == says


def test_lines_come_a_minute_apart(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    lines = Lines([Tally(total=2, clock=clock)], Output())
    for _ in range(121):
        clock.now += 1
        lines.tick()
    lines.finished(scored("a"))
    lines.close()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == ["0/2 done, 0 failed, 0 tokens"] * 2 + [
        "1/2 done, 0 failed, 0 tokens, 0.5/min, 2 min 01 s left; strict 100.0, loose 80.0"
    ]


def test_events_are_one_json_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    events = Events([Tally(total=2, clock=clock)], Output(as_json=True))
    clock.now += 3
    events.finished(scored("a", 1, 8, usage=USED))
    events.finished(failed("b"))
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == {
        "event": "sample",
        "video_id": "a",
        "epoch": 1,
        "outcome": "ok",
        "strict": 1.0,
        "loose": 8.0,
        "error": None,
        "done": 1,
        "failed": 0,
        "total": 2,
        "tokens": 1234,
        "money": None,
        "cached_tokens": 0,
        "tries": 0,
        "seconds_left": 3.0,
    }
    assert (second["outcome"], second["error"], second["failed"]) == (
        "infrastructure",
        "429 after 3 tries",
        1,
    )


def test_the_bar_shows_the_tally_and_prints_messages_above(capsys: pytest.CaptureFixture[str]) -> None:
    screen, out = io.StringIO(), Output()
    bar = Bars([Tally(4, "boost · m")], out, screen)
    bar.finished(scored("a", usage=USED))
    out.say("a message with [brackets]")
    bar.close()
    assert "25%" in screen.getvalue()
    assert "boost · m" in screen.getvalue()
    assert "1/4 done, 0 failed" in screen.getvalue()
    assert "  1,234 tokens, cost unknown" in screen.getvalue()
    assert "  strict 100.0, loose 80.0" in screen.getvalue()
    assert "a message with [brackets]" in screen.getvalue()
    out.say("after")
    assert capsys.readouterr().err == "after\n"


def test_quiet_says_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(quiet=True)
    out.say("nice")
    out.warn("needed")
    assert capsys.readouterr().err == "needed\n"


def test_the_progress_fits_its_place() -> None:
    assert type(open_progress([Tally(1)], Output(as_json=True))) is Events
    assert type(open_progress([Tally(1)], Output(quiet=True))) is Quiet
    assert type(open_progress([Tally(1)], Output())) is Lines


def test_progress_events_tell_calls_in_flight_and_running_means(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    tally = Tally(total=9, clock=clock, lines=lambda: [LineState("openai:x", 1, 2, 4, 3, "rate_limited")])
    events = Events([tally], Output(as_json=True))
    for loose in (0, 2, 4, 6, 8):
        tally.finished(scored(f"v{loose}", 0, loose))
    tally.accounts.asked(("slow", 1), "openai:x")
    for _ in range(60):
        clock.now += 1
        events.tick()
    tally.finished(failed("bad"))
    (told,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert told == {
        "event": "progress",
        "done": 5,
        "failed": 0,
        "total": 9,
        "tokens": 0,
        "money": {},
        "cached_tokens": 0,
        "seconds_left": 48.0,
        "per_minute": 5.0,
        "strict": {"mean": 0.0, "half": 0.0},
        "loose": {"mean": 40.0, "half": 27.7},
        "calls_in_flight": 1,
        "servers": [{"model": "openai:x", "at_once": 1, "most": 4, "in_line": 2}],
        "oldest_call": {"video_id": "slow", "model": "openai:x", "seconds": 60.0},
        "last_error": None,
    }
    assert tally.slow == "oldest call: openai:x on slow, for 1 min 00 s"
    assert tally.calls == "1 call in flight (openai:x: 1 of 4 at once, 2 in line)"


def test_how_many_are_asked_at_once_is_told_where_any_are() -> None:
    states = [LineState("openai:x", 4, 0, 16, 0, None), LineState("openai:judge", 0, 0, 8, 0, None)]
    one, two = Tally(total=9, lines=lambda: states), Tally(total=9, lines=lambda: states)
    assert one.calls == ""
    for tally in (one, two):
        for number in range(3):
            tally.accounts.asked((f"v{number}", 1), "openai:x")
    assert one.calls == "3 calls in flight (openai:x: 4 of 16 at once)"
    assert Together([one, two]).calls == "6 calls in flight (openai:x: 4 of 16 at once)"
    alone = Tally(total=9)
    alone.accounts.asked(("v", 1), "embedded")
    assert alone.calls == "1 call in flight"


def test_every_event_and_key_is_documented(root: Path) -> None:
    text = (root / "evals" / "progress" / "EVENTS.md").read_text(encoding="utf-8")
    names = "problem message warning begin sample progress end comparison run_end dry_run"
    for name in names.split():
        assert f"\n| `{name}` |" in text
    keys = (
        "per_minute",
        "calls_in_flight",
        "servers",
        "at_once",
        "in_line",
        "oldest_call",
        "last_error",
        "seconds_left",
        "half",
        "judge_calls",
        "cached_tokens",
        "tries",
        "cell",
        "cells",
    )
    assert all(f"`{key}`" in text for key in keys)


def test_lines_tell_a_new_error_once(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    lines = Lines([Tally(total=9, clock=clock)], Output())
    lines.finished(failed("x" * 500))
    for _ in range(3):
        clock.now += 60
        lines.tick()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4
    assert said[1].startswith("  last error: xxx")
    assert said[1].endswith("(500 characters): infrastructure: 429 after 3 tries")


def test_each_graph_and_model_has_a_bar_of_its_own() -> None:
    screen = io.StringIO()
    first, second = Tally(4, "boost · a"), Tally(2, "cot · b")
    bars = Bars([first, second], Output(), screen)
    bars.of(1).finished(scored("a"))
    bars.of(1).finished(failed("b [x]"))
    bars.finished(scored("a"))
    bars.close()
    shown = screen.getvalue()
    assert "boost · a" in shown
    assert "1/4 done, 0 failed" in shown
    assert "cot · b" in shown
    assert "2/2 done, 1 failed" in shown
    assert "  all: 3/6 done, 1 failed, 0 tokens" in shown
    assert "last error: cot · b: b [x]: infrastructure: 429 after 3 tries" in shown


def test_lines_of_several_cells_are_one(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    first, second = (Tally(total=2, label=label, clock=clock) for label in ("cot-a", "cot-b"))
    second.stopped = lambda: "no such model"
    lines = Lines([first, second], Output())
    clock.now += 60
    lines.of(0).finished(scored("a", usage=USED))
    lines.of(1).finished(failed("b"))
    lines.of(0).tick()
    line, error = capsys.readouterr().err.splitlines()
    assert line == (
        "2/4 done, 1 failed, 1,234 tokens, cost unknown, 2.0/min, 30 s left; "
        "cot-a 1/2 strict 100.0, loose 80.0; cot-b 1/2 strict 0.0, loose 0.0 (stopped)"
    )
    assert error == "  last error: cot-b: b: infrastructure: 429 after 3 tries"
    assert (first.left, second.left, second.counts) == (60.0, None, "1/2 done, 1 failed, stopped")


def test_more_bars_than_a_terminal_holds_leave_out_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "100")
    tallies = [Tally(1, f"cell {number}") for number in range(9)]
    screen = io.StringIO()
    bars = Bars(tallies, Output(), screen)
    for number in range(7):
        bars.of(number).finished(scored("a"))
    bars.close()
    shown = screen.getvalue()
    assert [number for number in range(9) if f"cell {number}" in shown] == [0, 7, 8]
    assert "and 6 more" in shown


@given(st.lists(st.floats(0, 100), min_size=5, max_size=40))
def test_a_running_mean_is_the_mean(values: list[float]) -> None:
    mean = Mean()
    for value in values:
        mean.add(value)
    assert mean.mean == pytest.approx(fmean(values), abs=1e-9)
    assert mean.half == pytest.approx(1.96 * stdev(values) / len(values) ** 0.5, abs=1e-6)


def test_estimated_tokens_are_marked() -> None:
    tally = Tally(total=2)
    tally.finished(scored("a", usage=USED.model_copy(update={"estimated": True})))
    assert tally.spent == "~1,234 tokens, cost unknown"
