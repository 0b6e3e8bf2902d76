"""Frames of a video: at most N pictures, evenly spread over its time, the first and the last among them.

    from tools.frames import Sampling, read_frames

    clip = read_frames("clip.mp4", Sampling(max_frames=16))
    clip.frames[0].jpeg, clip.frames[-1].timestamp

A video file or a folder of pictures goes in, a `FrameSet` comes out, or a `tools.errors.FrameError` that
names the file and its fault. Decoding happens in another process, under a deadline and a memory limit, so a
hostile file can neither hang nor crash the caller. Importing this package loads no video library.

The reader is PyAV (`reader="auto"`), since it is right on more files than decord and costs less; decord is
there for those who ask for it (`reader="decord"`), on the files where a look at the packets finds it safe.
"""

from __future__ import annotations

from tools.frames.reading import aread_frames, frames_digest, read_frames
from tools.frames.terms import Choose, Fault, Frame, FrameSet, Reader, Reading, Sampling, Source

__all__ = [
    "Choose",
    "Fault",
    "Frame",
    "FrameSet",
    "Reader",
    "Reading",
    "Sampling",
    "Source",
    "aread_frames",
    "frames_digest",
    "read_frames",
]
