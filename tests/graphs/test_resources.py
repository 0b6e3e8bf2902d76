"""Equal contexts share what they open; what a context names is opened once, and late."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.context import Context, FrameSettings
from agents.errors import UserError
from graphs import resources
from graphs.resources import resources_of
from tools.frames import FrameSet
from tools.frames.channel import Task
from tools.frames.pool import Pool, Ticket


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_KEPT", {})


def test_equal_contexts_share_and_others_do_not() -> None:
    assert resources_of(Context(max_hops=2)) is resources_of(Context(max_hops=2))
    assert resources_of(Context(max_hops=2)) is not resources_of(Context(max_hops=3))
    assert resources_of(None) is resources_of(Context())


def test_only_the_last_sixteen_stay_open() -> None:
    first = resources_of(Context(max_hops=1))
    for hops in range(2, 18):
        resources_of(Context(max_hops=hops))
    assert resources_of(Context(max_hops=1)) is not first
    assert len(resources._KEPT) == 16


def test_knowledge_is_opened_once() -> None:
    opened = resources_of(Context())
    assert opened.knowledge() is opened.knowledge()
    assert [tool.name for tool in opened.tools()] == ["explore_metaphors"]


def test_a_context_that_names_nothing_real_is_refused_when_it_is_used() -> None:
    context = Context(model="nobody:nothing", prompts=(("perceive", "nowhere.md"),))
    opened = resources_of(context)
    with pytest.raises(UserError, match="nobody"):
        opened.model("interpreter")
    with pytest.raises(UserError, match=r"nowhere\.md"):
        opened.prompts()


async def test_frames_are_read_as_the_context_says(frames: Path) -> None:
    sheet = await resources_of(Context(frames=FrameSettings(max_frames=2))).look(str(frames))
    assert len(sheet.frames) == 2
    assert sheet.digest != (await resources_of(Context()).look(str(frames))).digest


async def test_a_second_variant_on_the_same_video_decodes_nothing(
    frames: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    run = Pool.run

    def counted(self: Pool, task: Task, ticket: Ticket | None = None) -> FrameSet:
        decoded.append(task.name)
        return run(self, task, ticket)

    monkeypatch.setattr(Pool, "run", counted)
    settings = FrameSettings(cache_dir=str(tmp_path / "kept"))
    first = await resources_of(Context(frames=settings)).look(str(frames))
    assert await resources_of(Context(frames=settings, max_hops=2)).look(str(frames)) == first
    assert len(decoded) == 1
    await resources_of(Context(frames=FrameSettings(cache=False))).look(str(frames))
    assert len(decoded) == 2
    assert [path.suffix for path in (tmp_path / "kept").iterdir()] == [".frames"]


async def test_frames_are_chosen_as_the_context_says(frames: Path) -> None:
    shots = await resources_of(Context(frames=FrameSettings(method="shots"))).look(str(frames))
    assert [frame.shot for frame in shots.frames] == [0, 1, 2, 3], "each picture is another grey"
    slow = await resources_of(Context(frames=FrameSettings(method="fps", fps=0.5))).look(str(frames))
    assert [frame.timestamp for frame in slow.frames] == [0.0, 2.0, 3.0]
    assert [frame.shot for frame in slow.frames] == [None] * 3


async def test_cells_that_look_at_one_video_at_once_decode_it_once(
    frames: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    run = Pool.run

    def counted(self: Pool, task: Task, ticket: Ticket | None = None) -> FrameSet:
        decoded.append(task.name)
        return run(self, task, ticket)

    monkeypatch.setattr(Pool, "run", counted)
    settings = FrameSettings(cache_dir=str(tmp_path / "kept"))
    contexts = [Context(frames=settings, max_hops=hops) for hops in (1, 2, 3)]
    sheets = await asyncio.gather(*(resources_of(each).look(str(frames)) for each in contexts))
    assert sheets[0] == sheets[1] == sheets[2]
    assert len(decoded) == 1


def test_a_run_of_many_cells_keeps_them_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_ASKED_FOR", [0])
    resources.keep_open(18)
    opened = [resources_of(Context(max_hops=hops)) for hops in range(1, 19)]
    assert resources_of(Context(max_hops=1)) is opened[0]
