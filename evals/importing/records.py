"""From rows to records."""

from __future__ import annotations

from dataclasses import dataclass

from agents.schemas import Interpretation, ModelCall, Verdict
from evals.datasets import Sample
from evals.importing.rows import Prediction, Scored
from evals.store.records import Failure, Outcome, RunRecord

__all__ = ["Labels", "record_of"]

_METHOD = "published"


@dataclass(frozen=True, slots=True)
class Labels:
    """What records say of where they come from, which the files don't tell."""

    graph: str
    model: str
    judge: str


def record_of(
    sample: Sample, epoch: int, prediction: Prediction | None, scored: Scored | None, labels: Labels
) -> RunRecord | None:
    """The record of a video; None for a score of something that nobody has.

    With a score it is ``ok``; with a failure, what that says; without either, ``unjudged``, or
    ``model_output_error`` where no entry has the fixed form that a judge is shown.
    """
    outcome, failure = _ending(prediction, scored)
    if outcome is Outcome.OK and prediction is None:
        return None
    if prediction is None and failure is None:
        return None
    verdict = None
    if scored is not None and scored.scores is not None:
        strict, loose = scored.scores
        verdict = Verdict(strict=strict, loose=loose, reasoning=scored.reasoning, judge=labels.judge)
    entries = prediction.entries if prediction else ()
    odd = prediction.odd if prediction else ()
    return RunRecord(
        video_id=sample.video_id,
        types=sample.types,
        epoch=epoch,
        graph=labels.graph,
        model=labels.model,
        judge_model=labels.judge,
        outcome=outcome,
        interpretation=Interpretation(entries=entries) if entries else None,
        verdict=verdict,
        calls=_calls(prediction, labels),
        notes=tuple(f"an entry is not of the fixed form, and is left out: {text}" for text in odd),
        errors=(failure,) if failure else (),
    )


def _ending(prediction: Prediction | None, scored: Scored | None) -> tuple[Outcome, Failure | None]:
    if scored is not None and scored.outcome is not Outcome.UNJUDGED:
        if scored.scores is not None:
            return Outcome.OK, None
        phase = scored.phase
        return scored.outcome, Failure(step=phase, phase=phase, kind=_METHOD, message=scored.reasoning)
    if prediction is not None and not prediction.entries:
        message = "no entry of the form 'The video presents X, implicitly expressing Y'"
        failure = Failure(
            step="interpret", phase="interpret", kind=_METHOD, message=message, raw="\n".join(prediction.odd)
        )
        return Outcome.MODEL_OUTPUT_ERROR, failure
    return Outcome.UNJUDGED, None


def _calls(prediction: Prediction | None, labels: Labels) -> tuple[ModelCall, ...]:
    """What the model said in all, where the file has it; what it cost is not told."""
    if prediction is None or prediction.text is None:
        return ()
    said = ModelCall(
        step="interpret", model=labels.model, method=_METHOD, attempts=0, seconds=0.0, raw=prediction.text
    )
    return (said,)
