"""Rows of ``output/*.jsonl`` and ``score/*.jsonl``, and what is wrong with some of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agents.errors import UserError
from agents.schemas import Entry
from evals.datasets import read_gold
from evals.datasets.sample import shown
from evals.statistics.published_scores import FAILED, SCORE_KEYS, scored_of
from evals.store.records import Outcome

__all__ = ["Complaint", "Prediction", "Scored", "epoch_files", "predictions", "scores"]

_EPOCH = re.compile(r"(.+)\.epoch(\d+)\Z")

Complaint = Callable[[str], None]
"""Is told what is wrong with a row, in one sentence that begins with file and line."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """A row of predictions.

    Attributes:
        video_id: whose it is.
        entries: of the fixed form.
        odd: entries of another form, as they stand.
        text: ``total_output``, what the model said in all; None where the row has none.
    """

    video_id: str
    entries: tuple[Entry, ...]
    odd: tuple[str, ...]
    text: str | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A row of scores.

    Attributes:
        video_id: whose it is.
        scores: strict (0 to 1) and loose (0 to 10); None for a failure.
        reasoning: the judge's, or the message of the failure.
        outcome: of a failure; ``unjudged`` where the row tells none.
        phase: ``interpret`` or ``judge``, of a failure.
    """

    video_id: str
    scores: tuple[float, float] | None
    reasoning: str = ""
    outcome: Outcome = Outcome.OK
    phase: str = "judge"


@dataclass
class _Once:
    """Lets the first row of each video through."""

    complain: Complaint
    seen: dict[str, int] = field(default_factory=dict[str, int])

    def is_new(self, video_id: str, path: Path, number: int) -> bool:
        """Whether no earlier row is of this video."""
        first = self.seen.setdefault(video_id, number)
        if first != number:
            again = f"repeats {shown(video_id)!r} of line {first}, which counts"
            self.complain(f"{path}, line {number} {again}")
        return first == number


def epoch_files(path: Path) -> dict[int, Path]:
    """A file and those of further epochs beside it (``NAME.epoch2.jsonl``), by epoch.

    Raises:
        UserError: when there is no such file.
    """
    if not path.is_file():
        raise UserError(f"There is no file {path}.")
    found = {1: path}
    for file in path.parent.glob(f"*{path.suffix}"):
        later = _EPOCH.match(file.stem)
        if later and later[1] == path.stem:
            found[int(later[2])] = file
    return dict(sorted(found.items()))


def predictions(path: Path, complain: Complaint) -> Iterator[Prediction]:
    """Rows of predictions, each video once: the first counts.

    Raises:
        UserError: when the file can't be read.
    """
    once = _Once(complain)
    for number, row in _rows(path, complain):
        video_id = _video_id(row)
        if video_id is None or "analysis_dict" not in row:
            complain(f"{path}, line {number} is no prediction: it needs video_id and analysis_dict")
            continue
        if not once.is_new(video_id, path, number):
            continue
        try:
            said = read_gold(row["analysis_dict"])
        except ValueError as error:
            complain(f"{path}, line {number}: analysis_dict can't be read: {error}")
            continue
        read = [(text, _entry(text)) for text in said]
        odd = tuple(text for text, entry in read if entry is None)
        for text in odd:
            form = "'The video presents X, implicitly expressing Y'"
            complain(f"{path}, line {number}: an entry is not of the form {form}: {shown(text)!r}")
        text = row.get("total_output")
        yield Prediction(
            video_id=video_id,
            entries=tuple(entry for _, entry in read if entry is not None),
            odd=odd,
            text=text if isinstance(text, str) or text is None else json.dumps(text, ensure_ascii=False),
        )


def scores(path: Path, complain: Complaint) -> Iterator[Scored]:
    """Rows of scores, each video once: the first counts.

    Raises:
        UserError: when the file can't be read.
    """
    once = _Once(complain)
    for number, row in _rows(path, complain):
        video_id = _video_id(row)
        if video_id is None or not set(SCORE_KEYS) <= row.keys():
            keys = ", ".join(SCORE_KEYS)
            complain(f"{path}, line {number} is no score: it needs video_id, {keys}")
            continue
        if not once.is_new(video_id, path, number):
            continue
        try:
            yield _scored(video_id, row, f"{path}, line {number}")
        except UserError as error:
            complain(str(error).rstrip("."))


def _scored(video_id: str, row: dict[str, Any], where: str) -> Scored:
    reasoning = str(row.get("reasoning") or "")
    found = scored_of(row, where)
    if found is not None:
        return Scored(video_id, found, reasoning)
    failed = FAILED.match(reasoning)
    if failed is None:
        return Scored(video_id, None, reasoning, Outcome.UNJUDGED)
    message = reasoning[failed.end() :].removeprefix(" ")
    return Scored(
        video_id, None, message, Outcome(failed["outcome"]), "judge" if failed["judge"] else "interpret"
    )


def _entry(text: str) -> Entry | None:
    try:
        return Entry.parse(text)
    except ValueError:
        return None


def _video_id(row: dict[str, Any]) -> str | None:
    value = row.get("video_id")
    if isinstance(value, str) and value:
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _rows(path: Path, complain: Complaint) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                row = _row(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
                if isinstance(row, dict):
                    yield number, row
                elif row is not None:
                    complain(f"{path}, line {number} {row}")
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}.") from error


def _row(line: bytes) -> dict[str, Any] | str | None:
    """A row; why it is none; None for an empty line."""
    if not line.strip():
        return None
    try:
        row: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"is no JSON ({error})"
    return cast("dict[str, Any]", row) if isinstance(row, dict) else "is no JSON object"
