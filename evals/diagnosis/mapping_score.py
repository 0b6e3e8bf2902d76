"""A score of mapping without a judge: how far the gold was recognized, reached and used, as three rates.

Of the elements of the gold, *recognition* is the share that was named at all: as a keyword, in the thinking
or in an entry. Of its concepts, *reach* is the share that was reached by hops, or was among the associations
or sentences that the interpreting step was given; and *use* the share that an entry expresses. Where nothing
was looked up there is no reach. What counts as an element, a concept and an occurrence is said in
:mod:`evals.diagnosis.gold_parts` and :mod:`evals.diagnosis.matching`; each is decided by words (and vectors,
where they are given), so that the rates are the same whenever they are computed, and blind to a meaning in
other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.transcripts import transcript_of
from evals.diagnosis.gold_parts import GoldPart
from evals.diagnosis.matching import Match, Matcher, Text
from evals.diagnosis.records import state_of
from evals.store.records import RunKey, RunRecord

__all__ = ["RATES", "PartScore", "Rate", "SampleScore", "score_sample"]

Rate = Literal["recognition", "reach", "use"]
RATES: tuple[Rate, ...] = ("recognition", "reach", "use")


@dataclass(frozen=True, slots=True)
class PartScore:
    """What became of one gold entry.

    Attributes:
        part: the entry, taken apart.
        named: its elements that were named, and how.
        reached: its concepts that were reached.
        used: its concepts that reached an entry.
    """

    part: GoldPart
    named: dict[str, Match]
    reached: dict[str, Match]
    used: dict[str, Match]


@dataclass(frozen=True, slots=True)
class SampleScore:
    """The rates of one sample.

    Attributes:
        key: whose they are.
        types: of the video.
        parts: what became of each gold entry.
        looked_up: whether anything was walked to or given.
    """

    key: RunKey
    types: tuple[str, ...]
    parts: tuple[PartScore, ...]
    looked_up: bool

    def rate(self, rate: Rate) -> float | None:
        """A rate from 0 to 100; None where the gold has nothing to count, or nothing was looked up."""
        if rate == "recognition":
            return _percent((len(each.named), len(each.part.elements)) for each in self.parts)
        if rate == "reach" and not self.looked_up:
            return None
        return _percent(
            (len(each.reached if rate == "reach" else each.used), len(each.part.concepts))
            for each in self.parts
        )


def _percent(counts: Iterable[tuple[int, int]]) -> float | None:
    pairs = list(counts)
    whole = sum(total for _, total in pairs)
    return 100 * sum(found for found, _ in pairs) / whole if whole else None


def score_sample(record: RunRecord, gold: Sequence[str], matcher: Matcher) -> SampleScore:
    """Score one record that has an interpretation."""
    transcript = transcript_of(state_of(record, gold))
    entries = record.interpretation.entries if record.interpretation else ()
    said = [piece.text for piece in transcript.pieces if piece.where in ("thinking", "answer")]
    named = Text([*record.keywords, *said, *(entry.presents for entry in entries)])
    reached = Text(_reached(record))
    used = Text(entry.expresses for entry in entries)
    parts = tuple(
        PartScore(
            part,
            named=_found(part.elements, named, matcher),
            reached=_found(part.concepts, reached, matcher),
            used=_found(part.concepts, used, matcher),
        )
        for part in matcher.parts(gold)
    )
    return SampleScore(record.key, record.types, parts, looked_up=bool(reached.lines))


def _found(phrases: Iterable[str], text: Text, matcher: Matcher) -> dict[str, Match]:
    return {phrase: match for phrase in phrases if (match := matcher.find(phrase, text))}


def _reached(record: RunRecord) -> list[str]:
    """Every concept that a path led to, by hops or as given; the element where it began is not among them."""
    walked = [*(mapping for hop in record.hops for mapping in hop.mappings), *record.mappings]
    nodes = [node for mapping in walked for node in (*mapping.path[1:], mapping.concept)]
    return list(dict.fromkeys([*nodes, *(passage.text for passage in record.passages)]))
