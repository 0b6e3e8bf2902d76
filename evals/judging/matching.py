"""The judge's scores and people's, put beside each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from evals.datasets.sample import shown
from evals.judging.humans import HumanRating, HumanRatings
from evals.judging.verdicts import Judged, Scored
from evals.statistics.bootstrap import Floats
from evals.statistics.ratings import ALL, in_order

__all__ = ["THRESHOLD", "Matched", "Strictness", "Unit", "match", "table", "video_numbers"]

THRESHOLD = 9.0
"""Mean of people's scores from which a prediction counts as strict: the rubric's band "right and full"."""

_HALF = 0.5
_SHOWN = 5
_Key = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Unit:
    """One prediction that both the judge and at least one person scored.

    Attributes:
        video_id: of the video.
        epoch: None for the mean over epochs.
        types: of the video.
        judge: the judge's score, on the scale of people's.
        humans: theirs, in the order of raters; None where one gave none.
        judge_strict: whether most strict judgements say yes.
        human_strict: whether people do; None where it isn't told.
        records: the verdicts that ``judge`` is the mean of.
    """

    video_id: str
    epoch: int | None
    types: tuple[str, ...]
    judge: float
    humans: tuple[float | None, ...]
    judge_strict: bool
    human_strict: bool | None
    records: tuple[Scored, ...]

    @property
    def human(self) -> float:
        """The mean of those who rated."""
        return fmean(score for score in self.humans if score is not None)


@dataclass(frozen=True, slots=True)
class Strictness:
    """What makes a prediction strict in people's eyes.

    Attributes:
        threshold: of the mean of their scores; None where they said so themselves.
    """

    threshold: float | None

    @property
    def said(self) -> str:
        """In words."""
        if self.threshold is None:
            return "people: at least half of the raters say so"
        return f"people: the mean of their scores is {self.threshold:g} or more"


@dataclass(frozen=True, slots=True)
class Matched:
    """All of it.

    Attributes:
        judged: what the judge gave.
        humans: what people gave.
        units: sorted by video and epoch.
        strictness: what is strict for people.
        notes: what a reader must know.
    """

    judged: Judged
    humans: HumanRatings
    units: tuple[Unit, ...]
    strictness: Strictness
    notes: tuple[str, ...]

    def groups(self, *, by_type: bool) -> dict[str, list[Unit]]:
        """Units of each type, in the paper's order, and of all, last."""
        found: dict[str, list[Unit]] = defaultdict(list)
        for unit in self.units if by_type else ():
            for name in dict.fromkeys(unit.types):
                found[name].append(unit)
        return {**{name: found[name] for name in in_order(found)}, ALL: list(self.units)}


def match(
    judged: Judged, humans: HumanRatings, *, threshold: float = THRESHOLD, epoch: int | None = None
) -> Matched:
    """Put scores beside each other, by video and, where ratings tell it, epoch.

    Args:
        judged: the judge's.
        humans: people's.
        threshold: mean of loose scores from which people count as strict, if they have not said so.
        epoch: the only one to look at; all when None.

    Raises:
        UserError: when no video was scored by both.
    """
    strict_told = humans.scale == "strict" or any(rating.strict is not None for rating in humans.ratings)
    strictness = Strictness(None if strict_told else threshold)
    scores = [one for one in judged.scores if epoch in (None, one.epoch)]
    by_key = _by_key(scores)
    rated: dict[_Key, list[HumanRating]] = defaultdict(list)
    for rating in humans.ratings:
        if epoch is None or rating.epoch in (None, epoch):
            rated[rating.video_id, rating.epoch].append(rating)
    units = [
        _unit(key, by_key[key], rated[key], humans, strictness)
        for key in sorted(rated, key=lambda key: (key[0], key[1] or 0))
        if key in by_key and any(rating.score is not None for rating in rated[key])
    ]
    notes = list(_notes(judged, humans, rated, by_key, epoch))
    if not units:
        raise UserError("; ".join(["No video was scored by both the judge and a person", *notes]) + ".")
    return Matched(judged, humans, tuple(units), strictness, tuple(notes))


def _by_key(scores: Iterable[Scored]) -> dict[_Key, list[Scored]]:
    found: dict[_Key, list[Scored]] = defaultdict(list)
    for one in scores:
        found[one.video_id, one.epoch].append(one)
        found[one.video_id, None].append(one)
    return dict(found)


def _unit(
    key: _Key,
    scores: Sequence[Scored],
    ratings: Sequence[HumanRating],
    humans: HumanRatings,
    strictness: Strictness,
) -> Unit:
    given = {rating.rater: rating.score for rating in ratings}
    strict = fmean(one.strict for one in scores)
    return Unit(
        video_id=key[0],
        epoch=key[1],
        types=scores[0].types,
        judge=strict if humans.scale == "strict" else fmean(one.loose for one in scores),
        humans=tuple(given.get(rater) for rater in humans.raters),
        judge_strict=strict >= _HALF,
        human_strict=_strict(ratings, humans, strictness),
        records=tuple(scores),
    )


def _strict(ratings: Sequence[HumanRating], humans: HumanRatings, strictness: Strictness) -> bool | None:
    if strictness.threshold is not None:
        return fmean(rating.score for rating in ratings if rating.score is not None) >= strictness.threshold
    own = [rating.strict for rating in ratings if rating.strict is not None]
    if not own and humans.scale == "strict":
        own = [rating.score for rating in ratings if rating.score is not None]
    return fmean(own) >= _HALF if own else None


def _notes(
    judged: Judged,
    humans: HumanRatings,
    rated: dict[_Key, list[HumanRating]],
    by_key: dict[_Key, list[Scored]],
    epoch: int | None,
) -> Iterable[str]:
    without = {video_id for video_id, _ in judged.unscored}
    known = {one.video_id for one in judged.scores} | without
    unknown = sorted({video_id for video_id, _ in rated} - known)
    if unknown:
        yield f"{_number(unknown, 'rated video')} not in {judged.name} and left out: {_named(unknown, known)}"
    unscored = sorted({key[0] for key in rated if key not in by_key and key[0] in known})
    if unscored:
        yield f"{_number(unscored, 'rated video')} without a verdict and left out: {_named(unscored)}"
    unrated = {key[0] for key in by_key} - {key[0] for key in rated}
    if unrated:
        yield f"{_number(unrated, 'judged video')} not rated by anyone, and left out"
    yield from _missing(humans, rated, by_key)
    if humans.guessed and humans.scale == "strict":
        yield "every score is 0 or 1: they are held against the strict score (--scale loose if they are not)"
    whole = [rating for key, ratings in rated.items() if key[1] is None for rating in ratings]
    if epoch is None and judged.epochs > 1 and whole:
        yield (
            f"the run has up to {judged.epochs} epochs and the ratings name none: each is held against the "
            "mean over a video's epochs; --epoch 1 takes the first alone"
        )


def _missing(
    humans: HumanRatings, rated: dict[_Key, list[HumanRating]], by_key: dict[_Key, list[Scored]]
) -> Iterable[str]:
    keys = [key for key in rated if key in by_key]
    for rater in humans.raters:
        gave = sum(any(r.rater == rater and r.score is not None for r in rated[key]) for key in keys)
        if gave < len(keys):
            yield f"{rater} rated {gave} of {len(keys)}: what is missing is left out, not filled in"
    if humans.unrated:
        yield f"{humans.unrated} rows hold no score"


def _number(ids: Iterable[str], what: str) -> str:
    count = len(list(ids))
    return f"1 {what} is" if count == 1 else f"{count} {what}s are"


def _named(ids: Sequence[str], known: Iterable[str] = ()) -> str:
    """The first few, with the id that a spreadsheet may have made them of."""
    bare = {name.lstrip("0").casefold(): name for name in known}
    told = [
        f"{shown(name)} (is it {shown(bare[near])}?)" if (near := name.lstrip("0").casefold()) in bare else
        f"{shown(name)} (a spreadsheet's way of writing a long number)" if _is_mangled(name) else shown(name)
        for name in ids[:_SHOWN]
    ]  # fmt: skip
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(told) + more


def _is_mangled(name: str) -> bool:
    head, mark, tail = name.upper().partition("E+")
    return bool(mark) and tail.isdigit() and head.replace(".", "").replace(",", "").isdigit()


def table(units: Sequence[Unit]) -> Floats:
    """People's scores, of shape ``(units, raters)``; NaN where one gave none."""
    return np.array(
        [[np.nan if score is None else score for score in unit.humans] for unit in units], dtype=np.float64
    )


def video_numbers(ids: Sequence[str]) -> NDArray[np.int64]:
    """Which video each row is of, numbered from 0 in the order of ids."""
    _, numbers = np.unique(np.array(ids, dtype=object).astype(str), return_inverse=True)
    return numbers.astype(np.int64)
