"""Where a diagnosis and the score without a judge contradict each other, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agents.diagnoses import Deficiency, DeficiencyKind, Diagnosis
from evals.diagnosis.mapping_score import PartScore, SampleScore
from evals.diagnosis.matching import Matcher
from evals.store.records import RunKey

__all__ = ["Disagreement", "disagreements"]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One gold entry on which the two contradict each other.

    Attributes:
        key: the sample.
        what: ``used`` where the score finds the concept in an entry and the diagnosis says that the mapping
            is missing; ``unused`` where the score finds it nowhere in the entries and the diagnosis has
            nothing to say of it; ``named`` where the score finds the element and the diagnosis says that it
            is never named.
        element: that it is about.
        concept: likewise.
        entry: the gold entry.
        evidence: what either rests on.
    """

    key: RunKey
    what: Literal["used", "unused", "named"]
    element: str
    concept: str
    entry: str
    evidence: str

    @property
    def told(self) -> str:
        """In words."""
        return {
            "used": "the score finds it used, the diagnosis calls it a missing mapping",
            "unused": "the score finds it in no entry, the diagnosis has no fault to find",
            "named": "the score finds the element named, the diagnosis says never named",
        }[self.what]


def disagreements(score: SampleScore, diagnosis: Diagnosis, matcher: Matcher) -> Iterator[Disagreement]:
    """Contradictions of one sample, in the order of the gold."""
    for part in score.parts:
        about = [each for each in diagnosis.deficiencies if _is_about(each, part, matcher)]
        missing = [each for each in about if each.kind is DeficiencyKind.MISSING_MAPPING]
        yield from _overdone(score, part, missing, matcher)
        if part.part.concepts and not part.used and not about:
            element = (part.part.elements or ("",))[0]
            yield Disagreement(score.key, "unused", element, part.part.concepts[0], part.part.entry, "")


def _overdone(
    score: SampleScore, part: PartScore, missing: list[Deficiency], matcher: Matcher
) -> Iterator[Disagreement]:
    """Missing mappings whose concept an entry expresses, or whose element is named."""
    for fault in missing:
        for concept, match in part.used.items():
            if concept in part.reached or not score.looked_up:
                found = f"{match.how}: {match.where}"
                yield Disagreement(score.key, "used", fault.element, concept, part.part.entry, found)
                break
        named = next((e for e in part.named if matcher.same(e, fault.element)), None)
        if fault.where == "nowhere" and named is not None:
            match = part.named[named]
            found = f"{match.how}: {match.where}"
            yield Disagreement(score.key, "named", fault.element, fault.expected, part.part.entry, found)


def _is_about(fault: Deficiency, part: PartScore, matcher: Matcher) -> bool:
    """Whether a deficiency is about a gold entry: it shares an element or a concept with it."""
    return any(matcher.same(fault.element, element) for element in part.part.elements) or any(
        fault.expected and matcher.same(fault.expected, concept) for concept in part.part.concepts
    )
