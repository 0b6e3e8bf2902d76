from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.errors import ModelOutputError, ProviderError
from agents.schemas import Interpretation, Keyword
from evals.datasets import Sample
from evals.running.attempt import Job, Labels, attempt
from evals.running.interrupts import Stop
from evals.running.runner import run_jobs
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RunStore
from tests.evals import stubs
from tests.evals.records_for_tests import failed, verdict

LABELS = Labels("boost", "m", "j")


def sample(video_id: str, **changes: Any) -> Sample:
    base: dict[str, Any] = {"title": "", "types": ("Body_Language",), "gold": ("g",), "video": Path("v.mp4")}
    return Sample(video_id=video_id, **(base | changes))


async def interpret(chosen: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
    yield await stubs.graph.ainvoke({"video_id": chosen.video_id}, context=None, config={})


async def judge(chosen: Sample, _epoch: int, interpretation: Interpretation) -> Mapping[str, Any]:
    config = {"metadata": {"video_id": chosen.video_id}}
    return await stubs.judge.ainvoke({"prediction": interpretation}, context=None, config=config)


class Watch:
    """Notes what is in flight."""

    def __init__(self) -> None:
        self.flying: set[RunKey] = set()
        self.most = 0
        self.order: list[str] = []

    def began(self, key: RunKey) -> None:
        self.flying.add(key)
        self.most = max(self.most, len(self.flying))

    def finished(self, record: RunRecord) -> None:
        self.flying.remove(record.key)
        self.order.append(record.video_id)

    def tick(self) -> None:
        pass


async def work(job: Job) -> RunRecord:
    return await attempt(job, LABELS, interpret, judge)


async def test_a_record_holds_what_was_found() -> None:
    record = await work(Job(sample("a"), epoch=2))
    assert record.ok
    assert record.key == ("a", 2)
    assert record.keywords == ("candle",)
    assert record.interpretation is not None
    assert record.interpretation.text == "The video presents a a, implicitly expressing the passing of time."
    assert record.verdict is not None
    assert (record.verdict.strict, record.verdict.loose) == (1.0, 8.0)
    assert (record.usage.input_tokens, record.usage.output_tokens) == (150, 20)
    assert [call.step for call in record.calls] == ["interpret", "judge"]
    assert record.timestamps == (0.0, 1.5)
    assert set(record.timings) == {"interpret", "judge", "total"}
    assert record.errors == ()
    assert RunRecord.model_validate_json(record.model_dump_json()) == record


@pytest.mark.parametrize(
    ("video_id", "outcome"),
    [
        ("output-1", "model_output_error"),
        ("refuse-1", "refused"),
        ("budget-1", "budget"),
        ("provider-1", "infrastructure"),
        ("user-1", "bad_input"),
        ("bug-1", "internal_error"),
        ("exit-1", "internal_error"),
        ("cancel-1", "internal_error"),
    ],
)
async def test_a_failure_becomes_an_outcome(video_id: str, outcome: str) -> None:
    record = await work(Job(sample(video_id)))
    assert (record.outcome, record.verdict, record.interpretation) == (outcome, None, None)
    assert record.errors[0].phase == "interpret"
    assert ("Traceback" in record.errors[0].traceback) == (outcome == "internal_error")


async def test_a_missing_video_and_missing_gold_are_bad_input_and_ask_nothing() -> None:
    for chosen, says in (
        (sample("a", video=None), "no video for 'a'"),
        (sample("a", gold=()), "no golden_answers"),
    ):
        record = await attempt(Job(chosen), LABELS, never, judge)
        assert record.outcome == "bad_input"
        assert says in record.errors[0].message


async def never(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
    pytest.fail("asked")
    yield {}


async def test_what_a_failed_graph_had_found_is_kept() -> None:
    async def halfway(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        yield {
            "keywords": [Keyword(text="wax")],
            "calls": [stubs.call("perceive")],
            "interpretation": stubs.reading("x"),
        }
        raise ModelOutputError("no JSON", raw="la")

    record = await attempt(Job(sample("a")), LABELS, halfway, judge)
    assert (record.outcome, record.keywords, record.interpretation) == ("model_output_error", ("wax",), None)
    assert record.usage.total_tokens == 110
    assert record.errors[0].raw == "la"


@pytest.mark.parametrize("last", [{}, {"keywords": [Keyword(text="wax")]}, {"keywords": 3}])
async def test_a_graph_that_ends_without_an_interpretation_is_a_bug(last: dict[str, Any]) -> None:
    async def short(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        yield last

    record = await attempt(Job(sample("a")), LABELS, short, judge)
    assert record.outcome == "internal_error"


async def test_half_characters_that_a_model_spells_end_no_run(tmp_path: Path) -> None:
    async def odd(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        calls = [stubs.call("interpret").model_copy(update={"raw": "wax \ud83d"})]
        yield {"interpretation": stubs.reading("\u00e9"), "calls": calls, "notes": ["\u4e2d \ud83d"]}

    async def work_oddly(job: Job) -> RunRecord:
        return await attempt(job, LABELS, odd, judge)

    with RunStore(tmp_path) as store:
        await run_jobs([Job(sample("a"))], work_oddly, store, concurrency=1, observer=Watch(), stop=Stop())
        (record,) = store.records()
    assert record.ok
    assert (record.calls[0].raw, record.notes) == ("wax ?", ("\u4e2d ?",))
    assert record.interpretation == stubs.reading("\u00e9")


async def test_what_was_asked_in_vain_is_paid_and_recorded() -> None:
    async def fails(_: Sample, __: int) -> AsyncIterator[dict[str, Any]]:
        yield {"calls": [stubs.call("perceive", 100)]}
        error = ModelOutputError("no JSON", raw="la la")
        error.calls = (stubs.call("interpret", 300),)
        raise error

    record = await attempt(Job(sample("wax")), LABELS, fails, judge)
    assert record.outcome == "model_output_error"
    assert [call.step for call in record.calls] == ["perceive", "interpret"]
    assert record.usage.input_tokens == 400


async def test_a_failed_judge_keeps_the_interpretation_and_only_judging_is_done_again() -> None:
    record = await work(Job(sample("judgefail")))
    assert (record.outcome, record.label) == ("infrastructure", "infrastructure (judge)")
    assert record.interpretation == stubs.reading("judgefail")
    assert record.usage.total_tokens == 110

    async def mended(_sample: Sample, _epoch: int, _reading: Interpretation) -> Mapping[str, Any]:
        return {"verdict": verdict([1], [9]), "calls": [stubs.call("judge", 50)]}

    again = await attempt(Job(sample("judgefail"), 1, record), LABELS, never, mended)
    assert again.ok
    assert (again.interpretation, again.keywords) == (record.interpretation, record.keywords)
    assert again.usage.total_tokens == 170


async def test_every_sample_is_recorded_once_and_concurrency_is_kept(tmp_path: Path) -> None:
    watch = Watch()
    jobs = (Job(sample(f"{name}-{i}")) for i in range(5) for name in (*stubs.ERRORS, "fine"))
    with RunStore(tmp_path) as store:
        await run_jobs(jobs, work, store, concurrency=4, observer=watch, stop=Stop())
        written = [record.video_id for record in store.records()]
    assert written == watch.order
    assert len(written) == len(set(written)) == 45
    assert watch.most == 4


async def test_a_slow_sample_holds_up_no_other(tmp_path: Path) -> None:
    others_done, watch = asyncio.Event(), Watch()

    async def uneven(job: Job) -> RunRecord:
        if job.sample.video_id == "slow":
            await others_done.wait()
        elif job.sample.video_id == "v19":
            others_done.set()
        return failed(job.sample.video_id)

    names = ["slow", *(f"v{i}" for i in range(20))]
    with RunStore(tmp_path) as store:
        jobs = [Job(sample(name)) for name in names]
        await run_jobs(jobs, uneven, store, concurrency=2, observer=watch, stop=Stop())
    assert len(watch.order) == 21
    assert watch.order.index("slow") >= 19


async def test_jobs_are_taken_only_when_a_hand_is_free(tmp_path: Path) -> None:
    taken: list[int] = []
    stop = Stop()

    def endless() -> Any:
        for i in range(10**9):
            taken.append(i)
            yield Job(sample(f"v{i}"))

    async def few(job: Job) -> RunRecord:
        if job.sample.video_id == "v10":
            stop.press()
        return failed(job.sample.video_id)

    with RunStore(tmp_path) as store:
        await run_jobs(endless(), few, store, concurrency=3, observer=Watch(), stop=stop)
        assert len(list(store.records())) == len(taken)
    assert 11 <= len(taken) <= 14


async def test_one_ctrl_c_finishes_what_is_in_flight(tmp_path: Path) -> None:
    said: list[str] = []
    stop, watch = Stop(said.append), Watch()

    async def pressed(job: Job) -> RunRecord:
        await asyncio.sleep(0)
        if job.sample.video_id == "v5":
            stop.press()
        await asyncio.sleep(0.02)
        return await work(job)

    with RunStore(tmp_path) as store:
        jobs = (Job(sample(f"v{i}")) for i in range(100))
        await run_jobs(jobs, pressed, store, concurrency=4, observer=watch, stop=stop)
        written = [record.video_id for record in store.records()]
    assert watch.flying == set()
    assert sorted(written) == sorted(watch.order)
    assert 6 <= len(written) <= 9
    assert (len(said), stop.at_once) == (1, False)


async def test_two_ctrl_c_give_up_what_is_in_flight(tmp_path: Path) -> None:
    stop, watch = Stop(), Watch()

    async def stuck(job: Job) -> RunRecord:
        if job.sample.video_id == "v3":
            stop.press()
            stop.press()
        if job.sample.video_id >= "v2":
            await asyncio.Event().wait()
        return await work(job)

    with RunStore(tmp_path) as store:
        await run_jobs(
            [Job(sample(f"v{i}")) for i in range(9)], stuck, store, concurrency=2, observer=watch, stop=stop
        )
        assert stop.at_once
        assert [record.video_id for record in store.records()] == ["v0", "v1"]
    assert watch.flying == {("v2", 1), ("v3", 1)}


async def test_a_full_disk_ends_the_run_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunStore(tmp_path) as store:
        real = store.append
        written: list[str] = []

        def filling(lines: Sequence[str]) -> None:
            if len(written) >= 3:
                raise OSError(28, "No space left on device")
            written.extend(lines)
            real(lines)

        monkeypatch.setattr(store, "append", filling)
        jobs = (Job(sample(f"v{i}")) for i in range(50))
        with pytest.raises(OSError, match="No space left"):
            await run_jobs(jobs, work, store, concurrency=2, observer=Watch(), stop=Stop())
        assert len(list(store.records())) == len(written) < 50


async def test_provider_errors_in_parallel_branches_are_infrastructure() -> None:
    async def branches(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        yield {}
        async with asyncio.TaskGroup() as group:
            group.create_task(_raise(ProviderError("429")))

    record = await attempt(Job(sample("a")), LABELS, branches, judge)
    assert (record.outcome, record.errors[0].message) == ("infrastructure", "429")


async def test_a_full_disk_is_no_failure_of_the_sample_that_met_it(tmp_path: Path) -> None:
    async def full(_sample: Sample, _epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        yield {}
        async with asyncio.TaskGroup() as group:
            group.create_task(_raise(OSError(errno.ENOSPC, "No space left on device", "cache")))

    async def work(job: Job) -> RunRecord:
        return await attempt(job, LABELS, full if job.sample.video_id == "b" else interpret, judge)

    jobs = [Job(sample(name)) for name in "abc"]
    with RunStore(tmp_path) as store:
        with pytest.raises(OSError, match="No space left on device: 'cache'"):
            await run_jobs(jobs, work, store, concurrency=1, observer=Watch(), stop=Stop())
        assert [record.video_id for record in store.records()] == ["a"]


async def _raise(error: Exception) -> None:
    raise error
