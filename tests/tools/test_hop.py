"""The hop tool as a model meets it: by tool calls, with errors that say how to mend the call."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_tests.unit_tests import ToolsUnitTests

from tools.hop import MAX_CONCEPTS, NAME, hop_tool
from tools.knowledge import Edge, HopResult, Link, MetaphorGraph
from tools.tokens import Counter, count_tokens

GRAPH = MetaphorGraph(
    [
        Edge("candle", "passing of time", "symbol", None, 0.9, "burns down as time passes"),
        Edge("candle", "hope", "symbol", None, 0.5, "a light in the dark"),
        Edge("hourglass", "passing of time", "symbol", None, 1.0, "sand runs out grain by grain"),
        Edge("passing of time", "mortality", "conceptual", None, 0.8, "runs out for everyone"),
        Edge("red envelope", "good fortune", "cultural", "Chinese", 0.9, "given full of money"),
        *(Edge("sky", f"concept {n:02}", "symbol", None, 0.5, "looks like it") for n in range(20)),
        Edge("lonely", "lonely"),
    ]
)


class TestStandard(ToolsUnitTests):
    @property
    def tool_constructor(self) -> BaseTool:
        return hop_tool(GRAPH)

    @property
    def tool_invoke_params_example(self) -> dict[str, object]:
        return {"concepts": ["candle"], "hops": 2, "limit": 5}


@pytest.fixture
def tool() -> BaseTool:
    return hop_tool(GRAPH)


def call(tool: BaseTool, **arguments: object) -> ToolMessage:
    return tool.invoke({"name": NAME, "args": arguments, "id": "call 1", "type": "tool_call"})


def test_an_answer_has_lines_and_an_artifact(tool: BaseTool) -> None:
    message = call(tool, concepts=["candle"])
    assert message.content == (
        "candle -> passing of time (burns down as time passes)\ncandle -> hope (a light in the dark)"
    )
    assert message.status == "success"
    assert isinstance(message.artifact, HopResult)
    assert message.artifact == GRAPH.hop(["candle"], 1, 8)


def test_two_hops_show_the_way(tool: BaseTool) -> None:
    lines = str(call(tool, concepts=["candle"], hops=2).content).split("\n")
    assert (
        "candle -> passing of time -> mortality (burns down as time passes; runs out for everyone)" in lines
    )


def test_cultures_are_named(tool: BaseTool) -> None:
    assert call(tool, concepts=["red envelope"]).content == (
        "red envelope -> good fortune (Chinese culture: given full of money)"
    )


async def test_it_runs_async(tool: BaseTool) -> None:
    message = await tool.ainvoke(
        {"name": NAME, "args": {"concepts": ["candle"]}, "id": "1", "type": "tool_call"}
    )
    assert message.content == call(tool, concepts=["candle"]).content
    assert message.artifact == GRAPH.hop(["candle"], 1, 8)


def test_it_says_what_it_left_out(tool: BaseTool) -> None:
    lines = str(call(tool, concepts=["sky"], limit=3).content).split("\n")
    assert lines == [*(f"sky -> concept 0{n} (looks like it)" for n in range(3)), "17 more left out"]


def test_readings_and_unknown_names_are_told(tool: BaseTool) -> None:
    lines = str(call(tool, concepts=["Candle", "hour glass", "candy", "candy"], limit=1).content).split("\n")
    assert lines[0].startswith("candle -> passing of time") or lines[0].startswith(
        "hourglass -> passing of time"
    )
    assert lines[-2:] == [
        '"hour glass" was read as hourglass.',
        '"candy" is not in the graph; names near it: candle.',
    ]


@settings(deadline=None)  # the first keyword loads a dictionary
@given(st.integers(20, 400), st.integers(1, 50), st.integers(0, 8), st.sampled_from([count_tokens, len]))
def test_the_answer_keeps_to_its_length_in_whole_lines(
    max_tokens: int, limit: int, strangers: int, count: Counter
) -> None:
    asked = ["sky", "candle", *(f"stranger {n}" for n in range(strangers))]
    tool = hop_tool(GRAPH, max_tokens=max_tokens, count=count)
    text = str(call(tool, concepts=asked, limit=limit).content)
    assert count(text) <= max_tokens
    assert all(line.endswith((")", ".", "more left out")) for line in text.split("\n"))


@pytest.mark.parametrize("max_tokens", [20, 60, 600])
def test_nothing_found_keeps_to_its_length_too(max_tokens: int) -> None:
    asked = [f"stranger {n} " + "x" * 500 for n in range(12)]
    message = call(hop_tool(GRAPH, max_tokens=max_tokens), concepts=asked)
    assert message.status == "error"
    assert count_tokens(str(message.content)) <= max_tokens
    assert str(message.content).startswith("Nothing found. ") or max_tokens == 20
    assert all(line.endswith((".", "more left out")) for line in str(message.content).split("\n"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"concepts": []}, "concepts is empty: name at least one thing"),
        ({"concepts": ["", "  "]}, "concepts is empty"),
        ({"concepts": ["candle"], "hops": 0}, "hops=0 is out of range: give a whole number from 1 to 3."),
        ({"concepts": ["candle"], "hops": 4}, "hops=4 is out of range"),
        ({"concepts": ["candle"], "limit": 0}, "limit=0 is out of range: give a whole number from 1 to 50."),
        ({"concepts": [f"thing {n}" for n in range(MAX_CONCEPTS + 1)]}, "21 concepts at once are too many"),
        ({"concepts": ["candy"]}, '"candy" is not in the graph; names near it: candle.'),
        (
            {"concepts": ["xyzzy"]},
            'Nothing found. Try simpler or more general names.\n"xyzzy" is not in the graph.',
        ),
        ({"concepts": ["lonely"]}, "lonely leads nowhere else in the graph."),
        ({}, "concepts: Field required"),
        ({"concepts": 7}, "concepts: Input should be a valid list"),
        ({"concepts": ["candle"], "hops": "many"}, "hops: Input should be a valid integer"),
        ({"concepts": [None]}, "concepts.0: Input should be a valid string"),
    ],
)
def test_faults_of_the_call_come_back_to_the_model(
    tool: BaseTool, arguments: dict[str, object], told: str
) -> None:
    message = call(tool, **arguments)
    assert told in str(message.content)
    assert message.status == "error"
    assert message.artifact is None


async def test_faults_come_back_async_too(tool: BaseTool) -> None:
    message = await tool.ainvoke({"name": NAME, "args": {"concepts": []}, "id": "1", "type": "tool_call"})
    assert message.status == "error"
    assert "concepts is empty" in message.content


def test_arguments_that_do_not_fit_get_an_example(tool: BaseTool) -> None:
    assert 'Call again like this: {"concepts": ["candle", "wilting flower"]' in str(call(tool).content)


def test_a_bare_string_is_read_as_a_list(tool: BaseTool) -> None:
    assert call(tool, concepts="candle").artifact == GRAPH.hop(["candle"], 1, 8)
    assert call(tool, concepts="candle, hourglass").artifact == GRAPH.hop(["candle", "hourglass"], 1, 8)


def test_bugs_surface() -> None:
    class Broken(MetaphorGraph):
        def link(self, keyword: str, limit: int = 3, floor: float = 0.5) -> list[Link]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        call(hop_tool(Broken([Edge("a", "b")])), concepts=["a"])


def test_the_schema_is_plain_enough_for_every_provider(tool: BaseTool) -> None:
    function = convert_to_openai_tool(tool)["function"]
    assert function["name"] == "explore_metaphors"
    parameters = function["parameters"]
    assert {name: entry["type"] for name, entry in parameters["properties"].items()} == {
        "concepts": "array",
        "hops": "integer",
        "limit": "integer",
    }
    assert parameters["properties"]["concepts"]["items"] == {"type": "string"}
    assert parameters["required"] == ["concepts"]
    assert all(entry["description"] for entry in parameters["properties"].values())
    text = json.dumps(parameters)
    for unsupported in (
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$defs",
        "minimum",
        "maximum",
        "minItems",
        "additional",
    ):
        assert unsupported not in text


def test_gemini_takes_the_schema(tool: BaseTool) -> None:
    from langchain_google_genai._function_utils import convert_to_genai_function_declarations

    (declared,) = convert_to_genai_function_declarations([tool])
    (function,) = declared.model_dump(mode="json", exclude_none=True)["function_declarations"]
    assert function["name"] == NAME
    properties = function["parameters"]["properties"]
    assert {name: entry["type"] for name, entry in properties.items()} == {
        "concepts": "ARRAY",
        "hops": "INTEGER",
        "limit": "INTEGER",
    }
    assert properties["concepts"]["items"]["type"] == "STRING"
    assert all(entry["description"] for entry in properties.values())


async def test_a_tool_node_runs_it(tool: BaseTool) -> None:
    from langchain_core.messages import AIMessage
    from langgraph.graph import MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    calls = [
        {"name": NAME, "args": {"concepts": ["candle"], "limit": 1}, "id": "1"},
        {"name": NAME, "args": {"concepts": ["candle"], "hops": 9}, "id": "2"},
        {"name": NAME, "args": {"concepts": 7}, "id": "3"},
    ]
    graph = StateGraph(MessagesState).add_node("tools", ToolNode([tool])).set_entry_point("tools").compile()
    answered = await graph.ainvoke({"messages": [AIMessage("", tool_calls=calls)]})
    messages = answered["messages"][1:]
    assert [message.status for message in messages] == ["success", "error", "error"]
    assert messages[0].artifact.left_out == 1


def test_the_description_says_when_how_and_what(tool: BaseTool) -> None:
    for words in ("Use it when", "call again", "hops=2", "candle -> passing of time", "the video decides"):
        assert words in tool.description
    assert len(tool.description) < 1024
