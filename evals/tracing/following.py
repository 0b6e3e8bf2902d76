"""A sample's work, followed from its first step to its record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.utils.uuid import uuid7

from evals.running.attempt import Job
from evals.spec import RunSpec
from evals.store.records import RunRecord
from evals.tracing.capture import Capture
from evals.tracing.feedback import scores_of
from evals.tracing.fitting import fit
from evals.tracing.handlers import handed
from evals.tracing.redaction import Redaction
from evals.tracing.spans import Span, Trace

__all__ = ["Followed", "follow"]

Work = Callable[[Job], Awaitable[RunRecord]]


@dataclass(frozen=True, slots=True)
class Followed:
    """What all traces of one cell share.

    Attributes:
        spec: its settings.
        run: the name of its run directory.
        cell: the name of the cell; empty where it is the whole run.
        redaction: what may leave.
        hand_over: takes each trace, with its size in bytes.
        failed: is told of a trace that could not be made.
        project: where its traces go, for the record.
    """

    spec: RunSpec
    run: str
    redaction: Redaction
    hand_over: Callable[[Trace, int], None]
    failed: Callable[[BaseException], None]
    project: str = ""
    cell: str = ""


def follow(work: Work, cell: Followed) -> Work:
    """Work whose samples are traced; what it returns says under which id.

    A trace is handed over when its sample has a record; one that was cut short by the run's end is dropped.
    """

    async def followed(job: Job) -> RunRecord:
        trace = _begin(job, cell)
        capture = Capture(trace, cell.redaction)
        try:
            with handed(capture):
                record = await work(job)
            trace.root.end()
        finally:
            capture.close()
        try:
            _finish(trace, record, cell.redaction)
            cell.hand_over(trace, fit(trace, cell.redaction))
        except Exception as error:  # noqa: BLE001 - a trace is never worth a result
            cell.failed(error)
            return record
        return record.model_copy(update={"trace": str(trace.root.id), "trace_project": cell.project})

    return followed


def _begin(job: Job, cell: Followed) -> Trace:
    """An open trace of a sample, named by graph and video, tagged with variant, model, type and epoch."""
    sample, spec = job.sample, cell.spec
    context = spec.context
    root = Span(uuid7(), None, f"{spec.graph}:{sample.video_id}")
    root.tags = (spec.graph, context.model, *sample.types, f"epoch:{job.epoch}")
    root.inputs = {"video_id": sample.video_id, "title": sample.title, "types": list(sample.types)}
    root.metadata = {
        "video_id": sample.video_id,
        "graph": spec.graph,
        "model": context.model,
        "judge_model": context.model_for("judge"),
        "epoch": job.epoch,
        "types": list(sample.types),
        "run": cell.run,
        **({"cell": cell.cell} if cell.cell else {}),
        "context": context.model_dump(mode="json", exclude_defaults=True),
    }
    root.metadata = cell.redaction.mapping(root.metadata)
    root.tags = tuple(cell.redaction.text(tag, 200) for tag in root.tags)
    root.name = cell.redaction.text(root.name, 200)
    root.inputs = cell.redaction.mapping(root.inputs)
    return Trace(root, video_id=sample.video_id)


def _finish(trace: Trace, record: RunRecord, redaction: Redaction) -> None:
    """Let the root say what the record says."""
    root = trace.root
    reading, verdict = record.interpretation, record.verdict
    told: dict[str, Any] = {
        "entries": [entry.text for entry in reading.entries] if reading else [],
        "keywords": list(record.keywords),
        "outcome": record.label,
    }
    if verdict is not None:
        told |= {"strict": verdict.strict, "loose": verdict.loose, "reasoning": verdict.reasoning}
    root.outputs = redaction.mapping(told)
    if record.errors:
        failure = record.errors[0]
        root.error = redaction.text(f"{failure.kind} in {failure.step}: {failure.message}", 2000)
    root.metadata |= redaction.mapping(_facts(record))
    trace.scores = {
        key: redaction.text(value) if isinstance(value, str) else value
        for key, value in scores_of(record).items()
    }
    if trace.left_out:
        root.metadata["steps_left_out"] = trace.left_out


def _facts(record: RunRecord) -> dict[str, Any]:
    """References to the frames, tokens, seconds and notes."""
    frames = {"digest": record.frames_digest, "reader": record.frames_reader}
    if record.timestamps:
        frames["timestamps"] = ", ".join(f"{each:g}" for each in record.timestamps)
    facts: dict[str, Any] = {
        "frames": {key: value for key, value in frames.items() if value},
        "usage": record.usage.model_dump(exclude_defaults=True),
        "kept_answers": record.cached.model_dump(exclude_defaults=True),
        "timings": record.timings,
        "notes": list(record.notes),
        "hops": len(record.hops),
        "knowledge": record.knowledge,
    }
    return {key: value for key, value in facts.items() if value}
