"""The proxy of a diagnosis: what becomes of each agreed entry, told by how near sentences are in meaning.

No model reasons here. For each agreed entry the proxy looks for the element in what was seen and said, and
for the meaning in what was predicted; thresholds of similarity decide between the kinds. It is crude: it
takes any near sentence for the same thought, can't tell a meaning that falls short from one put in other
words, and tells a wrong recognition only by a prediction about something that no agreed entry shows. It never
invents a quotation, since it quotes what it compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.embedded.embedder import embedder
from agents.embedded.reader import Question
from agents.quotations import head_of, mentioned
from agents.schemas import Entry

__all__ = ["diagnosed", "is_diagnosis"]

_SAME_THING = 0.45  # similarity from which a line is taken to be about an element
_SAME_MEANING, _NEAR_MEANING = 0.5, 0.33  # of a meaning that is right, and of one that falls short
_STRANGE = 0.2  # similarity to every agreed element below which a prediction shows something else
_MOST_WORDS = 40


class _Agreed(NamedTuple):
    """An agreed entry: what is seen, as a whole and by its head, and what it means."""

    shows: str
    element: str
    means: str


def is_diagnosis(question: Question, schema: Mapping[str, Any]) -> bool:
    """Whether a schema asks for deficiencies of a transcript."""
    asked = "deficiencies" in (schema.get("properties") or {})
    return asked and {"gold", "transcript"} <= set(question.tags)


def diagnosed(question: Question) -> dict[str, Any]:
    """Answer the schema of a diagnosis.

    Args:
        question: holds the agreed interpretation, the transcript and the prediction between their tags.
    """
    agreed = [_agreed(line) for line in _lines(question.tags["gold"])]
    said = [line for line in _lines(question.tags["transcript"]) if not line.startswith("==")]
    predicted = [each for line in _lines(question.tags.get("prediction", "")) if (each := _entry(line))]
    found = [fault for each in agreed if (fault := _fault(each, said, predicted))]
    return {"deficiencies": [*found, *_strange(agreed, predicted)]}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _entry(line: str) -> Entry | None:
    try:
        return Entry.parse(line)
    except ValueError:
        return None


def _agreed(line: str) -> _Agreed:
    entry = _entry(line)
    if entry is None:
        return _Agreed(line, head_of(line), line)
    return _Agreed(entry.presents, head_of(entry.presents) or entry.presents, entry.expresses)


def _fault(agreed: _Agreed, said: Sequence[str], predicted: Sequence[Entry]) -> dict[str, Any] | None:
    """The deficiency of an agreed entry; None where its meaning was predicted."""
    means, near = _nearest(agreed.means, [entry.expresses for entry in predicted])
    if near >= _SAME_MEANING:
        return None
    if near >= _NEAR_MEANING:
        return _item("superficial_mapping", agreed, predicted[means].expresses)
    shows, alike = _nearest(agreed.shows, [entry.presents for entry in predicted])
    if alike >= _SAME_THING:
        return _item("improper_mapping", agreed, predicted[shows].expresses)
    named = next((line for line in said if mentioned(agreed.element, line)), None)
    place, close = _nearest(agreed.shows, said) if named is None else (said.index(named), 1.0)
    if close >= _SAME_THING:
        return _item("missing_mapping", agreed, said[place])
    everywhere = "\n".join([*said, *(entry.text for entry in predicted)])
    if mentioned(agreed.element, everywhere):
        return _item(
            "missing_mapping", agreed, next(e.text for e in predicted if mentioned(agreed.element, e.text))
        )
    return _item("missing_mapping", agreed, "") | {"never_named": True}


def _strange(agreed: Sequence[_Agreed], predicted: Sequence[Entry]) -> list[dict[str, Any]]:
    """Predictions that show what no agreed entry does."""
    shows = [each.shows for each in agreed]
    strange = [entry for entry in predicted if shows and _nearest(entry.presents, shows)[1] < _STRANGE]
    return [
        _item("wrong_recognition", _Agreed(entry.presents, entry.presents, ", ".join(shows)), entry.presents)
        for entry in strange
    ]


def _nearest(text: str, others: Sequence[str]) -> tuple[int, float]:
    """The place of the nearest text, and its similarity."""
    if not others:
        return 0, 0.0
    near = embedder().similarity([text], list(others))[0]
    best = int(near.argmax())
    return best, float(near[best])


def _item(kind: str, agreed: _Agreed, evidence: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "element": agreed.element,
        "expected": agreed.means,
        "evidence": " ".join(evidence.split()[:_MOST_WORDS]),
        "never_named": False,
    }
