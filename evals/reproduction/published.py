"""The published numbers, as ``published.yaml`` has them."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.metaphor_types import MetaphorType
from evals.statistics import ALL

__all__ = [
    "KINDS",
    "TYPES",
    "Ablation",
    "Ablations",
    "Benchmark",
    "Column",
    "Deficiencies",
    "Published",
    "PublishedSystem",
    "plain_model",
    "published",
]

TYPES = tuple(kind.value for kind in MetaphorType)
"""Keys of the eight types in the paper's order."""

KINDS = ("wrong_recognition", "missing_mapping", "superficial_mapping", "improper_mapping")
"""Kinds of deficiency in the paper's order."""

_PATH = Path(__file__).with_name("published.yaml")


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(_Row):
    """A figure by type, and over all videos."""

    types: tuple[float, ...] = Field(min_length=len(TYPES), max_length=len(TYPES))
    all: float


class Benchmark(_Row):
    """Table 1.

    Attributes:
        source: which of the sources.
        videos: of the whole benchmark.
        n: videos by type.
        seconds: mean length of a video.
        tokens: mean length of a gold interpretation.
    """

    source: str
    videos: int
    n: tuple[int, ...] = Field(min_length=len(TYPES), max_length=len(TYPES))
    seconds: Column
    tokens: Column


class PublishedSystem(_Row):
    """A row of Table 2; loose scores, 0 to 100.

    Attributes:
        key: for command lines.
        name: as the table has it.
        videos: that were scored.
        models: names that such a model goes by.
        graphs: our wirings that stand for the method.
        types: by type; empty where only the mean was published.
        all: mean over videos.
    """

    key: str
    name: str
    videos: int = 860
    models: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    types: tuple[float, ...] = ()
    all: float

    @model_validator(mode="after")
    def _all_types_or_none(self) -> Self:
        if len(self.types) not in (0, len(TYPES)):
            raise ValueError(f"{self.name} has scores of {len(self.types)} types")
        return self

    @property
    def scores(self) -> dict[str, float]:
        """By type's key and ``All``, as far as published."""
        return {**dict(zip(TYPES, self.types, strict=False)), ALL: self.all}


class Deficiencies(_Row):
    """A row of Table 3: shares of all deficiencies in percent, by kind."""

    key: str
    name: str
    shares: dict[str, float]
    models: tuple[str, ...]


class Ablation(_Row):
    """A row of Table 4: loose score over all videos."""

    key: str
    name: str
    all: float


class Ablations(_Row):
    """Table 4, and the model it is of."""

    model: str
    models: tuple[str, ...]
    rows: tuple[Ablation, ...]


class Published(_Row):
    """All that was published and is laid beside ours.

    Attributes:
        sources: by short name.
        judge: that gave the scores.
        benchmark: Table 1.
        systems: Table 2.
        deficiencies: Table 3.
        ablations: Table 4.
    """

    sources: dict[str, str]
    judge: str
    benchmark: Benchmark
    systems: tuple[PublishedSystem, ...]
    deficiencies: tuple[Deficiencies, ...]
    ablations: Ablations


@functools.cache
def published() -> Published:
    """Read the file that comes with the project."""
    import yaml

    raw: Any = yaml.safe_load(_PATH.read_text(encoding="utf-8"))
    return Published.model_validate(raw)


def plain_model(name: str) -> str:
    """A model's name without provider, organisation, case and date, to be recognised by.

    >>> plain_model("openai:Qwen/Qwen3-VL-8B-Thinking")
    'qwen3-vl-8b-thinking'
    >>> plain_model("openai:gpt-5-2025-08-07")
    'gpt-5'
    """
    bare = name.rpartition(":")[2].rpartition("/")[2].strip().lower()
    return re.sub(r"-20\d\d-?\d\d-?\d\d\Z", "", bare)
