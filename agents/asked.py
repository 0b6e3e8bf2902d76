"""What a model is asked for: schemas as plain as servers of every kind can constrain.

No unions, and no nesting beyond one list. Descriptions are part of the question.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

__all__ = [
    "METAPHOR_KINDS",
    "AssociationItem",
    "AssociationsAnswer",
    "EntryAnswer",
    "ExtractedItem",
    "ExtractionAnswer",
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


class AssociationItem(BaseModel):
    """What one visual element may stand for."""

    element: str = Field(max_length=200, description="The visual element, as it stands in the list.")
    concept: str = Field(max_length=200, description="What it may stand for: a short noun phrase.")
    ground: str = Field(
        default="", max_length=300, description="Why the one stands for the other, 3 to 10 words."
    )


class AssociationsAnswer(BaseModel):
    """What the visual elements of a video may stand for."""

    associations: list[AssociationItem] = Field(max_length=200)


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


METAPHOR_KINDS = ("symbol", "conceptual", "bodily", "causal")
"""How a source may stand for its target in a sentence, in the words of the graph of metaphors.

Its fifth, ``cultural``, is not asked for: it needs the culture's name, which a sentence seldom tells.
"""


def _text(value: Any) -> Any:
    """Null where a text is wanted stands for none."""
    return "" if value is None else value


_Text = Annotated[str, BeforeValidator(_text)]


class ExtractedItem(BaseModel):
    """One metaphor of one sentence, or that the sentence has none."""

    # Without bounds, which are checked later: one bad item must not cost the other sentences their answer.
    number: int = Field(description="The number of the sentence, as it stands before it.")
    translation: _Text = Field(
        description="The whole sentence in English where it is Chinese, else an empty string."
    )
    source: _Text = Field(
        description="What is seen or said, in English: the vehicle. Empty when the sentence is literal."
    )
    target: _Text = Field(
        description="What is meant, in English: the tenor or the quality. Empty when the sentence is literal."
    )
    ground: _Text = Field(description="Why the one stands for the other, in English, 3 to 10 words.")
    kind: _Text = Field(
        description="symbol, conceptual, bodily or causal.", json_schema_extra={"enum": [*METAPHOR_KINDS]}
    )
    literal: bool = Field(description="True when the words mean no more than they say.")


class ExtractionAnswer(BaseModel):
    """The metaphors of all numbered sentences; each sentence has at least one item."""

    items: list[ExtractedItem] = Field(max_length=400)
