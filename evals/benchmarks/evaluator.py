"""What the evaluator costs around its calls: throughput, CPU, memory, and inspect_ai beside it, in one run.

    python -m evals.benchmarks.evaluator
    python -m evals.benchmarks.evaluator --loads 50:200 --calls 100 --memory 1000    # a smaller one

A server in a process of its own answers after a set time. The ideal is connections / latency calls a second.
Each figure is of a process of its own; its CPU is its own too (user and system), without the server's. Where
the CPU share is near 1, the interpreter and not the waiting is the limit: the share of the ideal then says
how fast this machine is, and the row with the longer latency says what the evaluator adds.

The single-call rows send the same conversation (two small frames, a JSON schema) by the OpenAI SDK, by
langchain-openai, by ``evals.run`` with a judge that needs no call, and by inspect_ai (``pip install
"metaphorboost[bench]"``, or ``--peer-python`` of an environment that has it).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evals.benchmarks.evaluator_server import serving

__all__ = ["main"]

_TASKS = "evals.benchmarks.evaluator_tasks"
_PEER = "evals.benchmarks.evaluator_peer"
_CALLS_A_SAMPLE = 3
_LATENCY = 0.05  # seconds, of the single-call rows


def _told(python: str, module: str, *flags: object) -> dict[str, Any]:
    """What a process printed of itself.

    Raises:
        SystemExit: with what it said, when it failed.
    """
    command = [python, "-m", module, *map(str, flags)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own module
    if done.returncode:
        sys.exit(f"{module} {flags[0]} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def _throughput(loads: list[tuple[float, int]], connections: int) -> None:
    print(f"\nevals.run, baseline and judge, {_CALLS_A_SAMPLE} calls a sample, {connections} connections")
    head = (
        "latency ms",
        "samples",
        "ideal s",
        "took s",
        "of ideal",
        "CPU share",
        "CPU ms/sample",
        "CPU ms/call",
    )
    print(" ".join(f"{name:>13}" for name in head))
    for seconds, samples in loads:
        with serving(seconds) as url:
            told = _told(
                sys.executable,
                _TASKS,
                "run",
                "--samples",
                samples,
                "--connections",
                connections,
                "--url",
                url,
            )
        ideal, each = samples * _CALLS_A_SAMPLE * seconds / connections, 1000 * told["cpu"] / samples
        cells = (
            f"{1000 * seconds:.0f}",
            f"{samples:,}",
            f"{ideal:.2f}",
            f"{told['seconds']:.2f}",
            f"{ideal / told['seconds']:.0%}",
            f"{told['cpu'] / told['seconds']:.0%}",
            f"{each:.2f}",
            f"{each / _CALLS_A_SAMPLE:.2f}",
        )
        print(" ".join(f"{cell:>13}" for cell in cells), flush=True)


def _single_call(calls: int, connections: int, peer: str | None) -> None:
    print(f"\none call a sample, {calls:,} samples, {1000 * _LATENCY:.0f} ms, {connections} connections")
    print(f"{'':>28} {'took s':>8} {'CPU ms/sample':>14} {'to the SDK':>11} {'peak MB':>8}")
    rows = {"OpenAI SDK": "sdk", "langchain-openai": "langchain", "evals.run": "one"}
    base = 0.0
    with serving(_LATENCY) as url:
        flags = ("--samples", calls, "--connections", connections, "--url", url)
        for name, task in rows.items():
            told = _told(sys.executable, _TASKS, task, *flags)
            base = base or told["cpu"]
            _single_row(name, told, calls, base)
        if peer is None:
            print(
                f"{'inspect_ai':>28}  left out: it is not installed "
                '(pip install "metaphorboost[bench]", or --peer-python)'
            )
            return
        with tempfile.TemporaryDirectory() as folder:
            question = Path(folder) / "question.json"
            question.write_text(json.dumps(_told(sys.executable, _TASKS, "question")), encoding="utf-8")
            _single_row("inspect_ai", _told(peer, _PEER, *flags, "--question", question), calls, base)


def _single_row(name: str, told: dict[str, Any], calls: int, base: float) -> None:
    each, ratio = 1000 * told["cpu"] / calls, told["cpu"] / base
    print(f"{name:>28} {told['seconds']:>8.2f} {each:>14.2f} {ratio:>11.2f} {told['peak']:>8.0f}", flush=True)


def _memory(sizes: list[int], connections: int) -> None:
    print("\npeak memory, a graph and a judge that answer at once")
    print(f"{'samples':>10} {'peak MB':>8} {'over start':>11} {'to the first':>13} {'CPU ms/sample':>14}")
    first = 0.0
    for size in sizes:
        told = _told(sys.executable, _TASKS, "memory", "--samples", size, "--connections", connections)
        peak, more = told["peak"], told["peak"] - told["before"]
        first = first or peak
        each = 1000 * told["cpu"] / size
        print(f"{size:>10,} {peak:>8.0f} {more:>11.0f} {peak / first:>13.2f} {each:>14.2f}", flush=True)


def _load(text: str) -> tuple[float, int]:
    milliseconds, _, samples = text.partition(":")
    return float(milliseconds) / 1000, int(samples)


def _peer(chosen: str | None) -> str | None:
    if chosen is not None:
        return chosen
    return sys.executable if find_spec("inspect_ai") else None


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--loads",
        type=_load,
        nargs="*",
        default=[(0.05, 2000), (0.25, 800), (1.0, 640)],
        metavar="MS:SAMPLES",
        help="latencies of the server, and samples for each",
    )
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--calls", type=int, default=1000, help="samples of the single-call rows; 0 for none")
    parser.add_argument("--memory", type=int, nargs="*", default=[1000, 10_000, 100_000], metavar="SAMPLES")
    parser.add_argument("--peer-python", help="a Python that has inspect_ai, if this one has not")
    options = parser.parse_args()
    if options.loads:
        _throughput(options.loads, options.connections)
    if options.calls:
        _single_call(options.calls, options.connections, _peer(options.peer_python))
    if options.memory:
        _memory(options.memory, options.connections)


if __name__ == "__main__":
    main()
