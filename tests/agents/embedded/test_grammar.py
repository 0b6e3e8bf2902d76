from __future__ import annotations

import pytest

from agents.embedded.grammar import choice, from_schema, resolved
from agents.errors import UserError


def test_a_choice_lists_its_options_quoted():
    assert choice(['say "a"', "b"]) == r'root ::= "say \"a\"" | "b"'


def test_required_properties_in_order_and_optional_ones_left_out():
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 0, "maximum": 2},
            "m": {"type": "string"},
            "b": {"type": "boolean"},
        },
        "required": ["n", "b"],
    }
    assert (
        from_schema(schema) == r'root ::= ("{" "\"n\":" ("0" | "1" | "2") ",\"b\":" ("true" | "false") "}")'
    )


def test_references_are_followed():
    root = {"$defs": {"A": {"enum": [1, "x"]}}, "type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}
    assert resolved(root["properties"]["a"], root) == {"enum": [1, "x"]}
    assert from_schema(root) == r'root ::= ("{" "\"a\":" ("1" | "\"x\"") "}")'


def test_a_reference_to_nothing_is_named():
    with pytest.raises(UserError, match="'#/\\$defs/B' leads nowhere"):
        from_schema({"$ref": "#/$defs/B", "$defs": {}})


def test_a_schema_that_holds_itself_is_refused():
    with pytest.raises(UserError, match="refers to itself"):
        from_schema({"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}, "$ref": "#/$defs/A"})


def test_every_string_and_list_is_bounded():
    grammar = from_schema(
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
    )
    assert "{0,160}" in grammar
    assert "{0,3}" in grammar
    assert "*" not in grammar
    assert "+" not in grammar
