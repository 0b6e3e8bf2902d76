"""Equal contexts share what they open; what a context names is opened once, and late."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.context import Context, FrameSettings
from agents.errors import UserError
from graphs import resources
from graphs.resources import resources_of


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
