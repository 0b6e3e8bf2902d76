"""One function in a process of its own: a video that hangs, crashes or eats memory ends that process only."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

from tools.errors import ToolboxError
from tools.frames.terms import Fault

__all__ = ["apart", "serve"]

T = TypeVar("T")

# Not multiprocessing: its spawned children import the caller's main module.
_BOOT = "import json,sys; sys.path[:]=json.loads(sys.argv[1]); from tools.frames.apart import serve; serve()"
_MEMORY = 3 << 30
_GRACE = 10.0
"""Seconds after the deadline at which the process ends itself, should its parent be gone."""


def apart(work: Callable[..., T], *args: object, deadline: float, memory: int = _MEMORY) -> T:
    """Call `work(*args)` in a new process.

    Args:
        work: a function of a module's top level; arguments and result must pickle.
        args: its arguments.
        deadline: seconds after which the process is killed.
        memory: bytes of address space that it may take, where the system can limit it.

    Raises:
        Fault: what the function raised as one, and any other failure of it; the missed deadline, the crash.
        ToolboxError: what the function raised as one.
    """
    command = [sys.executable, "-P", "-c", _BOOT, json.dumps([str(Path(p).absolute()) for p in sys.path])]
    task = pickle.dumps((work, args, deadline, memory))
    with tempfile.TemporaryFile() as said:
        try:
            done = subprocess.run(  # noqa: S603 - our own module, no input of the user's
                command, input=task, stdout=subprocess.PIPE, stderr=said, timeout=deadline, check=False
            )
        except subprocess.TimeoutExpired:
            raise Fault(f"not done within {deadline:g} s: stopped") from None
        if done.returncode:
            raise _obituary(done.returncode, _last_words(said.fileno()))
    kind, value = cast("tuple[str, T | str]", pickle.loads(done.stdout))  # noqa: S301 - our own process
    if kind == "value":
        return cast("T", value)
    raise (ToolboxError if kind == "error" else Fault)(str(value))


def _obituary(code: int, said: str) -> Fault:
    name = str(code)
    with contextlib.suppress(ValueError):
        name = signal.Signals(-code).name
    fault = Fault(f"the decoder crashed ({name})")
    if said:
        fault.add_note(f"its last words: {said}")
    return fault


def _last_words(descriptor: int) -> str:
    size = os.lseek(descriptor, 0, os.SEEK_END)
    os.lseek(descriptor, max(0, size - 2000), os.SEEK_SET)
    return os.read(descriptor, 2000).decode(errors="replace").strip()


def serve() -> None:
    """Work off the one task on standard input; the answer goes to standard output, prints do not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    work, args, deadline, memory = cast(
        "tuple[Callable[..., object], tuple[object, ...], float, int]",
        pickle.load(sys.stdin.buffer),  # noqa: S301 - comes from our own parent
    )
    _limit_memory(memory)
    # Its timer needs no interpreter, so it ends even a decoder that blocks Python.
    faulthandler.dump_traceback_later(deadline + _GRACE, exit=True)
    with replies:
        replies.write(pickle.dumps(_answer(work, args)))


def _limit_memory(memory: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has none, macOS may refuse
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _answer(work: Callable[..., object], args: tuple[object, ...]) -> tuple[str, object]:
    try:
        return "value", work(*args)
    except Fault as fault:
        return "fault", str(fault)
    except ToolboxError as error:
        return "error", str(error)
    except MemoryError:
        return "fault", "it takes more memory than a decoder may have"
    except OSError as error:
        return "fault", error.strerror or str(error)
    except Exception as error:  # noqa: BLE001 - a hostile file can make a decoder raise anything
        traceback.print_exc()
        return "fault", f"{type(error).__name__}: {error}"
