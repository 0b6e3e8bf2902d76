"""Replies that bend OpenAI's protocol: mended where they can be read, else told as the server's fault."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from agents.asked import KeywordAnswer
from agents.errors import ProviderError, RefusedError
from agents.models import close_chat_model, open_chat_model
from agents.schemas import Usage
from agents.structured import structured
from agents.turns import Turn, call_tools_turn
from tests.servers.loopback import Loopback, Response

NAME = "openai:pretend"
QUESTION = HumanMessage("<keywords>\ncandle\nsnow\n</keywords>")
USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}
ANSWER = '{"keywords": ["candle"]}'


@tool
def explore_metaphors(concepts: list[str], hops: int = 1) -> str:
    """Look up what things stand for."""
    return f"{concepts[0]} -> time ({hops})"


@dataclass(frozen=True)
class _Bytes(Response):
    """A body as it is, JSON or not."""

    payload: bytes = b""
    kind: str = "application/json"

    def encoded(self) -> tuple[str, bytes]:
        return self.kind, self.payload


def _completion(message: object, **others: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "c", "object": "chat.completion", "choices": [choice], "usage": USAGE, **others}


def _said(**parts: Any) -> dict[str, Any]:
    return _completion({"role": "assistant", **parts})


def _calls(*calls: object, **parts: Any) -> dict[str, Any]:
    return _said(**{"content": None, "tool_calls": list(calls), **parts})


def _call(arguments: object, **others: Any) -> dict[str, Any]:
    function = {"name": "explore_metaphors", "arguments": arguments}
    return {"id": "a", "type": "function", "function": function, **others}


@asynccontextmanager
async def _serving(reply: Response | Mapping[str, Any]) -> AsyncGenerator[tuple[BaseChatModel, Loopback]]:
    response = reply if isinstance(reply, Response) else Response(reply)
    with Loopback(lambda _request, _number: response) as server:
        model = open_chat_model(NAME, base_url=f"{server.root}/v1", max_retries=0)
        yield model, server
        await close_chat_model(model)


async def _turn(reply: Mapping[str, Any]) -> Turn:
    async with _serving(reply) as (model, _):
        return await call_tools_turn(model, [QUESTION], [explore_metaphors], name=NAME)


async def _ask_structured(model: BaseChatModel) -> None:
    await structured(model, [QUESTION], KeywordAnswer, name=NAME)


async def _ask_turn(model: BaseChatModel) -> None:
    await call_tools_turn(model, [QUESTION], [explore_metaphors], name=NAME)


@pytest.mark.parametrize("ask", [_ask_structured, _ask_turn])
@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (
            _Bytes({}, payload=b"<html>\n gateway</html>", kind="text/html"),
            "an HTML page: <html> gateway</html>",
        ),
        (_Bytes({}, payload=b"<html>gateway</html>"), "an HTML page: <html>gateway</html>"),
        (_Bytes({}), "an empty body"),
        (_Bytes({}, status=204), "an empty body"),
        (_Bytes({}, payload=b'{"choices": ['), 'broken JSON: {"choices": ['),
        (_Bytes({}, payload=b'{"id": "\xff"}'), "a body that is not UTF-8"),
        (_Bytes({}, payload=b"null"), "null"),
        (_Bytes({}, payload=b"[]"), "[]"),
        ({"error": {"message": "Provider returned error", "code": 502}}, "an error: Provider returned error"),
        ({"choices": None, "error": {"message": "rate limited"}}, "an error: rate limited"),
        ({"error": "overloaded \ud83d"}, "an error: overloaded ?"),
        ({"detail": "hello"}, "a reply without choices"),
        (_said(content="x") | {"choices": []}, "a reply without choices"),
        (_said(content="x") | {"choices": None}, "a reply without choices"),
        (_said(content="x") | {"choices": [None]}, "a choice without a message"),
        (_completion(None), "a choice without a message"),
        (_said(content="x") | {"choices": [{"index": 0}]}, "a choice without a message"),
        (_completion({"content": ANSWER}), "a message whose role is null, not assistant"),
        (_said(content=5), "a message whose content is no text: 5"),
        (_said(content={"keywords": ["a"]}), 'a message whose content is no text: {"keywords": ["a"]}'),
        (_said(content=[5]), "a message out of shape"),
    ],
)
async def test_what_is_no_completion_is_the_servers_fault(
    reply: Response | Mapping[str, Any], what: str, ask: Callable[[BaseChatModel], Any]
) -> None:
    async with _serving(reply) as (model, server):
        with pytest.raises(ProviderError) as caught:
            await ask(model)
    told = f"{NAME}: the server at {server.root[7:]} sent no chat completion, but {what}"
    assert str(caught.value).startswith(told)
    assert ("--base-url is probably wrong: its path often ends in /v1." in str(caught.value)) == (
        "HTML" in what
    )
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [1],
        "many",
        {"prompt_tokens": None, "completion_tokens": None},
        {"prompt_tokens": 120},
        {"prompt_tokens": 1.5, "completion_tokens": 2},
        {"prompt_tokens": -1, "completion_tokens": -1},
        {"prompt_tokens": 120, "completion_tokens": "30"},
        {**USAGE, "completion_tokens_details": {"reasoning_tokens": -8}},
        {**USAGE, "prompt_tokens_details": {"cached_tokens": 0.5}},
    ],
)
async def test_tokens_in_no_whole_numbers_are_estimated(usage: object) -> None:
    turn = await _turn(_said(content="Time passes.") | {"usage": usage})
    assert turn.usage.estimated
    assert (turn.usage.output_tokens, turn.usage.reasoning_tokens, turn.usage.cached_tokens) == (3, 0, 0)


async def test_whole_numbers_with_a_point_are_as_reported() -> None:
    usage = {
        "prompt_tokens": 120.0,
        "completion_tokens": 30,
        "total_tokens": None,
        "prompt_tokens_details": 7,
    }
    turn = await _turn(_said(content="Time passes.") | {"usage": usage})
    assert turn.usage == Usage(input_tokens=120, output_tokens=30)


async def test_a_call_without_an_id_is_given_one() -> None:
    args = '{"concepts": ["candle"]}'
    nameless = _call(args)
    del nameless["id"]
    turn = await _turn(_calls(_call(args, id=None), nameless, _call(args, id=""), _call("{", id=None)))
    calls = [*turn.message.tool_calls, *turn.message.invalid_tool_calls]
    assert [len(turn.message.tool_calls), len(turn.message.invalid_tool_calls)] == [3, 1]
    assert len({call["id"] for call in calls}) == 4
    assert all(str(call["id"]).startswith("call_") for call in calls)


async def test_no_two_calls_share_an_id() -> None:
    turn = await _turn(
        _calls(
            _call('{"concepts": ["candle"]}'),
            _call('{"concepts": ["snow"]}'),
            _call("{'concepts': ['mirror']}"),
            _call('{"concepts": ['),
        )
    )
    calls = turn.message.tool_calls
    assert [call["args"]["concepts"] for call in calls] == [["candle"], ["snow"], ["mirror"]]
    ids = [call["id"] for call in [*calls, *turn.message.invalid_tool_calls]]
    assert ids[0] == "a"
    assert len(set(ids)) == 4


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ({"concepts": ["candle"]}, {"concepts": ["candle"]}),
        ('{"concepts": ["candle"]}', {"concepts": ["candle"]}),
        ('{"concepts": ["candle \\ud83d"]}', {"concepts": ["candle ?"]}),
        ({"concepts": ["candle \ud83d"]}, {"concepts": ["candle ?"]}),
        (None, {}),
        ("", {}),
        ("null", {}),
    ],
)
async def test_arguments_that_can_be_read(arguments: object, args: dict[str, Any]) -> None:
    turn = await _turn(_calls(_call(arguments)))
    assert [(call["id"], call["args"]) for call in turn.message.tool_calls] == [("a", args)]
    assert turn.message.invalid_tool_calls == []


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('["candle"]', '["candle"]'),
        ('"candle"', '"candle"'),
        ("5", "5"),
        (["candle"], '["candle"]'),
        (5, "5"),
        ('{"concepts": [', '{"concepts": ['),
        ("{'concepts': ['candle', ...]}", "{'concepts': ['candle', ...]}"),
        ("{'concepts': {'candle'}}", "{'concepts': {'candle'}}"),
    ],
)
async def test_arguments_that_are_no_object_want_an_answer(arguments: object, shown: str) -> None:
    turn = await _turn(_calls(_call(arguments)))
    assert turn.message.tool_calls == []
    assert [(call["id"], call["args"]) for call in turn.message.invalid_tool_calls] == [("a", shown)]


@pytest.mark.parametrize("call", [{"id": "a"}, {"id": "a", "function": None}, None, "explore_metaphors"])
async def test_calls_of_nothing_are_dropped(call: object) -> None:
    turn = await _turn(_calls(call, _call('{"concepts": ["snow"]}', id="b")))
    assert [made["id"] for made in turn.message.tool_calls] == ["b"]
    assert turn.message.invalid_tool_calls == []


async def test_the_servers_id_of_a_message_is_dropped() -> None:
    assert (await _turn(_said(id="msg_1", content="Time."))).message.id is None
    assert (await _turn(_said(id=7, content="Time."))).message.text == "Time."


async def test_an_odd_turn_can_be_sent_back() -> None:
    odd = _calls(
        _call('{"concepts": ["candle \\ud83d"]}', id=None),
        _call('["\\ud83d"]', id=None),
        content="oh \ud83d",
        reasoning_content="hm \ud83d",
    )
    async with _serving(odd) as (model, server):
        turn = await call_tools_turn(model, [QUESTION], [explore_metaphors], name=NAME)
        calls = [*turn.message.tool_calls, *turn.message.invalid_tool_calls]
        answers = [ToolMessage("time", tool_call_id=call["id"]) for call in calls]
        conversation: list[BaseMessage] = [QUESTION, turn.message, *answers]
        await call_tools_turn(model, conversation, [explore_metaphors], name=NAME)
    sent = server.requests[1].body["messages"]
    assert (sent[1]["content"], sent[1]["reasoning_content"]) == ("oh ?", "hm ?")
    assert [call["id"] for call in sent[1]["tool_calls"]] == [m["tool_call_id"] for m in sent[2:]]
    assert json.loads(sent[1]["tool_calls"][0]["function"]["arguments"]) == {"concepts": ["candle ?"]}
    assert turn.thinking == "hm ?"


async def test_a_refused_turn_tells_what_it_cost() -> None:
    with pytest.raises(RefusedError) as caught:
        await _turn(_said(content=None, refusal="I can't help \ud83d"))
    assert caught.value.raw == "I can't help ?"
    assert caught.value.usage == Usage(input_tokens=120, output_tokens=30)
    assert caught.value.attempts == 1
