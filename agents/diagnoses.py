"""What a diagnosis is made of: deficiencies of four kinds with evidence; what is asked, and what is kept.

The four kinds are those of the paper's Table 3.
"""

from __future__ import annotations

import operator
import re
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import TypedDict  # LangGraph needs this one below Python 3.12

from agents.schemas import Hop, Interpretation, Mapping, ModelCall, Text

__all__ = [
    "Deficiency",
    "DeficiencyItem",
    "DeficiencyKind",
    "DiagnoseInput",
    "DiagnoseState",
    "Diagnosis",
    "DiagnosisAnswer",
    "Rejected",
    "Where",
]


class DeficiencyKind(StrEnum):
    """How thinking can fail between what is seen and what is meant (paper, Table 3)."""

    WRONG_RECOGNITION = "wrong_recognition"
    """Something visible is taken for what it is not, or something is named that isn't there."""
    MISSING_MAPPING = "missing_mapping"
    """An element of the agreed interpretation is led to no concept."""
    SUPERFICIAL_MAPPING = "superficial_mapping"
    """It is led in the right direction, but not as far as what is meant."""
    IMPROPER_MAPPING = "improper_mapping"
    """It is led to a concept that it does not stand for here."""

    @property
    def label(self) -> str:
        """As people write it."""
        return self.value.replace("_", " ")

    @classmethod
    def parse(cls, text: str) -> DeficiencyKind | None:
        """Read a kind however it is spelled: ``Missing mapping``, ``missing-mapping``, ``missing``."""
        word = re.sub(r"[^a-z]+", "_", text.strip().lower()).strip("_")
        return next((kind for kind in cls if word in (kind.value, kind.value.partition("_")[0])), None)


def _text(value: Any) -> Any:
    """Null where a text is wanted stands for none."""
    return "" if value is None else value


_Said = Annotated[str, BeforeValidator(_text)]


class DeficiencyItem(BaseModel):
    """One fault of the thinking."""

    # Without bounds: one bad item must not cost the others their answer. Each is checked on its own later.
    kind: _Said = Field(
        description="wrong_recognition, missing_mapping, superficial_mapping or improper_mapping.",
        json_schema_extra={"enum": [kind.value for kind in DeficiencyKind]},
    )
    element: _Said = Field(description="The visual element that it is about: a short noun phrase.")
    expected: _Said = Field(
        description="What it should have been led to (or recognized as), by the agreed interpretation."
    )
    evidence: _Said = Field(
        description="A quotation, word for word, of where the transcript or the prediction shows the fault. "
        "Empty only where never_named is true."
    )
    never_named: bool = Field(
        default=False,
        description="True only for a missing_mapping whose element occurs nowhere in the transcript.",
    )


class DiagnosisAnswer(BaseModel):
    """All faults of the thinking; none where there is none."""

    deficiencies: list[DeficiencyItem] = Field(max_length=60)


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Where = Literal["thinking", "answer", "keywords", "hop", "associations", "entries", "nowhere"]
"""The part of what was read that a quotation stands in; ``nowhere`` of an element that is never named."""


class Deficiency(_Kept):
    """One fault of the thinking, its evidence checked.

    Attributes:
        kind: which of the four.
        element: the visual element that it is about.
        expected: the concept that it should have been led to, or what it should have been recognized as.
        evidence: as it stands in what was read; empty where the element is never named.
        where: the part of what was read that it stands in.
        step: the step of the model that said it (``explore``); empty where none did.
    """

    kind: DeficiencyKind
    element: Text
    expected: str = ""
    evidence: str = ""
    where: Where = "nowhere"
    step: str = ""


class Rejected(_Kept):
    """What a judge said and could not show.

    Attributes:
        kind: as it was given.
        element: likewise.
        expected: likewise.
        evidence: the quotation that does not hold.
        reason: why not, as the judge was told.
    """

    kind: str
    element: str
    expected: str
    evidence: str
    reason: str


class Diagnosis(_Kept):
    """What a judge found wrong with the thinking behind one interpretation.

    Attributes:
        deficiencies: those with evidence that holds, in the judge's order.
        rejected: those that were dropped, since their evidence still failed when it was asked for again.
        corrected: how many evidences failed at first and were put right.
        rounds: how often the judge was asked.
        thinking: whether the model gave any thinking; without, only its steps and entries were read.
        tokens: of the transcript that was shown.
        left_out: tokens of it that were left out of its middle, for length.
        judge: the judging model's name.
        proxy: no model judged: deficiencies were told by measured similarity, and are not comparable.
    """

    deficiencies: tuple[Deficiency, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    corrected: int = Field(default=0, ge=0)
    rounds: int = Field(default=1, ge=1)
    thinking: bool = True
    tokens: int = Field(default=0, ge=0)
    left_out: int = Field(default=0, ge=0)
    judge: str = ""
    proxy: bool = False

    def count(self, kind: DeficiencyKind | None = None) -> int:
        """How many deficiencies of a kind there are; of all where none is named."""
        return sum(kind is None or each.kind is kind for each in self.deficiencies)


class DiagnoseInput(TypedDict):
    """What is diagnosed: the trace of one sample, as its record keeps it, and the gold.

    Attributes:
        gold: the human interpretation, one entry an item.
        prediction: the interpretation that the thinking led to.
        calls: the model's calls in order; those of a judge are passed over.
        keywords: what was recognized.
        hops: the exploration.
        mappings: what the interpretation was given.
        passages: sentences that it was given.
        title: the brief title, which may be empty.
        transcript_tokens: how much of it is shown at most.
    """

    gold: list[str]
    prediction: Interpretation
    calls: NotRequired[list[ModelCall]]
    keywords: NotRequired[list[str]]
    hops: NotRequired[list[Hop]]
    mappings: NotRequired[list[Mapping]]
    passages: NotRequired[list[str]]
    title: NotRequired[str]
    transcript_tokens: NotRequired[int]


class DiagnoseState(TypedDict, total=False):
    """The state of the diagnosing graph: the input, and what grows.

    Attributes:
        answered: what the judge listed in the last round, not checked yet.
        conversation: the questions and answers so far, as (speaker, text).
        accepted: deficiencies whose evidence holds.
        failed: those of the last round whose evidence does not.
        withdrawn: those that failed and were not given again.
        corrected: how many were put right.
        rounds: how often the judge was asked.
        diagnosis: the end.
        asked: the calls of the judge.
    """

    gold: list[str]
    prediction: Interpretation
    calls: list[ModelCall]
    keywords: list[str]
    hops: list[Hop]
    mappings: list[Mapping]
    passages: list[str]
    title: str
    transcript_tokens: int
    answered: list[DeficiencyItem]
    conversation: list[tuple[str, str]]
    accepted: list[Deficiency]
    failed: list[Rejected]
    withdrawn: list[Rejected]
    corrected: int
    rounds: int
    diagnosis: Diagnosis
    asked: Annotated[list[ModelCall], operator.add]
