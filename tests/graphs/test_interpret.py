"""One video on the command line: text, JSON, and errors that name the way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.interpret import main
from tests.fakes import ScriptedChatModel
from tests.servers.brain import ToolCalls

ENTRY = {"entries": [{"presents": "a candle burning down", "expresses": "the passing of time"}]}


def explorer() -> ScriptedChatModel:
    return ScriptedChatModel.of(
        {"keywords": ["candle"]},
        ToolCalls((("explore_metaphors", {"concepts": ["candle"], "limit": 2}),)),
        "Time.",
        ENTRY,
    )


def test_text(frames: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    play(explorer())
    assert main([str(frames), "--model", "openai:x", "--title", "Wax"]) == 0
    shown = capsys.readouterr().out
    assert "Keywords\n  candle\n" in shown
    assert "  round 1: explore_metaphors(concepts=['candle'], limit=2)\n       candle -> " in shown
    assert (
        "Entries\n  - The video presents a candle burning down, implicitly expressing the passing of time.\n"
        in shown
    )


def test_json(frames: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    play(explorer())
    assert main([str(frames), "--model", "openai:x", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["keywords"] == ["candle"]
    assert shown["entries"] == [
        "The video presents a candle burning down, implicitly expressing the passing of time."
    ]
    assert shown["hops"][0]["arguments"] == {"concepts": ["candle"], "limit": 2}
    assert len(shown["hops"][0]["mappings"]) == 2
    assert shown["tokens"] == 4 * 110


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.mp4"], ["missing.mp4"]),
        (["{frames}", "--graph", "bost"], ["'bost'", "Did you mean boost?"]),
        (["{frames}", "--max-hops", "0"], ["--max-hops", "greater than or equal to 1"]),
        (["{frames}", "--frames", "-3"], ["--frames", "-3"]),
        (["{frames}", "--prompt", "perceive"], ["--prompt wants NAME=PATH", "'perceive'"]),
        (["{frames}", "--knowledge", "nowhere.json"], ["nowhere.json"]),
        (["{frames}", "--tool", "tests.graphs.own_tools:rime"], ["rime"]),
    ],
)
def test_a_fault_is_one_line_and_exit_2(
    arguments: list[str],
    words: list[str],
    frames: Path,
    play: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(ScriptedChatModel.of({"keywords": ["candle"]}, "Nothing.", ENTRY))
    code = main([*(part.replace("{frames}", str(frames)) for part in arguments), "--model", "openai:x"])
    told = capsys.readouterr()
    assert code == 2
    assert told.out == ""
    assert told.err.startswith("error: ")
    assert "Traceback" not in told.err
    for word in words:
        assert word in told.err


def test_without_a_model_it_says_which_one_it_uses(
    frames: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(explorer())
    assert main([str(frames)]) == 0
    told = capsys.readouterr().err
    assert "embedded" in told
    assert "--model" in told
