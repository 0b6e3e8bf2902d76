"""Uploads to Gemini's Files API that go wrong on the way: nothing wrong is used, nothing is left behind."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from agents.errors import UserError
from agents.gemini_chat import GeminiChat
from agents.gemini_files import UploadedFiles
from agents.models import close_chat_model, open_chat_model
from tests.servers.gemini_like import GeminiLike
from tests.servers.loopback import Request, Response

CONTENT = bytes(range(256)) * 40
GeminiServer = Callable[..., GeminiLike]


@pytest.fixture
def block(tmp_path: Path) -> dict[str, Any]:
    """A block that names a video of ten kilobytes."""
    path = tmp_path / "clip.mp4"
    path.write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    return {"path": str(path), "digest": digest, "mime_type": "video/mp4", "size": len(CONTENT)}


@asynccontextmanager
async def uploads(server: GeminiLike, tries: int) -> AsyncGenerator[UploadedFiles]:
    """The uploads of a model, closed at the end without deleting anything."""
    model = open_chat_model("google_genai:gemini-pretend", base_url=server.base_url)
    assert isinstance(model, GeminiChat)
    yield UploadedFiles(lambda: model.async_client, tries=tries, pauses=(0.01,))
    await close_chat_model(model)


@pytest.mark.parametrize("step", ["POST", "GET"])
async def test_a_service_that_is_busy_once_is_asked_again(
    step: str, block: dict[str, Any], gemini_server: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = gemini_server("slow_files")
    usual, failures = server.files.answer, [Response({"error": {"code": 503, "message": "busy"}}, status=503)]

    def answer(request: Request) -> Response:
        return failures.pop() if failures and request.method == step else usual(request)

    monkeypatch.setattr(server.files, "answer", answer)
    async with uploads(server, tries=2) as files:
        assert await files.uri(block) == f"{server.root}/v1beta/files/clip1"
    assert (failures, server.files.kept) == ([], {"clip1": CONTENT})


async def test_a_file_that_can_not_be_asked_after_is_deleted(
    block: dict[str, Any], gemini_server: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from google.genai.errors import ServerError

    server = gemini_server("slow_files")
    usual = server.files.answer

    def answer(request: Request) -> Response:
        if request.method == "GET":
            return Response({"error": {"code": 503, "message": "busy"}}, status=503)
        return usual(request)

    monkeypatch.setattr(server.files, "answer", answer)
    async with uploads(server, tries=2) as files:
        with pytest.raises(ServerError, match="busy"):
            await files.uri(block)
        assert (server.files.deleted, server.files.kept) == (["clip1"], {})
    assert [request.method for request in server.requests].count("GET") == 2


async def test_a_file_that_changes_on_its_way_up_is_deleted(
    block: dict[str, Any], gemini_server: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = gemini_server()
    usual = server.files.answer

    def answer(request: Request) -> Response:
        if request.path.startswith("/upload/"):
            Path(block["path"]).write_bytes(CONTENT[:-1] + b"!")
        return usual(request)

    monkeypatch.setattr(server.files, "answer", answer)
    async with uploads(server, tries=1) as files:
        with pytest.raises(UserError, match="no longer what it was when the sample began"):
            await files.uri(block)
        assert (server.files.begun, server.files.deleted, server.files.kept) == (1, ["clip1"], {})


async def test_an_upload_is_tried_once_since_the_whole_call_is_tried_again(
    gemini_server: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    usual = UploadedFiles.__init__

    def init(self: UploadedFiles, *args: Any, tries: int, **more: Any) -> None:
        told.append(tries)
        usual(self, *args, tries=tries, **more)

    monkeypatch.setattr(UploadedFiles, "__init__", init)
    for retries in (0, 3):
        model = open_chat_model(
            "google_genai:pretend", base_url=gemini_server().base_url, max_retries=retries
        )
        await close_chat_model(model)
    assert told == [1, 1]
