"""What people gave: a rating a line, by video and rater, checked line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agents.errors import UserError
from evals.datasets.sample import shown
from evals.judging.csv_text import Row, read_rows

__all__ = ["COLUMNS", "HumanRating", "HumanRatings", "Scale", "read_humans"]

COLUMNS = ("video_id", "rater", "score")
Scale = Literal["loose", "strict"]

_MOST = 10  # faults that are named
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?\Z")
_EPOCH = re.compile(r"0*[1-9][0-9]{0,8}\Z")
_TEN, _NO = 10.0, ("", "-", "na", "n/a", "nan", "none", "null", "#n/a")


@dataclass(frozen=True, slots=True)
class HumanRating:
    """One person's rating of one prediction.

    Attributes:
        video_id: of the video.
        rater: who.
        epoch: which of the run's predictions; None where the file has no such column.
        score: 0 to 10, or 0 to 1 on the strict scale; None where the rater gave none.
        strict: 0 or 1, of a column of that name; None where there is none.
    """

    video_id: str
    rater: str
    epoch: int | None
    score: float | None
    strict: float | None


@dataclass(frozen=True, slots=True)
class HumanRatings:
    """All of them.

    Attributes:
        ratings: in the order of the files; those without any score are left out.
        scale: what ``score`` is: 0 to 10, or 0 and 1.
        guessed: whether the scale was read off the scores.
        unrated: rows without a score.
        paths: of the files.
    """

    ratings: tuple[HumanRating, ...]
    scale: Scale
    guessed: bool
    unrated: int
    paths: tuple[Path, ...]

    @property
    def raters(self) -> tuple[str, ...]:
        """Who rated, sorted."""
        return tuple(sorted({rating.rater for rating in self.ratings}))


def read_humans(paths: Sequence[Path], scale: Scale | None = None) -> HumanRatings:
    """Read files of ratings.

    Columns ``video_id``, ``rater`` and ``score``; ``strict`` and ``epoch`` if there are. A cell that is empty
    (or ``NA``) is a rating not given.

    Args:
        paths: of the files.
        scale: of ``score``; where None, strict if every score is 0 or 1, else loose.

    Raises:
        UserError: for rows that can't be used, each named by line and value, and for a pair of video and
            rater that is there twice.
    """
    found: list[HumanRating] = []
    faults: list[str] = []
    first: dict[tuple[str, str, int | None], str] = {}
    for path in paths:
        for number, cells in read_rows(path, COLUMNS):
            where = f"{path}, line {number}"
            rating = _rating((number, cells), where, faults)
            if rating is None:
                continue
            key = (rating.video_id, rating.rater, rating.epoch)
            if key in first:
                who = f"{shown(rating.video_id)!r} by {rating.rater!r}"
                faults.append(f"{where}: {who} is rated a second time, first in {first[key]}")
                continue
            first[key] = where
            found.append(rating)
    _complain(faults)
    return _scaled(found, scale, tuple(paths))


def _scaled(found: list[HumanRating], scale: Scale | None, paths: tuple[Path, ...]) -> HumanRatings:
    kept = [rating for rating in found if rating.score is not None or rating.strict is not None]
    if not kept:
        raise UserError(f"{', '.join(map(str, paths))}: no row holds a score.")
    scores = {rating.score for rating in kept if rating.score is not None}
    told = scale or ("strict" if scores and scores <= {0.0, 1.0} else "loose")
    if told == "strict" and (wrong := scores - {0.0, 1.0}):
        raise UserError(f"--scale strict: scores are 0 or 1, and there is {min(wrong):g}.")
    return HumanRatings(tuple(kept), told, scale is None, len(found) - len(kept), paths)


def _rating(row: Row, where: str, faults: list[str]) -> HumanRating | None:
    cells = row[1]
    before = len(faults)
    faults += [f"{where}: {name} is empty" for name in ("video_id", "rater") if not cells[name]]
    score = _number(cells["score"], where, "score", faults)
    strict = _number(cells.get("strict", ""), where, "strict", faults)
    if strict is not None and 0 < strict <= _TEN and strict != 1:
        faults.append(f"{where}: strict is {shown(cells['strict'])!r}, not 0 or 1")
    epoch = cells.get("epoch", "")
    if epoch and not _EPOCH.match(epoch):
        faults.append(f"{where}: epoch is {shown(epoch)!r}, not a whole number from 1")
    if len(faults) > before:
        return None
    return HumanRating(cells["video_id"], cells["rater"], int(epoch) if epoch else None, score, strict)


def _number(text: str, where: str, name: str, faults: list[str]) -> float | None:
    """A number from 0 to 10, with a decimal point or comma; None for none given."""
    if text.lower() in _NO:
        return None
    value = float(text.replace(",", ".")) if _NUMBER.match(text) and text.isascii() else -1.0
    if not 0 <= value <= _TEN:
        faults.append(f"{where}: {name} is {shown(text)!r}, not a number from 0 to 10")
    return value


def _complain(faults: Iterable[str]) -> None:
    told = list(faults)
    if told:
        more = f"\n  and {len(told) - _MOST} more" if len(told) > _MOST else ""
        lines = "".join(f"\n  {fault}" for fault in told[:_MOST])
        rows = "1 row can't" if len(told) == 1 else f"{len(told)} rows can't"
        raise UserError(f"{rows} be used; mend or take out, and start again:{lines}{more}")
