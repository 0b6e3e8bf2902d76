"""How data get into the page: as text that no parser of HTML or JavaScript can take for anything else."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

__all__ = ["packed", "safe_json", "whole_characters"]

_UNSAFE = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def safe_json(value: Any) -> str:
    """JSON that holds no ``<``, ``>``, ``&``, U+2028 or U+2029, and no half character.

    Nothing in it can end a script element, begin a comment or stand for an entity.
    """
    return whole_characters(_json(value)).translate(_UNSAFE)


def packed(value: Any) -> str:
    """JSON, deflated (zlib), in base64; the same value gives the same text."""
    return base64.b64encode(zlib.compress(whole_characters(_json(value)).encode(), 9)).decode("ascii")


def whole_characters(text: str) -> str:
    """The text with halves of surrogate pairs, which no file can hold, as question marks."""
    return text.encode("utf-8", "replace").decode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
