"""Small pictures of a video's frames: from the frame cache, or decoded again."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from evals.report.gathering import Gathered, Group
from evals.report.settings import FramesPart

if TYPE_CHECKING:
    from tools.frames import FrameCache, FrameSet

__all__ = ["MANY", "Frames", "Strip", "Thumbnails"]

MANY = 200
"""Samples from which thumbnails are smaller, so that a page of a whole benchmark stays light."""

_LARGE, _SMALL = (320, 62), (208, 50)  # longer side in pixels, and quality
_WORKERS = 2


class Frames(StrEnum):
    """Where thumbnails may come from."""

    ALL = "all"
    """The frame cache, else the video is decoded again."""
    CACHED = "cached"
    """The frame cache alone."""
    NONE = "none"
    """No thumbnails."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The thumbnails of one video.

    Attributes:
        key: of the content; two videos with the same pictures have the same key.
        duration: of the video in seconds; 0 where that isn't known.
        pictures: (seconds, base64 of a WebP or JPEG file), by time.
        missing: why there are none; empty otherwise.
    """

    key: str = ""
    duration: float = 0.0
    pictures: tuple[tuple[float, str], ...] = ()
    missing: str = ""


class Thumbnails:
    """Makes strips, several at a time.

    Args:
        frames: where they may come from.
        each: pictures of a video, at most.
    """

    def __init__(self, frames: Frames = Frames.ALL, each: int = 8) -> None:
        self.frames = frames
        self.each = each

    def strips(self, gathered: Gathered, told: Callable[[int], None] = lambda _done: None) -> list[Strip]:
        """A strip for each group; one that can't be had says why.

        Args:
            gathered: what was read.
            told: is called with the number of videos that are done.
        """
        if self.frames is Frames.NONE:
            return [Strip(missing="Frames were left out of this report.")] * len(gathered.groups)
        side, quality = _SMALL if len(gathered.groups) > MANY else _LARGE
        pool, found = ThreadPoolExecutor(_WORKERS), list[Strip]()
        try:
            waiting = [pool.submit(self._strip, group, gathered, side, quality) for group in gathered.groups]
            for strip in waiting:
                found.append(strip.result())
                told(len(found))
        finally:
            pool.shutdown(cancel_futures=True)  # Ctrl-C waits for two videos, not for all
        return found

    def _strip(self, group: Group, gathered: Gathered, side: int, quality: int) -> Strip:
        from tools.errors import ToolboxError

        try:
            found = self._kept(group, gathered) or self._decoded(group, gathered, side)
        except ToolboxError as error:
            return Strip(missing=str(error))
        if isinstance(found, str):
            return Strip(missing=found)
        shown = [found.frames[i] for i in spread(len(found.frames), self.each)]
        pictures = [(round(frame.timestamp, 3), _small(frame.jpeg, side, quality)) for frame in shown]
        key = hashlib.sha256(b"".join(picture for _, picture in pictures)).hexdigest()
        encoded = tuple((seconds, base64.b64encode(picture).decode()) for seconds, picture in pictures)
        return Strip(key, round(found.duration, 3), encoded)

    def _kept(self, group: Group, gathered: Gathered) -> FrameSet | None:
        for place, records in group.runs.items():
            cache = _cache(gathered.runs[place].settings.spec.context.frames)
            for digest in dict.fromkeys(record.frames_digest for record in records):
                found = cache.get(digest, group.video_id) if _is_digest(digest) else None
                if found is not None and found.frames:
                    return found
        return None

    def _decoded(self, group: Group, gathered: Gathered, side: int) -> FrameSet | str:
        if group.video is None:
            return "The video was not found, so there are no frames to show."
        if self.frames is Frames.CACHED:
            return "Its frames are not in the frame cache; python -m evals.report decodes the video again."
        from tools.frames import FrameCache, Sampling, read_frames

        part = gathered.runs[min(group.runs)].settings.spec.context.frames
        sampling = Sampling(
            max_frames=part.max_frames, max_side=side, quality=90, method=part.method, fps=part.fps
        )
        return read_frames(group.video, sampling, cache=FrameCache() if part.cache else None)


def spread(count: int, limit: int) -> Sequence[int]:
    """At most ``limit`` indices of ``count`` things, evenly, the first and the last among them."""
    if count <= limit:
        return range(count)
    if limit == 1:
        return [0]
    return [round(i * (count - 1) / (limit - 1)) for i in range(limit)]


def _cache(part: FramesPart) -> FrameCache:
    from tools.frames import FrameCache

    return FrameCache(part.cache_dir)


def _is_digest(text: str) -> bool:
    """Whether a record's digest may be part of a path."""
    return len(text) == hashlib.sha256().digest_size * 2 and text.isalnum()


def _small(jpeg: bytes, side: int, quality: int) -> bytes:
    from PIL import Image, features

    with Image.open(io.BytesIO(jpeg)) as whole:
        whole.draft("RGB", (side * 2, side * 2))  # decodes at a fraction of the size
        picture = whole.convert("RGB")
    picture.thumbnail((side, side), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    if features.check("webp"):
        picture.save(file, "WEBP", quality=quality, method=4)
    else:
        picture.save(file, "JPEG", quality=quality, optimize=True)
    return file.getvalue()
