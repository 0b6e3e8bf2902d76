"""Readers plugged in by tests, as "tests.tools.frames.plugged:name". They run in the decoding process."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tools.frames.encode import jpeg
from tools.frames.pyav_reader import read as pyav
from tools.frames.terms import Choose, Reading, Sampling, Source

HERE = "tests.tools.frames.plugged"


def _one_frame(*warnings: str) -> Reading:
    return Reading((jpeg(Image.new("RGB", (8, 8)), 0, 0.0, 85),), 1.0, warnings)


def tells_process(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    return _one_frame(str(os.getpid()))


def talks(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    """Writes where the answers go, as C libraries do."""
    print("x" * 100_000, flush=True)  # noqa: T201
    os.write(1, b"y" * 1000)
    return _one_frame(sys.stdin.read())


def hangs(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    """Never comes back; tells first which process it is."""
    Path(source.path + ".pid").write_text(str(os.getpid()))
    while True:
        time.sleep(60)


def waits_for_sign(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    while not Path(source.path + ".sign").exists():
        time.sleep(0.01)
    return _one_frame()


def crashes(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    ctypes.string_at(0)
    raise AssertionError


def raises(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    message = "the third table is odd"
    raise ZeroDivisionError(message)


def eats_memory(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    return _one_frame(str(len(bytearray(1 << 34))))


def sees_nothing(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    return Reading((), 0.0)


def at_expected(source: Source, sampling: Sampling, choose: Choose) -> Reading:
    """Takes the ordinals that expected.json, two folders up, names for this file, and the last frame.

    Its last warning is the number of frames that there are to choose from.
    """
    path = Path(source.path)
    expected = json.loads((path.parent.parent / "expected.json").read_text())
    ordinals = expected[f"{path.parent.name}/{path.name}"].get("ordinals", [0])
    counts: list[int] = []

    def named(times: Sequence[float], limit: int) -> list[int]:
        counts.append(len(times))
        return sorted({*(ordinal for ordinal in ordinals if ordinal < len(times)), len(times) - 1})

    reading = pyav(source, sampling, named)
    return Reading(reading.frames, reading.duration, (*reading.warnings, str(counts[-1])))
