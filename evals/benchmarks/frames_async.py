"""Decoding under the evaluator: do all cores work, and does the event loop ever wait?

    python -m evals.benchmarks.frames_async [--clips 200]

Clips made on the spot go through the whole evaluator (graph, judge, records on disk) with a model that
answers at once, so that nothing but frames and the evaluator itself takes time. Frames are not cached.
Printed are the cores kept busy, and the event loop's longest stalls: by the clock, which on a busy machine
tells of other programs too, and in CPU time of the loop's own thread, which doesn't. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from agents.context import Context, FrameSettings
from evals.benchmarks.clips import Clip, write
from evals.benchmarks.costs import Watch, idle
from evals.benchmarks.instant import InstantModel
from evals.datasets import Sample
from evals.output import Output
from evals.progress.live import Quiet
from evals.progress.tally import Tally
from evals.running.attempt import Job
from evals.running.interrupts import Stop
from evals.running.runner import run_jobs
from evals.running.wiring import open_work
from evals.spec import RunSpec
from evals.store.run_store import RunStore

__all__ = ["main"]

_KINDS = 8
_BEAT = 0.005


class _Stalls:
    """How long the loop was held up: by the clock between two beats, in CPU time by its longest callback."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu = 0.0

    async def beat(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_BEAT)
            self.wall.append(time.perf_counter() - before - _BEAT)

    def timed(self, run: Callable[[Any], None]) -> Callable[[Any], None]:
        """A callback's runner that notes what the callback cost."""

        def running(handle: Any) -> None:
            before = time.thread_time()
            run(handle)
            self.cpu = max(self.cpu, time.thread_time() - before)

        return running


async def _run(samples: list[Sample], spec: RunSpec, folder: Path) -> _Stalls:
    stalls = _Stalls()
    work = open_work(spec)
    progress = Quiet([Tally(total=len(samples))], Output(quiet=True))
    with RunStore(folder / "warm") as store:  # libraries are loaded, processes started
        jobs = (Job(sample) for sample in samples[:_KINDS])
        await run_jobs(jobs, work, store, concurrency=spec.concurrency, observer=progress, stop=Stop())
    with patch.object(asyncio.Handle, "_run", stalls.timed(asyncio.Handle._run)):  # noqa: SLF001 - no public hook
        beating = asyncio.create_task(stalls.beat())
        with RunStore(folder / "run") as store, Watch() as watch:
            since, spent, rest = time.perf_counter(), watch.cpu(), idle()
            jobs = (Job(sample) for sample in samples)
            await run_jobs(jobs, work, store, concurrency=spec.concurrency, observer=progress, stop=Stop())
            wall, cpu, rest = time.perf_counter() - since, watch.cpu() - spent, idle() - rest
        _print(len(samples), wall, cpu, rest, watch.peak)
        beating.cancel()
    lines = (folder / "run" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    ok = sum('"outcome":"ok"' in line.replace(" ", "") for line in lines)
    print(f"{ok} of {len(samples)} samples ok")
    return stalls


def _print(count: int, wall: float, cpu: float, rest: float, peak: int) -> None:
    print(
        f"{count} clips in {wall:.1f} s, {count / wall:.1f} a second; peak memory {peak / (1 << 20):.0f} MB"
    )
    cores = os.cpu_count() or 1
    print(
        f"cores busy: {cpu / wall:.2f} of {cores} with this ({1000 * cpu / count:.0f} ms of CPU a clip), "
        f"{cores - rest / wall:.2f} with all that runs on this machine"
    )


def _samples(count: int, seconds: int, folder: Path) -> list[Sample]:
    gold = ("The video presents a candle, implicitly expressing time.",)
    paths: list[Path] = []
    for number in range(count):
        path = folder / f"v{number}.mp4"
        if number < _KINDS:
            write(Clip(path.name, 640, 360, "libx264", 40 + 30 * number), path, seconds * 30)
        else:
            shutil.copyfile(paths[number % _KINDS], path)
        paths.append(path)
    return [Sample(path.stem, "", ("Atmosphere_Language",), gold, path) for path in paths]


def main() -> None:
    """Print what the run cost, and how the event loop fared."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--clips", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=5, help="length of a clip")
    parser.add_argument("--frames", type=int, default=16)
    parser.add_argument("--concurrency", type=int, default=8)
    chosen = parser.parse_args()
    settings = FrameSettings(max_frames=chosen.frames, max_side=512, cache=False)
    context = Context(model="openai:instant", judge_k=1, frames=settings)
    spec = RunSpec(graph="baseline", context=context, concurrency=chosen.concurrency)
    with tempfile.TemporaryDirectory() as name:
        samples = _samples(chosen.clips, chosen.seconds, Path(name))
        with patch("agents.models.open_chat_model", lambda *_args, **_options: InstantModel()):
            stalls = asyncio.run(_run(samples, spec, Path(name)))
    late = sorted(stalls.wall)
    print(
        f"event loop: longest stall {1000 * late[-1]:.1f} ms by the clock "
        f"(99 of 100 below {1000 * late[int(len(late) * 0.99)]:.1f} ms), "
        f"longest callback {1000 * stalls.cpu:.1f} ms of CPU"
    )


if __name__ == "__main__":
    main()
