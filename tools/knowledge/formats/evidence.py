"""Sentences as JSON, for formats whose fields are text: plain strings, or objects that name their source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from tools.knowledge.edges import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["sentences_from_json", "sentences_to_json"]

_FIELDS = {"text", "source", "licence"}


def sentences_to_json(sentences: Sequence[str]) -> str:
    """A JSON list, in ASCII; nothing when there are no sentences.

    >>> sentences_to_json(["Brief candle!", Sentence("It burned low.", "a book", "CC0")])
    '["Brief candle!", {"text": "It burned low.", "source": "a book", "licence": "CC0"}]'
    """
    return json.dumps([_told(sentence) for sentence in sentences]) if sentences else ""


def sentences_from_json(text: str) -> tuple[str, ...]:
    """Sentences from such a list.

    Raises:
        ValueError: if the text is anything else.
    """
    if not text:
        return ()
    try:
        found: Any = json.loads(text)
    except RecursionError as error:
        raise ValueError(text[:40]) from error
    if not isinstance(found, list):
        raise ValueError(text[:40])  # noqa: TRY004 - the text is at fault, not its type
    return tuple(_sentence(entry) for entry in cast("list[Any]", found))


def _told(sentence: str) -> str | dict[str, str]:
    source, licence = getattr(sentence, "source", ""), getattr(sentence, "licence", "")
    if not source and not licence:
        return str(sentence)
    return {"text": str(sentence), "source": source, "licence": licence}


def _sentence(entry: Any) -> str:
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict) or "text" not in entry or not set(entry) <= _FIELDS:
        raise ValueError(str(entry)[:40])
    if not all(isinstance(value, str) for value in entry.values()):
        raise ValueError(str(entry)[:40])
    return Sentence(**entry)
