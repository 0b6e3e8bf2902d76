"""Scores in the layout of the published code: ``score/*.jsonl``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

from agents.errors import UserError
from evals.statistics.ratings import Ratings, RatingsBuilder
from evals.store.records import Outcome

__all__ = ["FAILED", "SCORE_KEYS", "read_published", "score_files", "scored_of"]

_EPOCH = re.compile(r"(.+)\.epoch(\d+)\Z")
FAILED = re.compile(rf"\[(?P<outcome>{'|'.join(o for o in Outcome if o.failed)})(?P<judge> \(judge\))?\]")
"""How the reasoning of a failed sample begins."""

_KEYS = (("Content_Mining_Score", 1.0), ("Thought_Analysis_Score", 10.0))
SCORE_KEYS = tuple(key for key, _ in _KEYS)
"""What a row of scores has besides ``video_id``."""

_SHOWN = 3

Epochs = dict[int, Path]


def score_files(path: Path) -> list[Epochs]:
    """Files of one system each by epoch, of a file, a folder of them, or a folder with ``score/`` in it.

    ``NAME.epoch2.jsonl`` is the second epoch of ``NAME.jsonl``.
    """
    if path.is_file():
        return [{1: path}]
    folder = path / "score" if (path / "score").is_dir() else path
    names = [file for file in sorted(folder.glob("*.jsonl")) if _holds_scores(file)]
    found: dict[str, Epochs] = {}
    for file in names:
        later = _EPOCH.match(file.stem)
        stem, epoch = (later[1], int(later[2])) if later else (file.stem, 1)
        found.setdefault(stem, {})[epoch] = file
    return list(found.values())


def read_published(files: Epochs) -> tuple[str, Path, Ratings, list[str]]:
    """Read the score files of one system.

    A row whose reasoning begins with an outcome, as our own export writes it, or whose scores are null, is a
    failure. Repeated rows of a video count once: the first.

    Returns:
        Its name, its first file, its scores (without types), and notes.

    Raises:
        UserError: when a row can't be read; it names file, line and value.
    """
    builder, notes = RatingsBuilder(), list[str]()
    first = files[min(files)]
    rows = 0
    for epoch, path in sorted(files.items()):
        seen: set[str] = set()
        repeated: list[str] = []
        for video_id, scored in _rows(path):
            if video_id in seen:
                repeated.append(video_id)
                continue
            seen.add(video_id)
            builder.add(video_id, epoch, (), scored)
            rows += 1
        if repeated:
            named = ", ".join(dict.fromkeys(repeated[:_SHOWN]))
            notes.append(f"{path.name} repeats {len(repeated)} rows ({named}): the first of each counts")
    if not rows:
        raise UserError(f"{first} holds no scores: give a file with rows, or leave it out.")
    name = _EPOCH.sub(r"\1", first.stem)
    if name == "scores":  # as our own export calls it, in each run directory
        name = first.resolve().parent.name
    return name, first, builder.build(), notes


def _holds_scores(file: Path) -> bool:
    with file.open("rb") as lines:
        return _KEYS[0][0].encode() in lines.readline()


def _rows(path: Path) -> list[tuple[str, tuple[float, float] | None]]:
    found: list[tuple[str, tuple[float, float] | None]] = []
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} can't be read: {error}.") from error
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            if number == len(lines):  # a torn last line: the file is being written, or its writer was killed
                break
            raise UserError(f"{path}, line {number} is no JSON ({error}); mend it or take it out.") from error
        if not isinstance(row, dict) or not {"video_id", *(key for key, _ in _KEYS)} <= row.keys():
            keys = ", ".join(key for key, _ in _KEYS)
            raise UserError(f"{path}, line {number} is no score: it needs video_id, {keys}.")
        fields = cast("dict[str, Any]", row)
        found.append((str(fields["video_id"]), scored_of(fields, f"{path}, line {number}")))
    return found


def scored_of(row: dict[str, Any], where: str) -> tuple[float, float] | None:
    """Strict (0 to 1) and loose (0 to 10) of a row; None for a failure.

    Raises:
        UserError: when one is no such number; it names the value.
    """
    if any(row[key] is None for key, _ in _KEYS) or FAILED.match(str(row.get("reasoning", ""))):
        return None
    strict, loose = (_number(row[key], key, most, where) for key, most in _KEYS)
    return strict, loose


def _number(value: object, key: str, most: float, where: str) -> float:
    try:
        number = float(value) if isinstance(value, int | float | str) else float("nan")
    except ValueError:
        number = float("nan")
    if not 0 <= number <= most:
        raise UserError(
            f"{where}: {key} is {value!r}, not a number from 0 to {most:g}; write null for a failed sample."
        )
    return number
