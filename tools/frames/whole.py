"""A video file as such: what has to be known of it before it is handed on whole."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from tools.errors import FrameError
from tools.frames.apart import apart
from tools.frames.container import open_video, scan
from tools.frames.digest import content_digest
from tools.frames.gops import shown_order
from tools.frames.probe import probe
from tools.frames.source import inspect
from tools.frames.terms import Fault, Source

__all__ = ["Clip", "aread_clip", "read_clip"]

_TYPES = {
    "avi": "video/x-msvideo",
    "flv": "video/x-flv",
    "mpeg": "video/mpeg",
    "mpegts": "video/mp2t",
    "asf": "video/x-ms-asf",
    "ogg": "video/ogg",
}
"""Registered types by FFmpeg's names of formats, where one name is one type."""

_PICTURES = ("gif", "apng", "image2", "jpegxl_anim", "avif")
_OURS = "frames can't be told"  # how a warning begins that concerns our own reader alone
_WAY_OUT = " that --input video could hand on: --input frames reads it"
_HEAD = 4096
_MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Clip:
    """What is known of a video file.

    Attributes:
        source: the path, as it was given.
        digest: hex SHA-256 of the file's bytes.
        size: bytes.
        container: the format's name.
        mime_type: its registered type; empty where it has none.
        duration: seconds from the first picture shown to the end of the last.
        start: seconds into the file, on a player's clock, at which the first picture is shown.
        length: seconds of the whole file, sound included; 0 when unknown.
        frames: pictures that are shown.
        rate: pictures a second on average; 0 of a single one.
        sound: whether it has a sound track.
        rotation: degrees clockwise by which it asks to be turned.
        warnings: what may surprise whoever decodes it.
    """

    source: str
    digest: str
    size: int
    container: str
    mime_type: str
    duration: float
    start: float
    length: float
    frames: int
    rate: float
    sound: bool
    rotation: int
    warnings: tuple[str, ...] = ()


def read_clip(path: str | os.PathLike[str], *, deadline: float = 60.0) -> Clip:
    """Look at a video file, in another process, under a deadline and a memory limit. Decodes one picture.

    A second look at the same unchanged file costs nothing.

    Raises:
        FrameError: naming the path and the fault: missing, empty, a special file, a folder, a moving picture
            that is no video, no video at all, encrypted, too large, not done in time.
    """
    name = os.fspath(path)
    try:
        source = _video_file(path)
        mark = os.stat(source.path)  # noqa: PTH116 - one look, whatever the path's type
        clip = _look(source, deadline, (mark.st_size, mark.st_mtime_ns, mark.st_ino))
    except Fault as fault:
        raise FrameError(name, str(fault)) from fault
    except OSError as error:
        raise FrameError(name, error.strerror or str(error)) from error
    return replace(clip, source=name)


async def aread_clip(path: str | os.PathLike[str], *, deadline: float = 60.0) -> Clip:
    """Look at a video file like `read_clip`, without blocking the event loop.

    Raises:
        FrameError: naming the path and the fault, as `read_clip` does.
    """
    import asyncio

    from tools.frames.pool import shared_pool

    # The threads that wait for decoders: a file that hangs keeps none that others of the program need.
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(shared_pool().threads, partial(read_clip, path, deadline=deadline))


def _video_file(path: str | os.PathLike[str]) -> Source:
    source = inspect(path)
    if source.kind != "video":
        kind = "a folder of pictures" if source.kind == "folder" else "a WebP picture"
        raise Fault(f"{kind}, no video file{_WAY_OUT}")
    return source


@lru_cache(maxsize=256)
def _look(source: Source, deadline: float, _mark: tuple[int, int, int]) -> Clip:
    return apart(_describe, source, deadline=deadline)


def _describe(source: Source) -> Clip:
    found = probe(source.path)
    if found.container.startswith(_PICTURES):
        raise Fault(f"a moving picture ({found.container}), no video file{_WAY_OUT}")
    start, length, brand = _clock(source.path)
    notes = [each for each in found.warnings if not each.startswith(_OURS)]
    if found.rotation or found.is_mirrored:
        mirrored = " and mirrored" if found.is_mirrored else ""
        turn = f"turned by {found.rotation} degrees{mirrored}"
        notes.append(f"it asks to be {turn}, which is left to who decodes it")
    if found.sound:
        notes.append("its sound is handed on too")
    return Clip(
        source=source.path,
        digest=content_digest(source),
        size=found.size,
        container=_name(found.container, brand, source.path),
        mime_type=_mime_type(found.container, brand, source.path),
        duration=found.duration,
        start=start,
        length=length,
        frames=found.frames,
        rate=found.rate,
        sound=bool(found.sound),
        rotation=found.rotation,
        warnings=tuple(notes),
    )


def _clock(path: str) -> tuple[float, float, str]:
    """When the first picture is shown and when the file ends, on a player's clock; and the major brand.

    Players, and FFmpeg's tools, count from the earliest start of any track.
    """
    track = scan(path)
    order = shown_order(track.packets)
    first = track.packets[order[0]].pts if order else None
    with open_video(path) as container:
        begin = (container.start_time or 0) / _MICRO
        length = (container.duration or 0) / _MICRO
        brand = container.metadata.get("major_brand", "").strip().lower()
    return max(0.0, float(first * track.tick) - begin) if first is not None else 0.0, length, brand


def _is_webm(path: str) -> bool:
    """WebM is Matroska whose header says so."""
    with Path(path).open("rb") as file:
        return b"webm" in file.read(_HEAD)


def _mime_type(container: str, brand: str, path: str) -> str:
    if container.startswith("matroska"):
        return "video/webm" if _is_webm(path) else "video/x-matroska"
    if container.startswith("mov"):
        if brand.startswith("qt") or not brand:
            return "video/quicktime"
        return "video/3gpp" if brand.startswith("3g") else "video/mp4"
    return _TYPES.get(container, "")


def _name(container: str, brand: str, path: str) -> str:
    kind = _mime_type(container, brand, path).partition("/")[2]
    return {"x-matroska": "Matroska (.mkv)", "mp2t": "MPEG transport stream"}.get(kind, container)
