"""Answers that are kept: graphs share what they see, and nothing secret stays behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.calls import drawing
from agents.context import CallSettings, Context
from agents.errors import ModelOutputError
from agents.schemas import Usage
from graphs import resources
from graphs.catalog import load
from graphs.judge import graph as judge_graph
from tests.servers.fixtures import openai_server  # noqa: F401 - a fixture
from tests.servers.openai_like import OpenAILike

GOLD = ["The video presents a burning candle, implicitly expressing the passing of time."]
SERVER = Callable[..., OpenAILike]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_KEPT", {})


def context(server: OpenAILike, folder: Path, **settings: Any) -> Context:
    calls = CallSettings(cache_dir=str(folder), **settings.pop("calls", {}))
    return Context(model="openai:pretend", base_url=server.base_url, max_retries=0, calls=calls, **settings)


async def read(name: str, frames: Path, given: Context, epoch: int = 1) -> dict[str, Any]:
    with drawing(epoch):
        return await load(name).ainvoke({"video_path": str(frames), "title": "Wax"}, context=given)


async def test_a_second_variant_asks_nothing_that_was_answered(
    frames: Path,
    tmp_path: Path,
    openai_server: SERVER,  # noqa: F811
) -> None:
    server = openai_server()
    given = context(server, tmp_path)
    first = await read("boost", frames, given)
    asked = len(server.asks)
    assert all(call.cached is None and call.tries == call.attempts for call in first["calls"])
    second = await read("boost_retrieval", frames, given)
    perceived = second["calls"][0]
    assert (perceived.step, perceived.attempts, perceived.tries) == ("perceive", 0, 0)
    assert (perceived.usage, perceived.cached) == (Usage(), first["calls"][0].usage)
    assert (perceived.raw, perceived.method) == (first["calls"][0].raw, first["calls"][0].method)
    assert second["keywords"] == first["keywords"]
    assert len(server.asks) == asked + 1  # its own interpretation


async def test_the_same_again_asks_nothing_and_tells_the_same(
    frames: Path,
    tmp_path: Path,
    openai_server: SERVER,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = openai_server()
    given = context(server, tmp_path)
    first = await read("boost", frames, given)
    asked = len(server.asks)
    monkeypatch.setattr(resources, "_KEPT", {})  # as another process would
    again = await read("boost", frames, given)
    assert len(server.asks) == asked
    assert again["interpretation"] == first["interpretation"]
    assert again["hops"] == first["hops"]
    assert {call.cached is None for call in again["calls"]} == {False}


async def test_epochs_and_judgements_are_draws_of_their_own(
    frames: Path,
    tmp_path: Path,
    openai_server: SERVER,  # noqa: F811
) -> None:
    server = openai_server()
    given = context(server, tmp_path)
    state = await read("baseline", frames, given, epoch=1)
    await read("baseline", frames, given, epoch=2)
    assert len(server.asks) == 2
    for _ in range(2):
        told = {"gold": GOLD, "prediction": state["interpretation"]}
        judged = await judge_graph.ainvoke(told, context=given)
    assert len(server.asks) == 2 + 6  # three of each kind, once
    assert Counter(call.step for call in judged["calls"] if call.cached) == {
        "judge_strict": 3,
        "judge_loose": 3,
    }


async def test_another_temperature_or_no_cache_asks_anew(
    frames: Path,
    tmp_path: Path,
    openai_server: SERVER,  # noqa: F811
) -> None:
    server = openai_server()
    await read("baseline", frames, context(server, tmp_path))
    await read("baseline", frames, context(server, tmp_path, temperature=0.1))
    await read("baseline", frames, context(server, tmp_path, calls={"cache": False}))
    assert len(server.asks) == 3
    await read("baseline", frames, context(server, tmp_path, calls={"rpm": 1000}))
    assert len(server.asks) == 3


async def test_an_answer_that_could_not_be_used_is_asked_for_again(
    frames: Path,
    tmp_path: Path,
    openai_server: SERVER,  # noqa: F811
) -> None:
    server = openai_server("garbage")
    with pytest.raises(ModelOutputError):
        await read("baseline", frames, context(server, tmp_path))
    server.behaviours.clear()
    state = await read("baseline", frames, context(server, tmp_path))
    assert state["calls"][0].cached is None


async def test_nothing_secret_is_kept(
    frames: Path,
    tmp_path: Path,
    openai_server: SERVER,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-secret")
    await read("boost", frames, context(openai_server(), tmp_path))
    kept = list(tmp_path.rglob("*.answer"))
    assert kept
    for path in kept:
        assert "planted" not in str(path) + path.read_text(encoding="utf-8")
