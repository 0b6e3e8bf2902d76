"""What a run is: settings that were decided before it began, and what they met."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agents.context import CallSettings, Context
from agents.errors import UserError
from agents.metaphor_types import MetaphorType
from evals.money.budget import Budget
from evals.settings.dotted import flat, put
from evals.settings.naming import cell_names
from evals.settings.origin import Checkout, Origin
from evals.settings.variation import varied

__all__ = ["FREE", "Cell", "RunFile", "RunSpec", "changes", "moved"]

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
        "seed",
        "context.frames.cache",
        "context.frames.cache_dir",
        *(f"context.calls.{name}" for name in CallSettings.model_fields),
    }
)
"""Settings that may change when a run is continued: none alters what a record says. The data set may
have moved; its content is compared by digest."""

_TOLD = FREE - {"limit", "epochs", "concurrency", "dataset", "context.calls.concurrency"}

_LAYOUT = 2


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
        seed: of statistics: the same seed and records give the same intervals.
        context: what the graphs are told.
        over: values of settings by dotted name, of which every combination is run, as a cell of its own.
            The settings themselves then hold the first ones.
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
    seed: int = Field(default=0, ge=0, lt=2**63)
    context: Context = Context()
    over: dict[str, tuple[Any, ...]] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _lay_out(cls, given: Any) -> Any:
        """The first value of what is varied is that of the setting; a single value varies nothing."""
        if not isinstance(given, dict) or not given.get("over"):
            return cast("Any", given)
        settings = dict(cast("dict[str, Any]", given))
        over = varied(settings["over"], cls)
        for name, values in over.items():
            put(settings, name, values[0])
        return settings | {"over": {name: values for name, values in over.items() if len(values) > 1}}

    @field_validator("types", mode="before")
    @classmethod
    def _parse_types(cls, given: Any) -> Any:
        """Keys, short names or names of types, each once."""
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list | tuple):
            return given
        try:
            parsed = [MetaphorType.parse(str(name)).value for name in cast("Sequence[object]", names)]
        except UserError as error:
            raise ValueError(str(error)) from error
        return tuple(dict.fromkeys(parsed))

    @model_validator(mode="after")
    def _every_cell(self) -> Self:
        """Each combination must be a run that one could ask for alone."""
        if self.over:
            self.cells()
        return self

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
            if url and urlsplit(url).password:
                raise ValueError("a server's address is saved with the run: keep the password out of it")
        return context

    def cells(self) -> tuple[Cell, ...]:
        """Every combination of the values in ``over``, the last setting varying fastest.

        Without ``over`` it is one cell, whose name is empty.

        Raises:
            ValueError: when a value can't be had; it names the setting.
        """
        if not self.over:
            return (Cell("", self, {}),)
        fixed = {"graph": self.graph, "context.model": self.context.model}
        base = self.model_dump(exclude={"over"})
        found: list[Cell] = []
        for places, name in cell_names(self.over, fixed).items():
            chosen = {key: self.over[key][place] for key, place in zip(self.over, places, strict=True)}
            found.append(Cell(name, _chosen(base, chosen), chosen))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of several that one command makes.

    Attributes:
        name: short, unique, and fit for a folder; empty where there is only one.
        spec: its settings; nothing is varied.
        chosen: its values of what is varied, by dotted name.
    """

    name: str
    spec: RunSpec
    chosen: dict[str, Any]


def _chosen(base: dict[str, Any], chosen: dict[str, Any]) -> RunSpec:
    """A spec with other values.

    Raises:
        ValueError: for a value that can't be had.
    """
    settings = dict(base)
    for name, value in chosen.items():
        put(settings, name, value)
    try:
        return RunSpec.model_validate(settings)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]).removeprefix("context.") or "over"
        told = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{name}: {told} (given: {first['input']!r})") from error


class RunFile(_Settings):
    """``run.json``: the settings of a run directory, and what they met when it began.

    Attributes:
        version: of this layout; files of version 1, which lack what came later, are read too.
        spec: the settings.
        dataset_digest: of all samples of the data set, before ``types`` and ``limit``.
        fingerprint: hashes of the graph, of prompts and of the knowledge.
        versions: of Python, this project and libraries that can change an answer, at the latest start.
        code: the checkout that the project ran from then; None where it was installed otherwise.
        work: the repository of the working directory, where that is another.
        platform: of the machine.
        folder: the working directory, which relative paths in the settings start from.
        earlier: what starts before were made with, where it was something else.
        cells: names of the run's parts, each a folder with a run of its own; empty where it has none.
        started: ISO 8601, UTC.
    """

    version: int = Field(default=_LAYOUT, ge=1, le=_LAYOUT)
    spec: RunSpec
    dataset_digest: str
    fingerprint: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    code: Checkout | None = None
    work: Checkout | None = None
    platform: dict[str, str] = Field(default_factory=dict)
    folder: str = ""
    earlier: tuple[Origin, ...] = ()
    cells: tuple[str, ...] = ()
    started: str

    @property
    def origin(self) -> Origin:
        """What the latest start was made with."""
        return Origin(versions=self.versions, code=self.code, work=self.work, platform=self.platform)

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
    before, after = (dict(flat(spec.model_dump(mode="json", exclude={"over"}))) for spec in (old, new))
    return [
        f"{name.removeprefix('context.')} was {before.get(name)!r} and is now {after[name]!r}"
        for name in after
        if name in _TOLD and before.get(name) != after[name]
    ]


def changes(old: RunFile, new: RunFile) -> list[str]:
    """What keeps ``new`` from continuing ``old``, one sentence part for each setting."""
    before, after = (
        dict(flat(old.spec.model_dump(mode="json"))),
        dict(flat(new.spec.model_dump(mode="json"))),
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
