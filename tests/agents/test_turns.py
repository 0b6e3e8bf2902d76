from __future__ import annotations

from collections.abc import Callable

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from agents.errors import ProviderError, RefusedError, UserError
from agents.models import close_chat_model, open_chat_model
from agents.turns import ToolsUnsupported, call_tools_turn
from tests.fakes import ScriptedChatModel
from tests.servers.brain import ToolCalls
from tests.servers.gemini_like import THOUGHT, GeminiLike
from tests.servers.openai_like import THINKING, OpenAILike

OpenAIServer = Callable[..., OpenAILike]
GeminiServer = Callable[..., GeminiLike]

QUESTION = HumanMessage("<keywords>\ncandle\nsnow\n</keywords>")


@tool
def explore_metaphors(concepts: list[str], hops: int = 1) -> str:
    """Look up what things stand for."""
    return f"{concepts[0]} -> time ({hops})"


async def _explore(name: str, base_url: str) -> list[BaseMessage]:
    """Turns until the model stops calling."""
    model = open_chat_model(name, base_url=base_url, max_retries=0)
    messages: list[BaseMessage] = [QUESTION]
    for _ in range(5):
        turn = await call_tools_turn(model, messages, [explore_metaphors], name=name)
        messages.append(turn.message)
        if not turn.message.tool_calls:
            break
        messages += [
            ToolMessage(explore_metaphors.invoke(call["args"]), tool_call_id=call["id"], name=call["name"])
            for call in turn.message.tool_calls
        ]
    await close_chat_model(model)
    return messages


def _called(messages: list[BaseMessage]) -> list[list[str]]:
    return [call["args"]["concepts"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]


async def test_a_model_calls_tools_for_rounds_and_stops(openai_server: OpenAIServer) -> None:
    server = openai_server()
    messages = await _explore("openai:pretend", server.base_url)
    assert _called(messages) == [["candle"], ["snow"]]
    assert messages[-1].text == "The light fades while nobody comes."
    assert [ask.rounds for ask in server.asks] == [0, 1, 2]
    sent = server.bodies[2]["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "assistant", "tool"]
    assert sent[4]["content"] == "snow -> time (1)"
    assert server.bodies[0]["tools"][0]["function"]["name"] == "explore_metaphors"
    assert "parallel_tool_calls" not in server.bodies[0]


async def test_gemini_calls_tools_for_rounds_and_stops(gemini_server: GeminiServer) -> None:
    server = gemini_server("thoughts")
    messages = await _explore("google_genai:gemini-2.5-flash", server.base_url)
    assert _called(messages) == [["candle"], ["snow"]]
    assert [ask.rounds for ask in server.asks] == [0, 1, 2]
    assert "snow -> time (1)" in server.asks[2].text


@pytest.mark.parametrize("behaviour", ["reasoning_content", "think_prefix", "boxed"])
async def test_thinking_is_taken_out_of_the_words(openai_server: OpenAIServer, behaviour: str) -> None:
    model = open_chat_model(
        "openai:pretend", base_url=openai_server(behaviour, brain=lambda ask: "Time.").base_url
    )
    turn = await call_tools_turn(model, [QUESTION], [explore_metaphors], name="openai:pretend")
    assert turn.thinking == THINKING
    assert THINKING not in turn.message.text
    assert turn.usage.total_tokens == 150


async def test_thoughts_of_gemini(gemini_server: GeminiServer) -> None:
    model = open_chat_model("google_genai:gemini-2.5-flash", base_url=gemini_server("thoughts").base_url)
    turn = await call_tools_turn(model, [QUESTION], [explore_metaphors], name="gemini")
    assert turn.thinking == THOUGHT
    assert turn.message.tool_calls[0]["args"] == {"concepts": ["candle"]}
    await close_chat_model(model)


async def test_a_server_that_refuses_tools(openai_server: OpenAIServer, gemini_server: GeminiServer) -> None:
    for name, server in (
        ("openai:pretend", openai_server("no_tools")),
        ("google_genai:x", gemini_server("no_tools")),
    ):
        model = open_chat_model(name, base_url=server.base_url)
        with pytest.raises(ToolsUnsupported, match=f"{name} can't be given tools"):
            await call_tools_turn(model, [QUESTION], [explore_metaphors], name=name)
        await close_chat_model(model)
    assert issubclass(ToolsUnsupported, UserError)


async def test_a_model_that_binds_no_tools() -> None:
    model = ScriptedChatModel.of("x", tool_calling=False)
    with pytest.raises(ToolsUnsupported):
        await call_tools_turn(model, [QUESTION], [explore_metaphors], name="scripted")
    assert model.calls == []


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [("server_error", ProviderError), ("refuses", RefusedError), ("unauthorized", UserError)],
)
async def test_failures_are_told_apart(
    openai_server: OpenAIServer, behaviour: str, error: type[Exception]
) -> None:
    model = open_chat_model("openai:pretend", base_url=openai_server(behaviour).base_url, max_retries=0)
    with pytest.raises(error) as caught:
        await call_tools_turn(model, [QUESTION], [explore_metaphors], name="openai:pretend")
    assert not isinstance(caught.value, ToolsUnsupported)


async def test_calls_that_are_almost_json_are_mended() -> None:
    broken = AIMessage(
        content="",
        invalid_tool_calls=[
            {
                "name": "explore_metaphors",
                "args": "{'concepts': ['candle'],}",
                "id": "a",
                "error": "x",
                "type": "invalid_tool_call",
            },
            {
                "name": "explore_metaphors",
                "args": '{"concepts": ["cand',
                "id": "b",
                "error": "x",
                "type": "invalid_tool_call",
            },
        ],
    )
    model = ScriptedChatModel.of(broken)
    turn = await call_tools_turn(model, [QUESTION], [explore_metaphors], name="scripted")
    assert [(call["id"], call["args"]) for call in turn.message.tool_calls] == [
        ("a", {"concepts": ["candle"]})
    ]
    assert [call["id"] for call in turn.message.invalid_tool_calls] == ["b"]


async def test_calls_left_in_the_text_are_lifted_out() -> None:
    call = '{"name": "explore_metaphors", "arguments": {"concepts": ["snow"]}}'
    said = f"<think>hm</think>Let me look.\n<tool_call>\n{call}\n</tool_call>"
    turn = await call_tools_turn(ScriptedChatModel.of(said), [QUESTION], [explore_metaphors], name="scripted")
    assert [(made["name"], made["args"]) for made in turn.message.tool_calls] == [
        ("explore_metaphors", {"concepts": ["snow"]})
    ]
    assert turn.message.text == "Let me look."
    unknown = said.replace("explore_metaphors", "delete_everything")
    turn = await call_tools_turn(
        ScriptedChatModel.of(unknown), [QUESTION], [explore_metaphors], name="scripted"
    )
    assert turn.message.tool_calls == []


async def test_the_tools_and_the_conversation_arrive() -> None:
    model = ScriptedChatModel.of(
        ToolCalls((("explore_metaphors", {"concepts": ["snow"]}),), text="Let me look.")
    )
    messages = [QUESTION]
    turn = await call_tools_turn(model, messages, [explore_metaphors], name="scripted")
    assert model.calls[0].tools == ("explore_metaphors",)
    assert model.calls[0].method == "tools"
    assert turn.message.text == "Let me look."
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (100, 10)
    assert messages == [QUESTION]


async def test_a_bug_is_not_blamed_on_the_provider() -> None:
    with pytest.raises(ZeroDivisionError):
        await call_tools_turn(
            ScriptedChatModel.of(ZeroDivisionError()), [QUESTION], [explore_metaphors], name="m"
        )
