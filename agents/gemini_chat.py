"""ChatGoogleGenerativeAI that is handed the names of videos and sends the videos."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_google_genai import ChatGoogleGenerativeAI
from pydantic import PrivateAttr

from agents.gemini_files import UploadedFiles
from agents.sdk_errors import status_of
from agents.video_files import Room, filled, read_video, video_blocks

__all__ = ["GeminiChat"]


class GeminiChat(ChatGoogleGenerativeAI):
    """Gemini's chat model; a video goes inside the request, or as an uploaded file."""

    _files: UploadedFiles = PrivateAttr()
    _room: Room = PrivateAttr(default_factory=Room)

    def model_post_init(self, context: Any, /) -> None:
        """Make ready to upload; nothing is sent."""
        super().model_post_init(context)
        self._files = UploadedFiles(lambda: self.async_client, tries=max(1, self.max_retries))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        try:
            async with self._sent(messages) as whole:
                return await super()._agenerate(whole, stop, run_manager, **kwargs)
        except Exception as error:
            if not self._lost(error, messages):
                raise
        async with self._sent(messages) as whole:
            return await super()._agenerate(whole, stop, run_manager, **kwargs)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        async with self._sent(messages) as whole:
            async for chunk in super()._astream(whole, stop, run_manager, **kwargs):
                yield chunk

    @asynccontextmanager
    async def _sent(self, messages: list[BaseMessage]) -> AsyncGenerator[list[BaseMessage]]:
        """The conversation with the videos in it, as long as the request takes."""
        blocks = video_blocks(messages)
        if not blocks:
            yield messages
            return
        inline = sum(int(block["size"]) for block in blocks if block["delivery"] == "inline")
        async with self._room.taken(inline):
            yield await filled(messages, self._media)

    async def _media(self, block: dict[str, Any]) -> dict[str, Any]:
        """A video as langchain-google-genai wants it; its own kind of block for videos drops the rate."""
        metadata: dict[str, Any] = {"fps": block["fps"]}
        metadata |= {
            name: f"{block[name]:.3f}s" for name in ("start_offset", "end_offset") if block[name] is not None
        }
        made = {"type": "media", "mime_type": block["mime_type"], "video_metadata": metadata}
        if block["delivery"] == "inline":
            return {**made, "data": await read_video(block)}
        return {**made, "file_uri": await self._files.uri(block)}

    def _lost(self, error: Exception, messages: list[BaseMessage]) -> bool:
        """Whether the service no longer has a file that was uploaded; it is forgotten then."""
        status, said = status_of(error), str(error).lower()
        if status not in (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND) or " file" not in said:
            return False
        forgotten = [self._files.forget(block) for block in video_blocks(messages)]
        return any(forgotten)

    async def aclose(self) -> None:
        """Delete uploaded videos and close the connections; the model can't be asked afterwards."""
        await self._files.close()
        await super().aclose()
