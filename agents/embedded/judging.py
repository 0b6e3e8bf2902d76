"""The proxy of a judge: how near a prediction is to the agreed interpretation, measured and labelled as such.

No model judges here. The number is a similarity of sentence vectors; it orders predictions of one video by
relevance, and says nothing that could be compared with the score of a model that judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from agents.embedded import PROXY_NOTE
from agents.embedded.embedder import embedder
from agents.embedded.reader import Question
from agents.schemas import Entry

__all__ = ["Measured", "judged", "similarity"]


_WHOLE, _MEANING = 0.4, 0.6  # weights of the sentence and of what it expresses alone
_NOTHING, _RANGE = 0.15, 0.6  # similarity that is worth 0, and how far above it 10 lies
_STRICT = 0.72  # similarity that every agreed entry must reach for a strict 1


class Measured(NamedTuple):
    """How near a prediction is.

    Attributes:
        mean: over the agreed entries, of the best match.
        least: of the agreed entries' best matches.
    """

    mean: float
    least: float

    @property
    def loose(self) -> int:
        """The mean on a scale from 0 to 10."""
        return round(min(10.0, max(0.0, (self.mean - _NOTHING) / _RANGE * 10)))

    @property
    def strict(self) -> int:
        """1 when every agreed entry is matched nearly in its own words, else 0."""
        return int(self.least >= _STRICT)


def _sentences(text: str) -> list[str]:
    """A sentence a line; numbering and JSON quotes around it are dropped."""
    lines = (re.sub(r"^\s*(?:[-*]|\d+[.)])?\s*[\"']?|[\"',]*\s*$", "", line) for line in text.splitlines())
    return [line for line in lines if line]


def _meaning(sentence: str) -> str:
    try:
        return Entry.parse(sentence).expresses
    except ValueError:
        return re.split(r"implicitly expressing\s+", sentence)[-1]


def similarity(gold: str, prediction: str) -> Measured:
    """Compare two texts of a sentence a line; 0 when either is empty."""
    agreed, predicted = _sentences(gold), _sentences(prediction)
    if not agreed or not predicted:
        return Measured(0.0, 0.0)
    measure = embedder().similarity
    meanings = measure([_meaning(line) for line in agreed], [_meaning(line) for line in predicted])
    near = _WHOLE * measure(agreed, predicted) + _MEANING * meanings
    best = near.max(1)
    return Measured(float(best.mean()), float(best.min()))


def judged(question: Question, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a schema that asks for a score.

    Args:
        question: holds the agreed interpretation and the prediction between their tags.
        schema: with ``strict_score`` or ``loose_score``; a ``reasoning`` is given when it asks for one.
    """
    found = similarity(question.tags.get("gold", ""), question.tags.get("prediction", ""))
    answer: dict[str, Any] = {}
    for name in schema.get("properties", {}):
        if name == "strict_score":
            answer[name] = found.strict
        elif name == "loose_score":
            answer[name] = found.loose
        elif name == "reasoning":
            answer[name] = (
                f"Similarity to the agreed entries {found.mean:.2f} on average, {found.least:.2f} at least "
                f"({_WHOLE:.1f} of the sentence, {_MEANING:.1f} of the meaning); {PROXY_NOTE}."
            )
    return answer
