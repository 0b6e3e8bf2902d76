from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agents import models
from agents.errors import UserError
from agents.models import close_chat_model, default_model, open_chat_model, parse_model_name
from agents.openai_chat import OpenAICompatibleChat
from tests.servers.brain import ToolCalls
from tests.servers.gemini_like import THOUGHT, GeminiLike
from tests.servers.openai_like import THINKING, OpenAILike

OpenAIServer = Callable[..., OpenAILike]
GeminiServer = Callable[..., GeminiLike]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("embedded", ("embedded", "embedded")),
        ("openai:gpt-5", ("openai", "gpt-5")),
        ("openai:qwen3-vl:8b", ("openai", "qwen3-vl:8b")),
        (" google_genai:gemini-3-pro ", ("google_genai", "gemini-3-pro")),
    ],
)
def test_names_are_split_at_the_first_colon(name: str, parts: tuple[str, str]) -> None:
    assert parse_model_name(name) == parts


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("opnai:gpt-5", "unknown provider 'opnai' in the model 'opnai:gpt-5'; did you mean 'openai'?"),
        ("google-genai:gemini-3", "did you mean 'google_genai'?"),
        ("qwen3-vl:8b", "unknown provider 'qwen3-vl'"),
        ("gpt-5", "the model 'gpt-5' names no provider; did you mean 'openai:gpt-5'?"),
        ("gemini-3-pro", "did you mean 'google_genai:gemini-3-pro'?"),
        ("embeded", "did you mean 'embedded'?"),
        ("qwen3-vl-8b", "is 'openai:qwen3-vl-8b' with --base-url"),
        ("openai:", "names no model after the colon"),
        ("", "names no provider"),
    ],
)
def test_a_name_that_cannot_be_opened_says_what_was_given_and_the_nearest(name: str, told: str) -> None:
    with pytest.raises(UserError) as caught:
        open_chat_model(name)
    assert told in str(caught.value)
    assert "embedded" in str(caught.value) or name == "openai:"


def test_a_missing_key_names_the_variable_and_the_ways_out() -> None:
    with pytest.raises(UserError, match=r"set OPENAI_API_KEY .* or give --base-url"):
        open_chat_model("openai:gpt-5")
    with pytest.raises(UserError, match=r"set GOOGLE_API_KEY \(or GEMINI_API_KEY\)"):
        open_chat_model("google_genai:gemini-3-pro")


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"'ollama:qwen3' needs a package .* pip install langchain-ollama"):
        open_chat_model("ollama:qwen3")


def test_the_default_is_embedded_and_says_how_to_choose_another() -> None:
    name, sentence = default_model({})
    assert name == "embedded"
    assert "uses the embedded model" in sentence
    assert "--model openai:NAME" in sentence
    assert "--base-url" in sentence


@pytest.mark.parametrize(
    ("key", "flag"),
    [
        ("OPENAI_API_KEY", "--model openai:"),
        ("GOOGLE_API_KEY", "--model google_genai:"),
        ("GEMINI_API_KEY", "--model google_genai:"),
    ],
)
def test_a_key_in_the_environment_is_named_but_not_spent(key: str, flag: str) -> None:
    name, sentence = default_model({key: "secret-value"})
    assert name == "embedded"
    assert f"{key} is set, but not used" in sentence
    assert flag in sentence
    assert "secret-value" not in sentence
    assert default_model({key: " "}) == default_model({})


async def test_settings_reach_an_openai_server(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = openai_server()
    model = open_chat_model("openai:pretend", base_url=server.base_url, temperature=0.3, max_tokens=77)
    await model.ainvoke("hello")
    body = server.bodies[0]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("pretend", 0.3, 77)
    assert "max_completion_tokens" not in body
    assert server.requests[0].headers["authorization"] == "Bearer none"
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    await open_chat_model("openai:pretend", base_url=server.base_url).ainvoke("hello")
    assert server.requests[1].headers["authorization"] == "Bearer mine"
    assert "max_tokens" not in server.bodies[1]


async def test_the_sdks_base_url_in_the_environment_counts(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = openai_server()
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    await open_chat_model("openai:pretend").ainvoke("hello")
    assert len(server.requests) == 1


async def test_reasoning_beside_the_answer_is_kept(openai_server: OpenAIServer) -> None:
    model = open_chat_model("openai:pretend", base_url=openai_server("reasoning_content").base_url)
    reply = await model.ainvoke("hello")
    assert reply.additional_kwargs["reasoning_content"] == THINKING
    assert reply.text == "The light fades while nobody comes."


async def test_reasoning_and_usage_are_kept_while_streaming(openai_server: OpenAIServer) -> None:
    model = open_chat_model("openai:pretend", base_url=openai_server("reasoning_content").base_url)
    chunks = [chunk async for chunk in model.astream("hello")]
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    assert len(chunks) > 5
    assert whole.additional_kwargs["reasoning_content"] == THINKING
    assert whole.text == "The light fades while nobody comes."
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["total_tokens"] == 150


def test_synchronous_calls_keep_reasoning_too(openai_server: OpenAIServer) -> None:
    model = open_chat_model("openai:pretend", base_url=openai_server("reasoning_content").base_url)
    assert model.invoke("hello").additional_kwargs["reasoning_content"] == THINKING
    assert isinstance(model, OpenAICompatibleChat)
    assert model.root_client is not None
    model.root_client.close()


async def test_reasoning_goes_back_with_the_tool_call_it_led_to(openai_server: OpenAIServer) -> None:
    server = openai_server(
        "reasoning_content",
        brain=lambda ask: "done" if ask.rounds else ToolCalls((("look", {"at": "candle"}),)),
    )
    model = open_chat_model("openai:pretend", base_url=server.base_url)
    question = HumanMessage("what is it?")
    reply = await model.ainvoke([question])
    assert isinstance(reply, AIMessage)
    result = ToolMessage("time", tool_call_id=reply.tool_calls[0]["id"])
    await model.ainvoke([question, reply, result])
    sent = server.bodies[1]["messages"]
    assert sent[1]["reasoning_content"] == THINKING
    assert "reasoning_content" not in sent[0]


@pytest.mark.parametrize("retries", [0, 2])
async def test_retries_are_the_sdks_alone(openai_server: OpenAIServer, retries: int) -> None:
    server = openai_server("server_error")
    model = open_chat_model("openai:pretend", base_url=server.base_url, max_retries=retries)
    with pytest.raises(Exception, match="server had an error"):
        await model.ainvoke("hello")
    assert len(server.requests) == 1 + retries


@pytest.mark.parametrize("retries", [0, 1])
async def test_retries_of_gemini_are_counted_likewise(gemini_server: GeminiServer, retries: int) -> None:
    server = gemini_server("rate_limited")
    model = open_chat_model("google_genai:gemini-pretend", base_url=server.base_url, max_retries=retries)
    with pytest.raises(Exception, match="exceeded the rate"):
        await model.ainvoke("hello")
    assert len(server.requests) == 1 + retries
    await close_chat_model(model)


async def test_settings_and_thoughts_of_gemini(gemini_server: GeminiServer) -> None:
    server = gemini_server("thoughts")
    model = open_chat_model(
        "google_genai:gemini-2.5-flash", base_url=server.base_url, temperature=0.4, max_tokens=99
    )
    reply = await model.ainvoke("hello")
    config = server.bodies[0]["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"]) == (0.4, 99)
    assert (
        config["thinkingConfig"] == {"includeThoughts": True}
        or config["thinkingConfig"]["include_thoughts"] is True
    )
    assert [b["reasoning"] for b in reply.content_blocks if b["type"] == "reasoning"] == [THOUGHT]
    await close_chat_model(model)


async def test_older_geminis_are_not_asked_for_thoughts(gemini_server: GeminiServer) -> None:
    server = gemini_server()
    model = open_chat_model("google_genai:gemini-2.0-flash", base_url=server.base_url)
    await model.ainvoke("hello")
    assert "thinkingConfig" not in server.bodies[0]["generationConfig"]
    await close_chat_model(model)


async def test_models_with_a_fixed_temperature_are_sent_none(openai_server: OpenAIServer) -> None:
    server = openai_server()
    for name in ("openai:o4-mini", "openai:gpt-5-mini", "openai:other"):
        await open_chat_model(name, base_url=server.base_url, temperature=0.2).ainvoke("hello")
    assert [body.get("temperature") for body in server.bodies] == [None, None, 0.2]


async def test_a_call_ends_even_when_the_connection_is_kept_warm(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.calls.lines._SLACK", -99.9)
    server = openai_server("hangs")
    model = open_chat_model("openai:pretend", base_url=server.base_url, timeout=100, max_retries=0)
    with pytest.raises(TimeoutError):
        await model.ainvoke("hello")


def test_a_model_outlives_its_event_loop(openai_server: OpenAIServer) -> None:
    server = openai_server()
    server.keep_alive = True
    model = open_chat_model("openai:pretend", base_url=server.base_url, max_retries=0)

    async def ask_and_close() -> str:
        text = (await model.ainvoke("hello")).text
        await close_chat_model(model)
        return text

    first = asyncio.run(ask_and_close())
    assert asyncio.run(ask_and_close()) == first
    assert len(server.requests) == 2


async def test_closing_what_has_nothing_to_close_is_fine() -> None:
    await close_chat_model(open_chat_model("embedded"))


def test_naming_models_imports_no_provider() -> None:
    code = (
        "import sys; from agents.models import default_model, parse_model_name; default_model({});"
        "parse_model_name('openai:x');"
        "print([m for m in ('langchain_core', 'openai', 'langgraph', 'langchain') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
