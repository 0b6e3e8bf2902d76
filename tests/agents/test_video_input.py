"""What is asked of a provider that is shown a video, and which ones and which files are refused."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from agents.context import FrameSettings
from agents.errors import UserError
from agents.tokens import TOKENS_PER_IMAGE, estimate_usage
from agents.video_files import Room, filled, read_video, video_blocks
from agents.video_input import (
    GEMINI_FILE_BYTES,
    GEMINI_INLINE_BYTES,
    GEMINI_REQUEST_BYTES,
    URL_BYTES,
    VideoSheet,
    check_video_input,
    plan_video,
    with_video,
)

GEMINI, SERVED = "google_genai:gemini-3-pro-preview", "openai:Qwen3-VL-8B"
URL = "http://127.0.0.1:9/v1"


@dataclass(frozen=True)
class Clip:
    """A clip of 50 s at 10 pictures a second, unless told otherwise."""

    source: str = "wax.mp4"
    digest: str = "ab" * 32
    size: int = 1_000_000
    mime_type: str = "video/mp4"
    container: str = "mp4"
    duration: float = 50.0
    start: float = 0.0
    length: float = 50.0
    frames: int = 500
    rate: float = 10.0
    warnings: tuple[str, ...] = ()


def plan(clip: Clip, model: str = GEMINI, **settings: Any) -> VideoSheet:
    url = URL if model == SERVED else None
    return plan_video(clip, model, base_url=url, frames=FrameSettings(**settings))


def test_a_video_is_watched_at_the_moments_at_which_frames_are_read() -> None:
    sheet = plan(Clip(), max_frames=11)
    assert sheet.watched.fps == pytest.approx(10 / 49.9, abs=1e-4), "from the first picture to the last"
    assert sheet.watched.frames == 11
    assert len(sheet.timestamps) == 11
    assert sheet.timestamps[0] == 0.0
    assert sheet.timestamps[-1] == pytest.approx(49.9, abs=0.05)


@pytest.mark.parametrize(
    ("clip", "settings", "fps", "frames"),
    [
        (Clip(), {"method": "fps", "fps": 0.5, "max_frames": 50}, 0.5, 26),
        (Clip(), {"method": "fps", "fps": 5.0, "max_frames": 11}, 0.2004, 11),
        (Clip(duration=2.0, frames=20), {"max_frames": 50}, 10.0, 20),
        (Clip(duration=1.0, frames=60, rate=60.0), {"max_frames": 60}, 24.0, 25),
        (Clip(), {"max_frames": 1}, 0.02, 1),
        (Clip(duration=0.04, frames=1, rate=0.0), {"max_frames": 50}, 24.0, 1),
        (Clip(duration=0.0002, frames=1, rate=0.0), {"max_frames": 50}, 24.0, 1),
    ],
)
def test_the_rate_follows_the_settings_within_what_gemini_takes(
    clip: Clip, settings: dict[str, Any], fps: float, frames: int
) -> None:
    watched = plan(clip, **settings).watched
    assert (watched.fps, watched.frames) == (pytest.approx(fps, abs=1e-4), frames)


@given(
    duration=st.floats(0.001, 3600),
    rate=st.floats(0.1, 240),
    most=st.integers(1, 1000),
    fps=st.floats(0.01, 240),
)
@example(duration=3491.6, rate=240.0, most=2, fps=1.0)
def test_no_more_pictures_are_asked_for_than_the_settings_say(
    duration: float, rate: float, most: int, fps: float
) -> None:
    clip = Clip(duration=duration, rate=rate, frames=max(1, int(duration * rate)), length=duration)
    for method in ("uniform", "fps"):
        sheet = plan(clip, max_frames=most, method=method, fps=fps)
        assert 0 < sheet.watched.fps <= 24
        assert 1 <= sheet.watched.frames <= most
        assert len(sheet.timestamps) == sheet.watched.frames
        assert all(moment <= duration + 1 / rate + 0.001 * duration for moment in sheet.timestamps)


def test_a_file_that_begins_before_its_first_picture_is_cut_to_its_pictures() -> None:
    sheet = plan(Clip(start=1.5, length=60.0))
    assert (sheet.watched.start_offset, sheet.watched.end_offset) == (1.5, 51.5)
    assert sheet.timestamps[0] == 0.0, "the clock on which frames are told"
    assert "its first picture comes 1.500 s after the start of the file" in sheet.warnings[0]
    assert "which comes 1.50 s into the file and counts as 0.00 s" in str(with_video("?", sheet).content)
    served = plan(Clip(start=1.5, length=60.0), SERVED).watched
    assert (served.start, served.start_offset, served.end_offset) == (1.5, None, None), "it can't be told"
    plain = plan(Clip(start=0.02, length=50.3))
    assert (plain.watched.start_offset, plain.watched.end_offset, plain.warnings) == (None, None, ())


def test_a_large_file_is_uploaded_and_base64_has_room() -> None:
    assert GEMINI_INLINE_BYTES * 4 / 3 < GEMINI_REQUEST_BYTES
    assert plan(Clip(size=GEMINI_INLINE_BYTES)).watched.delivery == "inline"
    assert plan(Clip(size=GEMINI_INLINE_BYTES + 1)).watched.delivery == "upload"


def test_a_server_of_ones_own_is_handed_the_file_as_it_is() -> None:
    sheet = plan(Clip(mime_type="video/x-matroska", container="Matroska (.mkv)"), SERVED, max_frames=8)
    assert (sheet.watched.delivery, sheet.watched.mime_type, sheet.watched.frames) == (
        "url",
        "video/x-matroska",
        8,
    )
    assert sheet.timestamps == (), "what it samples is its own affair"
    assert plan(Clip(duration=0.04, frames=1, rate=0.0), SERVED, max_frames=10).watched.fps == 25.0


@pytest.mark.parametrize(
    ("clip", "model", "words"),
    [
        (
            Clip(mime_type="video/x-matroska", container="Matroska (.mkv)"),
            GEMINI,
            ["wax.mp4", "Matroska (.mkv)", "mp4, mpeg", "--input frames", "convert it to MP4"],
        ),
        (Clip(size=GEMINI_FILE_BYTES + 1), GEMINI, ["2000.0 MB", "up to 2000 MB", "--input frames"]),
        (Clip(duration=3601.0), GEMINI, ["3601 s", "up to 3600 s", "--input frames"]),
        (Clip(size=URL_BYTES + 1), SERVED, ["64.0 MB", "--input frames"]),
        (Clip(mime_type="", container="h264"), SERVED, ["h264", "--input frames"]),
    ],
)
def test_a_file_that_can_not_be_shown_is_refused(clip: Clip, model: str, words: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        plan(clip, model)
    assert not [word for word in words if word not in str(caught.value)], str(caught.value)


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("embedded", None),
        ("openai:gpt-5", None),
        ("openai:gpt-5", "https://api.openai.com/v1"),
        ("openai:gpt-5", "https://eu.api.openai.com/v1"),
        ("anthropic:claude-x", None),
        ("ollama:llava", URL),
    ],
)
def test_a_provider_that_takes_no_video_is_refused(model: str, url: str | None) -> None:
    with pytest.raises(UserError, match=rf"--input video with --model {model}: .*--input frames"):
        check_video_input(model, base_url=url, frames=FrameSettings())


def test_an_address_in_the_environment_is_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", URL)
    check_video_input(SERVED, base_url=None, frames=FrameSettings())


def test_shots_are_nothing_that_a_provider_finds() -> None:
    with pytest.raises(UserError, match="--sampling shots with --input video"):
        check_video_input(GEMINI, base_url=None, frames=FrameSettings(method="shots"))


def block_of(path: Path, **changed: Any) -> dict[str, Any]:
    content = path.read_bytes()
    clip = Clip(source=str(path), size=len(content), digest=hashlib.sha256(content).hexdigest())
    return {**plan(replace(clip)).block, **changed}


def test_a_message_names_the_video_and_holds_none_of_it(tmp_path: Path) -> None:
    path = tmp_path / "wax.mp4"
    path.write_bytes(b"moving pictures")
    content = path.read_bytes()
    clip = Clip(source=str(path), size=len(content), digest=hashlib.sha256(content).hexdigest())
    message = with_video("What does it mean?", plan(clip))
    block, clock, text = message.content
    assert isinstance(block, dict)
    assert (block["type"], block["path"]) == ("video_file", str(path))
    assert isinstance(clock, dict)
    assert "lasts 50.00 s" in clock["text"]
    assert "in seconds from its first picture" in clock["text"]
    assert text == {"type": "text", "text": "What does it mean?"}
    assert len(str(message.content)) < 1000


async def test_the_content_takes_its_place_in_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "wax.mp4"
    path.write_bytes(b"moving pictures")
    block = block_of(path)
    told: list[BaseMessage] = [SystemMessage("Read."), HumanMessage([block, {"type": "text", "text": "?"}])]

    async def fill(named: dict[str, Any]) -> dict[str, Any]:
        return {"type": "bytes", "data": await read_video(named)}

    whole = await filled(told, fill)
    assert whole[1].content == [
        {"type": "bytes", "data": b"moving pictures"},
        {"type": "text", "text": "?"},
    ]
    assert video_blocks(told) == [block], "the conversation itself stays as it was"
    assert whole[0] is told[0]


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"other pictures!", "no longer what it was"), (None, "can't be read: No such file")],
)
async def test_a_file_that_changed_meanwhile_is_not_sent(
    content: bytes | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "wax.mp4"
    path.write_bytes(b"moving pictures")
    block = block_of(path)
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(UserError, match=f"--input video: .*wax.mp4.*{told}"):
        await read_video(block)


async def test_requests_wait_for_room_and_one_always_passes() -> None:
    room, inside, most = Room(10), 0, 0

    async def send(amount: int) -> None:
        nonlocal inside, most
        async with room.taken(amount):
            inside += amount
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= amount

    await asyncio.gather(*(send(amount) for amount in (4, 4, 4, 99, 1, 10, 3)))
    assert most == 99, "what is larger than all the room goes alone"
    assert inside == 0
    most = 0
    await asyncio.gather(*(send(4) for _ in range(9)))
    assert most == 8


async def test_who_gives_up_waiting_lets_the_next_one_in() -> None:
    room, entered = Room(10), list[int]()

    async def send(amount: int, wait: float) -> None:
        async with room.taken(amount):
            entered.append(amount)
            await asyncio.sleep(wait)

    first = asyncio.create_task(send(9, 60))
    await asyncio.sleep(0)
    large, small = asyncio.create_task(send(8, 0)), asyncio.create_task(send(1, 0))
    await asyncio.sleep(0)
    assert entered == [9], "first come, first served: a small one overtakes no large one"
    large.cancel()
    await small
    first.cancel()
    async with asyncio.timeout(5), room.taken(10):
        assert entered == [9, 1]
    async with room.taken(99), room.taken(0):
        assert entered == [9, 1], "what holds no video never waits"


def test_room_that_a_closed_loop_held_is_free_again() -> None:
    room = Room(10)

    async def hold() -> None:
        async with room.taken(10):
            await asyncio.sleep(60)

    async def left() -> None:
        task = asyncio.create_task(hold())
        await asyncio.sleep(0)
        task.cancel()

    async def pass_by() -> bool:
        async with asyncio.timeout(5), room.taken(10):
            return True

    asyncio.run(left())
    assert asyncio.run(pass_by())


def test_tokens_of_a_video_are_those_of_its_pictures(tmp_path: Path) -> None:
    path = tmp_path / "wax.mp4"
    path.write_bytes(b"x")
    usage = estimate_usage([HumanMessage([block_of(path, frames=7)])], "")
    assert usage.input_tokens == 7 * TOKENS_PER_IMAGE + 4
