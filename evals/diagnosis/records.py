"""What is kept of one diagnosed sample: one line of ``diagnosis.jsonl``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError

from agents.diagnoses import Diagnosis
from agents.errors import ModelUnavailableError
from agents.schemas import ModelCall, Usage
from evals.store.records import Failure, Outcome, RunKey, RunRecord
from graphs.durable.files import parsed

__all__ = [
    "DIAGNOSES",
    "DiagnosisRecord",
    "Terms",
    "every_diagnosis",
    "read_diagnoses",
    "seen_digest",
    "state_of",
]

DIAGNOSES = "diagnosis.jsonl"


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Terms(_Kept):
    """What decides how a diagnosis comes out, besides the sample: those of one file are alike.

    Attributes:
        judge: the judging model.
        prompt: digest of what it is asked by.
        temperature: it is asked with.
        transcript_tokens: of the thinking, shown at most.
    """

    judge: str
    prompt: str
    temperature: float = 0.0
    transcript_tokens: int = Field(default=24_000, ge=1)

    def differing(self, other: Terms) -> list[str]:
        """In what two differ, one sentence part each."""
        mine, others = self.model_dump(), other.model_dump()
        return [
            f"{name} was {mine[name]!r} and would be {others[name]!r}"
            for name in mine
            if mine[name] != others[name]
        ]


class DiagnosisRecord(_Kept):
    """One diagnosed sample of one epoch.

    Attributes:
        version: of this layout.
        video_id: the sample.
        epoch: 1 for the first.
        types: its metaphor types.
        graph: the graph that interpreted.
        model: the interpreting model.
        terms: who judged, and how.
        seen: digest of what was read: the trace, the interpretation and the gold.
        outcome: how diagnosing it ended.
        diagnosis: None unless ``ok``.
        calls: of the judge.
        usage: tokens of them.
        cached: tokens that kept answers took when they were asked for.
        seconds: wall time.
        errors: why there is no diagnosis.
        started: ISO 8601, UTC.
    """

    version: int = 1
    video_id: str
    epoch: int = Field(ge=1)
    types: tuple[str, ...] = ()
    graph: str = ""
    model: str = ""
    terms: Terms
    seen: str
    outcome: Outcome
    diagnosis: Diagnosis | None = None
    calls: tuple[ModelCall, ...] = ()
    usage: Usage = Usage()
    cached: Usage = Usage()
    seconds: float = 0.0
    errors: tuple[Failure, ...] = ()
    started: str = ""

    @property
    def key(self) -> RunKey:
        """Whose it is."""
        return self.video_id, self.epoch

    @property
    def fatal(self) -> str:
        """Why no other sample could be diagnosed either; empty otherwise."""
        kind = ModelUnavailableError.__name__
        return next((failure.message for failure in self.errors if failure.kind == kind), "")

    def line(self) -> str:
        """As JSON without a line break; half characters, which models can spell, become ``?``."""
        try:
            return self.model_dump_json()
        except PydanticSerializationError:
            return json.dumps(self.model_dump(), ensure_ascii=False).encode("utf-8", "replace").decode()


def state_of(record: RunRecord, gold: Sequence[str], title: str = "") -> dict[str, Any]:
    """What the diagnosing graph is given for a record that has an interpretation."""
    return {
        "gold": list(gold),
        "prediction": record.interpretation,
        "calls": list(record.calls),
        "keywords": list(record.keywords),
        "hops": list(record.hops),
        "mappings": list(record.mappings),
        "passages": [passage.text for passage in record.passages],
        "title": title,
    }


def seen_digest(record: RunRecord, gold: Iterable[str]) -> str:
    """A digest of what a diagnosis reads: it is made again where that has changed."""
    fields = {"interpretation", "keywords", "hops", "mappings", "passages"}
    said = [
        (call.step, call.raw, call.thinking) for call in record.calls if not call.step.startswith("judge")
    ]
    seen = [record.model_dump(mode="json", include=fields), said, list(gold)]
    text = json.dumps(seen, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def read_diagnoses(path: Path) -> dict[RunKey, DiagnosisRecord]:
    """Read a ``diagnosis.jsonl``: the last of each sample counts. Needs no lock; nothing where it is absent.

    Raises:
        UserError: when a whole line is no diagnosis; it names the line.
    """
    return {each.key: each for each in every_diagnosis(path)}


def every_diagnosis(path: Path) -> Iterator[DiagnosisRecord]:
    """Every line of a ``diagnosis.jsonl``, those that later ones took the place of included.

    Raises:
        UserError: when a whole line is no diagnosis; it names the line.
    """
    if path.exists():
        way_out = "take the line out, and its sample is diagnosed again"
        yield from parsed(path, DiagnosisRecord, what="diagnosis", way_out=way_out)
