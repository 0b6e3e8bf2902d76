"""Videos that are too large for a request: uploaded once, used by every call, deleted at the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from agents.errors import MetaphorBoostError, ProviderError, UserError
from agents.video_files import check_unchanged

if TYPE_CHECKING:
    from google.genai.client import AsyncClient
    from google.genai.types import File, HttpOptionsDict, HttpRetryOptionsDict

__all__ = ["UploadedFiles"]

KEPT = timedelta(hours=48)
"""How long the Files API keeps a file (ai.google.dev/gemini-api/docs/files)."""

_MARGIN = timedelta(hours=1)  # before a file expires, so that no call in flight loses it
_NO_SUCH = frozenset({404, 405, 501})
_PAUSES = (0.5, 1.0, 2.0, 5.0)  # seconds between looks at a file in processing; the last one repeats
_FAREWELL = 10.0  # seconds that deleting may take


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class _Uploaded:
    name: str
    uri: str
    expires: datetime


class UploadedFiles:
    """The uploads of one model, by the digest of the file. Calls that want the same one share it.

    Args:
        client: the SDK's asynchronous client, asked for at each use.
        tries: how often a request that fails is made; a part of a file's content has the SDK's own tries.
        deadline: seconds that the service may take to process a file.
        pauses: seconds between looks at a file in processing; the last one repeats.
        clock: tells the time, in UTC.
    """

    def __init__(
        self,
        client: Callable[[], AsyncClient],
        *,
        tries: int = 1,
        deadline: float = 300.0,
        pauses: tuple[float, ...] = _PAUSES,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._client = client
        again = {"attempts": tries, "initial_delay": pauses[0], "jitter": pauses[0]}
        self._patience: HttpOptionsDict = {"retry_options": cast("HttpRetryOptionsDict", again)}
        self._deadline = deadline
        self._pauses = pauses
        self._clock = clock
        self._uploads: dict[str, asyncio.Task[_Uploaded]] = {}
        self._there: dict[str, _Uploaded] = {}

    async def uri(self, block: dict[str, Any]) -> str:
        """The address by which the service knows a file; uploads it where it is not there yet.

        Raises:
            UserError: when the service can't process the file or takes no files, or the file has changed.
            ProviderError: when it is not processed in time.
        """
        digest = str(block["digest"])
        there = self._there.get(digest)
        if there is not None and there.expires - _MARGIN > self._clock():
            return there.uri
        task = self._uploads.get(digest)
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            task = asyncio.create_task(self._upload(block))
            self._uploads[digest] = task
            task.add_done_callback(lambda done: self._settle(digest, done))
        try:
            # Shielded: a sample that is cancelled takes the upload from none of the others.
            return (await asyncio.shield(task)).uri
        except asyncio.CancelledError:
            own = asyncio.current_task()
            if own is not None and own.cancelling():
                raise
            raise ProviderError(f"{block['path']}: the upload was given up.") from None

    def _settle(self, digest: str, done: asyncio.Task[_Uploaded]) -> None:
        if self._uploads.get(digest) is done:
            del self._uploads[digest]
        if not done.cancelled() and done.exception() is None:
            self._there[digest] = done.result()

    def forget(self, block: dict[str, Any]) -> bool:
        """Forget a file that the service no longer knows; whether there was one."""
        return self._there.pop(str(block["digest"]), None) is not None

    async def _upload(self, block: dict[str, Any]) -> _Uploaded:
        await check_unchanged(block)
        path = str(block["path"])
        try:
            file = await self._send(block)
        except MetaphorBoostError:
            raise
        except OSError as error:
            if isinstance(error, ConnectionError | TimeoutError):
                raise
            raise UserError(f"--input video: {path} can't be read: {error.strerror or error}.") from error
        except (KeyError, ValueError) as error:  # what the SDK makes of answers out of shape
            raise ProviderError(f"{path}: the upload to Gemini's Files API failed: {error}") from error
        except Exception as error:
            if getattr(error, "code", None) not in _NO_SUCH:
                raise
            raise UserError(
                f"--input video: {path} has {block['size'] / 1e6:.1f} MB, too many for one request, and this "
                "server takes no uploaded files. Use --input frames, or Gemini's own service."
            ) from error
        return await self._processed(file, path)

    async def _send(self, block: dict[str, Any]) -> File:
        # An open file, not its path: the SDK would put the name, whatever its characters, into a header.
        with await asyncio.to_thread(Path(str(block["path"])).open, "rb") as content:
            file = await self._client().files.upload(
                file=content, config={"mime_type": str(block["mime_type"]), "http_options": self._patience}
            )
        try:
            await check_unchanged(block)  # it took its time: what came may be a mixture of two contents
        except BaseException:
            await asyncio.shield(self._delete(file.name or ""))
            raise
        return file

    async def _processed(self, file: File, path: str) -> _Uploaded:
        """Wait until the service has processed a file; one that it can't use is deleted."""
        name = file.name or ""
        try:
            async with asyncio.timeout(self._deadline):
                number = 0
                while _state(file) == "PROCESSING":
                    await asyncio.sleep(self._pauses[min(number, len(self._pauses) - 1)])
                    file = await self._client().files.get(name=name, config={"http_options": self._patience})
                    number += 1
        except TimeoutError as error:
            await self._delete(name)
            raise ProviderError(
                f"{path}: Gemini has not processed the uploaded video within {self._deadline:g} s."
            ) from error
        except BaseException:  # given up, or the service can't be asked any more
            await asyncio.shield(self._delete(name))
            raise
        if _state(file) != "ACTIVE" or not file.uri:
            why = (file.error.message if file.error else None) or f"its state is {_state(file)}"
            await self._delete(name)
            raise UserError(
                f"--input video: {path}: Gemini could not process the file ({why}). Use --input frames."
            )
        return _Uploaded(name, file.uri, file.expiration_time or self._clock() + KEPT)

    async def _delete(self, name: str) -> None:
        with contextlib.suppress(Exception):  # what stays behind expires by itself
            async with asyncio.timeout(_FAREWELL):
                await self._client().files.delete(name=name)

    async def close(self) -> None:
        """Delete what was uploaded. What can't be deleted expires by itself."""
        loop = asyncio.get_running_loop()
        waiting = [task for task in self._uploads.values() if task.get_loop() is loop]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        there, self._there = list(self._there.values()), {}
        await asyncio.gather(*(self._delete(each.name) for each in there))


def _state(file: File) -> str:
    """The state by its name; a stand-in's server that tells none has the file ready."""
    return str(getattr(file.state, "value", file.state) or "ACTIVE").removeprefix("FileState.")
