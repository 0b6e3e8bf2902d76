"""What a model is asked for: schemas as plain as servers of every kind can constrain.

No unions, and no nesting beyond one list. Descriptions are part of the question.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

__all__ = [
    "EntryAnswer",
    "InterpretationAnswer",
    "KeywordAnswer",
    "LooseAnswer",
    "ReasonedAnswer",
    "StrictAnswer",
]


class KeywordAnswer(BaseModel):
    """The visual elements of a video that may carry meaning."""

    keywords: list[str] = Field(
        min_length=1,
        max_length=40,
        description="Short noun phrases, each one visual element: thing, person, gesture, place, light, cut.",
    )


class EntryAnswer(BaseModel):
    """One reading of the video."""

    presents: str = Field(min_length=1, max_length=600, description="What the video shows, concretely.")
    expresses: str = Field(min_length=1, max_length=600, description="What that stands for, unsaid.")


class InterpretationAnswer(BaseModel):
    """All readings of the video."""

    entries: list[EntryAnswer] = Field(min_length=1, max_length=12)


class ReasonedAnswer(BaseModel):
    """Readings of the video behind the steps that led to them: a constrained answer leaves no other room."""

    recognize: str = Field(description="Step 1: what stands out, and what happens to it.")
    map: str = Field(
        description="Step 2: what each of these is commonly taken for, and what the rest supports."
    )
    interpret: str = Field(description="Step 3: the thought that the supported mappings add up to.")
    entries: list[EntryAnswer] = Field(min_length=1, max_length=12)


class StrictAnswer(BaseModel):
    """Whether an interpretation is complete and free of error."""

    reasoning: str = Field(description="The grounds of the score, before the score.")
    strict_score: Literal[0, 1] = Field(description="1 when complete and free of error, else 0.")


class LooseAnswer(BaseModel):
    """How far an interpretation gets the core meaning right."""

    reasoning: str = Field(description="The grounds of the score, before the score.")
    loose_score: int = Field(ge=0, le=10, strict=True, description="A whole number from 0 to 10.")
