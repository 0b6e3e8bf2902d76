"""What tools and sources found comes out of a journal as it went in."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import ToolCall, ToolMessage

from agents.calls.journal import Finished, Kind, journaled
from agents.context import Context
from agents.schemas import Keyword
from graphs.found import tool_message
from graphs.lookup import retrieve
from tools.knowledge import open_knowledge
from tools.knowledge.sources.protocol import Findings, Passage


class Notes:
    """A journal in memory, whose entries have been JSON."""

    def __init__(self) -> None:
        self.kept: list[Finished] = []
        self.before: dict[tuple[Kind, str], deque[Finished]] = defaultdict(deque)

    async def recall(self, kind: Kind, key: str) -> Finished | None:
        found = self.before[kind, key]
        return found.popleft() if found else None

    async def keep(self, finished: Finished) -> None:
        self.kept.append(finished)

    def again(self) -> Notes:
        """The journal of the next start."""
        after = Notes()
        for each in self.kept:
            plain = json.loads(json.dumps(dict(each.result)))
            after.before[each.kind, each.key].append(Finished(each.step, each.kind, each.key, plain))
        return after


def call(**arguments: Any) -> ToolCall:
    return ToolCall(name="explore", args=arguments, id="call_1", type="tool_call")


class Own:
    """An artifact of somebody else's."""

    associations = ()


FOUND = open_knowledge("starter").hop(["candle", "hourglass"], 2, 8)
PASSAGES = Findings(
    passages=(Passage("Hope is a thing with feathers.", "poems", "", ("bird",), 0.5),), mode="bm25"
)


@pytest.mark.parametrize(
    ("artifact", "asked"),
    [(None, 1), (FOUND, 1), (PASSAGES, 1), ({"a": [1, None, "é"]}, 1), (Own(), 2), ((1, 2), 2), ({1: 2}, 2)],
    ids=["none", "hop", "passages", "plain", "foreign", "tuple", "other keys"],
)
async def test_a_tools_answer_comes_back_whole_or_is_asked_for_again(artifact: object, asked: int) -> None:
    answer = ToolMessage(
        "two lines\nof \ud83d half", tool_call_id="call_1", name="explore", artifact=artifact
    )
    times: list[int] = []

    async def ask() -> ToolMessage:
        times.append(1)
        return answer

    first = Notes()
    with journaled(first):
        assert await tool_message(call(concepts=["candle"]), ask) is answer
    with journaled(first.again()):
        again = await tool_message(call(concepts=["candle"]), ask)
        assert len(times) == asked
        assert again.artifact == artifact
        assert (again.status, again.name, again.tool_call_id) == ("success", "explore", "call_1")
        await tool_message(call(concepts=["clock"]), ask)
        assert len(times) == asked + 1


async def test_an_answer_that_is_an_error_stays_one() -> None:
    async def ask() -> ToolMessage:
        return ToolMessage("call again", tool_call_id="call_1", name="explore", status="error")

    first = Notes()
    with journaled(first):
        await tool_message(call(), ask)
    with journaled(first.again()):
        assert (await tool_message(call(), ask)).status == "error"


async def test_what_keywords_led_to_is_not_looked_up_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Run:
        context = Context()

    state: Any = {
        "keywords": [Keyword(text="candle"), Keyword(text="hourglass")],
        "title": "",
        "video_path": "",
    }
    first = Notes()
    with journaled(first):
        found = await retrieve(state, runtime=Run())  # type: ignore[arg-type] - what it reads of one
    assert len(found["mappings"]) > 3

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("graphs.lookup._look_up", never)
    with journaled(first.again()):
        assert await retrieve(state, runtime=Run()) == found  # type: ignore[arg-type]
    with journaled(first.again()), pytest.raises(AssertionError):
        await retrieve({**state, "title": "another"}, runtime=Run())  # type: ignore[arg-type]
