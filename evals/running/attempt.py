"""One sample of one epoch: interpret, judge, and a record whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import MetaphorBoostError, ProviderError, UserError
from agents.known import KnowledgeUse, Passage
from agents.schemas import Hop, Interpretation, Keyword, ModelCall, Usage, Verdict
from agents.schemas import Mapping as MetaphorMapping
from agents.watched import WatchedVideo
from evals.datasets.sample import Sample, shown
from evals.running.inputs import input_digest
from evals.running.outcomes import describe, full_disk
from evals.store.records import Failure, Outcome, RunKey, RunRecord

__all__ = ["Interpret", "Job", "Judge", "Labels", "attempt"]

Interpret = Callable[[Sample, int], AsyncIterator[Mapping[str, Any]]]
"""Interprets a sample of an epoch: yields the graph's state as it grows, the last one whole.

What was yielded before an exception is kept in the record."""

Judge = Callable[[Sample, int, Interpretation], Awaitable[Mapping[str, Any]]]
"""Judges an interpretation of a sample: returns ``verdict`` and ``calls``."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What every record of a run says of its origin."""

    graph: str
    model: str
    judge_model: str


@dataclass(frozen=True, slots=True)
class Job:
    """A sample of an epoch that has no record yet.

    Attributes:
        sample: what to interpret.
        epoch: 1 for the first.
        before: an earlier record whose interpretation only lacks a verdict.
    """

    sample: Sample
    epoch: int = 1
    before: RunRecord | None = None

    @property
    def key(self) -> RunKey:
        """The key of the record to come."""
        return self.sample.video_id, self.epoch


class _State(BaseModel):
    """The part of a graph's state that a record keeps; other keys are left out."""

    model_config = ConfigDict(extra="ignore")

    keywords: tuple[Keyword, ...] = ()
    hops: tuple[Hop, ...] = ()
    mappings: tuple[MetaphorMapping, ...] = ()
    passages: tuple[Passage, ...] = ()
    knowledge: KnowledgeUse | None = None
    interpretation: Interpretation | None = None
    calls: tuple[ModelCall, ...] = ()
    timestamps: tuple[float, ...] = ()
    frames_digest: str = ""
    frames_reader: str = ""
    video: WatchedVideo | None = None
    frame_shots: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


class _Judged(BaseModel):
    model_config = ConfigDict(extra="ignore")

    verdict: Verdict
    calls: tuple[ModelCall, ...] = ()


@dataclass
class _Draft:
    """A record in the making."""

    job: Job
    labels: Labels
    state: _State = field(default_factory=_State)
    judged: _Judged | None = None
    outcome: Outcome = Outcome.OK
    failure: Failure | None = None
    vain: tuple[ModelCall, ...] = ()
    timings: dict[str, float] = field(default_factory=dict[str, float])
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))

    def fail(self, error: BaseException) -> None:
        """Keep what is known of a failure."""
        self.outcome, self.failure = describe(error, "judge" if self.state.interpretation else "interpret")
        if isinstance(error, MetaphorBoostError):
            self.vain = error.calls

    def record(self) -> RunRecord:
        """Close the draft."""
        state = self.state
        calls = state.calls + (self.judged.calls if self.judged else ()) + self.vain
        return RunRecord(
            video_id=self.job.sample.video_id,
            types=self.job.sample.types,
            epoch=self.job.epoch,
            graph=self.labels.graph,
            model=self.labels.model,
            judge_model=self.labels.judge_model,
            outcome=self.outcome,
            keywords=tuple(keyword.text for keyword in state.keywords),
            hops=state.hops,
            mappings=state.mappings,
            passages=state.passages,
            knowledge=state.knowledge,
            interpretation=state.interpretation,
            verdict=self.judged.verdict if self.judged else None,
            usage=sum((call.usage for call in calls), Usage()),
            cached=sum((call.cached for call in calls if call.cached), Usage()),
            calls=calls,
            timings=self.timings | {"total": round(sum(self.timings.values()), 4)},
            timestamps=state.timestamps,
            frames_digest=state.frames_digest,
            frames_reader=state.frames_reader,
            video=state.video,
            frame_shots=state.frame_shots,
            notes=state.notes,
            errors=(self.failure,) if self.failure else (),
            started=self.started,
            input_seen=input_digest(self.job.sample) if self.outcome is Outcome.BAD_INPUT else "",
        )


async def attempt(
    job: Job, labels: Labels, interpret: Interpret, judge: Judge, *, within: float | None = None
) -> RunRecord:
    """Interpret and judge one sample; every failure becomes an outcome of its record.

    Args:
        job: what to interpret.
        labels: what the record says of its origin.
        interpret: interprets.
        judge: judges.
        within: seconds that both may take together; None for no limit.

    Raises:
        asyncio.CancelledError: when the run, and not something inside the sample, was cancelled.
        OSError: when a disk is full or may not be written to, whoever met it.
    """
    draft = _Draft(job, labels)
    try:
        _check(job.sample)
        async with _deadline(within):
            with _timed(draft, "interpret"):
                await _interpret(draft, interpret)
            with _timed(draft, "judge"):
                await _judge(draft, judge)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        draft.fail(error)
    except (Exception, SystemExit) as error:  # one bad sample never ends a run; the record keeps it
        if (refusal := full_disk(error)) is not None:  # it would end all others the same way
            raise refusal from error
        draft.fail(error)
    return draft.record()


@contextlib.asynccontextmanager
async def _deadline(seconds: float | None) -> AsyncGenerator[None]:
    """A bound on a sample's time.

    Raises:
        ProviderError: when it is reached, whatever the sample was waiting for.
    """
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise ProviderError(
            f"it took longer than --sample-timeout allows ({seconds:g} s)", fault="timeout"
        ) from error


def _check(sample: Sample) -> None:
    if sample.video is None:
        told = f" ({sample.no_video})" if sample.no_video else ""
        raise UserError(
            f"There is no video for {shown(sample.video_id)!r} in the data set's videos folder{told}."
        )
    if not sample.gold:
        raise UserError(f"{shown(sample.video_id)!r} has no golden_answers to be judged by.")


async def _interpret(draft: _Draft, interpret: Interpret) -> None:
    job = draft.job
    if job.before is not None and job.before.interpretation is not None:
        draft.state = _again(job.before)
        return
    latest: Mapping[str, Any] = {}
    try:
        async for values in interpret(job.sample, job.epoch):
            latest = values
    except BaseException:
        draft.state = _partial(latest)
        raise
    state = _State.model_validate(dict(latest))
    if state.interpretation is None:
        draft.state = state
        raise RuntimeError(
            f"the graph ended without an interpretation; its state has {', '.join(latest) or 'nothing'}"
        )
    draft.state = state


def _partial(latest: Mapping[str, Any]) -> _State:
    """What a failed graph had found; an interpretation that it did not end with does not count."""
    try:
        return _State.model_validate({**latest, "interpretation": None})
    except ValidationError:  # the failure itself is what the record is about
        return _State()


def _again(before: RunRecord) -> _State:
    keywords = tuple(Keyword(text=text) for text in before.keywords)
    kept = {name: getattr(before, name) for name in _State.model_fields if name != "keywords"}
    return _State(keywords=keywords, **kept)


async def _judge(draft: _Draft, judge: Judge) -> None:
    interpretation = draft.state.interpretation
    assert interpretation is not None  # noqa: S101 - _interpret ends with one or raises
    draft.judged = _Judged.model_validate(
        dict(await judge(draft.job.sample, draft.job.epoch, interpretation))
    )


class _timed:  # noqa: N801 - reads as a verb at its use
    def __init__(self, draft: _Draft, phase: str) -> None:
        self._draft, self._phase = draft, phase

    def __enter__(self) -> None:
        self._since = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._draft.timings[self._phase] = round(time.perf_counter() - self._since, 4)
