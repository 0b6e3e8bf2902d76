"""``--over retrieval.z=0,5,10``: from what people write to settings and values of the right type."""

from __future__ import annotations

import difflib
import types
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError, create_model
from pydantic.fields import FieldInfo

from agents.errors import UserError
from evals.settings.dotted import dotted_names, full_name, nearest
from evals.settings.variation import WHOLE
from evals.spec import RunSpec
from graphs.catalog import check_name

__all__ = ["Factors", "full_of", "read_factors", "read_named", "value_of"]

_WORDS = {
    "retrieval.z": "retrieval.limit",
    "retrieval.h": "retrieval.hops",
    "z": "retrieval.limit",
    "h": "retrieval.hops",
    "hops": "retrieval.hops",
    "retrieval": "retrieval.mode",
    "retrieval_hops": "retrieval.hops",
    "retrieval_limit": "retrieval.limit",
    "reference_tokens": "retrieval.max_tokens",
    "knowledge": "knowledge.graph",
    "knowledge_source": "knowledge.source",
    "knowledge_texts": "knowledge.texts",
    "texts_by": "knowledge.texts_by",
    "conceptnet": "knowledge.conceptnet",
    "embeddings": "knowledge.embeddings",
    "frames": "frames.max_frames",
    "max_side": "frames.max_side",
    "reader": "frames.reader",
    "sampling": "frames.method",
    "fps": "frames.fps",
    "tool": "tools",
    "prompt": "prompts",
    "type": "types",
}
"""The paper's names, and those of flags."""

_NO_ANSWER = ("context.calls", "context.frames.cache", "context.frames.cache_dir")
"""What alters no answer: sweeping it would compare a run with itself."""

_NOTHING = frozenset({"null", "none", "default"})


@dataclass(frozen=True, slots=True)
class Factors:
    """What is varied.

    Attributes:
        values: by full dotted name, in the order given.
        words: how each was called by whoever asked.
    """

    values: dict[str, tuple[Any, ...]]
    words: dict[str, str]


def full_of(word: str) -> str:
    """The full dotted name of what somebody calls a setting.

    Raises:
        UserError: for one that there is not, that holds others, or that can't be varied; with the way out.
    """
    plain = word.strip().replace("-", "_").removeprefix("context.")
    try:
        name = full_name(_WORDS.get(plain, plain), RunSpec)
    except ValueError as error:
        raise UserError(f"--over {word.strip()}: there is no such setting. {_near(plain)}") from error
    known = dotted_names(RunSpec)
    if known[name]:
        inner = [full.removeprefix("context.") for full in known if full.startswith(f"{name}.")]
        raise UserError(f"--over {word} holds settings of its own; vary one of {', '.join(inner)}.")
    if name.startswith(_NO_ANSWER):
        raise UserError(f"--over {word}: it alters no answer, so that there is nothing to compare.")
    if name in WHOLE:
        raise UserError(f"--over {word}: it is the whole run's, and can't be varied in it.")
    return name


def read_factors(given: Sequence[str]) -> Factors:
    """Read what ``--over`` was given, ``NAME=VALUE,VALUE`` each; a name that comes again has more values.

    Raises:
        UserError: naming the setting and the value that can't be.
    """
    values: dict[str, tuple[Any, ...]] = {}
    words: dict[str, str] = {}
    for text in given:
        word, equals, listed = text.partition("=")
        parts = [part.strip() for part in listed.split(",")]
        if not equals or not all(parts):
            raise UserError(f"--over wants NAME=VALUE,VALUE, as in retrieval.limit=0,5,10, and not {text!r}.")
        name = full_of(word)
        words.setdefault(name, word.strip().removeprefix("context."))
        found = values.get(name, ())
        for part in parts:
            value = value_of(name, part, f"--over {word.strip()}")
            if value in found and any(type(value) is type(other) for other in found if other == value):
                raise UserError(f"--over {word.strip()} names {part} twice.")
            found = (*found, value)
        values[name] = found
    return Factors(values, words)


def read_named(text: str) -> dict[str, Any]:
    """Read ``--base retrieval.z=10,few_shot=off``: values by full dotted name.

    Raises:
        UserError: naming the setting and the value that can't be.
    """
    found: dict[str, Any] = {}
    for part in text.split(","):
        word, equals, value = part.partition("=")
        if not equals or not value.strip():
            raise UserError(
                f"--base wants NAME=VALUE,NAME=VALUE, as in retrieval.limit=10, and not {text!r}."
            )
        found[full_of(word)] = value_of(full_of(word), value.strip(), f"--base {word.strip()}")
    return found


def value_of(name: str, text: str, said: str) -> Any:
    """A value of the setting's own type: on and off, null, numbers, words, and words with ``+`` for a list.

    Args:
        name: full, dotted.
        text: as it was written.
        said: how the setting was called, for the error.

    Raises:
        UserError: when it can't be one.
    """
    field = _field(name)
    wanted = field.annotation
    if _may_be_none(wanted) and text.casefold() in _NOTHING:
        return None
    given: Any = _listed(name, text) if _is_list(wanted) else text
    try:
        value = _read(field, given)
    except ValidationError as error:
        fault = error.errors()[0]
        told = str(fault["msg"]).removeprefix("Value error, ")
        told = "it should be on, off or null" if fault["type"].startswith("bool") else told
        raise UserError(f"{said}: {text!r} can't be: {told}.") from error
    if name == "graph":
        check_name(str(value))
    return _plain(value)


def _read(field: FieldInfo, given: Any) -> Any:
    """A value of a field's type and within its bounds; raises pydantic's ValidationError."""
    alone: Any = (field.annotation, copy(field))
    return getattr(create_model("_Alone", value=alone)(value=given), "value")  # noqa: B009


def _plain(value: Any) -> Any:
    """As a file holds it."""
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value


def _near(word: str) -> str:
    """The settings that were most likely meant."""
    known = dict.fromkeys(
        [
            *_WORDS,
            *(full.removeprefix("context.") for full, holds in dotted_names(RunSpec).items() if not holds),
        ]
    )
    found = [nearest(word, RunSpec), *difflib.get_close_matches(word, known, n=3, cutoff=0.75)]
    near = [name for name in dict.fromkeys(found) if name in known]
    return f"Did you mean {' or '.join(near)}?" if near else "Known: those that --dry-run prints."


def _field(name: str) -> FieldInfo:
    model: type[BaseModel] = RunSpec
    *above, last = name.split(".")
    for part in above:
        inner = model.model_fields[part].annotation
        assert isinstance(inner, type)  # noqa: S101 - dotted names are made of these
        model = inner
    return model.model_fields[last]


def _may_be_none(wanted: Any) -> bool:
    return get_origin(wanted) in (Union, types.UnionType) and type(None) in get_args(wanted)


def _is_list(wanted: Any) -> bool:
    return get_origin(wanted) is tuple


def _listed(name: str, text: str) -> list[Any]:
    parts = [] if text.casefold() in _NOTHING else text.split("+")
    if name == "context.prompts":
        return [part.split("=", 1) for part in parts]
    return parts
