from __future__ import annotations

import io
import json

import pytest

from agents.schemas import Usage
from evals.output import Output
from evals.progress import Bar, Events, Lines, Quiet, open_progress
from evals.records import Outcome
from evals.tally import Tally, spoken
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
    assert tally.line() == "4/10 done, 0 failed, 0 tokens"
    tally.began(("e", 1))
    tally.began(("f", 1))
    clock.now += 40
    tally.finished(scored("e", usage=USED))
    assert (tally.done, tally.left) == (5, 200.0)
    assert tally.line() == "5/10 done, 0 failed, 1,234 tokens, 3 min 20 s left; f in flight for 40 s"
    tally.finished(failed("f"))
    assert tally.line() == "6/10 done, 1 failed, 1,234 tokens, 1 min 20 s left"


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


def test_lines_come_half_a_minute_apart(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    lines = Lines(Tally(total=2, clock=clock), Output())
    for _ in range(61):
        clock.now += 1
        lines.tick()
    lines.finished(scored("a"))
    lines.close()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == ["0/2 done, 0 failed, 0 tokens"] * 2 + [
        "1/2 done, 0 failed, 0 tokens, 1 min 01 s left"
    ]


def test_events_are_one_json_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    events = Events(Tally(total=2, clock=clock), Output(as_json=True))
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
    bar = Bar(Tally(total=4), out, screen)
    bar.finished(scored("a", usage=USED))
    out.say("a message with [brackets]")
    bar.close()
    assert "25%" in screen.getvalue()
    assert "1/4 done, 0 failed, 1,234 tokens" in screen.getvalue()
    assert "a message with [brackets]" in screen.getvalue()
    out.say("after")
    assert capsys.readouterr().err == "after\n"


def test_quiet_says_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(quiet=True)
    out.say("nice")
    out.warn("needed")
    assert capsys.readouterr().err == "needed\n"


def test_the_progress_fits_its_place() -> None:
    assert type(open_progress(Tally(1), Output(as_json=True))) is Events
    assert type(open_progress(Tally(1), Output(quiet=True))) is Quiet
    assert type(open_progress(Tally(1), Output())) is Lines
