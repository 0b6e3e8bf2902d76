"""A thousand spoiled files: each gives frames or an error, and nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.tools.frames.clips import barcode, write_clip
from tools.errors import FrameError
from tools.frames import FrameSet, Sampling
from tools.frames.channel import Task
from tools.frames.pool import Pool
from tools.frames.source import inspect
from tools.frames.terms import Fault

MUTATIONS = 1000
DEADLINE = 20.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="handles and children are counted in /proc"),
]


def handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> set[int]:
    found: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (thread / "children").read_text().split()}
    return found


def seeds(folder: Path) -> dict[str, bytes]:
    """Small valid files of four kinds."""
    pictures = [barcode(number, 64, 48) for number in range(8)]
    write_clip(folder / "small.mp4", pictures, options={"g": "4"})
    write_clip(folder / "small.webm", pictures, codec="libvpx-vp9", options={"g": "4", "cpu-used": "8"})
    write_clip(folder / "small.avi", pictures, codec="mjpeg", pix_fmt="yuvj420p")
    images = [Image.fromarray(picture).quantize(8) for picture in pictures]
    images[0].save(folder / "small.gif", save_all=True, append_images=images[1:], duration=100)
    return {path.name: path.read_bytes() for path in sorted(folder.glob("small.*"))}


def flip(dice: random.Random, content: bytearray) -> None:
    for _ in range(dice.randint(1, 12)):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)


def overwrite(dice: random.Random, content: bytearray) -> None:
    start = dice.randrange(len(content))
    length = min(len(content) - start, dice.randint(1, 64))
    content[start : start + length] = dice.choice([bytes(length), b"\xff" * length, dice.randbytes(length)])


def cut(dice: random.Random, content: bytearray) -> None:
    del content[dice.randint(1, len(content) - 1) :]


def drop(dice: random.Random, content: bytearray) -> None:
    start = dice.randrange(len(content))
    del content[start : start + dice.randint(1, 200)]


def repeat(dice: random.Random, content: bytearray) -> None:
    start = dice.randrange(len(content))
    content[start:start] = content[start : start + dice.randint(1, 400)]


def number(dice: random.Random, content: bytearray) -> None:
    """A length, an offset or a size becomes extreme."""
    start = dice.randrange(max(1, len(content) - 4))
    value = dice.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x10000])
    content[start : start + 4] = value.to_bytes(4, dice.choice(["big", "little"]))


WAYS: list[Callable[[random.Random, bytearray], None]] = [flip, overwrite, cut, drop, repeat, number]


def mutated(dice: random.Random, valid: bytes) -> bytes:
    content = bytearray(valid)
    for _ in range(dice.randint(1, 3)):
        if content:
            dice.choice(WAYS)(dice, content)
    return bytes(content)


def read(pool: Pool, path: Path) -> FrameSet | str:
    try:
        sampling = Sampling(max_frames=4, max_side=64)
        return pool.run(Task(inspect(path), str(path), sampling, DEADLINE))
    except Fault as fault:
        return str(fault)


async def test_a_thousand_mutations(tmp_path: Path) -> None:
    valid = seeds(tmp_path)
    assert sorted(valid) == ["small.avi", "small.gif", "small.mp4", "small.webm"]
    dice = random.Random(20261129)
    pool = Pool()
    warm = [read(pool, tmp_path / name) for name in valid]
    assert [len(got.frames) for got in warm if isinstance(got, FrameSet)] == [4, 4, 4, 4]
    pool.close()
    gc.collect()
    handles_before, children_before = handles(), children()
    names = sorted(valid)
    paths: list[Path] = []
    for count in range(MUTATIONS):
        name = names[count % len(names)]
        path = tmp_path / f"{count:04d}-{name}"
        path.write_bytes(mutated(dice, valid[name]))
        paths.append(path)
    loop = asyncio.get_running_loop()
    outcomes = await asyncio.gather(*(loop.run_in_executor(pool.threads, read, pool, path) for path in paths))
    pool.threads.shutdown()
    pool.close()
    gc.collect()
    whole = [outcome for outcome in outcomes if isinstance(outcome, FrameSet)]
    faults = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(whole) + len(faults) == MUTATIONS
    assert min(len(whole), len(faults)) > MUTATIONS // 20, "mutations are all too harsh or too mild"
    for outcome in whole:
        assert 1 <= len(outcome.frames) <= 4
        assert [frame.timestamp for frame in outcome.frames] == sorted(f.timestamp for f in outcome.frames)
        assert all(
            frame.jpeg[:2] == b"\xff\xd8" and max(frame.width, frame.height) <= 64 for frame in outcome.frames
        )
    assert all(faults)
    assert not [fault for fault in faults if fault.startswith(("not decoded within", "the reader"))]
    assert (handles(), children()) == (handles_before, children_before)


def test_faults_name_the_file(tmp_path: Path) -> None:
    from tools.frames import read_frames

    path = tmp_path / "spoiled.mp4"
    path.write_bytes(b"\0\0\0\x20ftypisom" + bytes(200))
    with pytest.raises(FrameError) as caught:
        read_frames(path)
    assert caught.value.path == str(path)
