"""What durability, records and progress cost: our runner against plain asyncio with an fsync a line.

    python -m evals.benchmarks.runner_overhead

Both work through 860 samples of a model that only sleeps 50 ms, in one process, in turns, so that a busy
machine slows both. Printed is the median of each, and their ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from agents.schemas import Entry, Interpretation, Judgement, Keyword, ModelCall, Usage, Verdict
from evals.datasets import Sample
from evals.output import Output
from evals.progress.live import Quiet
from evals.progress.tally import Tally
from evals.running.attempt import Job, Labels, attempt
from evals.running.interrupts import Stop
from evals.running.runner import run_jobs
from evals.store.records import RunRecord
from evals.store.run_store import RunStore

__all__ = ["main", "ours", "plain"]

_READING = Interpretation(entries=(Entry(presents="a burning candle", expresses="the passing of time"),))
_CALL = ModelCall(
    step="interpret",
    model="sleep",
    method="text",
    attempts=1,
    seconds=0.05,
    usage=Usage(input_tokens=900),
    raw="x" * 500,
)


def samples(number: int) -> list[Sample]:
    """Samples with one entry of gold each."""
    gold = ("The video presents a candle, implicitly expressing time.",)
    return [Sample(f"v{i}", "", ("Atmosphere_Language",), gold, Path("v.mp4")) for i in range(number)]


async def plain(chosen: list[Sample], seconds: float, concurrency: int, folder: Path) -> None:
    """The least that records samples durably: a semaphore, a sleep, a line, an fsync."""
    gate = asyncio.Semaphore(concurrency)
    with (folder / "plain.jsonl").open("a", encoding="utf-8") as file:

        async def one(sample: Sample) -> None:
            async with gate:
                await asyncio.sleep(seconds)
                file.write(
                    json.dumps({"video_id": sample.video_id, "text": _READING.text, "raw": _CALL.raw}) + "\n"
                )
                file.flush()
                os.fsync(file.fileno())

        await asyncio.gather(*(one(sample) for sample in chosen))


async def ours(chosen: list[Sample], seconds: float, concurrency: int, folder: Path) -> None:
    """The runner as the command uses it: outcomes, whole records, progress, lock, group commit."""
    strict, loose = Judgement(kind="strict", score=1), Judgement(kind="loose", score=8)
    verdict = Verdict.of([strict, loose], judge="sleep", proxy=False)

    async def interpret(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        await asyncio.sleep(seconds)
        yield {"keywords": [Keyword(text="candle")], "interpretation": _READING, "calls": [_CALL]}

    async def judge(_sample: Sample, _epoch: int, _interpretation: Interpretation) -> Mapping[str, Any]:
        return {"verdict": verdict, "calls": []}

    async def work(job: Job) -> RunRecord:
        return await attempt(job, Labels("sleep", "sleep", "sleep"), interpret, judge)

    progress = Quiet([Tally(total=len(chosen))], Output(quiet=True))
    with RunStore(folder / "run") as store:
        jobs = (Job(sample) for sample in chosen)
        await run_jobs(jobs, work, store, concurrency=concurrency, observer=progress, stop=Stop())


def _seconds(way: Callable[..., Any], chosen: list[Sample], seconds: float, concurrency: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        since = time.perf_counter()
        asyncio.run(way(chosen, seconds, concurrency, Path(folder)))
        return time.perf_counter() - since


def main() -> None:
    """Print a line for each concurrency."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, default=860)
    parser.add_argument("--ms", type=float, default=50.0, help="what the model sleeps")
    parser.add_argument("--concurrency", type=int, nargs="+", default=[32, 64])
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    print(f"{'concurrency':>11} {'ideal s':>8} {'plain s':>8} {'ours s':>8} {'ratio':>6}")
    for concurrency in chosen.concurrency:
        turns = [
            [_seconds(way, samples(chosen.samples), chosen.ms / 1000, concurrency) for way in (plain, ours)]
            for _ in range(chosen.rounds)
        ]
        base, mine = (statistics.median(turn[i] for turn in turns) for i in range(2))
        ideal = chosen.samples / concurrency * chosen.ms / 1000
        print(f"{concurrency:>11} {ideal:>8.2f} {base:>8.2f} {mine:>8.2f} {mine / base:>6.2f}")


if __name__ == "__main__":
    main()
