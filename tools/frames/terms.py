"""The words of frame reading: what is asked (Sampling), what is read (Source), what comes back (FrameSet)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

__all__ = [
    "MAX_PIXELS",
    "Choose",
    "Fault",
    "Frame",
    "FrameSet",
    "Reader",
    "Reading",
    "Sampling",
    "Source",
    "is_too_large",
]

MAX_PIXELS = 8192 * 4608
"""Pixels of the largest picture that is decoded: above 8K video, below what a decompression bomb needs."""

Choose = Callable[[Sequence[float], int], list[int]]
"""Picks frames: (timestamps in seconds, ascending; at most how many) -> indices, ascending, each once."""


class Fault(Exception):  # noqa: N818 - what is wrong with the file, not an error of the program
    """What is wrong with a video or folder, in a few words; callers get a `FrameError` that adds the path."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which frames are taken, and how they are encoded.

    Attributes:
        max_frames: at most so many frames, evenly spread in time. With 1, the first frame alone.
        max_side: the longer side of a frame in pixels, at most; smaller pictures are never enlarged.
        quality: JPEG quality, 1 to 100.
        reader: "auto" or "pyav" (PyAV), "decord", or the "module:attribute" of a `Reader` of your own.
            Folders and WebP always go through Pillow, except with a reader of your own.

    Raises:
        ToolboxError: if a value is out of its range.
    """

    max_frames: int = 50
    max_side: int = 1024
    quality: int = 85
    reader: str = "auto"

    def __post_init__(self) -> None:
        """Check the ranges, so that a typing error is found before a video is opened."""
        problem = ""
        if self.max_frames < 1:
            problem = f"max_frames must be at least 1, not {self.max_frames}"
        elif self.max_side < 1:
            problem = f"max_side must be at least 1 pixel, not {self.max_side}"
        elif not 1 <= self.quality <= 100:  # noqa: PLR2004 - JPEG's own range
            problem = f"quality must be from 1 to 100, not {self.quality}"
        elif self.reader not in ("auto", "pyav", "decord") and ":" not in self.reader:
            problem = f'unknown reader "{self.reader}": use "auto", "pyav", "decord" or "module:attribute"'
        if problem:
            from tools.errors import ToolboxError

            raise ToolboxError(problem)


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder that passed the first checks.

    Attributes:
        path: absolute path.
        kind: "video" (a file for a video library), "webp" (a file for Pillow) or "folder" (of pictures).
    """

    path: str
    kind: Literal["video", "webp", "folder"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a video.

    Attributes:
        ordinal: place in the order of display, from 0: the frame's number in the video or folder.
        timestamp: seconds since the first frame that is shown.
        jpeg: the picture, upright, as a JPEG file.
        width: pixels, after scaling and rotation.
        height: pixels, after scaling and rotation.
    """

    ordinal: int
    timestamp: float
    jpeg: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader hands back: the frames by time, the duration in seconds, and what it noticed."""

    frames: tuple[Frame, ...]
    duration: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrameSet:
    """The frames of one video, in the order of time.

    Attributes:
        source: the path, as it was given.
        digest: hex SHA-256 over the content of the file (or of the folder's files) and the sampling: a key
            for caches and run records.
        duration: seconds from the first frame shown to the end of the last.
        reader: what decoded it: "pyav", "decord", "pillow", "folder" or the name of a plugged-in reader.
        frames: the first frame, the last one, and those between.
        warnings: what a reader noticed and got over, e.g. "damaged: ...".
    """

    source: str
    digest: str
    duration: float
    reader: str
    frames: tuple[Frame, ...]
    warnings: tuple[str, ...] = ()


class Reader(Protocol):
    """A way to get frames out of a source; runs inside the decoding process."""

    def __call__(self, source: Source, sampling: Sampling, choose: Choose) -> Reading:
        """Read the frames that `choose` picks.

        Raises:
            Fault: if no frame can be had. (Any other exception is reported as the reader's failure.)
        """
        ...


def is_too_large(width: int, height: int) -> str:
    """The fault of a picture of this size, or an empty string if it may be decoded."""
    if width * height <= MAX_PIXELS:
        return ""
    return f"{width}x{height} is larger than the {MAX_PIXELS / 1e6:.0f} megapixels that are decoded"
