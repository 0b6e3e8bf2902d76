"""What a run is: settings that were decided before it began, and what they met."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agents.context import CallSettings, Context
from agents.errors import UserError
from agents.redaction import secret_in_address
from evals.money.budget import Budget

__all__ = ["FREE", "RunFile", "RunSpec", "changes", "moved", "versions"]

FREE = frozenset(
    {
        "concurrency",
        "limit",
        "epochs",
        "dataset",
        "prices",
        "budget.max_tokens_total",
        "budget.max_cost",
        "budget.max_sample_tokens",
        "budget.max_sample_cost",
        "context.base_url",
        "context.judge_base_url",
        "context.timeout",
        "context.max_retries",
        "sample_timeout",
        "context.frames.cache",
        "context.frames.cache_dir",
        *(f"context.calls.{name}" for name in CallSettings.model_fields),
    }
)
"""Settings that may change when a run is continued: none alters what a record says. The data set may
have moved; its content is compared by digest."""

_TOLD = FREE - {"limit", "epochs", "concurrency", "dataset", "context.calls.concurrency"}

_LIBRARIES = (
    "langgraph",
    "langchain-core",
    "langchain-openai",
    "langchain-google-genai",
    "pydantic",
    "av",
    "tiktoken",
)


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunSpec(_Settings):
    """Everything that decides what a run does.

    Attributes:
        graph: a variant's name, or ``module:attr``.
        dataset: an installed name, a path, or ``module:attr``.
        types: keys of metaphor types to keep; all when empty.
        limit: at most so many samples; all when None.
        epochs: how often each sample is interpreted.
        concurrency: samples in flight at most, and calls in flight of each model on its server.
        sample_timeout: seconds that a sample may take, judging included; None for no limit.
        budget: limits of tokens and money.
        prices: a file of prices that come before the project's own.
        context: what the graphs are told.
    """

    graph: str = Field(min_length=1)
    dataset: str = "mini"
    types: tuple[str, ...] = ()
    limit: int | None = Field(default=None, ge=1)
    epochs: int = Field(default=1, ge=1, le=1000)
    concurrency: int = Field(default=8, ge=1, le=1024)
    sample_timeout: float | None = Field(default=None, gt=0)
    budget: Budget = Budget()
    prices: str | None = None
    context: Context = Context()

    @model_validator(mode="after")
    def _one_concurrency(self) -> Self:
        """A server is never asked more at once than there may be samples in flight."""
        calls = self.context.calls
        if calls.concurrency == self.concurrency:
            return self
        calls = calls.model_copy(update={"concurrency": self.concurrency})
        object.__setattr__(self, "context", self.context.model_copy(update={"calls": calls}))
        return self

    @field_validator("context")
    @classmethod
    def _no_secret_in_url(cls, context: Context) -> Context:
        for url in (context.base_url, context.judge_base_url, context.knowledge.embeddings_base_url):
            if url and (secret := secret_in_address(url)):
                raise ValueError(f"a server's address is saved with the run: keep {secret} out of it")
        return context


class RunFile(_Settings):
    """``run.json``: the settings of a run directory, and what they met when it began.

    Attributes:
        version: of this layout.
        spec: the settings.
        dataset_digest: of all samples of the data set, before ``types`` and ``limit``.
        fingerprint: hashes of the graph and of prompts.
        versions: of Python and of libraries that can change an answer.
        started: ISO 8601, UTC.
    """

    version: int = 1
    spec: RunSpec
    dataset_digest: str
    fingerprint: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    started: str

    @classmethod
    def read(cls, path: Path) -> RunFile:
        """Read ``run.json``.

        Raises:
            UserError: when it is none, or of a layout that this version doesn't know.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            first = (
                str(error.errors()[0]["msg"]).removeprefix("Value error, ")
                if isinstance(error, ValidationError)
                else error
            )
            raise UserError(f"{path} can't be read ({first}); give another --run-dir.") from error

    def text(self) -> str:
        """As a file, for people too."""
        return json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"


def moved(old: RunSpec, new: RunSpec) -> list[str]:
    """Settings that differ and may, one sentence part for each; those that name no place are left out."""
    before, after = (dict(_flat(spec.model_dump(mode="json"))) for spec in (old, new))
    return [
        f"{name.removeprefix('context.')} was {before.get(name)!r} and is now {after[name]!r}"
        for name in after
        if name in _TOLD and before.get(name) != after[name]
    ]


def changes(old: RunFile, new: RunFile) -> list[str]:
    """What keeps ``new`` from continuing ``old``, one sentence part for each setting."""
    before, after = (
        dict(_flat(old.spec.model_dump(mode="json"))),
        dict(_flat(new.spec.model_dump(mode="json"))),
    )
    found = [
        f"{name.removeprefix('context.')} was {before.get(name)!r} and would be {after.get(name)!r}"
        for name in dict.fromkeys([*before, *after])
        if name not in FREE and before.get(name) != after.get(name)
    ]
    if old.spec.dataset == new.spec.dataset and old.dataset_digest != new.dataset_digest:
        found.append(f"the content of data set {new.spec.dataset!r} is no longer what it was")
    elif old.dataset_digest != new.dataset_digest:
        found.append(f"dataset was {old.spec.dataset!r} and would be {new.spec.dataset!r}")
    altered = (name for name, value in old.fingerprint.items() if new.fingerprint.get(name, value) != value)
    return [*found, *(f"{name} is no longer what it was" for name in altered)]


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that can change an answer; absent ones are left out."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _flat(settings: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(cast("dict[str, Any]", value), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
