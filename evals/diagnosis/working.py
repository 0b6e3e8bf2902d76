"""Many samples diagnosed at once, each on disk before it counts; a failure is an outcome of one alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from agents.diagnoses import Diagnosis
from agents.errors import BudgetExceeded, MetaphorBoostError, UserError
from agents.meter import metered
from agents.schemas import ModelCall, Usage
from evals.diagnosis.inputs import Run
from evals.diagnosis.records import DiagnosisRecord, Terms, state_of
from evals.money.budget import Budget
from evals.money.ledger import Ledger
from evals.running.interrupts import Stop
from evals.running.outcomes import describe
from evals.store.records import Outcome, RunRecord
from evals.store.writing import Writer, writing
from graphs.durable.files import Lines, repair, sync_folder
from graphs.durable.locking import Lock
from graphs.durable.stopping import all_of

__all__ = ["Ask", "Job", "Spending", "diagnose_all", "diagnose_one"]

Ask = Callable[["Job", dict[str, Any]], Awaitable[Mapping[str, Any]]]
"""Runs the diagnosing graph over a state: its final state, with ``diagnosis`` and ``asked``."""


@dataclass(frozen=True, slots=True)
class Job:
    """A sample to diagnose."""

    run: Run
    record: RunRecord


@dataclass
class Spending:
    """What diagnosing has spent, over all its starts, and what it may.

    Attributes:
        budget: the limits.
        ledger: tokens and money, as answers come.
        stop: is told when a limit is reached.
    """

    budget: Budget
    ledger: Ledger
    stop: Stop
    _number: int = 0

    def book(self, records: Iterable[DiagnosisRecord]) -> None:
        """Count what earlier starts spent."""
        for record in records:
            self.ledger.add_calls(record.calls)

    def reached(self) -> str:
        """Why nothing more may be begun; empty while it may."""
        return self.budget.run_reached(self.ledger.total.total_tokens, self.ledger.money)

    def check(self) -> None:
        """Stop softly where a limit is reached."""
        if not self.stop.requested and (why := self.reached()):
            self.stop.run_dry(why)


@dataclass
class _Meter:
    """Counts the requests of one sample, and ends it at its limit."""

    spending: Spending
    own: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.own = Ledger(self.spending.ledger.prices)

    def begin(self, model: str) -> int:
        """Refuse the request where the sample has spent what it may."""
        del model
        if why := self.spending.budget.sample_reached(self.own.total.total_tokens, self.own.money):
            raise BudgetExceeded(f"The sample's budget is used up: {why}.")
        return 0

    def end(self, number: int) -> None:
        """It was answered, or failed."""

    def took(self, model: str, usage: Usage) -> None:
        """Count tokens."""
        self.own.add(model, usage)
        self.spending.ledger.add(model, usage)
        self.spending.check()


async def diagnose_all(  # noqa: PLR0913 - each a part of its own
    jobs: Iterable[Job],
    ask: Ask,
    terms: Terms,
    spending: Spending,
    *,
    concurrency: int,
    finished: Callable[[DiagnosisRecord], object],
) -> None:
    """Diagnose; returns when all is on disk, or a stop was asked for.

    Args:
        jobs: what is to be diagnosed, of one or more runs.
        ask: runs the graph.
        terms: who judges, and how.
        spending: counts, and says when to stop.
        concurrency: samples in flight at most.
        finished: is told of each that is on disk.

    Raises:
        UserError: when another process diagnoses one of the runs.
        OSError: when the disk refuses a line; what was written stays.
    """
    waiting = list(jobs)
    source, stop = iter(waiting), spending.stop

    async def hand(writers: Mapping[str, Writer[str]]) -> None:
        while not stop.requested and (job := next(source, None)) is not None:
            with metered(_Meter(spending)):
                record = await diagnose_one(job, ask, terms)
            await writers[str(job.run.folder)].put(record.line())
            finished(record)
            if record.fatal:
                stop.give_in(record.fatal)

    async with AsyncExitStack() as opened:
        runs = {str(job.run.folder): job.run for job in waiting}
        writers = {name: await opened.enter_async_context(_writing(run)) for name, run in runs.items()}
        hands = [asyncio.create_task(hand(writers)) for _ in range(min(concurrency, len(waiting)))]
        for task in hands:
            stop.on_at_once(task.cancel)
        if hands:
            await all_of(hands)


@asynccontextmanager
async def _writing(run: Run) -> AsyncGenerator[Writer[str]]:
    """The file of a run's diagnoses, locked and mended, with a writer to it."""
    held, local = f"{run.folder} is being diagnosed by another process", "copy the run to a local disk"
    lock = Lock(run.folder / "diagnosis.lock", held=held, way_out="wait for it", local=local)
    try:
        repair(run.path, _is_whole)
        lines = Lines(run.path)
        sync_folder(run.folder)
        try:
            async with writing(lambda batch: lines.append("".join(f"{line}\n" for line in batch))) as writer:
                yield writer
        finally:
            lines.close()
    finally:
        lock.release()


def _is_whole(line: bytes) -> bool:
    try:
        DiagnosisRecord.model_validate_json(line)
    except ValueError:
        return False
    return True


async def diagnose_one(job: Job, ask: Ask, terms: Terms) -> DiagnosisRecord:
    """Diagnose one sample; every failure becomes an outcome of its record.

    Raises:
        asyncio.CancelledError: when the command, and not something inside the sample, was cancelled.
    """
    since, started = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")
    said: dict[str, Any] = {}
    try:
        said = await _asked(job, ask, terms)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        said = _failed(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - one bad sample never ends the command
        said = _failed(error)
    record, calls = job.record, tuple(said.pop("calls"))
    return DiagnosisRecord(
        video_id=record.video_id,
        epoch=record.epoch,
        types=record.types,
        graph=record.graph,
        model=record.model,
        terms=terms,
        seen=job.run.digest(record),
        calls=calls,
        usage=sum((call.usage for call in calls), Usage()),
        cached=sum((call.cached for call in calls if call.cached), Usage()),
        seconds=round(time.perf_counter() - since, 4),
        started=started,
        **said,
    )


async def _asked(job: Job, ask: Ask, terms: Terms) -> dict[str, Any]:
    gold = job.run.gold(job.record)
    if not gold:
        raise UserError(f"{job.record.video_id!r} has no golden_answers to compare its thinking with.")
    state = state_of(job.record, gold, job.run.title(job.record))
    state["transcript_tokens"] = terms.transcript_tokens
    final = await ask(job, state)
    diagnosis = Diagnosis.model_validate(final["diagnosis"])
    calls = [ModelCall.model_validate(call) for call in final.get("asked") or ()]
    return {"outcome": Outcome.OK, "diagnosis": diagnosis, "calls": calls}


def _failed(error: BaseException) -> dict[str, Any]:
    outcome, failure = describe(error, "diagnose")
    calls = error.calls if isinstance(error, MetaphorBoostError) else ()
    return {"outcome": outcome, "errors": (failure,), "calls": calls}
