"""Read an answer out of what a model wrote: thinking split off, JSON found, integers kept whole.

Models wrap the object they were asked for in thinking (``<think>...</think>``, or only its end when
the server's template opened it), in box tokens, in code fences, in prose, and in drafts of the same
object. All of that is passed over. What is *not* mended is a truncated object: closing it would turn a
score of 10 that was cut into a 1, so it counts as no answer and the model is asked again.
"""

from __future__ import annotations

import ast
import bisect
import contextlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

__all__ = ["NoAnswerError", "extract_json", "fit", "read_answer", "split_thinking", "whole_characters"]

T = TypeVar("T", bound=BaseModel)

_TAG = re.compile(
    r"<(?P<end>/?)(?:think|thinking|thought|reasoning|seed:think)>|\u25c1(?P<end2>/?)think\u25b7",
    re.IGNORECASE,
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|(?P<endless>\\?\Z))|[{}\[\]]', re.DOTALL)
_BRACKET = re.compile(r"[{}\[\]]")
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|,(?=\s*[}\]])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)  # lenient about raw newlines in strings only

_OPENING = re.compile(r"[{\[]")

# Bounds on garbage such as "{{{{...": brackets tried, and how far the lenient reading looks from one.
_MAX_STARTS = 2000
_MAX_LENIENT_STARTS = 20
_MAX_PIECE = 100_000


class NoAnswerError(ValueError):
    """The text holds no complete JSON object or array."""


@dataclass(frozen=True)
class _Found:
    value: Any
    start: int
    end: int


def whole_characters(value: Any) -> Any:
    """A string, or all strings in lists and dicts, with halves of surrogate pairs replaced by ``?``.

    Some servers cut an emoji in two; such a half can be neither validated, nor sent, nor stored.

    >>> whole_characters({"keywords": ["a candle" + chr(0xD83D)]})
    {'keywords': ['a candle?']}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value)
        return {whole_characters(key): whole_characters(item) for key, item in entries.items()}
    if isinstance(value, list):
        return [whole_characters(item) for item in cast("list[Any]", value)]
    return value


def _as_json(value: Any) -> Any:
    """A literal as the JSON value that it stands for, tuples as arrays.

    Raises:
        ValueError: for what JSON can't hold: sets, bytes, complex numbers, infinity, keys that are no text.
    """
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in cast("Sequence[Any]", value)]
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value)
        if all(isinstance(key, str) for key in entries):
            return {key: _as_json(item) for key, item in entries.items()}
    elif value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ValueError(f"{type(value).__name__} is no JSON")


def _strict_at(text: str, at: int) -> _Found | None:
    try:
        value, end = _DECODER.raw_decode(text, at)
        return _Found(whole_characters(value), at, end)
    except (ValueError, RecursionError):
        return None


def _tokens(text: str, at: int, stop: int) -> Iterator[re.Match[str]]:
    """Brackets and strings; a quote that opens no string is passed over.

    When one string doesn't end, none that begins later does: each later quote is escaped. Were they tried one
    by one, an answer whose quotes are all escaped would take time by the square of its length.
    """
    for token in _TOKEN.finditer(text, at, stop):
        if token["endless"] is not None:
            yield from _BRACKET.finditer(text, token.start() + 1, stop)
            return
        yield token


def _balanced_end(text: str, at: int) -> int | None:
    """Where the bracket that opens at ``at`` closes, strings skipped; None when it never does."""
    depth = 0
    for token in _tokens(text, at, at + _MAX_PIECE):
        depth += (token[0] in "{[") - (token[0] in "}]")
        if depth == 0 and token[0] in "}]":
            return token.end()
    return None


def _lenient_at(text: str, at: int) -> _Found | None:
    """Trailing commas and Python's quotes, in a piece whose brackets all close; JSON values only."""
    if (end := _balanced_end(text, at)) is None:
        return None
    piece = text[at:end]
    value: Any = None
    try:
        with contextlib.suppress(json.JSONDecodeError):
            value = json.loads(_TRAILING_COMMA.sub(lambda m: m[1] or "", piece), strict=False)
        value = whole_characters(_as_json(ast.literal_eval(piece) if value is None else value))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    return _Found(value, at, end) if isinstance(value, dict | list) else None


def _scan(text: str, read: Callable[[str, int], _Found | None], limit: int) -> Iterator[_Found]:
    """All complete JSON objects and arrays that stand in no other, in order; ends at ``limit`` failures."""
    at = 0
    while limit and (opening := _OPENING.search(text, at)):
        found = read(text, opening.start())
        at = found.end if found else opening.end()
        if found:
            yield found
        else:
            limit -= 1


def _inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a position lies in one of the sorted, disjoint spans."""
    nearest = bisect.bisect_right(spans, (at, len(spans) and spans[-1][1])) - 1
    return nearest >= 0 and spans[nearest][0] <= at < spans[nearest][1]


def _thought_spans(text: str, found: list[_Found]) -> list[tuple[int, int, int, int]]:
    """Thinking, as (start of tag, start of words, end of words, end of tag).

    A tag inside a JSON value is part of that value. An end without a start closes a block that the
    server's template opened before the first character.
    """
    spans: list[tuple[int, int, int, int]] = []
    opened: tuple[int, int] | None = None
    after = 0
    values = [(value.start, value.end) for value in found]
    for tag in _TAG.finditer(text):
        if _inside(tag.start(), values):
            continue
        if not (tag["end"] or tag["end2"]):
            opened = opened or tag.span()
        elif opened is not None:
            spans.append((*opened, *tag.span()))
            opened, after = None, tag.end()
        else:
            spans.append((after, after, *tag.span()))
            after = tag.end()
    if opened is not None:
        spans.append((*opened, len(text), len(text)))
    return spans


def split_thinking(text: str) -> tuple[str, str]:
    """Split a model's text into its thinking and the rest, both stripped.

    Knows ``<think>``, ``<thinking>``, ``<thought>``, ``<reasoning>``, ``<seed:think>`` and Kimi's
    triangles; an opening that never closes makes all that follows thinking, a closing that was never
    opened all that comes before.

    >>> split_thinking("<think>a candle</think> Time passes.")
    ('a candle', 'Time passes.')
    """
    return _split(text, list(_scan(text, _strict_at, _MAX_STARTS)))


def _split(text: str, found: list[_Found]) -> tuple[str, str]:
    thoughts: list[str] = []
    rest: list[str] = []
    at = 0
    for start, words, end, after in _thought_spans(text, found):
        rest.append(text[at:start])
        thoughts.append(text[words:end].strip())
        at = after
    rest.append(text[at:])
    return "\n".join(thought for thought in thoughts if thought), "".join(rest).strip()


def _ranked(text: str, found: list[_Found]) -> list[tuple[bool, _Found]]:
    """Best first, and whether it stands in thinking: such last, objects first, later before earlier."""
    spans = [(start, after) for start, _, _, after in _thought_spans(text, found)]

    def rank(ranked: tuple[bool, _Found]) -> tuple[bool, bool, int]:
        thought, item = ranked
        return thought, not isinstance(item.value, dict), -item.start

    return sorted(((_inside(item.start, spans), item) for item in found), key=rank)


def extract_json(text: str, *, fits: Callable[[Any], bool] | None = None) -> Any:
    r"""Find the JSON object in a model's text.

    Of several complete top-level objects the last that ``fits`` is taken, what stands in the thinking
    only when nothing else is there; when none fits, the last outside it, so that its fault can be told.
    Arrays count after objects. Read leniently are raw newlines in strings and, when nothing strict
    fits, trailing commas and Python's quotes.

    Raises:
        NoAnswerError: when there is no complete object or array.

    >>> extract_json('<think>{"score": 1}?</think> ```json\n{"score": 2}\n``` as asked')
    {'score': 2}
    """
    best: list[tuple[bool, _Found]] = []
    for read, limit in ((_strict_at, _MAX_STARTS), (_lenient_at, _MAX_LENIENT_STARTS)):
        ranked = _ranked(text, list(_scan(text, read, limit)))
        for _, item in ranked:
            if fits is None or fits(item.value):
                return item.value
        best = best or ranked
    if not best or (best[0][0] and fits is not None):
        raise NoAnswerError("no complete JSON object in the answer")
    return best[0][1].value


def _whole(value: object, schema: Mapping[str, Any]) -> object:
    """A number as an integer where it is one: 8.0 and "8" are 8; 7.5 stays; true is 1 of 0 and 1."""
    if isinstance(value, bool):
        return int(value) if (schema.get("minimum"), schema.get("maximum")) == (0, 1) else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,9}(\.0{1,9})?\s*", value):
        return int(float(value))
    return value


def fit(value: object, schema: Mapping[str, Any]) -> object:
    """Shape a JSON value to a schema where that loses nothing; everything else stays for validation.

    Whole numbers given as 8.0 or "8" become integers where the schema wants one. A bare array becomes
    an object where the schema has a single field and that is an array.

    Args:
        value: as decoded.
        schema: JSON schema with its definitions in place (see :func:`agents.json_schema.answer_schema`).
    """
    properties: Mapping[str, Any] = schema.get("properties") or {}
    if isinstance(value, list):
        if schema.get("type") == "array":
            return [fit(item, schema.get("items") or {}) for item in value]
        if len(properties) == 1:
            (name, part), *_ = properties.items()
            return {name: fit(value, part)} if part.get("type") == "array" else value
        return value
    if isinstance(value, dict):
        return {key: fit(item, properties.get(key) or {}) for key, item in value.items()}
    if schema.get("type") == "integer":
        return _whole(value, schema)
    return whole_characters(value)


def read_answer(answer: object, schema: type[T], json_schema: Mapping[str, Any]) -> T:
    """Read text, or an already decoded value, as an answer of the given schema.

    Raises:
        NoAnswerError: when a text holds no complete JSON.
        pydantic.ValidationError: when what it holds does not fit.
    """

    def validated(value: object) -> T:
        return schema.model_validate(fit(whole_characters(value), json_schema))

    def fits(value: object) -> bool:
        try:
            validated(value)
        except ValidationError:
            return False
        return True

    return validated(extract_json(answer, fits=fits) if isinstance(answer, str) else answer)
