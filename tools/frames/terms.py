"""The words of frame reading: what is asked (Sampling), what is read (Source), what comes back (FrameSet)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal, NamedTuple, Protocol, get_args

__all__ = [
    "GLANCE",
    "MAX_PIXELS",
    "Choose",
    "Fault",
    "Frame",
    "FrameSet",
    "Glance",
    "Method",
    "Reader",
    "Reading",
    "Refused",
    "Sampling",
    "Source",
    "is_too_large",
]

MAX_PIXELS = 8192 * 4608
"""Pixels of the largest picture that is decoded: above 8K video, below what a decompression bomb needs."""

GLANCE = 32
"""Width and height in pixels of a `Glance`."""

Choose = Callable[[Sequence[float], int], list[int]]
"""Picks frames: (timestamps in seconds, ascending; at most how many) -> indices, ascending, each once."""

Method = Literal["uniform", "shots", "fps"]
"""How the moments of the frames are chosen."""


class Fault(Exception):  # noqa: N818 - what is wrong with the file, not an error of the program
    """What is wrong with a video or folder, in a few words; callers get a `FrameError` that adds the path."""


class Refused(Fault):
    """Why one reader won't read a source that another may read: its words are the reason alone."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which frames are taken, and how they are encoded.

    Attributes:
        max_frames: at most so many frames, the first and the last among them. With 1, the first frame alone.
        max_side: the longer side of a frame in pixels, at most; smaller pictures are never enlarged.
        quality: JPEG quality, 1 to 100.
        reader: "auto" or "pyav" (PyAV), "decord", or the "module:attribute" of a `Reader` of your own.
            Folders and WebP always go through Pillow, except with a reader of your own.
        method: "uniform" spreads the frames evenly over time; "shots" finds the cuts first (one more pass
            over the video, at small size) and gives every shot its share, at least one frame; "fps" takes
            them at a fixed rate, lowered evenly where that would be more than `max_frames`.
        fps: frames a second of the method "fps".
        reader_fallback: where decord refuses a file, read it with PyAV and say so in a warning.

    Raises:
        ToolboxError: if a value is out of its range.
    """

    max_frames: int = 50
    max_side: int = 1024
    quality: int = 85
    reader: str = "auto"
    method: Method = "uniform"
    fps: float = 1.0
    reader_fallback: bool = False

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
        elif self.method not in get_args(Method):
            problem = f'unknown method "{self.method}": use "uniform", "shots" or "fps"'
        elif not (isfinite(self.fps) and self.fps > 0):
            problem = f"fps must be a number above 0, not {self.fps}"
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
        shot: number of its shot, from 0; None unless the method was "shots", since finding cuts takes a
            look at every picture.
    """

    ordinal: int
    timestamp: float
    jpeg: bytes
    width: int
    height: int
    shot: int | None = None


class Glance(NamedTuple):
    """A very small look at one picture of a video.

    Attributes:
        timestamp: seconds since the first frame that is shown.
        rgb: `GLANCE` rows of as many pixels of 3 bytes, whatever the picture's shape.
    """

    timestamp: float
    rgb: bytes


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
        method: how the frames were chosen.
        shots: how many shots the video has; None unless the method was "shots".
    """

    source: str
    digest: str
    duration: float
    reader: str
    frames: tuple[Frame, ...]
    warnings: tuple[str, ...] = ()
    method: Method = "uniform"
    shots: int | None = None


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
