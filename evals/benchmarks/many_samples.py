"""What memory grows with: a whole `evals.run` over a data set of any size that lies nowhere.

    python -m evals.benchmarks.many_samples --samples 1000 10000 100000
    python -m evals.benchmarks.many_samples --samples 1000 10000 --graph baseline

Each size runs in a process of its own, with a model that answers at once: through a graph and a judge of one
function each, so that many samples take little time, or through one of the project's graphs and its judge.
Printed are seconds, the most memory that the process took, and what each sample more took of it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from agents.metaphor_types import MetaphorType
from agents.schemas import Entry, Interpretation, Judgement, ModelCall, Usage, Verdict
from evals.datasets import Sample

__all__ = ["graph", "judge", "main", "samples"]

_NUMBER = "METAPHORBOOST_BENCH_SAMPLES"
_TYPES = [member.value for member in MetaphorType]
_READING = Interpretation(entries=(Entry(presents="a burning candle", expresses="the passing of time"),))
_USAGE = Usage(input_tokens=900, output_tokens=40)


def samples() -> Iterator[Sample]:
    """As many as the environment says, each time it is called; made when they are asked for."""
    gold = ("The video presents a candle, implicitly expressing time.",)
    for number in range(int(os.environ.get(_NUMBER, "1000"))):
        yield Sample(f"video_{number:07d}", "", (_TYPES[number % len(_TYPES)],), gold, Path(__file__))


class _Graph:
    """Interprets at once."""

    async def ainvoke(self, state: dict[str, Any], **_given: Any) -> dict[str, Any]:
        return {**state, "interpretation": _READING, "calls": [_call("interpret")]}


class _Judge:
    """Judges at once; scores differ from sample to sample."""

    async def ainvoke(
        self, _state: dict[str, Any], *, config: dict[str, Any], **_given: Any
    ) -> dict[str, Any]:
        number = int(config["metadata"]["video_id"].rpartition("_")[2])
        answers = [Judgement(kind="strict", score=number % 2), Judgement(kind="loose", score=number % 11)]
        verdict = Verdict.of(answers, judge="instant", proxy=False)
        return {"verdict": verdict, "calls": [_call("judge_strict"), _call("judge_loose")]}


def _call(step: str) -> ModelCall:
    raw = "x" * 200
    return ModelCall(step=step, model="m", method="text", attempts=1, seconds=0.0, usage=_USAGE, raw=raw)


graph = _Graph()
judge = _Judge()


def _run(name: str, folder: str, given: list[str]) -> int:
    """One run in this process."""
    import graphs.catalog
    from evals.benchmarks.instant import InstantModel
    from evals.run import main as evals_run
    from graphs.resources import Resources
    from tools.frames import Frame, FrameSet

    frames = FrameSet("v", "0" * 64, 1.0, "none", (Frame(0, 0.0, b"jpeg", 8, 8),), ())

    async def look(_resources: Resources, _path: str) -> FrameSet:
        return frames

    argv = ["--model", "openai:instant", "--dataset", f"{__name__}:samples", "--run-dir", folder, "--quiet"]
    argv += ["--concurrency", "64", "--no-cache", *given]
    with (
        patch("agents.models.open_chat_model", lambda *_args, **_options: InstantModel()),
        patch.object(Resources, "look", look),
    ):
        if name:
            return evals_run(["--graph", name, *argv])
        with patch.object(graphs.catalog, "judge", lambda: judge):
            return evals_run(["--graph", f"{__name__}:graph", *argv])


def _one(number: int, name: str, given: list[str]) -> dict[str, float]:
    """One run in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "evals.benchmarks.many_samples", "--one", f"{folder}/run"]
        command += ["--graph", name, "--", *given]
        told = subprocess.run(  # noqa: S603 - our own module
            command,
            env=os.environ | {_NUMBER: str(number), "OPENAI_API_KEY": "none"},
            stdout=subprocess.PIPE,
            check=True,
        )
    return cast("dict[str, float]", json.loads(told.stdout.splitlines()[-1]))


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--graph", default="", help="one of the project's; by default, a function")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("given", nargs="*", help="flags of evals.run, after --")
    chosen = parser.parse_args()
    if chosen.one:
        since = time.perf_counter()
        code = _run(chosen.graph, chosen.one, chosen.given)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"code": code, "seconds": time.perf_counter() - since, "peak": peak}))
        return
    print(f"{'samples':>9} {'seconds':>8} {'ms each':>8} {'peak MB':>8} {'bytes for each more':>20}")
    before: tuple[int, float] | None = None
    for number in chosen.samples:
        told = _one(number, chosen.graph, chosen.given)
        more = "" if before is None else f"{(told['peak'] - before[1]) / (number - before[0]):.0f}"
        before = number, told["peak"]
        each = told["seconds"] / number * 1000
        print(
            f"{number:>9} {told['seconds']:>8.1f} {each:>8.2f} {told['peak'] / 1e6:>8.1f} {more:>20}",
            flush=True,
        )


if __name__ == "__main__":
    main()
