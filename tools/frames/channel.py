"""How parent and worker talk: pickles over a pipe, each behind its length."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import BinaryIO

from tools.frames.terms import FrameSet, Sampling, Source

__all__ = ["Answer", "Task", "receive", "send"]

_LENGTH = struct.Struct(">Q")


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is to read; `name` is the path as the caller gave it, `deadline` is in seconds."""

    source: Source
    name: str
    sampling: Sampling
    deadline: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a task: the frames, or the fault and where in the reader it arose.

    Attributes:
        frames: the frames, unless there is a fault.
        fault: what is wrong with the file; empty if nothing is.
        trace: the reader's traceback, for the cases that its author should see.
        is_worn: whether the worker should be replaced, since it ran out of memory.
    """

    frames: FrameSet | None = None
    fault: str = ""
    trace: str = ""
    is_worn: bool = False


TAKEN = "taken"
"""The word that a task was taken. Without it, a process's death says nothing of the file."""


def send(pipe: BinaryIO, message: object) -> None:
    """Write one message.

    Raises:
        OSError: if the other side is gone.
    """
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(body)) + body)
    pipe.flush()


def receive(pipe: BinaryIO) -> object:
    """Read one message; waits for it.

    Raises:
        EOFError: if the other side is gone, even in the middle of a message.
    """
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    # Both sides run our own code; nothing read from a video is ever unpickled.
    return pickle.loads(_exactly(pipe, length))  # noqa: S301


def _exactly(pipe: BinaryIO, length: int) -> bytes:
    body = pipe.read(length)
    if len(body) < length:
        raise EOFError
    return body
