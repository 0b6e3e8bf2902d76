"""Several cells at once: who is served next, and what a failure of one means for the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from agents.errors import ModelUnavailableError
from evals.datasets import Sample
from evals.running.attempt import Job
from evals.running.interrupts import Stop
from evals.running.outcomes import describe
from evals.running.runner import Attempt, Lane, run_lanes
from evals.store.records import RunRecord
from evals.store.run_store import RunStore
from tests.evals.records_for_tests import scored


class Watch:
    def began(self, key: tuple[str, int]) -> None:
        pass

    def finished(self, record: RunRecord) -> None:
        pass

    def tick(self) -> None:
        pass


def jobs(number: int) -> list[Job]:
    return [Job(Sample(f"v{i}", "", ("Body_Language",), ("g",), Path("v.mp4"))) for i in range(number)]


async def go(
    tmp_path: Path,
    works: dict[str, Attempt],
    *,
    ahead: tuple[int, ...] = (0, 0, 0),
    number: int = 4,
    concurrency: int = 1,
    say: Callable[[str], None] = lambda _text: None,
) -> tuple[list[Lane], Stop, dict[str, list[str]]]:
    stop = Stop(say)
    with ExitStack() as opened:
        lanes = [
            Lane(
                jobs(number)[begun:],
                work,
                opened.enter_context(RunStore(tmp_path / name)),
                Watch(),
                ahead=begun,
            )
            for (name, work), begun in zip(works.items(), ahead, strict=False)
        ]
        await run_lanes(lanes, concurrency=concurrency, stop=stop)
        written = {lane.store.folder.name: [r.video_id for r in lane.store.records()] for lane in lanes}
        return lanes, stop, written


def noting(name: str, order: list[str], *, fatal: bool = False) -> Attempt:
    async def work(job: Job) -> RunRecord:
        order.append(f"{name}{job.sample.video_id[1:]}")
        await asyncio.sleep(0)
        record = scored(job.sample.video_id)
        if not fatal:
            return record
        outcome, failure = describe(ModelUnavailableError("no such model"), "interpret")
        return record.model_copy(update={"outcome": outcome, "errors": (failure,), "verdict": None})

    return work


async def test_cells_advance_sample_by_sample_and_cell_by_cell(tmp_path: Path) -> None:
    order: list[str] = []
    await go(tmp_path, {name: noting(name, order) for name in "abc"})
    assert order == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


async def test_a_cell_that_was_begun_later_catches_up(tmp_path: Path) -> None:
    order: list[str] = []
    await go(tmp_path, {name: noting(name, order) for name in "ab"}, ahead=(2, 0))
    assert order == ["b0", "b1", "a2", "b2", "a3", "b3"]


async def test_each_record_goes_to_its_own_cell(tmp_path: Path) -> None:
    order: list[str] = []
    _, _, written = await go(tmp_path, {name: noting(name, order) for name in "ab"}, concurrency=3)
    assert list(written) == ["a", "b"]
    assert all(sorted(ids) == ["v0", "v1", "v2", "v3"] for ids in written.values())


async def test_a_failure_that_all_samples_would_share_ends_its_cell_alone(tmp_path: Path) -> None:
    order: list[str] = []
    said: list[str] = []
    works = {"a": noting("a", order, fatal=True), "b": noting("b", order)}
    lanes, stop, written = await go(tmp_path, works, say=said.append)
    assert order == ["a0", "b0", "b1", "b2", "b3"]
    assert [lane.broken for lane in lanes] == ["no such model", ""]
    assert (stop.requested, stop.broken) == (False, "")
    assert said == ["a stops, since no other sample of it could do better: no such model"]
    assert len(written["b"]) == 4


async def test_the_run_stops_when_its_last_cell_does(tmp_path: Path) -> None:
    order: list[str] = []
    works = {name: noting(name, order, fatal=True) for name in "ab"}
    lanes, stop, _ = await go(tmp_path, works)
    assert order == ["a0", "b0"]
    assert [lane.broken for lane in lanes] == ["no such model"] * 2
    assert stop.broken == "no such model"
