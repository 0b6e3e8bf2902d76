"""What the page knows of a sample's diagnosis: its deficiencies with their evidence, and the score beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agents.quotations import find
from evals.report.diagnosed import Diagnosed
from evals.report.transcript import Quotation
from evals.store.records import RunRecord

if TYPE_CHECKING:
    from agents.diagnoses import Deficiency, Diagnosis
    from agents.transcripts import Transcript
    from evals.diagnosis.disagreeing import Disagreement
    from evals.diagnosis.mapping_score import SampleScore

__all__ = ["counted", "faults", "quoted"]

_AROUND = 140  # letters that are shown around a quotation, on either side


def counted(records: Sequence[RunRecord], found: Diagnosed) -> list[Any] | None:
    """``[number of each kind, contradictions]``, epochs together; None where no epoch is diagnosed."""
    from evals.diagnosis.figures import KINDS

    known = [
        (record.key, each.diagnosis)
        for record in records
        if (each := found.diagnoses.get(record.key)) and each.diagnosis
    ]
    if not known:
        return None
    kinds = [sum(diagnosis.count(kind) for _, diagnosis in known) for kind in KINDS]
    return [kinds, sum(len(found.disagreements.get(key, ())) for key, _ in known)]


def quoted(record: RunRecord, found: Diagnosed | None) -> list[Quotation]:
    """The evidence of deficiencies, as far as it stands in what the model said or was told."""
    each = found.diagnoses.get(record.key) if found else None
    if each is None or each.diagnosis is None:
        return []
    return [
        Quotation(number, fault.evidence, fault.where, fault.step)
        for number, fault in enumerate(each.diagnosis.deficiencies)
        if fault.evidence and fault.where in ("thinking", "answer", "hop")
    ]


def faults(record: RunRecord, gold: Sequence[str], found: Diagnosed) -> dict[str, Any]:
    """All that the page shows of one record's diagnosis."""
    score = found.scores.get(record.key)
    contrary = found.disagreements.get(record.key, ())
    beside = {"score": None if score is None else _score(score), "contrary": [_contrary(c) for c in contrary]}
    each = found.diagnoses.get(record.key)
    if each is None or each.diagnosis is None:
        return {
            "state": _state(record, found),
            "why": [e.message for e in each.errors] if each else [],
        } | beside
    return {"state": "ok"} | _diagnosis(record, gold, each.diagnosis) | beside


def _state(record: RunRecord, found: Diagnosed) -> str:
    """Why there is no diagnosis."""
    if record.key in found.diagnoses:
        return "failed"
    if record.key in found.changed:
        return "changed"
    return "missing" if record.interpretation is not None else "nothing"


def _diagnosis(record: RunRecord, gold: Sequence[str], diagnosis: Diagnosis) -> dict[str, Any]:
    from agents.transcripts import transcript_of
    from evals.diagnosis.records import state_of

    transcript = transcript_of(state_of(record, gold))
    return {
        "judge": diagnosis.judge,
        "proxy": diagnosis.proxy,
        "thinking": diagnosis.thinking,
        "leftOut": diagnosis.left_out,
        "faults": [_fault(fault, transcript) for fault in diagnosis.deficiencies],
        "dropped": [[r.kind, r.element, r.evidence, r.reason] for r in diagnosis.rejected],
    }


def _fault(fault: Deficiency, transcript: Transcript) -> list[Any]:
    """``[kind's place, element, expected, where, step, [before, quotation, after] or null]``."""
    from evals.diagnosis.figures import KINDS

    return [
        KINDS.index(fault.kind),
        fault.element,
        fault.expected,
        fault.where,
        fault.step,
        _context(fault, transcript) if fault.evidence else None,
    ]


def _context(fault: Deficiency, transcript: Transcript) -> list[str]:
    """A quotation between the words that stand around it."""
    pieces = [*transcript.pieces, transcript.entries]
    named = [piece for piece in pieces if piece.where == fault.where and piece.step in ("", fault.step)]
    for piece in named:
        if place := find(fault.evidence, piece.text):
            start, end = place
            before = _cut(piece.text[:start][::-1])[::-1]
            return [before, piece.text[start:end], _cut(piece.text[end:])]
    return ["", fault.evidence, ""]


def _cut(text: str) -> str:
    """So much of a text as is shown, cut between words if there is a place."""
    if len(text) <= _AROUND:
        return text
    short = text[:_AROUND]
    at = short.rfind(" ")
    return f"{short[:at] if at > _AROUND // 2 else short}…"


def _score(score: SampleScore) -> list[list[Any]]:
    """Of recognition, reach and use: rate, and each phrase with how it occurs, or null."""
    from evals.diagnosis.mapping_score import RATES

    found: list[list[Any]] = []
    for name in RATES:
        phrases: dict[str, str | None] = {}
        for part in score.parts:
            wanted = part.part.elements if name == "recognition" else part.part.concepts
            met = {"recognition": part.named, "reach": part.reached, "use": part.used}[name]
            for phrase in wanted:
                match = met.get(phrase)
                phrases[phrase] = f"{match.how}: {match.where}" if match else phrases.get(phrase)
        rate = score.rate(name)
        found.append([name, None if rate is None else round(rate), [list(pair) for pair in phrases.items()]])
    return found


def _contrary(each: Disagreement) -> list[str]:
    return [each.told, each.element, each.concept, each.entry, each.evidence]
