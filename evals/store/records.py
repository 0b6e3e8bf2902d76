"""What is kept of one sample: one line of ``records.jsonl``."""

from __future__ import annotations

import json
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError

from agents.errors import ModelUnavailableError
from agents.known import KnowledgeUse, Passage
from agents.schemas import Hop, Interpretation, Mapping, ModelCall, Usage, Verdict
from agents.watched import WatchedVideo

__all__ = ["Failure", "Outcome", "RunKey", "RunRecord"]


RunKey = tuple[str, int]
"""A sample of one epoch: ``(video_id, epoch)``; unique in a run."""


class Outcome(StrEnum):
    """How a sample ended, told apart by who has to act."""

    OK = "ok"
    MODEL_OUTPUT_ERROR = "model_output_error"
    """The model answered, but not what was asked."""
    REFUSED = "refused"
    """The model, or the filter in front of it, declined."""
    BUDGET = "budget"
    """A limit that you set was reached."""
    INFRASTRUCTURE = "infrastructure"
    """The service behind a model failed: nothing was learned of the model."""
    BAD_INPUT = "bad_input"
    """The video, the row or a setting can't be used."""
    INTERNAL_ERROR = "internal_error"
    """A bug, with its traceback in the record."""
    UNJUDGED = "unjudged"
    """There is an interpretation that nobody has judged yet, as in predictions that come without scores:
    neither a score nor a failure, and in no mean."""

    @property
    def failed(self) -> bool:
        """Whether the sample was tried, and ended without a score."""
        return self not in (Outcome.OK, Outcome.UNJUDGED)


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Failure(_Kept):
    """Why a sample has no score.

    Attributes:
        step: the node that failed where it is known (``perceive``), else ``interpret`` or ``judge``.
        phase: whether interpreting or judging failed.
        kind: the exception's class.
        message: its words.
        raw: what the model said, where it said something.
        traceback: of a bug; empty for errors that are raised on purpose.
    """

    step: str
    phase: str
    kind: str
    message: str
    raw: str = ""
    traceback: str = ""


class RunRecord(_Kept):
    """One sample of one epoch, with all that it takes to score, diagnose or judge it again.

    Attributes:
        version: of this layout.
        video_id: the sample.
        types: its metaphor types, so that a table needs nothing but records.
        epoch: 1 for the first.
        graph: the graph that interpreted.
        model: the interpreting model.
        judge_model: the judge.
        outcome: how it ended.
        keywords: visual elements, as the model named them.
        hops: tool calls of the exploration.
        mappings: what the interpretation was given.
        passages: sentences that it was given, where texts are the source of knowledge.
        knowledge: where these came from; None for a graph that looks nothing up.
        interpretation: kept even when judging failed.
        verdict: None unless ``ok``.
        usage: tokens of all calls, judging included; answers that were kept from before cost none.
        cached: tokens that those took when they were asked for.
        calls: every question put to a model, in order.
        timings: seconds of the phases (``interpret``, ``judge``) and ``total``.
        timestamps: seconds into the video of the frames seen.
        frames_digest: of the frames seen, or of the video.
        frames_reader: what decoded them; ``provider`` where the video was shown whole.
        video: how it was shown, if it was shown whole.
        frame_shots: the shot of each, from 0; empty unless they were sampled over shots.
        notes: warnings that the graph left.
        errors: why there is no score; empty when ``ok``.
        started: ISO 8601, UTC.
        input_seen: of ``bad_input``: what the input looked like, so that a change of it is seen.
        trace: the id of the sample's trace, where one was sent somewhere.
        trace_project: the project, or experiment, of LangSmith that holds it.
    """

    version: int = 1
    video_id: str
    types: tuple[str, ...]
    epoch: int = Field(ge=1)
    graph: str
    model: str
    judge_model: str
    outcome: Outcome
    keywords: tuple[str, ...] = ()
    hops: tuple[Hop, ...] = ()
    mappings: tuple[Mapping, ...] = ()
    passages: tuple[Passage, ...] = ()
    knowledge: KnowledgeUse | None = None
    interpretation: Interpretation | None = None
    verdict: Verdict | None = None
    usage: Usage = Usage()
    cached: Usage = Usage()
    calls: tuple[ModelCall, ...] = ()
    timings: dict[str, float] = Field(default_factory=dict)
    timestamps: tuple[float, ...] = ()
    frames_digest: str = ""
    frames_reader: str = ""
    video: WatchedVideo | None = None
    frame_shots: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    errors: tuple[Failure, ...] = ()
    started: str = ""
    input_seen: str = ""
    trace: str = ""
    trace_project: str = ""

    @property
    def key(self) -> RunKey:
        """What makes the record unique in its run."""
        return self.video_id, self.epoch

    def line(self) -> str:
        """The record as JSON without a line break; half characters, which models can spell, become ``?``."""
        try:
            return self.model_dump_json()
        except PydanticSerializationError:
            text = json.dumps(self.model_dump(), ensure_ascii=False)
            return text.encode("utf-8", "replace").decode()

    @property
    def ok(self) -> bool:
        """Whether there is a score."""
        return self.outcome is Outcome.OK

    @property
    def fatal(self) -> str:
        """Why no other sample could do better either, as the message of the failure; empty otherwise."""
        kind = ModelUnavailableError.__name__
        return next((failure.message for failure in self.errors if failure.kind == kind), "")

    @property
    def label(self) -> str:
        """The outcome, and the phase where it was judging: ``infrastructure (judge)``."""
        judging = any(failure.phase == "judge" for failure in self.errors)
        return f"{self.outcome} (judge)" if judging else str(self.outcome)
