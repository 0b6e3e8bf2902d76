"""Turns a JSON schema into a grammar (GBNF) that a small writer can't run away in.

Compact JSON, keys in the schema's order, every string and list bounded. What a schema leaves open is closed
here: the writer has 135 million parameters and would fill any space it is given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents.errors import UserError

__all__ = ["choice", "from_schema", "literal", "resolved"]

_LONGEST = 160  # characters of a string whose schema names no bound
_MOST = 4  # items of a list whose schema names no bound
_DEEPEST = 12
_SIGN = r'([^"\\\x00-\x1F])'
_LISTED_NUMBERS = 200  # a range of whole numbers up to this size is listed

Schema = Mapping[str, Any]


def literal(text: str) -> str:
    """A text as a terminal of the grammar."""
    return json.dumps(text, ensure_ascii=False)


def choice(options: Sequence[str]) -> str:
    """A grammar that accepts one of some texts."""
    return "root ::= " + " | ".join(literal(option) for option in options)


def resolved(schema: Schema, root: Schema) -> Schema:
    """Follow ``$ref`` and a lone ``allOf`` to what they stand for.

    Raises:
        UserError: when a reference leads nowhere.
    """
    for _ in range(_DEEPEST):
        if "$ref" in schema:
            target: Any = root
            for step in str(schema["$ref"]).removeprefix("#/").split("/"):
                if not isinstance(target, Mapping) or step not in target:
                    raise UserError(f"the schema's reference {schema['$ref']!r} leads nowhere")
                target = target[step]
            schema = target
        elif len(schema.get("allOf", ())) == 1:
            schema = {**schema["allOf"][0], **{k: v for k, v in schema.items() if k != "allOf"}}
        else:
            return schema
    raise UserError("the schema refers to itself without end")


def from_schema(schema: Schema) -> str:
    """A grammar whose every sentence is compact JSON that fits the schema.

    Raises:
        UserError: when the schema nests deeper than 12 levels or refers to nothing.
    """
    return "root ::= " + _rule(schema, schema, 0)


def _rule(schema: Schema, root: Schema, depth: int) -> str:
    if depth > _DEEPEST:
        raise UserError(f"the schema nests deeper than {_DEEPEST} levels, or refers to itself")
    schema = resolved(schema, root)
    if "const" in schema:
        return literal(json.dumps(schema["const"], ensure_ascii=False))
    if "enum" in schema:
        return _any(literal(json.dumps(value, ensure_ascii=False)) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _any(_rule(option, root, depth + 1) for option in schema[key])
    kinds = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kinds, str):
        return _typed(kinds, schema, root, depth)
    return _any(_typed(kind, schema, root, depth) for kind in kinds)


def _any(rules: Any) -> str:
    return "(" + " | ".join(rules) + ")"


def _typed(kind: str, schema: Schema, root: Schema, depth: int) -> str:
    if kind == "object":
        return _object(schema, root, depth)
    if kind == "array":
        return _array(schema, root, depth)
    if kind == "integer":
        return _integer(schema)
    if kind == "number":
        return (
            '("-"? [0-9]{1,4} ("." [0-9]{1,3})?)'
            if schema.get("minimum", -1) < 0
            else '([0-9]{1,4} ("." [0-9]{1,3})?)'
        )
    if kind == "boolean":
        return '("true" | "false")'
    return literal("null") if kind == "null" else _string(schema)


def _string(schema: Schema) -> str:
    most = min(int(schema.get("maxLength", _LONGEST)), 4 * _LONGEST)
    least = min(int(schema.get("minLength", 0)), most)
    return literal('"') + f" {_SIGN}{{{least},{most}}} " + literal('"')


def _integer(schema: Schema) -> str:
    low = schema.get("minimum", int(schema["exclusiveMinimum"]) + 1 if "exclusiveMinimum" in schema else None)
    high = schema.get(
        "maximum", int(schema["exclusiveMaximum"]) - 1 if "exclusiveMaximum" in schema else None
    )
    if low is not None and high is not None and 0 <= high - low <= _LISTED_NUMBERS:
        return _any(literal(str(number)) for number in range(int(low), int(high) + 1))
    if low is not None and low <= 0:
        return '("0" | [1-9] [0-9]{0,3})'
    return "([1-9] [0-9]{0,3})"


def _array(schema: Schema, root: Schema, depth: int) -> str:
    least = int(schema.get("minItems", 1))
    most = max(least, min(int(schema.get("maxItems", _MOST)), max(_MOST, least)))
    if most == 0:
        return literal("[]")
    item = _rule(schema.get("items") or {"type": "string"}, root, depth + 1)
    more = f"({literal(',')} {item})" + f"{{{max(least, 1) - 1},{most - 1}}}"
    full = f"({literal('[')} {item} {more} {literal(']')})"
    return full if least else _any((literal("[]"), full))


def _object(schema: Schema, root: Schema, depth: int) -> str:
    parts: list[str] = []
    required = set(schema.get("required", ()))
    properties: Mapping[str, Schema] = schema.get("properties") or {}
    # What may be left out is left out, unless nothing would remain.
    kept = [name for name in properties if name in required] or list(properties)
    for name in kept:
        key = literal(("," if parts else "") + json.dumps(name, ensure_ascii=False) + ":")
        parts.append(f"{key} {_rule(properties[name], root, depth + 1)}")
    return "(" + " ".join((literal("{"), *parts, literal("}"))) + ")"
