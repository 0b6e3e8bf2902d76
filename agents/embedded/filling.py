"""Answers a schema: by looking, reading or measuring where it knows how, else by writing in its grammar."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents.embedded.diagnosing import diagnosed, is_diagnosis
from agents.embedded.grammar import from_schema, resolved
from agents.embedded.interpreting import Manner, entries, keywords_of
from agents.embedded.judging import judged
from agents.embedded.reader import Question
from agents.embedded.scene import see
from agents.embedded.writer import Turn, Writer
from agents.errors import ModelOutputError

__all__ = ["answer", "is_judgement", "is_measured", "needs_writer", "written_json"]

_SCORES = frozenset({"strict_score", "loose_score"})
_BOUND = 700  # tokens; strings are bounded by the grammar, so that this is rarely met
_MOST_KEYWORDS = 14


def is_judgement(question: Question, schema: Mapping[str, Any]) -> bool:
    """Whether the schema asks to score a prediction against an agreed interpretation."""
    return bool(_SCORES & set(_properties(schema))) and {"gold", "prediction"} <= set(question.tags)


def is_measured(question: Question, schema: Mapping[str, Any]) -> bool:
    """Whether the answer is a proxy: similarity that stands in for a judge."""
    return is_judgement(question, schema) or is_diagnosis(question, schema)


def needs_writer(question: Question, schema: Mapping[str, Any]) -> bool:
    """Whether the answer is more than what is seen or measured."""
    return not is_measured(question, schema) and set(_properties(schema)) != _seen(question, schema)


def answer(
    question: Question, schema: Mapping[str, Any], writer: Writer | None, manner: Manner
) -> dict[str, Any]:
    """Answer a JSON schema of an object.

    Args:
        question: the conversation, read.
        schema: of the answer.
        writer: may be None when `needs_writer` says so.
        manner: how to write.

    Raises:
        ModelOutputError: when the writer's answer was cut off.
    """
    if is_judgement(question, schema):
        return judged(question, schema)
    if is_diagnosis(question, schema):
        return diagnosed(question)
    known: dict[str, Any] = {}
    properties = _properties(schema)
    if _seen(question, schema):
        most = int(resolved(properties["keywords"], schema).get("maxItems", _MOST_KEYWORDS))
        known["keywords"] = see(question.pictures).keywords[:most]
    if writer is None:
        return known
    if _asks_for_entries(schema):
        most = int(resolved(properties["entries"], schema).get("maxItems", 3))
        known["entries"] = entries(question, writer, manner, min(3, most))
    return _completed(question, schema, known, writer, manner)


def _completed(
    question: Question, schema: Mapping[str, Any], known: dict[str, Any], writer: Writer, manner: Manner
) -> dict[str, Any]:
    """Write what is not known yet; the keys keep the schema's order."""
    properties = _properties(schema)
    required = schema.get("required", list(properties))
    missing = [name for name in properties if name not in known and (name in required or not known)]
    if missing or not properties:
        rest = {**schema, "properties": {name: properties[name] for name in missing}, "required": missing}
        wanted = schema if not known else rest
        known.update(written_json(_asking(question, known), wanted, writer, manner))
    return {name: known[name] for name in [*properties, *known] if name in known}


def _asking(question: Question, known: Mapping[str, Any]) -> Sequence[Turn]:
    """What the writer is asked with: the conversation, or in short what is known of the scene already."""
    if "entries" not in known:
        return question.turns
    said = " ".join(f"{entry['presents']}: {entry['expresses']}." for entry in known["entries"])
    return (
        Turn("user", f"A video shows: {', '.join(keywords_of(question))}. It was read so: {said} Say why."),
    )


def written_json(turns: Sequence[Turn], schema: Mapping[str, Any], writer: Writer, manner: Manner) -> Any:
    """Let the writer fill a schema.

    Raises:
        ModelOutputError: when the answer was cut off at the bound.
    """
    written = writer.write(turns, grammar=from_schema(schema), most=_BOUND, **manner._asdict())
    try:
        return json.loads(written.text)
    except json.JSONDecodeError as fault:
        raise ModelOutputError(
            f"the embedded writer did not finish its JSON within {_BOUND} tokens", raw=written.text
        ) from fault


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return resolved(schema, schema).get("properties") or {}


def _seen(question: Question, schema: Mapping[str, Any]) -> set[str]:
    """The properties that are answered by looking."""
    return {"keywords"} if question.pictures and "keywords" in _properties(schema) else set()


def _asks_for_entries(schema: Mapping[str, Any]) -> bool:
    listed = resolved(_properties(schema).get("entries") or {}, schema)
    item = resolved(listed.get("items") or {}, schema)
    return {"presents", "expresses"} <= set(item.get("properties") or {})
