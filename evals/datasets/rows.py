"""One row of a table, read into a sample."""

from __future__ import annotations

import json
from typing import cast

from agents.errors import UserError
from agents.metaphor_types import MetaphorType
from evals.datasets.gold import read_gold
from evals.datasets.sample import UNKNOWN_TYPE, Sample, shown
from evals.datasets.videos import VideoIndex

__all__ = ["read_row"]


def read_row(line: str, videos: VideoIndex) -> tuple[Sample, list[str]]:
    """Read a line of a table.

    Args:
        line: one JSON object.
        videos: where its video is looked for.

    Returns:
        The sample, and a sentence for each value that is no metaphor type.

    Raises:
        ValueError: when it can't be read; it says why.
    """
    row = _fields(line)
    video_id = _video_id(row.get("video_id"))
    gold, title = read_gold(row.get("golden_answers")), row.get("title") or ""
    if not isinstance(title, str):
        raise ValueError(f"title of {shown(video_id)!r} is no text: {shown(repr(title))}")  # noqa: TRY004
    types, strangers = _types(row.get("metaphor_type"))
    video, instead = videos.find(video_id)
    return Sample(video_id, title.strip(), types, gold, video, instead), strangers


def _fields(line: str) -> dict[str, object]:
    try:
        row: object = json.loads(line)
        if "\\u" in line:  # escapes can spell half a character, which no file could hold
            row = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(f"not JSON ({error})") from error
    except RecursionError as error:
        raise ValueError("its JSON is nested too deeply to be read") from error
    if not isinstance(row, dict):
        raise ValueError(f"not a JSON object but {type(row).__name__}")  # noqa: TRY004 - the data's fault
    return cast("dict[str, object]", row)


def _video_id(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"video_id should be text, found {shown(repr(value))}")
    value = value.strip()
    if value in (".", "..") or any(mark in value for mark in "/\\\0"):
        raise ValueError(f"video_id {shown(value)!r} is no plain file name")
    return value


def _types(value: object) -> tuple[tuple[str, ...], list[str]]:
    """Keys in their order, each once, and a sentence for each value that is no type."""
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not values:
        return (UNKNOWN_TYPE,), [f"metaphor_type is {shown(repr(value))}"]
    keys: list[str] = []
    strangers: list[str] = []
    for item in cast("list[object]", values):
        try:
            keys.append(MetaphorType.parse(str(item)).value)
        except UserError:
            keys.append(UNKNOWN_TYPE)
            strangers.append(f"{shown(repr(item))} is no metaphor type")
    return tuple(dict.fromkeys(keys)), strangers
