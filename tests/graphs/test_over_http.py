"""All graphs over real HTTP: pictures really sent, tools really called, and servers with every habit."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.context import Context
from agents.errors import ModelOutputError, ProviderError, RefusedError
from graphs import resources
from graphs.catalog import load, variants
from graphs.judge import graph as judge_graph
from tests.servers.fixtures import gemini_server, openai_server  # noqa: F401 - fixtures
from tests.servers.openai_like import OpenAILike

GOLD = ["The video presents a burning candle, implicitly expressing the passing of time."]
HABITS = [
    (),
    ("rejects_json_schema",),
    ("rejects_response_format",),
    ("ignores_response_format",),
    ("fenced",),
    ("think_prefix",),
    ("boxed",),
    ("reasoning_content",),
    ("no_tools",),
    ("ignores_tools",),
    ("no_usage",),
    ("rejects_response_format", "no_tools"),
    ("ignores_response_format", "ignores_tools", "think_prefix"),
]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_KEPT", {})


def context(server: Any, provider: str = "openai", **settings: Any) -> Context:
    return Context(
        model=f"{provider}:pretend-{id(server)}", base_url=server.base_url, max_retries=0, **settings
    )


async def read(name: str, frames: Path, given: Context) -> dict[str, Any]:
    return await load(name).ainvoke({"video_path": str(frames), "title": "Wax"}, context=given)


@pytest.mark.parametrize("name", sorted(variants()))
async def test_each_graph_and_the_judge(
    name: str,
    frames: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    server = openai_server()
    given = context(server)
    state = await read(name, frames, given)
    shown = [ask.images for ask in server.asks if ask.images]
    assert {len(images) for images in shown} == {4}
    first = base64.b64decode(shown[0][0].partition(",")[2] or shown[0][0])
    assert first == (frames / "frame_000001.jpg").read_bytes()
    assert state["interpretation"].entries[0].text.startswith("The video presents ")
    assert all(call.usage.input_tokens > 0 for call in state["calls"])

    judged = await judge_graph.ainvoke({"gold": GOLD, "prediction": state["interpretation"]}, context=given)
    assert len(judged["verdict"].judgements) == 6
    assert not any(ask.images for ask in server.asks[-6:])


async def test_boost_makes_tool_calls_in_more_than_one_round(
    frames: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    server = openai_server()
    state = await read("boost", frames, context(server))
    assert [hop.round for hop in state["hops"]] == [1, 2]
    sent = [body for body in server.bodies if body.get("tools")]
    assert [tool["function"]["name"] for tool in sent[0]["tools"]] == ["explore_metaphors"]
    assert [message["role"] for message in sent[2]["messages"]][2:] == ["assistant", "tool"] * 2
    assert state["notes"] == []


@pytest.mark.parametrize("habits", HABITS, ids=lambda habits: "+".join(habits) or "plain")
async def test_boost_and_judge_against_every_habit(
    habits: tuple[str, ...],
    frames: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    server = openai_server(*habits)
    given = context(server)
    state = await read("boost", frames, given)
    assert state["interpretation"].entries
    without_tools = {"no_tools", "ignores_tools"} & set(habits)
    assert bool(state.get("hops")) is not bool(without_tools)
    assert bool(state["notes"]) is bool(without_tools)
    judged = await judge_graph.ainvoke({"gold": GOLD, "prediction": state["interpretation"]}, context=given)
    assert 0 <= judged["verdict"].loose <= 10
    calls = [*state["calls"], *judged["calls"]]
    assert all(call.usage.estimated for call in calls) is ("no_usage" in habits)
    if {"think_prefix", "reasoning_content"} & set(habits):
        assert any("candle is short now" in call.thinking for call in calls)


@pytest.mark.parametrize(
    ("habit", "error"),
    [
        ("garbage", ModelOutputError),
        ("refuses", RefusedError),
        ("server_error", ProviderError),
        ("rate_limited", ProviderError),
    ],
)
async def test_what_cannot_be_helped_is_an_error_of_our_own(
    habit: str,
    error: type[Exception],
    frames: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    server = openai_server(habit)
    with pytest.raises(error):
        await read("boost", frames, context(server))


async def test_boost_and_judge_on_gemini(frames: Path, gemini_server: Callable[..., Any]) -> None:  # noqa: F811
    server = gemini_server()
    given = context(server, "google_genai")
    state = await read("boost", frames, given)
    assert [hop.round for hop in state["hops"]] == [1, 2]
    assert state["interpretation"].entries
    assert len(server.asks[0].images) == 4
    assert any(body.get("tools") for body in server.bodies)
    judged = await judge_graph.ainvoke({"gold": GOLD, "prediction": state["interpretation"]}, context=given)
    assert len(judged["verdict"].judgements) == 6


async def test_the_judge_has_a_server_of_its_own(
    frames: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    reader, judge = openai_server(), openai_server()
    given = context(reader, judge_model="openai:other", judge_base_url=judge.base_url, judge_k=1)
    state = await read("baseline", frames, given)
    await judge_graph.ainvoke({"gold": GOLD, "prediction": state["interpretation"]}, context=given)
    assert (len(reader.asks), len(judge.asks)) == (1, 2)
    assert {ask.model for ask in judge.asks} == {"other"}
    assert [body["temperature"] for body in judge.bodies] == [0.0, 0.0]
    assert [body["temperature"] for body in reader.bodies] == [0.7]
