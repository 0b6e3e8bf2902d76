"""From file to base64: what 50 frames of a video cost, by several ways, on clips made on the spot.

    python -m evals.benchmarks.frames [--quick]

Each way runs in a process of its own, and reads the clip once more than `--rounds` says. What the first read
costs, with libraries to load and processes to start, stands in a column of its own, for all alike; of the
others, the best counts. CPU-seconds and peak memory include children (ours decodes in one), not what watching
them costs; no way keeps frames from one read for the next. Every frame carries its number, so that a frame is
right only if it is the one at the place that was asked for. Needs Linux.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from evals.benchmarks.clips import CLIPS, Clip, write
from evals.benchmarks.contenders import CONTENDERS, spread

__all__ = ["main"]

_MB = 1 << 20


def _absent() -> dict[str, str]:
    """The contenders that can't run here, and why."""
    absent: dict[str, str] = {}
    if importlib.util.find_spec("decord") is None:
        absent |= dict.fromkeys(("naive", "sized"), "decord is not installed")
    if shutil.which("ffmpeg") is None:
        absent["floor"] = "the ffmpeg command is not installed"
    return absent


def _measured(name: str, path: Path, rounds: int) -> dict[str, Any] | str:
    command = [sys.executable, "-m", "evals.benchmarks.contenders", name, str(path), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own module
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:60]
    return cast("dict[str, Any]", json.loads(done.stdout))


def _print_clip(clip: Clip, path: Path, frames: int, rounds: int, absent: dict[str, str]) -> None:
    print(f"\n{clip.name}: {frames} frames, {path.stat().st_size / 1e6:.1f} MB")
    print(
        f"  {'':<22}{'first, CPU s':>13}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}{'right':>8}"
        f"{'CPU, naive / this':>19}"
    )
    wanted, base = spread(frames), 0.0
    for name, (title, _) in CONTENDERS.items():
        found = absent.get(name) or _measured(name, path, rounds)
        if isinstance(found, str):
            print(f"  {title:<22}{found}")
            continue
        base = base or (found["cpu"] if name == "naive" else 0.0)
        right = sum(a == b for a, b in zip(found["numbers"], wanted, strict=False))
        ratio = f"{base / found['cpu']:.2f}" if base and found["cpu"] else "-"
        print(
            f"  {title:<22}{found['first']:>13.2f}{found['wall']:>8.2f}{found['cpu']:>8.2f}"
            f"{found['peak'] / _MB:>9.0f}{f'{right}/{len(wanted)}':>8}{ratio:>19}"
        )


def main() -> None:
    """Print a table for each clip."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=int, default=20, help="length of the clips")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", metavar="TEXT", help="clips with this in their name")
    parser.add_argument("--quick", action="store_true", help="8 seconds, one round")
    chosen = parser.parse_args()
    seconds, rounds = (8, 1) if chosen.quick else (chosen.seconds, chosen.rounds)
    absent = _absent()
    with tempfile.TemporaryDirectory() as folder:
        for number, clip in enumerate(clip for clip in CLIPS if chosen.only in clip.name):
            path = write(clip, Path(folder) / f"{number}.mp4", seconds * 30)
            _print_clip(clip, path, seconds * 30, rounds, absent)
            path.unlink()


if __name__ == "__main__":
    main()
