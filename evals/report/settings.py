"""The few settings of a run that a report needs, read from ``run.json`` of this version or an earlier one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import UserError
from evals.store.folders import RUN_FILE

__all__ = ["RunSettings", "read_settings"]


class _Part(BaseModel):
    """Unknown keys are left alone: an old run can still be looked at when it can't be continued."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class FramesPart(_Part):
    """Which frames were shown."""

    max_frames: int = 50
    method: Literal["uniform", "shots", "fps"] = "uniform"
    fps: float = 1.0
    cache: bool = True
    cache_dir: str | None = None


class KnowledgePart(_Part):
    """Where associations came from."""

    graph: str = "starter"


class ContextPart(_Part):
    """What the graphs were told."""

    model: str = ""
    judge_model: str | None = None
    base_url: str | None = None
    judge_base_url: str | None = None
    input: str = "frames"
    frames: FramesPart = FramesPart()
    knowledge: KnowledgePart = KnowledgePart()


class SpecPart(_Part):
    """What decides which samples the run has."""

    graph: str = ""
    dataset: str = ""
    types: tuple[str, ...] = ()
    limit: int | None = None
    epochs: int = 1
    prices: str | None = None
    context: ContextPart = ContextPart()


class RunSettings(_Part):
    """The part of ``run.json`` that a report needs; everything has a default."""

    spec: SpecPart = SpecPart()
    dataset_digest: str = ""
    versions: dict[str, str] = {}
    started: str = ""


def read_settings(folder: Path) -> RunSettings:
    """Read ``run.json``; defaults where a folder of records has none.

    Raises:
        UserError: when the file is there and is no such file.
    """
    path = folder / RUN_FILE
    if not path.exists():
        return RunSettings()
    try:
        return RunSettings.model_validate(json.loads(path.read_bytes()))
    except (OSError, ValueError, ValidationError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise UserError(f"{path} can't be read ({reason}); mend it, or leave this run out.") from error
