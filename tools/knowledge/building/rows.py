"""One row of a file to a pair, or to what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tools.knowledge.building.pairs import Pair, Rejected
from tools.knowledge.edges import KINDS
from tools.knowledge.formats.evidence import sentences_from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.knowledge.building.columns import WhichColumn

__all__ = ["pair_of_array", "pair_of_fields"]

_LONGEST = 4
"""Of an array: source, target, count, data sets."""


def pair_of_array(row: list[Any], file: str, line: int) -> Pair | Rejected:
    """A pair from `[source, target, count, [data sets]]`; the last two may be left out."""
    if not 2 <= len(row) <= _LONGEST:  # noqa: PLR2004
        return Rejected(file, line, "layout", f"an array of {len(row)}")
    fields: dict[str, Any] = dict(zip(("source", "target", "count", "dataset"), row, strict=False))
    return pair_of_fields(fields, {role: role for role in fields}, file, line)


def pair_of_fields(fields: Mapping[str, Any], columns: WhichColumn, file: str, line: int) -> Pair | Rejected:
    """A pair from a row's fields, texts or what JSON has.

    Args:
        fields: by the names of columns.
        columns: the names of columns by what they hold.
        file: for the place.
        line: for the place.
    """

    def field(role: str) -> Any:
        return fields.get(columns[role]) if role in columns else None

    source, target = _text(field("source")), _text(field("target"))
    datasets = _texts(field("dataset")) or (_stem(file),)
    count, weight = _count(field("count")), _weight(field("weight"))
    kind, culture = _text(field("kind")).lower(), _text(field("culture"))
    fault = _fault(source, target, count, weight, kind, culture, len(datasets))
    if fault:
        return Rejected(file, line, *fault, source, target)
    return Pair(
        file,
        line,
        source,
        target,
        _texts(field("ground")),
        kind,
        culture,
        weight or 0.0,
        count or 1,
        _sentences(field("sentence")),
        _text(field("translation")),
        datasets,
        _text(field("licence")),
    )


def _fault(  # noqa: PLR0913, PLR0917
    source: str,
    target: str,
    count: int | None,
    weight: float | None,
    kind: str,
    culture: str,
    datasets: int,
) -> tuple[str, str] | None:
    """The reason and what is shown of it, if there is something wrong."""
    if not source or not target:
        return "missing", "no source" if not source else "no target"
    if count is None or count < datasets:
        return "count", "" if count is None else f"{count} in {datasets} data sets"
    if weight is None:
        return "weight", ""
    if kind and kind not in KINDS:
        return "kind", kind[:40]
    if (kind == "cultural") != bool(culture):
        return "culture", culture[:40]
    return None


def _text(value: Any) -> str:
    """One line of text; of anything that is not text, nothing. Half a surrogate pair is a question mark."""
    if not isinstance(value, str):
        return ""
    told = " ".join(value.split())
    return told if told.isascii() else told.encode("utf-8", "replace").decode()


def _texts(value: Any) -> tuple[str, ...]:
    """The texts of a list, or one text."""
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(filter(None, map(_text, listed))))


def _sentences(value: Any) -> tuple[str, ...]:
    """A text, a list of texts, or, as our own tables have it, a JSON list in a text."""
    if isinstance(value, str) and value.startswith("["):
        try:
            return _texts(list(sentences_from_json(value)))
        except ValueError:
            return _texts(value)
    return _texts(value)


def _count(value: Any) -> int | None:
    if value is None or value == "":
        return 1
    try:
        count = int(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return count if type(count) is int and count > 0 else None


def _weight(value: Any) -> float | None:
    """0 when there is none, None when it is no weight."""
    if value is None or value == "":
        return 0.0
    try:
        weight = float(value)
    except (TypeError, ValueError):
        return None
    return weight if 0 < weight <= 1 else None


def _stem(file: str) -> str:
    return Path(file).name.removesuffix(".gz").partition(".")[0] or file
