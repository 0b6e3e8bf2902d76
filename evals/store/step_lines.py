"""A line of ``steps.jsonl``."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticSerializationError

from agents.calls.journal import Finished, Kind
from agents.errors import UserError
from agents.schemas import ModelCall
from evals.store.records import RunKey

__all__ = ["Step", "key_of", "parsed_step"]

_LAYOUT = 1


class Step(BaseModel):
    """One finished step of a sample that has no record yet.

    Attributes:
        version: of this layout.
        video_id: the sample.
        epoch: 1 for the first.
        step: the node that did it: ``perceive``, ``explore``, ``hop``, ``retrieve``, ``associate``,
            ``interpret``, ``judge_strict``, ``judge_loose``, or one of your own.
        kind: ``answer`` to a question, ``reply`` that was of no use on the way to one, ``found`` by a tool or
            by a look-up.
        key: digest of all that the result depends on, hex.
        time: when, ISO 8601, UTC.
        result: as plain data.
        call: the account of the question; its words are in the result. None for what was found.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    video_id: str
    epoch: int = Field(ge=1)
    step: str
    kind: Kind
    key: str
    time: str = Field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    result: dict[str, Any]
    call: ModelCall | None = None

    @classmethod
    def of(cls, key: RunKey, finished: Finished) -> Step:
        """A step of a sample, finished now."""
        return cls(
            video_id=key[0],
            epoch=key[1],
            step=finished.step,
            kind=finished.kind,
            key=finished.key,
            result=dict(finished.result),
            call=finished.call,
        )

    @property
    def run_key(self) -> RunKey:
        """Whose it is."""
        return self.video_id, self.epoch

    @property
    def day(self) -> date | None:
        """When it was paid for; None where the line does not tell."""
        try:
            return datetime.fromisoformat(self.time).date()
        except ValueError:
            return None

    @property
    def finished(self) -> Finished:
        """As whoever asks for it is given it."""
        return Finished(self.step, self.kind, self.key, self.result, self.call)

    def line(self) -> str:
        """As JSON without a line break; half characters, which models can spell, become ``?``."""
        try:
            return self.model_dump_json()
        except PydanticSerializationError:
            text = json.dumps(self.model_dump(), ensure_ascii=False)
            return text.encode("utf-8", "replace").decode()


class _Whose(BaseModel):
    """The part of a line that says whose it is."""

    version: int = Field(ge=1)
    video_id: str
    epoch: int


def key_of(line: bytes) -> RunKey | None:
    """Whose a line is; None where nobody can tell.

    Raises:
        UserError: for a line of a later version, which must not be thrown away as if it were damaged.
    """
    try:
        whose = _Whose.model_validate_json(line)
    except ValidationError:
        return None
    if whose.version > _LAYOUT:
        raise UserError(
            "steps of this run were written by a later version of this project "
            f"(layout {whose.version}; this one reads {_LAYOUT}): continue it with that version, "
            "or give another --run-dir."
        )
    return whose.video_id, whose.epoch


def parsed_step(line: bytes) -> Step | None:
    """The step of a line; None where this version can't read it."""
    try:
        return Step.model_validate_json(line)
    except ValidationError:
        return None
