"""The small schemas that travel along the way of the data: keywords, mappings, entries, verdicts.

They are what the project keeps; what a model is asked for stands in :mod:`agents.asked`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Entry",
    "Hop",
    "Interpretation",
    "Judgement",
    "Keyword",
    "Mapping",
    "ModelCall",
    "Text",
    "Usage",
    "Verdict",
]

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

_MOST_GROUND = 160  # characters of a ground that a prompt shows: in built graphs it may be a whole paragraph


class _Kept(BaseModel):
    """What the project keeps: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Keyword(_Kept):
    """A visual element as the model named it: an object, a gesture, light, a cut."""

    text: Text


class Mapping(_Kept):
    """A visual element led to a concept, and how.

    Attributes:
        element: the source, as linked in the graph.
        concept: the target.
        path: nodes from the element to the concept, both included.
        ground: why the one stands for the other, in a few words.
        weight: how strongly, 0 to 1; where it was retrieved, what it was ranked by (as published: the count).
        keywords: the keywords that led to it, where several did.
    """

    element: Text
    concept: Text
    path: tuple[str, ...] = ()
    ground: str = ""
    weight: float = Field(default=1.0, ge=0)
    keywords: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """One line of a prompt: ``candle -> passing of time (burns down) [also from hourglass]``."""
        walk = " -> ".join(self.path or (self.element, self.concept))
        others = [keyword for keyword in self.keywords if keyword != self.element]
        also = f" [also from {', '.join(others)}]" if others else ""
        ground = " ".join(self.ground.split())
        if len(ground) > _MOST_GROUND:
            ground = f"{ground[: _MOST_GROUND - 3].rstrip()}..."
        return f"{walk} ({ground}){also}" if ground else f"{walk}{also}"


class Hop(_Kept):
    """One tool call of the model's exploration, and what came back.

    Attributes:
        round: 1 for the first round of calls.
        tool: the tool's name.
        arguments: as the model gave them.
        answer: the text handed back to the model.
        mappings: what the call found, in the tool's order.
        failed: whether the answer was an error message for the model.
    """

    round: int = Field(ge=1)
    tool: str
    arguments: dict[str, Any]
    answer: str
    mappings: tuple[Mapping, ...] = ()
    failed: bool = False


# The frame sentence, on text whose white space is single spaces: no pattern can run on for long.
_OPENING = re.compile(r"(?:the video presents?(?=[ ,;]|$)|presents?(?= |$)) ?", re.IGNORECASE)
_MIDDLE = re.compile(r" ?[,;]? (?:thereby )?implicitly express(?:es|ing)(?: |$)", re.IGNORECASE)
_EXPRESSING = re.compile(r"^(?:thereby )?(?:implicitly )?express(?:es|ing)(?: |$)", re.IGNORECASE)


def _halves(text: str) -> tuple[bool, str, str | None]:
    """Whether a text opens as the frame sentence, what comes next, and what its middle part leads to."""
    text = " ".join(text.split())
    opening = _OPENING.match(text)
    start = opening.end() if opening else 0
    middle = _MIDDLE.search(text, max(start - 1, 0))
    if middle is None:
        return opening is not None, text[start:].lstrip(",; "), None
    return opening is not None, text[start : middle.start()].lstrip(",; "), text[middle.end() :]


class Entry(_Kept):
    """One reading: what the video presents, and what that expresses without saying so."""

    presents: Text
    expresses: Text

    @property
    def text(self) -> str:
        """The benchmark's fixed form."""
        return f"The video presents {self.presents}, implicitly expressing {self.expresses}."

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an entry from the benchmark's fixed form.

        Raises:
            ValueError: when the sentence does not have that form.
        """
        opened, presents, expresses = _halves(text)
        expresses = (expresses or "").removesuffix(".").strip()
        if not (opened and presents.strip() and expresses):
            raise ValueError(
                f"not of the form 'The video presents X, implicitly expressing Y': {text[:120]!r}"
            )
        return cls(presents=presents, expresses=expresses)

    @classmethod
    def of_parts(cls, presents: str, expresses: str) -> Self:
        """Build an entry from parts that may repeat the frame sentence, whole or in part, as models like to.

        Raises:
            ValueError: when a part holds nothing else.
        """
        _, shown, rest = _halves(" ".join(presents.split()).rstrip(".,; "))
        whole, _, end = _halves(expresses)
        said = " ".join((end if whole and end else expresses).split()).rstrip("., ")
        said = _EXPRESSING.sub("", said) or (rest or "").rstrip("., ")
        return cls(presents=shown.rstrip(".,; "), expresses=said)


class Interpretation(_Kept):
    """The reading of a whole video: at least one entry."""

    entries: tuple[Entry, ...] = Field(min_length=1)

    @property
    def text(self) -> str:
        """All entries, one a line, as the judge reads them."""
        return "\n".join(entry.text for entry in self.entries)

    def published(self) -> dict[str, str]:
        """The ``analysis_dict`` of the published prediction files."""
        return {f"analysis_{i}": entry.text for i, entry in enumerate(self.entries, 1)}


class Judgement(_Kept):
    """One answer of a judge to one question.

    Attributes:
        kind: which question was asked.
        score: 0 or 1 for strict, 0 to 10 for loose.
        reasoning: the judge's grounds.
    """

    kind: Literal["strict", "loose"]
    score: int = Field(ge=0, le=10)
    reasoning: str = ""


class Verdict(_Kept):
    """What the judge made of an interpretation, as means over its judgements.

    Attributes:
        strict: mean of 0/1 answers: complete and free of error?
        loose: mean of 0 to 10 answers: is the core meaning right?
        reasoning: that of the judgement nearest the loose mean.
        judge: the judging model's name.
        proxy: true when no model judged and the score is a measured similarity, which is not
            comparable with the scores of an LLM judge.
        judgements: all answers, strict and loose.
    """

    strict: float = Field(ge=0, le=1)
    loose: float = Field(ge=0, le=10)
    reasoning: str
    judge: str
    proxy: bool = False
    judgements: tuple[Judgement, ...] = ()

    @classmethod
    def of(cls, judgements: Sequence[Judgement], *, judge: str, proxy: bool) -> Self:
        """Average judgements; needs at least one of each kind.

        Raises:
            ValueError: when a kind is missing.
        """
        strict = [j.score for j in judgements if j.kind == "strict"]
        loose = [j for j in judgements if j.kind == "loose"]
        if not strict or not loose:
            raise ValueError("a verdict needs at least one strict and one loose judgement")
        mean = sum(j.score for j in loose) / len(loose)
        nearest = min(loose, key=lambda j: abs(j.score - mean))
        return cls(
            strict=sum(strict) / len(strict),
            loose=mean,
            reasoning=nearest.reasoning,
            judge=judge,
            proxy=proxy,
            judgements=tuple(judgements),
        )


class Usage(_Kept):
    """Tokens of one or more calls.

    Attributes:
        estimated: true when the server reported none and tiktoken counted instead.
    """

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    reasoning_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        """Sum two usages; estimated when either is."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            estimated=self.estimated or other.estimated,
        )

    @property
    def total_tokens(self) -> int:
        """Input and output together (reasoning is part of output)."""
        return self.input_tokens + self.output_tokens


class ModelCall(_Kept):
    """One question put to a model, repairs included: the trace that diagnosis reads.

    Attributes:
        step: the node that asked.
        model: the model's name as you gave it.
        method: how the answer was constrained (json_schema, function_calling, text, tools).
        attempts: questions put, repairs included; 0 where the answer was kept from before.
        tries: requests sent; more than attempts where some failed and were sent again.
        waited: seconds of these between tries and in line.
        faults: how the tries that failed did so, in order (``rate_limited``, ``timeout``, ...).
        seconds: wall time.
        began: when, in seconds since 1970; 0 where it is not known.
        usage: tokens paid for.
        cached: tokens that the answer took when it was asked for, where it was kept from before; None
            where it was asked for now.
        raw: the last answer's text, whole.
        thinking: reasoning that came apart from the answer.
        prompt: short hash of the prompt's template.
    """

    step: str
    model: str
    method: str
    attempts: int = Field(ge=0)
    tries: int = Field(default=0, ge=0)
    waited: float = Field(default=0.0, ge=0)
    faults: tuple[str, ...] = ()
    seconds: float = Field(ge=0)
    began: float = Field(default=0.0, ge=0)
    usage: Usage = Usage()
    cached: Usage | None = None
    raw: str = ""
    thinking: str = ""
    prompt: str = ""
