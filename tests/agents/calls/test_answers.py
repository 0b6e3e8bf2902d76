from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from agents.calls.answers import Answers
from agents.calls.questions import question_keys

KEY = "ab" * 32


def same(value: Any) -> Any:
    return value


async def recall(answers: Answers, told: list[int], key: str = KEY, *, fails: int = 0) -> tuple[Any, bool]:
    async def ask() -> dict[str, Any]:
        told.append(1)
        await asyncio.sleep(0.01)
        if len(told) <= fails:
            raise ConnectionError("away")
        return {"number": len(told)}

    return await answers.recalled(key, ask, load=same, dump=same)


async def test_the_second_time_nobody_is_asked(tmp_path: Path) -> None:
    told: list[int] = []
    assert await recall(Answers(tmp_path), told) == ({"number": 1}, False)
    assert await recall(Answers(tmp_path), told) == ({"number": 1}, True)
    assert await recall(Answers(tmp_path), told, "cd" * 32) == ({"number": 2}, False)


async def test_of_many_at_once_one_asks_and_when_it_fails_the_next(tmp_path: Path) -> None:
    told: list[int] = []
    many = [recall(Answers(tmp_path), told, fails=1) for _ in range(10)]
    done = await asyncio.gather(*many, return_exceptions=True)
    assert len(told) == 2
    assert [type(each).__name__ for each in done].count("ConnectionError") == 1
    assert [each for each in done if isinstance(each, tuple)] == [({"number": 2}, False)] + [
        ({"number": 2}, True)
    ] * 8


async def test_one_that_is_cancelled_takes_the_answer_from_none(tmp_path: Path) -> None:
    told: list[int] = []
    first = asyncio.create_task(recall(Answers(tmp_path), told))
    second = asyncio.create_task(recall(Answers(tmp_path), told))
    await asyncio.sleep(0.005)
    first.cancel()
    assert await second == ({"number": 2}, False)


@pytest.mark.parametrize("harm", ["cut", "altered", "emptied", "moved"])
async def test_what_is_torn_counts_as_missing(tmp_path: Path, harm: str) -> None:
    answers = Answers(tmp_path)
    answers.put(KEY, {"number": 1})
    (path,) = tmp_path.rglob("*.answer")
    entry = path.read_bytes()
    if harm == "moved":
        path = path.with_name(f"{'ef' * 31}.answer")
    path.write_bytes(
        {"cut": entry[:-3], "altered": entry.replace(b"1}", b"2}"), "emptied": b""}.get(harm, entry)
    )
    assert answers.get(KEY if harm != "moved" else "ab" + "ef" * 31) is None


async def test_the_answer_of_another_version_is_asked_for_again(tmp_path: Path) -> None:
    answers = Answers(tmp_path)
    answers.put(KEY, {"old": True})

    async def ask() -> int:
        return 7

    def load(kept: dict[str, Any]) -> int:
        return kept["new"]

    assert await answers.recalled(KEY, ask, load=load, dump=lambda n: {"new": n}) == (7, False)
    assert await answers.recalled(KEY, ask, load=load, dump=lambda n: {"new": n}) == (7, True)


def test_the_longest_unused_go_first(tmp_path: Path) -> None:
    answers = Answers(tmp_path, bound=3000)
    keys = [f"{i:02x}" * 32 for i in range(20)]
    for number, key in enumerate(keys):
        answers.put(key, {"text": "x" * 300})
        path = answers._path(key)
        if path.exists():
            os.utime(path, ns=(number, number))
    assert answers.get(keys[0]) is None
    assert answers.get(keys[-1]) == {"text": "x" * 300}
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.answer")) <= 3000


def test_a_folder_that_cant_be_written_to_fails_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    answers = Answers(tmp_path / "file" / "answers")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            answers.put(KEY, {})
    assert answers.get(KEY) is None
    assert [record.message.partition(":")[0] for record in caplog.records] == ["answers are not kept"]


def _write(folder: str, first: int) -> None:
    answers = Answers(folder, bound=20_000)
    for number in range(200):
        key = f"{(number + first) % 50:02x}" * 32
        answers.put(key, {"key": key, "text": "x" * 500})
        kept = answers.get(key)
        assert kept is None or kept["key"] == key


def test_processes_share_a_folder(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_write, args=(str(tmp_path), first)) for first in (0, 20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert not list(tmp_path.rglob("*.part"))


BASE: dict[str, Any] = {
    "model": "openai:x",
    "server": "http://127.0.0.1:1/v1",
    "settings": {"temperature": 0.7, "max_tokens": None},
    "messages": [SystemMessage("s"), HumanMessage("q")],
    "wanted": {"title": "A"},
    "draw": (1,),
}


def key(**changes: Any) -> str:
    return question_keys(**{**BASE, **changes})[0]


def picture(data: str) -> list[BaseMessage]:
    block = {"type": "image", "base64": data * 999, "mime_type": "image/jpeg"}
    return [HumanMessage(content=[{"type": "text", "text": "look"}, block])]


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "openai:y"},
        {"server": "http://127.0.0.1:2/v1"},
        {"server": None},
        {"settings": {"temperature": 0.0, "max_tokens": None}},
        {"settings": {"temperature": 0.7, "max_tokens": 9}},
        {"messages": [HumanMessage("q")]},
        {"messages": [SystemMessage("s"), HumanMessage("r")]},
        {"messages": [SystemMessage("s"), HumanMessage("q"), AIMessage("a")]},
        {"messages": picture("a")},
        {"wanted": {"title": "B"}},
        {"draw": (2,)},
        {"draw": (1, 0)},
        {"draw": ()},
    ],
)
def test_whatever_an_answer_depends_on_makes_another_question(changes: dict[str, Any]) -> None:
    assert key(**changes) != key()


def test_pictures_and_tool_calls_tell_questions_apart() -> None:
    assert key(messages=picture("a")) != key(messages=picture("b"))
    call = {"name": "hop", "args": {"concepts": ["a"]}, "id": "1", "type": "tool_call"}
    other = {**call, "args": {"concepts": ["b"]}}
    assert key(messages=[AIMessage("", tool_calls=[call])]) != key(
        messages=[AIMessage("", tool_calls=[other])]
    )
    assert key(messages=[ToolMessage("a", tool_call_id="1")]) != key(
        messages=[ToolMessage("b", tool_call_id="1")]
    )


def test_ids_accounts_paths_and_secrets_make_no_difference() -> None:
    told = [SystemMessage("s", id="1"), HumanMessage("q", id="2")]
    assert key(messages=told) == key()
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    assert key(messages=[AIMessage("a", usage_metadata=usage)]) == key(messages=[AIMessage("a")])
    assert key(server="http://me:secret@127.0.0.1:1/v1/?key=secret") == key()
    blocks = [
        {"type": "video_file", "path": path, "digest": "d", "size": 1, "frames": 4} for path in ("/a", "/b")
    ]
    first, second = (key(messages=[HumanMessage(content=[block])]) for block in blocks)
    assert first == second
