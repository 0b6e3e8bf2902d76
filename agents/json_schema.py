"""An answer's JSON schema in the form that all servers take.

OpenAI's strict mode wants every object closed and every property required, and refuses some keywords;
Gemini and several open servers follow no references. The bounds left out here are still held: answers
are validated against the pydantic class, not against this.
"""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

__all__ = ["answer_schema", "instruction"]

_LEFT_OUT = frozenset(
    {"$defs", "default", "examples", "format", "maxLength", "minLength", "pattern", "title"}
)


@functools.cache
def answer_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """A pydantic class as a self-contained, closed JSON schema; the title names the class.

    The same object is returned each time: leave it as it is.

    Raises:
        ValueError: for a class that contains itself, which no server constrains.
    """
    return copy.deepcopy(_made(schema))


@functools.lru_cache(maxsize=64)
def _made(schema: type[BaseModel]) -> dict[str, Any]:
    """Made once for each class: it takes as long as all else that a question needs."""
    whole = schema.model_json_schema()
    plain = _plain(whole, whole.get("$defs", {}), ())
    return {"title": whole.get("title", schema.__name__), **plain}


def _plain(
    part: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]
) -> dict[str, Any]:
    """One subschema without references and refused keywords."""
    if reference := part.get("$ref"):
        name = str(reference).removeprefix("#/$defs/")
        if name in inside:
            raise ValueError(f"{name} contains itself; an answer's schema must be finite")
        target = {**definitions[name], **{key: value for key, value in part.items() if key != "$ref"}}
        return _plain(target, definitions, (*inside, name))
    plain = {key: copy.deepcopy(value) for key, value in part.items() if key not in _LEFT_OUT}
    for key in ("anyOf", "allOf", "oneOf"):
        if key in plain:
            plain[key] = [_plain(option, definitions, inside) for option in part[key]]
    if "items" in plain:
        plain["items"] = _plain(part["items"], definitions, inside)
    if "properties" in plain:
        plain["properties"] = {name: _plain(p, definitions, inside) for name, p in part["properties"].items()}
        plain["required"] = list(plain["properties"])
    if plain.get("type") == "integer" and _is_run(plain.get("enum")):
        numbers = plain.pop("enum")
        plain |= {"minimum": min(numbers), "maximum": max(numbers)}
    if plain.get("type") == "object":
        plain["additionalProperties"] = False
    return plain


def _is_run(numbers: Any) -> bool:
    """Whether an enumeration is a run of whole numbers; Gemini's functions enumerate strings only."""
    return bool(numbers) and sorted(numbers) == list(range(min(numbers), max(numbers) + 1))


def instruction(json_schema: Mapping[str, Any]) -> str:
    """The words that ask for an answer where a server constrains nothing."""
    return (
        "Answer with one JSON object and nothing else: no code fence, no words before or after it.\n"
        "It must follow this JSON schema (the schema describes the answer; do not repeat it):\n"
        f"{json.dumps(json_schema, ensure_ascii=False)}"
    )
