"""Frames decoded ahead: into the cache, once, behind whoever waits, and without a word of failure."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from tools.errors import FrameError
from tools.frames import FrameCache, Sampling, afetch_frames, aread_frames, frames_digest, read_frames
from tools.frames.flights import Flights
from tools.frames.pool import Pool, shared_pool
from tools.frames.slots import Slots
from tools.frames.terms import Fault

FEW = Sampling(max_frames=4, max_side=64)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    av = pytest.importorskip("av")
    path = tmp_path / "clip.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width = stream.height = 64
        for shade in range(12):
            frame = av.VideoFrame(64, 64, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([shade * 20]) * plane.buffer_size)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of what the decoders were asked for."""
    names: list[str] = []
    real = Pool.answer

    def noting(pool: Pool, task: object, ticket: object) -> object:
        names.append(task.name)  # pyright: ignore[reportAttributeAccessIssue]
        return real(pool, task, ticket)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Pool, "answer", noting)
    return names


async def test_frames_that_were_fetched_are_not_decoded_again(
    clip: Path, tmp_path: Path, decoded: list[str]
) -> None:
    cache = FrameCache(tmp_path / "cache")
    size = await afetch_frames(clip, FEW, cache)
    frames = await aread_frames(clip, FEW, cache=cache)
    assert size == sum(len(frame.jpeg) for frame in frames.frames) > 0
    assert await afetch_frames(clip, FEW, cache) == 0
    assert decoded == [str(clip)]


async def test_a_read_and_a_fetch_at_once_decode_once(clip: Path, tmp_path: Path, decoded: list[str]) -> None:
    cache = FrameCache(tmp_path / "cache")
    reads = [aread_frames(clip, FEW, cache=cache) for _ in range(3)]
    fetches = [afetch_frames(clip, FEW, cache) for _ in range(3)]
    sets = (await asyncio.gather(*reads, *fetches))[:3]
    assert sets[0] == sets[1] == sets[2]
    assert decoded == [str(clip)]


async def test_what_goes_wrong_ahead_is_told_by_the_read_and_tried_once(
    tmp_path: Path, decoded: list[str]
) -> None:
    broken, cache = tmp_path / "broken.mp4", FrameCache(tmp_path / "cache")
    broken.write_bytes(b"no video at all" * 100)
    assert await afetch_frames(broken, FEW, cache) == 0
    assert await afetch_frames(tmp_path / "none.mp4", FEW, cache) == 0
    with pytest.raises(FrameError) as told:
        read_frames(broken, FEW, cache=cache)
    assert decoded == [str(broken)]
    with pytest.raises(FrameError) as again:
        read_frames(broken, FEW, cache=cache)
    assert str(told.value) == str(again.value)
    assert decoded == [str(broken)] * 2


async def test_a_small_folder_of_pictures_is_left_to_its_turn(
    clip: Path, tmp_path: Path, decoded: list[str]
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    for number, frame in enumerate(read_frames(clip, FEW).frames):
        (folder / f"{number}.jpg").write_bytes(frame.jpeg)
    decoded.clear()
    assert await afetch_frames(folder, FEW, FrameCache(tmp_path / "cache")) == 0
    assert decoded == []


async def test_a_fetch_that_is_called_off_ends_soon_and_leaves_no_fault(clip: Path, tmp_path: Path) -> None:
    cache, pool = FrameCache(tmp_path / "cache"), shared_pool()
    async with asyncio.timeout(20):
        with pool.slots.taken():
            holds = [pool.slots.taken() for _ in range(pool.size - 1)]
            for hold in holds:
                hold.__enter__()
            task = asyncio.create_task(afetch_frames(clip, FEW, cache))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            for hold in holds:
                hold.__exit__(None, None, None)
    assert not cache.holds(frames_digest(clip, FEW))
    assert len((await aread_frames(clip, FEW, cache=cache)).frames) == 4


def test_whoever_waits_comes_before_spare_work() -> None:
    slots, order = Slots(1), list[str]()

    def work(name: str) -> None:
        with slots.taken() if name == "turn" else slots.spare(lambda: False):
            order.append(name)

    with slots.taken():
        threads = [threading.Thread(target=work, args=(name,)) for name in ("spare", "turn", "turn")]
        for thread in threads:
            thread.start()
        while slots._waiting < 2:  # pyright: ignore[reportPrivateUsage]
            time.sleep(0.01)
    for thread in threads:
        thread.join(10)
    assert order == ["turn", "turn", "spare"]


def test_spare_work_that_is_called_off_gets_no_place() -> None:
    slots = Slots(1)
    with slots.taken(), pytest.raises(Fault, match="called off"), slots.spare(lambda: True):
        pytest.fail("got a place")
    with slots.taken():
        pass


def test_faults_that_nobody_asks_for_are_forgotten() -> None:
    flights = Flights()
    for number in range(300):
        flights.leave_fault(str(number), Fault("odd"))
    assert flights.take_fault("0") is None
    assert str(flights.take_fault("299")) == "odd"
    assert flights.take_fault("299") is None
    with flights.alone("x"), flights.first("x") as mine:
        assert not mine
    assert flights._flights == {}  # pyright: ignore[reportPrivateUsage]
