"""The five wirings, played by scripted models over a folder of frames."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, InvalidToolCall
from syrupy.assertion import SnapshotAssertion

from agents.context import Context, RetrievalSettings
from agents.errors import ModelOutputError
from agents.tokens import count_tokens
from graphs.catalog import load, variants
from tests.fakes import Call, ScriptedChatModel
from tests.servers.brain import ToolCalls
from tools.errors import ToolFault

TSV = """source\ttarget\tkind\tculture\tweight\tground
candle\tpassing of time\tsymbol\t\t0.9\tburns down as time passes
candle\thope\tsymbol\t\t0.8\tgives light in the dark
hourglass\tpassing of time\tsymbol\t\t1.0\tsand runs out
candle\tprayer\tcultural\tChristian\t0.5\tlit in church when praying
passing of time\tmortality\tcausal\t\t0.8\tevery life runs out
"""
ENTRY = {"entries": [{"presents": "a candle burning down", "expresses": "the passing of time"}]}
KEYWORDS = {"keywords": ["candle", "Candle", "hourglass"]}


@pytest.fixture
def knowledge(tmp_path: Path) -> str:
    path = tmp_path / "small.tsv"
    path.write_text(TSV, encoding="utf-8")
    return str(path)


async def run(name: str, frames: Path, **settings: Any) -> dict[str, Any]:
    state = {"video_path": str(frames), "video_id": "clip", "title": "Wax"}
    return await load(name).ainvoke(state, context=Context(model="scripted", **settings))


def hops_of(*rounds: list[str]) -> list[Any]:
    calls = [ToolCalls(tuple(("explore_metaphors", {"concepts": [c]}) for c in r)) for r in rounds]
    return [KEYWORDS, *calls]


@pytest.mark.parametrize(
    ("name", "prompt", "shots"),
    [
        ("baseline", "What does this video mean", False),
        ("cot", "Think in three steps", False),
        ("few_shot", "What does this video mean", True),
    ],
)
async def test_one_call_variants_differ_in_one_factor(
    name: str, prompt: str, shots: bool, frames: Path, play: Callable[..., None]
) -> None:
    steps = {"recognize": "A candle.", "map": "Candle to time.", "interpret": "Time passes."}
    model = ScriptedChatModel.of({**steps, **ENTRY} if name == "cot" else ENTRY)
    play(model)
    state = await run(name, frames)
    assert ("recognize" in str(model.calls[0].schema)) is (name == "cot")
    (call,) = model.calls
    assert prompt in call.text
    assert ("Three worked examples" in call.text) is shots
    assert "<title>\nWax\n</title>" in call.text
    assert len(call.images) == 4
    assert "Frame at 0.00 s" in call.text
    assert [e.text for e in state["interpretation"].entries] == [
        "The video presents a candle burning down, implicitly expressing the passing of time."
    ]
    assert [(c.step, c.usage.input_tokens) for c in state["calls"]] == [("interpret", 100)]


@pytest.mark.parametrize("name", ["baseline", "cot", "few_shot", "boost", "boost_retrieval"])
@pytest.mark.parametrize("switch", [True, False])
async def test_worked_examples_can_be_switched_in_any_variant(
    name: str, switch: bool, frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    script: dict[str, list[Any]] = {
        "boost": [*hops_of(["candle"]), "Time.", ENTRY],
        "boost_retrieval": [KEYWORDS, ENTRY],
        "cot": [{"recognize": "r", "map": "m", "interpret": "i", **ENTRY}],
    }
    model = ScriptedChatModel.of(*script.get(name, [ENTRY]))
    play(model)
    await run(name, frames, few_shot=switch, knowledge=knowledge)
    assert ("Three worked examples" in model.calls[-1].text) is switch


async def test_boost_explores_in_rounds_and_interprets_with_what_it_found(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(*hops_of(["candle", "hourglass"], ["passing of time"]), "It is time.", ENTRY)
    play(model)
    state = await run("boost", frames, knowledge=knowledge)
    assert [k.text for k in state["keywords"]] == ["candle", "hourglass"]
    assert [(h.round, h.tool, h.arguments, h.failed) for h in state["hops"]] == [
        (1, "explore_metaphors", {"concepts": ["candle"]}, False),
        (1, "explore_metaphors", {"concepts": ["hourglass"]}, False),
        (2, "explore_metaphors", {"concepts": ["passing of time"]}, False),
    ]
    found = {(m.element, m.concept): m for m in state["mappings"]}
    assert found["candle", "passing of time"].path == ("candle", "passing of time")
    assert found["candle", "passing of time"].ground == "burns down as time passes"
    assert ("passing of time", "mortality") in found
    assert "also shown by hourglass" in state["hops"][2].answer
    assert ("passing of time", "hourglass") not in found
    last = model.calls[-1].text
    assert "candle -> hope (gives light in the dark)" in last
    assert "candle -> prayer (Christian culture: lit in church when praying)" in last
    assert "<keywords>\ncandle\nhourglass\n</keywords>" in last
    assert [len(call.images) for call in model.calls] == [4, 0, 0, 0, 4]
    assert [c.step for c in state["calls"]] == ["perceive", "explore", "explore", "explore", "interpret"]
    assert state["notes"] == []


async def test_boost_stops_at_max_hops_and_interprets_without_tools(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    def reply(call: Call) -> Any:
        if call.method == "tools":
            return ToolCalls((("explore_metaphors", {"concepts": ["candle"]}),))
        return KEYWORDS if "keywords" in str(call.schema) else ENTRY

    model = ScriptedChatModel(script=reply)
    play(model)
    state = await run("boost", frames, knowledge=knowledge, max_hops=3)
    assert state["rounds"] == 3
    assert [call.method == "tools" for call in model.calls] == [False, True, True, True, False]
    assert model.calls[-1].tools == ()


async def test_an_error_meant_for_the_model_goes_back_to_it(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    script = [
        KEYWORDS,
        ToolCalls((("explore_metaphors", {"concepts": ["hourglas"]}), ("no_such_tool", {}))),
        ToolCalls((("explore_metaphors", {"concept": "candle"}),)),
        "Done.",
        ENTRY,
    ]
    model = ScriptedChatModel.of(*script)
    play(model)
    state = await run("boost", frames, knowledge=knowledge)
    assert len(state["hops"]) == 3
    assert "explore_metaphors" in state["hops"][1].answer  # names the tools there are
    assert [hop.failed for hop in state["hops"]][1:] == [True, True]
    assert "concepts" in state["hops"][2].answer


async def test_a_call_that_cannot_be_read_is_answered_and_counts_as_a_round(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    broken = InvalidToolCall(
        type="invalid_tool_call", name="explore_metaphors", args="{concepts: [", id="call_9", error="no JSON"
    )
    model = ScriptedChatModel.of(KEYWORDS, AIMessage("", invalid_tool_calls=[broken]), "Done.", ENTRY)
    play(model)
    state = await run("boost", frames, knowledge=knowledge)
    assert [(h.round, h.failed) for h in state["hops"]] == [(1, True)]
    assert "'{concepts: ['" in state["hops"][0].answer
    assert state["messages"][2].tool_call_id == "call_9"
    assert state["notes"] == []


async def test_a_bug_in_a_tool_is_called_the_tool_s(frames: Path, play: Callable[..., None]) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ToolCalls((("broken", {"word": "candle"}),)), ENTRY)
    play(model)
    with pytest.raises(
        ToolFault, match=r"the tool 'broken' \(tests.graphs.own_tools:broken\) failed: Zero"
    ) as caught:
        await run("boost", frames, tools=("tests.graphs.own_tools:broken",))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


async def test_a_bug_in_a_tool_of_a_class_of_its_own_is_the_tool_s_too(
    frames: Path, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ToolCalls((("classy", {"word": "candle"}),)), ENTRY)
    play(model)
    with pytest.raises(ToolFault, match="the tool 'classy'"):
        await run("boost", frames, tools=("tests.graphs.own_tools:classy",))


async def test_half_a_character_of_a_tool_is_replaced(frames: Path, play: Callable[..., None]) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ToolCalls((("halved", {"word": "candle"}),)), "Done.", ENTRY)
    play(model)
    state = await run("boost", frames, tools=("tests.graphs.own_tools:halved",))
    assert state["hops"][0].answer == "candle ?"
    assert model.calls[2].messages[-1].content == "candle ?"


async def test_a_tool_that_ends_the_process_ends_one_sample_only(
    frames: Path, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ToolCalls((("leaving", {"word": "candle"}),)), ENTRY)
    play(model)
    with pytest.raises(ToolFault, match=r"the tool 'leaving' .*: it tried to end the process"):
        await run("boost", frames, tools=("tests.graphs.own_tools:leaving",))


async def test_what_was_paid_for_a_useless_answer_is_accounted_for(
    frames: Path, play: Callable[..., None]
) -> None:
    play(ScriptedChatModel.of({"keywords": ["...", " "]}))
    with pytest.raises(ModelOutputError, match="named no visual element") as caught:
        await run("boost", frames)
    assert [(call.step, call.usage.total_tokens) for call in caught.value.calls] == [("perceive", 110)]
    play(ScriptedChatModel.of({"entries": [{"presents": ".", "expresses": ","}]}))
    with pytest.raises(ModelOutputError, match="no entry with both its parts") as caught:
        await run("baseline", frames)
    assert [(call.step, call.usage.total_tokens) for call in caught.value.calls] == [("interpret", 110)]


async def test_a_plugged_in_tool_is_offered_and_called(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ToolCalls((("rhyme", {"word": "candle"}),)), "Done.", ENTRY)
    play(model)
    state = await run("boost", frames, tools=("hop", "tests.graphs.own_tools:rhyme"), knowledge=knowledge)
    assert model.calls[1].tools == ("explore_metaphors", "rhyme")
    assert "explore_metaphors, rhyme" in model.calls[1].text
    assert [(h.tool, h.answer) for h in state["hops"]] == [("rhyme", "candle rhymes with handle")]


@pytest.mark.parametrize(
    ("model", "note"),
    [
        (ScriptedChatModel.of(KEYWORDS, ENTRY, tool_calling=False), "tool"),
        (ScriptedChatModel.of(KEYWORDS, "I know enough.", ENTRY), "made no tool call"),
    ],
    ids=["cannot", "does not"],
)
async def test_boost_falls_back_to_retrieval_and_says_so(
    model: ScriptedChatModel, note: str, frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    play(model)
    state = await run("boost", frames, knowledge=knowledge)
    (said,) = state["notes"]
    assert note in said
    assert said.endswith("retrieval was used instead")
    text = model.calls[-1].text
    assert "hourglass -> passing of time (sand runs out) [also from candle]" in text
    assert "passing of time -> mortality (" in text
    assert (state["knowledge"].source, state["knowledge"].mode) == ("graph", "shared")
    assert state["interpretation"].entries


async def test_boost_retrieval_makes_two_calls_and_counts_as_published(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ENTRY)
    play(model)
    state = await run(
        "boost_retrieval", frames, knowledge=knowledge, retrieval=RetrievalSettings(hops=1, limit=2)
    )
    # One hop: candle meets time and hope, hourglass meets time; the count of time is two.
    assert [(m.concept, m.weight, m.keywords) for m in state["mappings"]] == [
        ("passing of time", 2, ("candle", "hourglass")),
        ("hope", 1, ("candle",)),
    ]
    assert [call.method for call in model.calls] == ["json_schema", "json_schema"]
    shown = model.calls[-1].text
    assert "candle -> passing of time (burns down as time passes) [also from hourglass]" in shown
    assert state["knowledge"].mode == "published"
    assert "Three worked examples" in model.calls[-1].text


async def test_state_holds_references_to_frames_never_their_bytes(
    frames: Path, knowledge: str, play: Callable[..., None]
) -> None:
    play(ScriptedChatModel.of(*hops_of(["candle"]), "Time.", ENTRY))
    state = await run("boost", frames, knowledge=knowledge)
    assert state["timestamps"] == [0.0, 1.0, 2.0, 3.0]
    assert (state["frames_reader"], state["frame_shots"]) == ("folder", [])
    assert len(state["frames_digest"]) == 64
    pictures = [base64.b64encode(file.read_bytes()).decode()[:60] for file in frames.iterdir()]
    assert not any(picture in repr(state) for picture in pictures)
    assert len(repr(state)) < 20_000


async def test_associations_are_cut_between_lines_and_the_record_says_so(
    frames: Path, tmp_path: Path, play: Callable[..., None]
) -> None:
    rows = [f"candle\tconcept {n}\tsymbol\t\t0.5\t{'because of it ' * 12}" for n in range(40)]
    path = tmp_path / "long.tsv"
    path.write_text(
        "\n".join(["source\ttarget\tkind\tculture\tweight\tground", *rows]) + "\n", encoding="utf-8"
    )
    asked = ToolCalls((("explore_metaphors", {"concepts": ["candle"], "limit": 40}),))
    model = ScriptedChatModel.of(KEYWORDS, asked, "Done.", ENTRY)
    play(model)
    state = await run("boost", frames, knowledge=str(path))
    shown = model.calls[-1].text.split("<associations>\n")[1].split("\n</associations>")[0].splitlines()
    assert 1000 - 60 < count_tokens("\n".join(shown)) <= 1000
    assert all(line.endswith(")") for line in shown)
    assert state["notes"] == [
        f"associations: the {len(state['mappings']) - len(shown)} weakest were left out of the prompt"
    ]


def test_variants_compile_in_an_empty_environment(root: Path) -> None:
    code = "\n".join(f"import graphs.variants.{name}" for name in variants())
    code += "\nimport graphs.judge, sys\n"
    code += "print([m for m in ('openai', 'langchain_google_genai', 'networkx', 'av', 'decord', 'PIL', "
    code += "'onnxruntime', 'tiktoken') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={"PATH": "", "HOME": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(variants()))
def test_the_drawing_of_each_variant(name: str, snapshot: SnapshotAssertion) -> None:
    assert load(name).get_graph().draw_mermaid() == snapshot
