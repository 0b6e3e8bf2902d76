"""The fakes themselves: what other tests lean on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool

from agents.asked import InterpretationAnswer, LooseAnswer, StrictAnswer
from agents.json_schema import answer_schema
from tests.fakes import Call, ScriptedChatModel, answering_model, ask_of
from tests.servers.brain import Ask, ToolCalls, answer, sample
from tests.servers.openai_like import OpenAILike

GOLD = "The video presents a candle, implicitly expressing mortality."
JUDGED = f"<gold>\n{GOLD}\n</gold>\n<prediction>\n{{}}\n</prediction>"


@tool
def explore_metaphors(concepts: list[str], hops: int = 1) -> str:
    """Look up what things stand for."""
    return f"{concepts} {hops}"


async def test_a_script_is_played_in_order_and_then_fails_clearly() -> None:
    model = ScriptedChatModel.of("one", {"two": 2}, AIMessage("three"))
    assert [(await model.ainvoke("q")).text for _ in range(3)] == ["one", '{"two": 2}', "three"]
    with pytest.raises(
        AssertionError, match=r"was asked 4 times, its script has 3 replies.*ends in: \.\.\.'q'"
    ):
        await model.ainvoke("q")


async def test_a_loop_starts_over_and_tasks_may_share_it() -> None:
    model = ScriptedChatModel.of("a", "b", loop=True)
    replies = await asyncio.gather(*(model.ainvoke(str(i)) for i in range(10)))
    assert sorted(reply.text for reply in replies) == ["a"] * 5 + ["b"] * 5
    assert len(model.calls) == 10


async def test_replies_may_be_errors_and_callables() -> None:
    async def later(call: Call) -> str:
        await asyncio.sleep(0)
        return f"heard {call.text}"

    model = ScriptedChatModel.of(ValueError("no"), lambda call: call.method, later)
    with pytest.raises(ValueError, match="no"):
        await model.ainvoke("q")
    assert (await model.ainvoke("q")).text == "text"
    assert (await model.ainvoke("q")).text == "heard q"


def test_calls_record_tools_schemas_and_images() -> None:
    model = ScriptedChatModel.of(
        "x", {"reasoning": "r", "loose_score": 1}, {"reasoning": "r", "loose_score": 2}
    )
    image: Any = {"type": "image", "base64": "AAAA", "mime_type": "image/jpeg"}
    model.bind_tools([explore_metaphors]).invoke([HumanMessage([image, {"type": "text", "text": "q"}])])
    schema = answer_schema(LooseAnswer)
    by_schema = model.with_structured_output(schema, include_raw=True).invoke("q")
    by_call = model.with_structured_output(schema, method="function_calling").invoke("q")
    assert (by_schema["parsed"]["loose_score"], by_call["loose_score"]) == (1, 2)
    first, second, third = model.calls
    assert (first.tools, first.images, first.text, first.method) == (
        ("explore_metaphors",),
        ("AAAA",),
        "q",
        "tools",
    )
    assert second.schema is not None
    assert (second.schema["title"], second.method) == ("LooseAnswer", "json_schema")
    assert (third.tools, third.method) == (("LooseAnswer",), "function_calling")


def test_the_brain_reads_associations_and_verdicts_from_the_prompt() -> None:
    linked = "<associations>\ncandle -> time -> mortality (burns down)\n</associations>"
    assert answer(Ask(linked, schema=answer_schema(InterpretationAnswer))) == {
        "entries": [{"presents": "a candle", "expresses": "mortality"}]
    }
    right = JUDGED.format(GOLD)
    wrong = JUDGED.format("The video presents a horse, implicitly expressing freedom.")
    scores = [
        answer(Ask(text, schema=answer_schema(s)))
        for text in (right, wrong)
        for s in (LooseAnswer, StrictAnswer)
    ]
    assert [list(score.values())[-1] for score in scores if isinstance(score, dict)] == [10, 1, 0, 0]


def test_the_brain_calls_tools_for_two_rounds() -> None:
    tools = [
        {
            "name": "t",
            "parameters": {
                "properties": {"concepts": {"type": "array", "items": {"type": "string"}}},
                "required": ["concepts"],
            },
        }
    ]
    prompt = HumanMessage("<keywords>\ncandle\nsnow\n</keywords>")
    called = AIMessage("", tool_calls=[{"name": "t", "args": {}, "id": "1"}])
    assert answer(ask_of([prompt], tools=tools)) == ToolCalls((("t", {"concepts": ["candle"]}),))
    assert answer(ask_of([prompt, called], tools=tools)) == ToolCalls((("t", {"concepts": ["snow"]}),))
    assert isinstance(answer(ask_of([prompt, called, called], tools=tools)), str)


async def test_an_answering_model_needs_no_script() -> None:
    model = answering_model()
    value: Any = await model.with_structured_output(answer_schema(StrictAnswer)).ainvoke("judge")
    assert value["strict_score"] == 0


def test_a_sample_satisfies_its_schema() -> None:
    InterpretationAnswer.model_validate(sample(answer_schema(InterpretationAnswer)))


def test_an_unknown_behaviour_is_refused() -> None:
    with pytest.raises(ValueError, match="no such behaviour: plan"):
        OpenAILike("plan")  # type: ignore[arg-type]
