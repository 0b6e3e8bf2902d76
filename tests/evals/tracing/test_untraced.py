"""Commands that trace nothing: LangChain's own tracer, which sends frames as they are, is off in each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.diagnose import main as diagnose
from evals.judge import main as judge
from graphs.interpret import main as interpret
from graphs.knowledge import main as knowledge
from graphs.untraced import asks_for_langsmith
from tests.evals.tracing.conftest import command
from tests.fakes import Call, ScriptedChatModel, answering_model
from tests.servers.brain import answer
from tests.servers.langsmith_like import LangSmithLike

COMMANDS = {
    "graphs.interpret": (interpret, "ds/videos/first --graph baseline --model openai:scripted"),
    "evals.diagnose": (diagnose, "r --judge-model openai:scripted --resamples 100"),
    "evals.judge": (judge, "r --judge-model openai:other --k 1"),
    "graphs.knowledge": (knowledge, "extract texts.txt --model openai:scripted --out pairs.jsonl.gz"),
}
LITERAL = {"number": 1, "literal": True} | dict.fromkeys(
    ("translation", "source", "target", "ground", "kind"), ""
)


def answered(call: Call) -> Any:
    """Nothing wrong, and nothing found; all else by the prompt alone."""
    schema = str(call.schema)
    if "deficiencies" in schema:
        return {"deficiencies": []}
    return {"items": [LITERAL]} if "vehicle" in schema else answer(call.ask)


def _read_again() -> None:
    """LangSmith reads a variable once in a process."""
    from langsmith import utils

    utils.get_env_var.cache_clear()  # pyright: ignore[reportFunctionMemberAccess] - a cache of functools


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_sent_and_one_sentence_says_so(  # noqa: PLR0917
    name: str,
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from langchain_core.tracers.langchain import wait_for_all_tracers
    from langsmith.run_trees import configure

    data("first")
    (tmp_path / "texts.txt").write_text("Time is a river.", encoding="utf-8")
    play(answering_model())
    assert command("baseline") == 0
    server = langsmith()
    _read_again()
    configure(enabled=None)  # as in a process that has just begun
    main, words = COMMANDS[name]
    play(ScriptedChatModel(script=answered))
    monkeypatch.setattr("evals.running.wiring.prepare_model", lambda _name: None)
    capfd.readouterr()
    assert main(words.split()) == 0
    wait_for_all_tracers()
    assert server.requests == []
    lines = capfd.readouterr().err.splitlines()
    said = f"LANGSMITH_TRACING is set, but {name} sends no traces: "
    assert [line.startswith(said) for line in lines].count(True) == 1
    _read_again()


@pytest.mark.parametrize(
    ("environment", "asks"),
    [
        ({}, False),
        ({"LANGSMITH_TRACING": "true"}, True),
        ({"LANGCHAIN_TRACING_V2": '"true"'}, True),
        ({"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING": "true"}, False),
    ],
)
def test_the_environment_is_read_as_the_sdk_reads_it(environment: dict[str, str], asks: bool) -> None:
    assert asks_for_langsmith(environment) is asks
