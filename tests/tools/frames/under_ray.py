"""Reads clips in Ray's tasks and in an actor, and tells as JSON what came of it: run by test_ray.py.

Usage: python under_ray.py FOLDER CLIP... - where FOLDER is Ray's own, and the first clip is also read by
readers that hang and crash.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from tests.tools.frames.clips import numbers_of
from tests.tools.frames.plugged import HERE
from tools.errors import FrameError
from tools.frames import Sampling, aread_frames, read_frames

ray: Any = importlib.import_module("ray")
FIVE = Sampling(max_frames=5)
HANGS, CRASHES, TELLS = (Sampling(reader=f"{HERE}:{name}") for name in ("hangs", "crashes", "tells_process"))


@ray.remote
def read(path: str, sampling: Sampling, deadline: float) -> list[int] | str:
    try:
        return numbers_of(read_frames(path, sampling, deadline=deadline).frames)
    except FrameError as error:
        return error.fault


@ray.remote
def decoder() -> int:
    """The number of the process that decodes for this task's process; it stays for the next read."""
    return int(read_frames(sys.executable, TELLS).warnings[0])


@ray.remote
class Reading:
    """Reads many clips at once."""

    async def read(self, path: str, sampling: Sampling, deadline: float) -> list[int] | str:
        try:
            return numbers_of((await aread_frames(path, sampling, deadline=deadline)).frames)
        except FrameError as error:
            return error.fault

    async def decoder(self) -> int:
        return int((await aread_frames(sys.executable, TELLS)).warnings[0])


def main(folder: str, *clips: str) -> None:
    jobs = [(path, FIVE, 120.0) for path in clips]
    jobs += [(clips[0], HANGS, 5.0), (clips[0], CRASHES, 120.0), (clips[0], FIVE, 120.0)]
    # No more cores than the tasks here need, no page that shows what runs, and nothing beyond this machine.
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", _temp_dir=folder)
    told: dict[str, Any] = {"tasks": ray.get([read.remote(*job) for job in jobs])}
    actor: Any = Reading.remote()
    told["actor"] = ray.get([actor.read.remote(*job) for job in jobs])
    told["cancelled"] = cancelled(actor, clips[0])
    told["after"] = ray.get(actor.read.remote(*jobs[0]))
    told["decoders"] = ray.get([decoder.remote(), actor.decoder.remote()])
    told["hung"] = hung(actor, clips[-1])
    told["alive"] = [is_alive(pid) for pid in told["decoders"]]
    ray.kill(actor)
    ray.shutdown()
    told["left"] = [pid for pid in (*told["decoders"], told["cancelled"], told["hung"]) if not ends(pid)]
    print(json.dumps(told))  # noqa: T201


def hung(actor: Any, path: str) -> int:
    """Let a read begin that never ends, and return the number of its process."""
    sign = Path(f"{path}.pid")
    sign.unlink(missing_ok=True)
    actor.read.remote(path, HANGS, 600.0)
    while not sign.exists() or not sign.read_text():
        time.sleep(0.05)
    return int(sign.read_text())


def cancelled(actor: Any, path: str) -> int:
    """Call a read off while it hangs, and return the number of the process that is to end with it."""
    sign = Path(f"{path}.pid")
    sign.unlink(missing_ok=True)
    reading = actor.read.remote(path, HANGS, 600.0)
    while not sign.exists() or not sign.read_text():
        time.sleep(0.05)
    ray.cancel(reading)
    pid = int(sign.read_text())
    if not ends(pid):
        message = "a read that was called off goes on"
        raise AssertionError(message)
    return pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends(pid: int) -> bool:
    """Whether a process ends soon."""
    until = time.monotonic() + 30
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_alive(pid)


if __name__ == "__main__":
    main(*sys.argv[1:])
