"""The layout of the published release, which is ours too: ``datas.jsonl`` beside ``videos/``."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from agents.errors import UserError
from agents.metaphor_types import MetaphorType
from evals.datasets.gold import read_gold
from evals.datasets.sample import UNKNOWN_TYPE, Dataset, Problem, ProblemKind, Sample, shown

__all__ = ["TABLE_NAMES", "read_layout"]

TABLE_NAMES = ("datas.jsonl", "test.jsonl")
"""File names of the published table: in its repository, and on the hub."""

_VIDEO_SUFFIXES = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v", ".mpg", ".ts", ".flv", ".gif", ".webp")
_NO_VIDEO = frozenset({".json", ".jsonl", ".txt", ".srt", ".vtt", ".md", ".wav", ".mp3", ".part", ".tmp"})
_SHOWN = 20


def read_layout(path: Path, name: str | None = None) -> Dataset:
    """Read a table of samples and find their videos; every file is looked for before this returns.

    Args:
        path: the folder that holds the table and ``videos/``, or the table itself.
        name: what to call the data set; the path by default.

    Raises:
        UserError: when there is no table, it is empty, or rows can't be read (all of them are named).
    """
    table = _table(path)
    reading = _Reading(*_videos(table.parent / "videos"), table.parent / "videos")
    for number, line in _lines(table):
        reading.row(number, line)
    if reading.faults:
        raise UserError(f"{table}: {_listed(reading.faults)}")
    if not reading.samples:
        raise UserError(f"{table} holds no sample: each line should be one JSON object with a video_id.")
    return Dataset(name or str(path), tuple(reading.samples.values()), tuple(reading.problems))


def _table(path: Path) -> Path:
    if path.is_file():
        return path
    for name in TABLE_NAMES:
        if (path / name).is_file():
            return path / name
    raise UserError(
        f"{path} holds no {' or '.join(TABLE_NAMES)}; give the folder of a data set, or its table."
    )


def _lines(table: Path) -> Iterator[tuple[int, str]]:
    try:
        with table.open(encoding="utf-8-sig") as file:
            yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())
    except UnicodeDecodeError as error:
        raise UserError(f"{table} is not UTF-8 text ({error.reason} at byte {error.start}).") from error


def _listed(faults: list[str]) -> str:
    more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return "; ".join(faults[:_SHOWN]) + more + "."


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name)  # macOS hands out decomposed names


def _videos(folder: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """What a folder holds by id (a name without its suffix): videos, and why other things are none."""
    found: dict[str, Path] = {}
    others: dict[str, str] = {}
    if not folder.is_dir():
        return found, others
    for entry in sorted(os.scandir(folder), key=_preference):
        path = Path(entry.path)
        if entry.name.startswith("."):
            continue
        if entry.is_file() and path.suffix.lower() not in _NO_VIDEO:
            found.setdefault(_key(path.stem), path)
        elif entry.is_dir() and any(path.iterdir()):
            found.setdefault(_key(entry.name), path)
        else:
            others.setdefault(_key(path.stem), f"{path} is {_what(entry)}")
    return found, others


def _what(entry: os.DirEntry[str]) -> str:
    if entry.is_dir():
        return "an empty folder"
    if entry.is_file():
        return "no video by its name"
    return "a link to nothing" if entry.is_symlink() else "neither a file nor a folder"


def _preference(entry: os.DirEntry[str]) -> tuple[int, str]:
    suffix = Path(entry.name).suffix.lower()
    rank = _VIDEO_SUFFIXES.index(suffix) if suffix in _VIDEO_SUFFIXES else len(_VIDEO_SUFFIXES)
    return rank + (entry.is_dir() * 100), entry.name


class _RowError(Exception):
    """What is wrong with a row."""


@dataclass
class _Reading:
    """Rows read so far: what came of them, and what was wrong."""

    videos: dict[str, Path]
    others: dict[str, str]
    folder: Path
    samples: dict[str, Sample] = field(default_factory=dict[str, Sample])
    problems: list[Problem] = field(default_factory=list[Problem])
    faults: list[str] = field(default_factory=list[str])

    def row(self, number: int, line: str) -> None:
        try:
            self._take(number, _fields(line))
        except (ValueError, _RowError) as error:
            self.faults.append(f"line {number}: {error}")

    def _take(self, number: int, row: dict[str, object]) -> None:
        video_id = _video_id(row.get("video_id"))
        gold, title = read_gold(row.get("golden_answers")), row.get("title") or ""
        if not isinstance(title, str):
            raise _RowError(f"title of {shown(video_id)!r} is no text: {shown(repr(title))}")
        video = self.videos.get(_key(video_id))
        types, strangers = _types(row.get("metaphor_type"))
        told = self.others.get(
            _key(video_id), f"no {self.folder / shown(video_id)}.* and no folder of frames"
        )
        sample = Sample(video_id, title.strip(), types, gold, video, "" if video else told)
        if video_id in self.samples:
            other = "" if self.samples[video_id] == sample else ", with other content"
            self._report("duplicate", video_id, f"again on line {number}{other}; the first row counts")
            return
        self.samples[video_id] = sample
        for stranger in strangers:
            self._report("unknown_type", video_id, f"{stranger}; counted as '{UNKNOWN_TYPE}'")
        if video is None:
            self._report("missing_video", video_id, f"{told}; counts as bad_input")
        if not gold:
            self._report("no_gold", video_id, "golden_answers holds nothing to judge by; counts as bad_input")

    def _report(self, kind: ProblemKind, video_id: str, detail: str) -> None:
        self.problems.append(Problem(kind, video_id, detail))


def _fields(line: str) -> dict[str, object]:
    try:
        row: object = json.loads(line)
        if "\\u" in line:  # escapes can spell half a character, which no file could hold
            row = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
    except ValueError as error:
        raise _RowError(f"not JSON ({error})") from error
    except RecursionError as error:
        raise _RowError("its JSON is nested too deeply to be read") from error
    if not isinstance(row, dict):
        raise _RowError(f"not a JSON object but {type(row).__name__}")
    return cast("dict[str, object]", row)


def _video_id(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise _RowError(f"video_id should be text, found {shown(repr(value))}")
    value = value.strip()
    if value in (".", "..") or any(mark in value for mark in "/\\\0"):
        raise _RowError(f"video_id {shown(value)!r} is no plain file name")
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
