from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agents.asked import KeywordAnswer, LooseAnswer
from agents.errors import ModelOutputError, ProviderError, RefusedError
from agents.models import open_chat_model
from agents.schemas import Usage
from agents.structured import Answer, structured
from tests.fakes import ScriptedChatModel
from tests.servers.brain import Ask, ToolCalls, answer
from tests.servers.openai_like import GARBAGE, REFUSAL, THINKING, OpenAILike

OpenAIServer = Callable[..., OpenAILike]

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PROMPT = "<keywords>\ncandle\nempty chair\n</keywords>\nWhich elements carry meaning?"


def _messages() -> list[BaseMessage]:
    frame: dict[str, Any] = {"type": "image", "base64": PIXEL, "mime_type": "image/png"}
    return [
        SystemMessage("You read metaphors."),
        HumanMessage([{"type": "text", "text": "Frame at 1.50 s"}, frame, {"type": "text", "text": PROMPT}]),
    ]


def _open(server: OpenAILike, **options: Any) -> BaseChatModel:
    return open_chat_model("openai:pretend", base_url=server.base_url, **{"max_retries": 0, **options})


async def _ask(model: BaseChatModel, **options: Any) -> Answer[KeywordAnswer]:
    return await structured(model, _messages(), KeywordAnswer, name="openai:pretend", **options)


# What each kind of server is asked: the way that works, requests of the first call and of the next.
# What was only ignored, not refused, is tried once more; the third call never pays twice.
SERVERS = [
    (("plain",), "json_schema", 1, 1),
    (("rejects_json_schema",), "function_calling", 2, 1),
    (("rejects_response_format",), "function_calling", 2, 1),
    (("ignores_response_format",), "function_calling", 2, 2),
    (("fenced",), "json_schema", 1, 1),
    (("think_prefix",), "json_schema", 1, 1),
    (("boxed",), "json_schema", 1, 1),
    (("reasoning_content",), "json_schema", 1, 1),
    (("no_tools",), "json_schema", 1, 1),
    (("ignores_tools",), "json_schema", 1, 1),
    (("no_usage",), "json_schema", 1, 1),
    (("rejects_response_format", "no_tools"), "text", 3, 1),
    (("rejects_response_format", "ignores_tools", "boxed"), "text", 3, 2),
    (("ignores_response_format", "ignores_tools", "fenced"), "text", 2, 2),
    (("ignores_response_format", "no_tools", "think_prefix"), "text", 3, 2),
]


@pytest.mark.parametrize(
    ("behaviours", "method", "first", "later"),
    SERVERS,
    ids=lambda v: "+".join(v) if isinstance(v, tuple) else None,
)
async def test_every_kind_of_server_answers(
    openai_server: OpenAIServer, behaviours: tuple[str, ...], method: str, first: int, later: int
) -> None:
    server = openai_server(*behaviours)
    model = _open(server)
    answer = await _ask(model)
    assert answer.value == KeywordAnswer(keywords=["candle", "empty chair"])
    assert (answer.method, answer.attempts, len(server.requests)) == (method, first, first)
    assert "empty chair" in answer.raw
    again = await structured(model, _messages(), LooseAnswer, name="openai:pretend")
    assert again.value.loose_score == 0
    assert (again.method, again.attempts, len(server.requests)) == (method, later, first + later)
    third = await _ask(model)
    assert (third.method, third.attempts) == (method, 1)


@pytest.mark.parametrize("behaviour", ["think_prefix", "boxed", "reasoning_content"])
async def test_thinking_is_kept_apart_from_the_answer(openai_server: OpenAIServer, behaviour: str) -> None:
    answer = await _ask(_open(openai_server(behaviour)))
    assert answer.thinking == THINKING
    assert (
        json.loads(answer.raw[answer.raw.rindex("{") : answer.raw.rindex("}") + 1])
        == answer.value.model_dump()
    )


async def test_images_and_a_strict_schema_are_really_sent(openai_server: OpenAIServer) -> None:
    server = openai_server()
    await _ask(_open(server))
    assert server.asks[0].images == (PIXEL,)
    content = server.bodies[0]["messages"][1]["content"]
    assert content[1]["image_url"]["url"] == f"data:image/png;base64,{PIXEL}"
    sent = server.bodies[0]["response_format"]["json_schema"]
    assert (sent["name"], sent["strict"]) == ("KeywordAnswer", True)
    assert sent["schema"]["additionalProperties"] is False


async def test_what_worked_is_remembered_for_each_server_and_model(openai_server: OpenAIServer) -> None:
    poor, rich = openai_server("rejects_response_format"), openai_server()
    await _ask(_open(poor))
    assert (await _ask(_open(rich))).method == "json_schema"
    assert len(rich.requests) == 1
    await _ask(_open(poor))  # another object for the same server
    assert len(poor.requests) == 3


async def test_usage_adds_up_over_attempts(openai_server: OpenAIServer) -> None:
    one = Usage(input_tokens=120, output_tokens=30, reasoning_tokens=8, cached_tokens=20)
    assert (await _ask(_open(openai_server()))).usage == one
    assert (await _ask(_open(openai_server("ignores_response_format")))).usage == one + one
    estimated = (await _ask(_open(openai_server("no_usage")))).usage
    assert estimated.estimated
    assert estimated.input_tokens > 765


async def test_json_of_another_shape_shows_that_the_schema_was_ignored(openai_server: OpenAIServer) -> None:
    def own_shape(ask: Ask) -> str | dict[str, Any] | ToolCalls:
        return answer(ask) if ask.wanted else '{"descriptions": ["candle"]}'

    server = openai_server("ignores_response_format", brain=own_shape)
    answers = [await _ask(_open(server)) for _ in range(3)]
    assert [answer.method for answer in answers] == ["function_calling"] * 3
    assert [answer.attempts for answer in answers] == [2, 2, 1]


async def test_the_messages_given_are_left_as_they_are(openai_server: OpenAIServer) -> None:
    model = _open(openai_server("rejects_response_format", "no_tools"))
    messages = _messages()
    before = copy.deepcopy(messages)
    await structured(model, messages, KeywordAnswer, name="m")
    assert messages == before


async def test_text_asks_carry_the_schema_inside_the_last_message(openai_server: OpenAIServer) -> None:
    server = openai_server("rejects_response_format", "no_tools")
    await _ask(_open(server))
    sent = server.bodies[-1]["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert '"title": "KeywordAnswer"' in sent[1]["content"][-1]["text"]


@pytest.mark.parametrize("behaviour", ["refuses", "content_filter"])
async def test_refusals_are_told_apart(openai_server: OpenAIServer, behaviour: str) -> None:
    server = openai_server(behaviour)
    with pytest.raises(RefusedError, match="openai:pretend") as caught:
        await _ask(_open(server))
    assert len(server.requests) == 1
    assert caught.value.raw == (REFUSAL if behaviour == "refuses" else "")


@pytest.mark.parametrize("repairs", [0, 1, 2])
async def test_garbage_ends_after_the_bounded_repairs(openai_server: OpenAIServer, repairs: int) -> None:
    server = openai_server("garbage")
    with pytest.raises(ModelOutputError, match="no valid KeywordAnswer") as caught:
        await _ask(_open(server), repairs=repairs)
    assert caught.value.raw == GARBAGE
    assert len(server.requests) == repairs + 1


async def test_an_answer_that_was_cut_off_is_told_so(openai_server: OpenAIServer) -> None:
    server = openai_server("cut_off")
    with pytest.raises(ModelOutputError, match="cut off at the token limit"):
        await _ask(_open(server), repairs=1)
    assert all("response_format" in body for body in server.bodies)


async def test_a_passing_rate_limit_is_waited_out(openai_server: OpenAIServer) -> None:
    server = openai_server("rate_limited_once")
    answer = await _ask(_open(server, max_retries=1))
    assert answer.value.keywords == ["candle", "empty chair"]
    assert len(server.requests) == 2


async def test_a_lasting_rate_limit_names_status_and_server(openai_server: OpenAIServer) -> None:
    server = openai_server("rate_limited")
    with pytest.raises(
        ProviderError, match=rf"openai:pretend: the server at {server.root[7:]} answered 429: Rate limit"
    ):
        await _ask(_open(server))


async def test_a_server_that_hangs_times_out(openai_server: OpenAIServer) -> None:
    with pytest.raises(ProviderError, match=r"no answer from the server .* in time"):
        await _ask(_open(openai_server("hangs"), timeout=0.2))


async def test_many_may_ask_at_once(openai_server: OpenAIServer) -> None:
    server = openai_server("rejects_json_schema", delay=0.02)
    model = _open(server)
    answers = await asyncio.gather(*(_ask(model) for _ in range(20)))
    assert {answer.method for answer in answers} == {"function_calling"}
    assert server.peak > 5


async def test_the_repair_shows_the_bad_answer_and_names_the_fault() -> None:
    model = ScriptedChatModel.of({"reasoning": "r", "loose_score": 7.5}, {"reasoning": "r", "loose_score": 7})
    answer = await structured(model, _messages(), LooseAnswer, name="scripted")
    assert answer.value.loose_score == 7
    assert (answer.method, answer.attempts) == ("json_schema", 2)
    repair = model.calls[1].messages
    assert isinstance(repair[-2], AIMessage)
    assert repair[-2].text == '{"reasoning": "r", "loose_score": 7.5}'
    assert "loose_score: Input should be a valid integer (given: 7.5)" in repair[-1].text
    assert '"maximum": 10' in repair[-1].text


async def test_repairs_do_not_pile_up() -> None:
    bad = {"reasoning": "r", "loose_score": 99}
    model = ScriptedChatModel.of(bad, bad, bad, {"reasoning": "r", "loose_score": 9})
    answer = await structured(model, _messages(), LooseAnswer, name="scripted", repairs=3)
    assert answer.attempts == 4
    assert [len(call.messages) for call in model.calls] == [2, 4, 4, 4]


async def test_a_model_that_constrains_nothing_is_asked_in_text() -> None:
    model = ScriptedChatModel.of('<think>hm</think>{"keywords": ["snow"]}', native=False, tool_calling=False)
    answer = await structured(model, [HumanMessage("Which?")], KeywordAnswer, name="scripted")
    assert (answer.method, answer.attempts, answer.thinking) == ("text", 1, "hm")
    assert model.calls[0].method == "text"


async def test_a_function_call_gives_its_arguments() -> None:
    def only_calls(call: Any) -> Any:
        return "I would say snow." if call.method == "json_schema" else {"keywords": ["snow"]}

    model = ScriptedChatModel(script=only_calls)
    answer = await structured(model, _messages(), KeywordAnswer, name="scripted")
    assert (answer.method, answer.raw) == ("function_calling", '{"keywords": ["snow"]}')


async def test_arguments_that_are_no_json_are_still_read() -> None:
    broken = AIMessage(
        content="",
        invalid_tool_calls=[
            {
                "name": "KeywordAnswer",
                "args": '{"keywords": ["snow"],}',
                "id": "1",
                "error": "bad",
                "type": "invalid_tool_call",
            }
        ],
    )
    model = ScriptedChatModel.of("prose", broken)
    answer = await structured(model, _messages(), KeywordAnswer, name="scripted")
    assert answer.value.keywords == ["snow"]


async def test_an_empty_answer_is_asked_again() -> None:
    model = ScriptedChatModel.of("", "", '{"keywords": ["snow"]}')
    answer = await structured(model, [HumanMessage("Which?")], KeywordAnswer, name="scripted")
    assert (answer.attempts, answer.method) == (3, "text")
    assert [message.type for message in model.calls[2].messages] == ["human"]
    assert "it is empty" in model.calls[2].text


async def test_a_single_empty_answer_changes_no_method(openai_server: OpenAIServer) -> None:
    asked = 0

    def sometimes_empty(ask: Ask) -> str | dict[str, Any] | ToolCalls:
        nonlocal asked
        asked += 1
        return "" if asked in {2, 5} else answer(ask)

    model = _open(openai_server(brain=sometimes_empty))
    answers = [await _ask(model) for _ in range(5)]
    assert [(answer.method, answer.attempts) for answer in answers] == [
        ("json_schema", 1),
        ("function_calling", 2),
        ("json_schema", 1),
        ("function_calling", 2),
        ("json_schema", 1),
    ]


async def test_half_a_character_is_never_sent_back(openai_server: OpenAIServer) -> None:
    replies = iter(["\ud83d oh", {"keywords": ["snow \ud83d"]}])
    server = openai_server(brain=lambda _: next(replies))
    answer = await _ask(_open(server))
    assert answer.value.keywords == ["snow ?"]
    assert answer.raw == '{"keywords": ["snow ?"]}'
    assert server.bodies[1]["messages"][-2]["content"] == "? oh"


async def test_a_bug_is_not_blamed_on_the_provider() -> None:
    model = ScriptedChatModel.of(ZeroDivisionError("ours"))
    with pytest.raises(ZeroDivisionError):
        await structured(model, _messages(), KeywordAnswer, name="scripted")
