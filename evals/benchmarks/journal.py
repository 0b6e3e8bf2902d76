"""What the journal of a run costs: microseconds a step, and memory for what a killed run left.

    python -m evals.benchmarks.journal

Steps of an ordinary size are written by so many samples at once, as a run writes them, on the disk of
``--folder``. Printed are the seconds that the process computed and that it took, for each step; then how long
it takes to open the file again and to read one sample's steps.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
import tracemalloc
from pathlib import Path

from agents.calls.journal import Finished
from agents.schemas import ModelCall, Usage
from evals.store.journals import SampleJournal
from evals.store.steps import STEPS, Steps

__all__ = ["main", "measured"]

_STEPS = 8  # of a sample: as many as boost takes
_CALL = ModelCall(
    step="interpret",
    model="openai:m",
    method="json_schema",
    attempts=1,
    seconds=1.0,
    usage=Usage(input_tokens=900),
)


async def _written(steps: Steps, samples: int, at_once: int) -> None:
    """Write the steps of samples, so many at once."""
    numbers = iter(range(samples))

    async def hand() -> None:
        for number in numbers:
            journal = SampleJournal(steps, (f"v{number}", 1))
            for step in range(_STEPS):
                key = f"{number:032}{step:032}"
                await journal.recall("answer", key)
                await journal.keep(Finished("interpret", "answer", key, {"raw": "x" * 1500}, _CALL))
            await journal.settle()

    async with steps.serving():
        await asyncio.gather(*(hand() for _ in range(at_once)))


def measured(folder: Path, samples: int, at_once: int) -> dict[str, float]:
    """Microseconds a step computed and waited, and of opening and reading; bytes of memory when open."""
    steps, number = Steps(folder), samples * _STEPS
    wall, used = time.perf_counter(), time.process_time()
    asyncio.run(_written(steps, samples, at_once))
    found = {
        "computed_us": (time.process_time() - used) / number * 1e6,
        "waited_us": (time.perf_counter() - wall) / number * at_once * 1e6,
        "bytes": (folder / STEPS).stat().st_size / number,
    }
    steps.close()
    tracemalloc.start()
    wall = time.perf_counter()
    again = Steps(folder)
    found["opened_ms"] = (time.perf_counter() - wall) * 1e3
    found["held_kb"] = tracemalloc.get_traced_memory()[0] / 1024
    tracemalloc.stop()
    wall = time.perf_counter()
    again.steps(("v0", 1))
    found["read_ms"] = (time.perf_counter() - wall) * 1e3
    again.close()
    return found


def main() -> None:
    """Print a line for each number of samples at once."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, default=860)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--folder", help="a folder on the disk to try (default: that of temporary files)")
    chosen = parser.parse_args()
    print(f"{chosen.samples} samples of {_STEPS} steps: CPU time of one, and time until a kill spares it")
    for at_once in chosen.at_once:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            found = measured(Path(folder), chosen.samples, at_once)
        print(
            f"{at_once:>4} at once: {found['computed_us']:6.0f} us {found['waited_us']:8.0f} us, "
            f"{found['bytes']:.0f} bytes; all opened in {found['opened_ms']:.0f} ms and "
            f"{found['held_kb']:.0f} KB, a sample read in {found['read_ms']:.2f} ms"
        )


if __name__ == "__main__":
    main()
