from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from agents.asked import KeywordAnswer, StrictAnswer
from agents.constrained import _MADE, _MOST, constrained
from agents.models import open_chat_model
from agents.openai_body import body_and_options, plain_parts

PICTURE = {"type": "image", "base64": "aGk=", "mime_type": "image/jpeg"}
LINK = {"type": "image_url", "image_url": {"url": "https://there/a.png"}}
CALLS = [{"name": "look", "args": {"at": "it"}, "id": "1", "type": "tool_call"}]


@pytest.mark.parametrize(
    "message",
    [
        HumanMessage("hello"),
        SystemMessage([{"type": "text", "text": "be brief"}]),
        HumanMessage([{"type": "text", "text": "Frame at 1.50 s"}, PICTURE, "and", LINK]),
        HumanMessage([{"type": "text", "text": "x"}], name="me"),
        HumanMessage([{"type": "text", "text": "x", "extras": {"prompt_cache_breakpoint": {"a": 1}}}]),
        HumanMessage([{**PICTURE, "id": "p1"}]),
        AIMessage([{"type": "text", "text": "so"}], tool_calls=CALLS),
    ],
    ids=["text", "system", "frames", "name", "extras", "more of a picture", "answer"],
)
def test_what_is_sent_is_what_langchain_would_send(message: BaseMessage) -> None:
    ours: Any = open_chat_model("openai:m", base_url="http://127.0.0.1:9/v1")
    theirs = ChatOpenAI(model="m", base_url="http://127.0.0.1:9/v1", api_key=SecretStr("none"))
    (sent,) = ours._get_request_payload([message])["messages"]
    (wanted,) = theirs._get_request_payload([message])["messages"]
    if isinstance(message.content, list) and "and" in message.content:
        wanted["content"][2] = {
            "type": "text",
            "text": "and",
        }  # a bare string is none of the protocol's parts
    assert sent == wanted


def test_parts_of_another_kind_are_left_to_langchain() -> None:
    assert plain_parts(HumanMessage([{"type": "audio", "base64": "aGk=", "mime_type": "audio/wav"}])) is None
    assert plain_parts(AIMessage([{"type": "text", "text": "x"}])) is None


def test_options_of_the_sdk_stay_out_of_the_body() -> None:
    given = {"model": "m", "stream": False, "extra_body": {"max_tokens": 5}, "extra_headers": {"a": "b"}}
    assert body_and_options(given) == ({"model": "m", "max_tokens": 5}, {"headers": {"a": "b"}})


def test_a_model_is_held_to_a_schema_once_and_not_kept_for_ever() -> None:
    model = open_chat_model("openai:m", base_url="http://127.0.0.1:9/v1")
    first = constrained(model, KeywordAnswer, "json_schema")
    assert constrained(model, KeywordAnswer, "json_schema") is first
    assert constrained(model, StrictAnswer, "json_schema") is not first
    assert constrained(model, KeywordAnswer, "function_calling") is not first
    assert first.kwargs["response_format"]["json_schema"]["name"] == "KeywordAnswer"
    model.temperature = 0.1  # what is set later holds too
    assert first.bound.temperature == 0.1
    for _ in range(_MOST):
        constrained(model.model_copy(), KeywordAnswer, "json_schema")
    assert len(_MADE) == _MOST
    assert constrained(model, KeywordAnswer, "json_schema") is not first
