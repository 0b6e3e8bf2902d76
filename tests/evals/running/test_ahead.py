"""Frames are fetched ahead within bounds, and a fetch that fails is nobody's failure."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.errors import UserError
from evals.datasets import Sample
from evals.running.ahead import Ahead
from evals.running.attempt import Job


def jobs(number: int) -> list[Job]:
    return [Job(Sample(f"v{i}", "", ("A",), ("g",), Path(f"v{i}.mp4"))) for i in range(number)]


class Fetcher:
    """Notes what is fetched, as many at once as it is asked for; each takes a turn of the loop."""

    def __init__(self, size: int = 10) -> None:
        self.has_looked = True
        self.size = size
        self.asked: list[str] = []
        self.flying = self.most = self.given_up = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def fetch(self, path: str) -> int:
        self.asked.append(path)
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            await self.gate.wait()
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        finally:
            self.flying -= 1
        if path == "v3.mp4":
            raise ZeroDivisionError
        return self.size


def ahead(depth: int = 4, workers: int = 2, most_bytes: int = 1000) -> Ahead:
    return Ahead(pytest.fail, depth=depth, workers=workers, most_bytes=most_bytes)


async def settle() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


async def test_the_next_ones_are_fetched_once_each_and_in_order() -> None:
    fetcher, given = Fetcher(), jobs(12)
    taken: list[Job] = []
    with ahead() as look:
        for job in look.jobs(given, fetcher):
            await settle()
            taken.append(job)
            last = 1 + len(taken) + 4
            assert len(fetcher.asked) <= last
    assert taken == given
    assert fetcher.asked == [f"v{i}.mp4" for i in range(1, 12)]  # the first one's turn had come already
    assert fetcher.most == 2


async def test_no_more_bytes_are_fetched_than_may_wait() -> None:
    fetcher = Fetcher(size=600)
    with ahead(depth=8, workers=1) as look:
        turns = look.jobs(jobs(10), fetcher)
        next(turns)
        await settle()
        assert fetcher.asked == ["v1.mp4", "v2.mp4"]  # 1,200 bytes wait: two were begun below the bound
        next(turns)
        await settle()
        assert fetcher.asked[2:] == ["v3.mp4", "v4.mp4"]  # the third fails, and holds nothing


async def test_nothing_is_fetched_before_somebody_has_looked() -> None:
    fetcher = Fetcher()
    fetcher.has_looked = False
    with ahead() as look:
        turns = look.jobs(jobs(6), fetcher)
        next(turns)
        await settle()
        assert fetcher.asked == []
        fetcher.has_looked = True
        next(turns)
        await settle()
        assert fetcher.asked == ["v2.mp4", "v3.mp4", "v4.mp4", "v5.mp4"]


async def test_where_there_is_nothing_to_gain_few_are_looked_at() -> None:
    fetcher = Fetcher(size=0)
    with ahead(depth=2) as look:
        for _ in look.jobs(jobs(200), fetcher):
            await settle()
    assert 16 <= len(fetcher.asked) <= 32


async def test_what_is_fetched_is_called_off_at_the_end() -> None:
    fetcher = Fetcher()
    fetcher.gate.clear()
    with ahead() as look:
        next(look.jobs(jobs(6), fetcher))
        await settle()
        assert fetcher.flying == 2
    await settle()
    assert (fetcher.flying, fetcher.given_up, fetcher.asked) == (0, 2, ["v1.mp4", "v2.mp4"])


async def test_lanes_share_the_bound_and_one_that_ended_holds_up_none() -> None:
    one, two = Fetcher(), Fetcher()
    with ahead(depth=3) as look:
        first, second = look.jobs(jobs(3), one), look.jobs(jobs(30), two)
        next(first)  # and then never again
        for _ in second:
            await settle()
        assert len(look._waiting) == 0  # pyright: ignore[reportPrivateUsage]
    assert len(two.asked) == 29


def test_a_source_that_fails_ends_and_is_told() -> None:
    def failing() -> Iterator[Job]:
        yield from jobs(2)
        raise UserError("the table changed")

    told: list[str] = []
    look = Ahead(told.append, depth=8, workers=1)
    turns = look.jobs(failing(), Fetcher())
    assert told == ["the table changed"]
    look._closed = True  # there is no loop here  # pyright: ignore[reportPrivateUsage]
    assert [job.sample.video_id for job in turns] == ["v0", "v1"]
