"""The process that decodes: takes tasks on its standard input, answers on its standard output.

It knows nothing of the program it serves, so a decoder that crashes, hangs or eats memory takes down this
process only. It ends when its standard input closes, that is at the latest with its parent.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import threading
import traceback
from dataclasses import replace
from queue import SimpleQueue
from typing import BinaryIO, cast

from tools.frames.channel import TAKEN, Answer, Task, receive, send
from tools.frames.cuts import cut_times
from tools.frames.digest import digest_of
from tools.frames.readers import reader_for
from tools.frames.sampling import chooser, shot_of
from tools.frames.terms import Choose, Fault, FrameSet, Reading, Refused

__all__ = ["answer", "serve"]

_GRACE = 10.0
"""Seconds after the deadline at which a worker ends itself, should its parent not have done so."""


def serve(memory: int) -> None:
    """Answer tasks until the parent closes the pipe.

    Args:
        memory: bytes of address space that the process may take, where the system can limit it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests, replies = _own_pipes()
    _limit_memory(memory)
    tasks: SimpleQueue[Task] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, tasks), daemon=True).start()
    while True:
        task = tasks.get()
        send(replies, TAKEN)
        # faulthandler's timer runs without the interpreter, so it ends even a decoder that blocks Python.
        faulthandler.dump_traceback_later(task.deadline + _GRACE, exit=True)
        reply = answer(task)
        faulthandler.cancel_dump_traceback_later()
        send(replies, reply)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Move the pipes away from the standard streams, where a library may write or read."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _limit_memory(memory: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has none, macOS may refuse
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _listen(requests: BinaryIO, tasks: SimpleQueue[Task]) -> None:
    try:
        while True:
            tasks.put(cast("Task", receive(requests)))
    except EOFError:
        os._exit(0)  # the parent is gone: end at once, even in the middle of a decoder's endless loop


def answer(task: Task) -> Answer:
    """Read one source; whatever goes wrong becomes an answer."""
    try:
        return Answer(_read(task))
    except Fault as fault:
        return Answer(fault=str(fault), trace=str(fault.__cause__ or ""))
    except MemoryError:
        trace = traceback.format_exc()
        return Answer(fault="it takes more memory than a decoder may have", trace=trace, is_worn=True)
    except OSError as error:
        return Answer(fault=error.strerror or str(error), trace=traceback.format_exc())
    except Exception as error:  # noqa: BLE001 - a hostile file can make a decoder raise anything
        fault = f"the reader {task.sampling.reader} failed: {type(error).__name__}: {error}"
        return Answer(fault=fault, trace=traceback.format_exc())


def _read(task: Task) -> FrameSet:
    source, sampling = task.source, task.sampling
    cuts = cut_times(source) if sampling.method == "shots" else None
    name, reading = _reading(task, chooser(sampling, cuts or ()))
    frames = reading.frames
    if not frames:
        raise Fault("no frame came out of it")
    if cuts is not None:
        frames = tuple(replace(frame, shot=shot_of(cuts, frame.timestamp)) for frame in frames)
    return FrameSet(
        source=task.name,
        digest=digest_of(source, sampling),
        duration=reading.duration,
        reader=name,
        frames=frames,
        warnings=reading.warnings,
        method=sampling.method,
        shots=None if cuts is None else len(cuts) + 1,
    )


def _reading(task: Task, choose: Choose) -> tuple[str, Reading]:
    """What the reader gives, and its name; PyAV's if it refuses and a fall-back is allowed."""
    source, sampling = task.source, task.sampling
    name, reader = reader_for(source, sampling.reader)
    try:
        return name, reader(source, sampling, choose)
    except Refused as refusal:
        if not sampling.reader_fallback:
            fault = f"{refusal}: allow the fall-back to PyAV (--reader-fallback), or use --reader auto"
            raise Fault(fault) from refusal
        name, reader = reader_for(source, "auto")
        reading = reader(source, sampling, choose)
        told = f"{refusal}: read with PyAV instead"
        return name, replace(reading, warnings=(told, *reading.warnings))
