"""Frames of a video: at most N pictures, spread over its time or its shots, first and last included.

    from tools.frames import Sampling, read_frames

    clip = read_frames("clip.mp4", Sampling(max_frames=16))
    clip.frames[0].jpeg, clip.frames[-1].timestamp

A video file or a folder of pictures goes in, a `FrameSet` comes out, or a `tools.errors.FrameError` that
names the file and its fault. Decoding happens in another process, under a deadline and a memory limit, so a
hostile file can neither hang nor crash the caller. Importing this package loads no video library.

The reader is PyAV (`reader="auto"`), since it is right on more files than decord and costs less; decord is
there for those who ask for it (`reader="decord"`), on the files where a look at the packets finds it safe;
elsewhere it is refused, or with `reader_fallback=True` PyAV steps in and a warning says so.

`Sampling(method="shots")` looks for cuts first and lets no shot out. `cache=FrameCache()` keeps the encoded
frames, so that the next program that wants the same ones of the same content decodes nothing.
"""

from __future__ import annotations

from tools.frames.ahead import afetch_frames
from tools.frames.cache import FrameCache
from tools.frames.reading import aread_frames, frames_digest, read_frames
from tools.frames.terms import Choose, Fault, Frame, FrameSet, Reader, Reading, Refused, Sampling, Source

__all__ = [
    "Choose",
    "Fault",
    "Frame",
    "FrameCache",
    "FrameSet",
    "Reader",
    "Reading",
    "Refused",
    "Sampling",
    "Source",
    "afetch_frames",
    "aread_frames",
    "frames_digest",
    "read_frames",
]
