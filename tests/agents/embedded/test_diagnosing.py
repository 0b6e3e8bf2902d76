"""The embedded model's proxy of a diagnosis: crude, and honest: it says so, and never invents a quotation."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agents.context import Context
from agents.diagnoses import Diagnosis, DiagnosisAnswer
from agents.embedded.chat import EmbeddedChatModel
from agents.schemas import Entry, Interpretation, ModelCall
from agents.transcripts import transcript_of
from graphs import resources
from graphs.diagnose import graph

pytestmark = pytest.mark.usefixtures("whole")

GOLD = [
    "The video presents a candle burning down on a table, implicitly expressing a life coming to its end.",
    "The video presents an empty chair in warm light, implicitly expressing mourning for someone absent.",
    "The video presents an owl on a branch, implicitly expressing wisdom.",
]
SEEN = "I see a candle burning on a table. In the corner stands an empty chair."


async def diagnosed(monkeypatch: pytest.MonkeyPatch, *entries: tuple[str, str]) -> Diagnosis:
    monkeypatch.setattr(resources, "_KEPT", {})
    call = ModelCall(step="interpret", model="m", method="text", attempts=1, seconds=0, thinking=SEEN)
    prediction = Interpretation(entries=tuple(Entry(presents=p, expresses=e) for p, e in entries))
    state: dict[str, Any] = {"gold": GOLD, "prediction": prediction, "calls": [call]}
    found = (await graph.ainvoke(state, context=Context(model="embedded")))["diagnosis"]
    transcript = transcript_of(state)
    assert all(transcript.locate(each.evidence) for each in found.deficiencies if each.evidence)
    return found


async def test_it_tells_the_kinds_by_what_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    found = await diagnosed(
        monkeypatch,
        ("a candle burning on a table", "a romantic dinner"),
        ("a bus full of tourists", "travel"),
    )
    assert [(each.kind, each.element, each.where) for each in found.deficiencies] == [
        ("improper_mapping", "candle", "entries"),
        ("missing_mapping", "chair", "thinking"),
        ("missing_mapping", "owl", "nowhere"),
        ("wrong_recognition", "a bus full of tourists", "entries"),
    ]
    assert found.proxy
    assert (found.rejected, found.rounds) == ((), 1)


async def test_the_gold_itself_has_no_deficiency(monkeypatch: pytest.MonkeyPatch) -> None:
    agreed = [Entry.parse(line) for line in GOLD]
    found = await diagnosed(monkeypatch, *((entry.presents, entry.expresses) for entry in agreed))
    assert found.deficiencies == ()


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
def test_it_answers_in_every_way_of_asking(method: Any) -> None:
    tags = {"gold": GOLD[0], "transcript": SEEN, "prediction": "Nothing."}
    prompt = "\n".join(f"<{tag}>\n{text}\n</{tag}>" for tag, text in tags.items())
    model = EmbeddedChatModel().with_structured_output(DiagnosisAnswer, method=method, include_raw=True)
    answer: Any = model.invoke([HumanMessage(prompt)])
    assert answer["parsed"].deficiencies[0].kind == "missing_mapping"
    assert answer["raw"].response_metadata["proxy"]
