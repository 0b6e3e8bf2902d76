"""Videos really sent: inside a request, as an uploaded file, and as a data URL."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from agents.asked import KeywordAnswer
from agents.errors import MetaphorBoostError, ModelUnavailableError, ProviderError, UserError
from agents.gemini_chat import GeminiChat
from agents.gemini_files import UploadedFiles
from agents.models import close_chat_model, open_chat_model
from agents.structured import structured
from agents.video_input import VideoSheet, with_video
from agents.watched import WatchedVideo
from tests.servers.gemini_like import GeminiLike
from tests.servers.openai_like import OpenAILike

CONTENT = bytes(range(256)) * 40
GeminiServer = Callable[..., GeminiLike]
OpenAIServer = Callable[..., OpenAILike]


def asked(path: Path, delivery: str, **changed: Any) -> list[BaseMessage]:
    content = path.read_bytes()
    watched = WatchedVideo.model_validate(
        {
            "digest": hashlib.sha256(content).hexdigest(),
            "mime_type": "video/mp4",
            "size": len(content),
            "duration": 12.5,
            "delivery": delivery,
            "fps": 0.8,
            "frames": 11,
            "method": "uniform",
            **changed,
        }
    )
    sheet = VideoSheet(str(path), watched)
    prompt = "<keywords>\ncandle\nempty chair\n</keywords>"
    return [SystemMessage("You read metaphors."), with_video(prompt, sheet)]


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "kérze\n100%.mp4"
    path.write_bytes(CONTENT)
    return path


@asynccontextmanager
async def opened(server: GeminiLike, **uploading: Any) -> AsyncGenerator[GeminiChat]:
    model = open_chat_model("google_genai:gemini-pretend", base_url=server.base_url, max_retries=0)
    chat = cast("GeminiChat", model)
    if uploading:
        settings: dict[str, Any] = {"pauses": (0.01,), **uploading}
        chat._files = UploadedFiles(  # pyright: ignore[reportPrivateUsage]
            lambda: chat.async_client, **settings
        )
    yield chat
    await close_chat_model(chat)


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 - it happens in a server's thread
            await asyncio.sleep(0.01)


async def test_gemini_gets_a_small_video_inside_the_request(clip: Path, gemini_server: GeminiServer) -> None:
    server = gemini_server()
    async with opened(server) as model:
        told = asked(clip, "inline", start_offset=1.5, end_offset=14.0)
        answer = await structured(model, told, KeywordAnswer, name="gemini")
    assert answer.value.keywords == ["candle", "empty chair"]
    (video,) = server.asks[0].videos
    assert base64.urlsafe_b64decode(video["inlineData"]["data"]) == CONTENT
    assert video["inlineData"]["mimeType"] == "video/mp4"
    assert video["videoMetadata"] == {"fps": 0.8, "startOffset": "1.500s", "endOffset": "14.000s"}
    assert server.files.begun == 0
    parts = server.bodies[0]["contents"][0]["parts"]
    assert [sorted(part) for part in parts] == [["inlineData", "videoMetadata"], ["text"], ["text"]]
    assert "lasts 12.50 s" in parts[1]["text"]


async def test_gemini_gets_a_large_video_as_a_file_that_is_deleted_at_the_end(
    clip: Path, gemini_server: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("google.genai._api_client.CHUNK_SIZE", 4096)
    server = gemini_server("slow_files")
    async with opened(server, deadline=30.0) as model:
        answer = await structured(model, asked(clip, "upload"), KeywordAnswer, name="gemini")
        assert server.files.kept == {"clip1": CONTENT}
        assert server.files.parts == {"clip1": [4096, 4096, 2048]}
    assert answer.value.keywords == ["candle", "empty chair"]
    (video,) = server.asks[0].videos
    assert video["fileData"] == {"fileUri": f"{server.root}/v1beta/files/clip1", "mimeType": "video/mp4"}
    assert video["videoMetadata"] == {"fps": 0.8}
    assert server.files.looks["clip1"] == 2, "it was in processing at first"
    assert not any("100%" in value or "file-name" in name for name, value in server.files.headers[0].items())
    assert (server.files.deleted, server.files.kept) == (["clip1"], {})


async def test_calls_that_show_the_same_video_share_one_upload(
    clip: Path, tmp_path: Path, gemini_server: GeminiServer
) -> None:
    server = gemini_server("slow_files")
    copy, other = tmp_path / "copy.mp4", tmp_path / "other.mp4"
    copy.write_bytes(CONTENT)
    other.write_bytes(CONTENT[:-1])
    async with opened(server, deadline=30.0) as model:
        told = [asked(path, "upload") for path in (clip, clip, copy, clip, other)]
        await asyncio.gather(*(model.ainvoke(each) for each in told))
        await model.ainvoke(asked(clip, "upload"))
        assert server.files.begun == 2, "one for each content"
    assert sorted(server.files.deleted) == ["clip1", "clip2"]


async def test_a_cancelled_sample_takes_the_upload_from_none(clip: Path, gemini_server: GeminiServer) -> None:
    server = gemini_server("slow_files")
    async with opened(server, deadline=30.0, pauses=(0.2,)) as model:
        first = asyncio.create_task(model.ainvoke(asked(clip, "upload")))
        second = asyncio.create_task(model.ainvoke(asked(clip, "upload")))
        await until(lambda: server.files.begun > 0)
        first.cancel()
        await second
        with pytest.raises(asyncio.CancelledError):
            await first
    assert server.files.begun == 1


async def test_closing_ends_an_upload_and_leaves_nothing_behind(
    clip: Path, gemini_server: GeminiServer
) -> None:
    server = gemini_server("stuck_files")
    async with opened(server, deadline=60.0) as model:
        waiting = asyncio.create_task(model.ainvoke(asked(clip, "upload")))
        await until(lambda: server.files.looks.get("clip1", 0) > 0)
    with pytest.raises(ProviderError, match="the upload was given up"):
        await waiting
    assert server.files.kept == {}


@pytest.mark.parametrize(
    ("behaviour", "error", "words"),
    [
        ("bad_files", UserError, ["could not process the file (no frame could be read)", "--input frames"]),
        ("stuck_files", ProviderError, ["has not processed the uploaded video within 0.1 s"]),
        ("no_files", UserError, ["0.0 MB", "takes no uploaded files", "--input frames"]),
    ],
)
async def test_an_upload_that_comes_to_nothing_is_told(
    behaviour: str, error: type[Exception], words: list[str], clip: Path, gemini_server: GeminiServer
) -> None:
    server = gemini_server(behaviour)
    async with opened(server, deadline=0.1) as model:
        with pytest.raises(error) as caught:
            await structured(model, asked(clip, "upload"), KeywordAnswer, name="gemini")
        assert not isinstance(caught.value, ModelUnavailableError), "other samples may do better"
    assert not [word for word in [str(clip.name), *words] if word not in str(caught.value)], str(caught.value)
    assert server.asks == []
    assert server.files.kept == {}


async def test_a_failed_upload_is_tried_again_by_the_next_call(
    clip: Path, gemini_server: GeminiServer
) -> None:
    server = gemini_server("bad_files")
    async with opened(server, deadline=30.0) as model:
        for told in (asked(clip, "upload"), asked(clip, "upload")):
            with pytest.raises(MetaphorBoostError):
                await structured(model, told, KeywordAnswer, name="gemini")
        server.behaviours.clear()
        await model.ainvoke(asked(clip, "upload"))
    assert server.files.begun == 3


async def test_a_file_that_expires_soon_is_uploaded_again(clip: Path, gemini_server: GeminiServer) -> None:
    server = gemini_server()
    now = datetime.now(UTC)
    async with opened(server, clock=lambda: now) as model:
        await model.ainvoke(asked(clip, "upload"))
        now += timedelta(hours=46)
        await model.ainvoke(asked(clip, "upload"))
        assert server.files.begun == 1
        now += timedelta(hours=1, minutes=30)
        await model.ainvoke(asked(clip, "upload"))
        assert server.files.begun == 2


async def test_a_file_that_the_service_lost_is_uploaded_again(
    clip: Path, gemini_server: GeminiServer
) -> None:
    server = gemini_server("loses_file_once")
    async with opened(server) as model:
        answer = await structured(model, asked(clip, "upload"), KeywordAnswer, name="gemini")
    assert (answer.value.keywords, answer.attempts) == (["candle", "empty chair"], 1)
    assert server.files.begun == 2


async def test_a_changed_file_is_not_uploaded(clip: Path, gemini_server: GeminiServer) -> None:
    server = gemini_server()
    told = asked(clip, "upload")
    clip.write_bytes(b"other")
    async with opened(server) as model:
        with pytest.raises(UserError, match="no longer what it was"):
            await structured(model, told, KeywordAnswer, name="gemini")
    assert server.files.begun == 0


async def test_gemini_streams_what_it_is_asked_of_a_video(clip: Path, gemini_server: GeminiServer) -> None:
    server = gemini_server()
    async with opened(server) as model:
        told = [chunk async for chunk in model.astream(asked(clip, "inline"))]
    assert "".join(str(chunk.text) for chunk in told) == "The light fades while nobody comes."
    assert base64.urlsafe_b64decode(server.asks[0].videos[0]["inlineData"]["data"]) == CONTENT


@pytest.mark.parametrize(
    ("changed", "sampling"),
    [({}, {"num_frames": 11}), ({"method": "fps"}, {"num_frames": 11, "fps": 0.8})],
)
async def test_a_server_like_vllm_gets_a_data_url_and_how_to_sample(
    changed: dict[str, Any], sampling: dict[str, Any], clip: Path, openai_server: OpenAIServer
) -> None:
    server = openai_server()
    model = open_chat_model("openai:pretend", base_url=server.base_url, max_retries=0, max_tokens=99)
    answer = await structured(model, asked(clip, "url", **changed), KeywordAnswer, name="openai:pretend")
    streamed = [chunk async for chunk in model.astream(asked(clip, "url", **changed))]
    await close_chat_model(model)
    assert answer.value.keywords == ["candle", "empty chair"]
    assert streamed
    for body, ask in zip(server.bodies, server.asks, strict=True):
        (video,) = ask.videos
        kind, _, data = video["video_url"]["url"].partition(";base64,")
        assert kind == "data:video/mp4"
        assert base64.b64decode(data) == CONTENT
        assert body["media_io_kwargs"] == {"video": sampling}
        assert body["max_tokens"] == 99
    assert server.bodies[0]["response_format"]["type"] == "json_schema"


async def test_requests_without_a_video_are_what_they_were(openai_server: OpenAIServer) -> None:
    server = openai_server()
    model = open_chat_model("openai:pretend", base_url=server.base_url, max_retries=0)
    await model.ainvoke([HumanMessage("?")])
    await close_chat_model(model)
    assert "media_io_kwargs" not in server.bodies[0]


async def test_a_server_that_takes_no_video_is_told_of_with_the_way_out(
    clip: Path, openai_server: OpenAIServer
) -> None:
    server = openai_server("no_video")
    model = open_chat_model("openai:pretend", base_url=server.base_url, max_retries=0)
    with pytest.raises(UserError, match="give --input frames"):
        await structured(model, asked(clip, "url"), KeywordAnswer, name="openai:pretend")
    await close_chat_model(model)


async def test_a_server_that_refuses_to_be_told_how_to_sample_gets_the_video_alone(
    clip: Path, openai_server: OpenAIServer
) -> None:
    server = openai_server("strict_fields")
    model = open_chat_model("openai:pretend", base_url=server.base_url, max_retries=0)
    for _ in range(2):
        answer = await structured(model, asked(clip, "url"), KeywordAnswer, name="openai:pretend")
        assert answer.value.keywords == ["candle", "empty chair"]
    await close_chat_model(model)
    assert ["media_io_kwargs" in body for body in server.bodies] == [True, False, False]
