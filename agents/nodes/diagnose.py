"""Diagnose: a trace and the gold in, deficiencies of the thinking out; and the check of their evidence."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agents.desk import Desk
from agents.diagnoses import (
    Deficiency,
    DeficiencyItem,
    DeficiencyKind,
    Diagnosis,
    DiagnosisAnswer,
    Rejected,
)
from agents.errors import MetaphorBoostError, ModelOutputError, UserError
from agents.prompts import Prompts
from agents.transcripts import Shown, Transcript, shown, transcript_of

__all__ = ["ROUNDS", "TRANSCRIPT_TOKENS", "check_evidence", "diagnose", "diagnosis_digest"]

ROUNDS = 3
"""How often a judge is asked at most: once, and twice again for evidence that does not hold."""
TRANSCRIPT_TOKENS = 24_000
"""Tokens of a transcript that are shown where no other number is given."""


def diagnosis_digest(prompts: Prompts) -> str:
    """The first 12 hex digits of a hash over all that a judge is asked by."""
    names = ("diagnose_system", "diagnose", "diagnose_again")
    return hashlib.sha256("\0".join(map(prompts.digest, names)).encode()).hexdigest()[:12]


async def diagnose(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Ask the judge for deficiencies, or again for those whose evidence did not hold.

    When the judge gives no usable answer to being asked again, what holds by then stays.

    Returns:
        ``answered``, ``conversation``, ``rounds`` and ``asked``; and what was made of the transcript.

    Raises:
        UserError: when there is no gold to compare with.
        MetaphorBoostError: when there is no first answer.
    """
    gold = [entry for entry in state["gold"] if entry and entry.strip()]
    if not gold:
        raise UserError("There is no gold interpretation to compare the thinking with.")
    rounds: int = state.get("rounds", 0)
    talk: list[tuple[str, str]] = list(state.get("conversation") or ())
    talk.append(("examiner", await _words(state, desk, gold) if not rounds else _again(state, desk)))
    system = SystemMessage(desk.prompts.render("diagnose_system").text)
    messages: list[BaseMessage] = [system, *(_message(*each) for each in talk)]
    digest = diagnosis_digest(desk.prompts)
    try:
        answer, call = await desk.ask("judge", "diagnose", messages, DiagnosisAnswer, prompt=digest)
    except MetaphorBoostError as error:
        if isinstance(error, ModelOutputError) and rounds:
            return {"answered": [], "rounds": rounds + 1, "conversation": talk, "asked": list(error.calls)}
        error.calls = (*(state.get("asked") or ()), *error.calls)  # earlier rounds were paid too
        raise
    talk.append(("judge", answer.value.model_dump_json()))
    items = answer.value.deficiencies
    return {"answered": items, "rounds": rounds + 1, "conversation": talk, "asked": [call]}


def _message(speaker: str, text: str) -> BaseMessage:
    return AIMessage(text) if speaker == "judge" else HumanMessage(text)


async def _words(state: Mapping[str, Any], desk: Desk, gold: Sequence[str]) -> str:
    transcript, part = await asyncio.to_thread(_read, state)  # counting tokens reads tables from disk
    return desk.prompts.render(
        "diagnose",
        title=state.get("title", ""),
        gold=gold,
        transcript=part.text,
        thinking=transcript.thinking,
        prediction=transcript.entries.text,
    ).text


def _again(state: Mapping[str, Any], desk: Desk) -> str:
    rejected = [Rejected.model_validate(each) for each in state["failed"]]
    failed = [f'{each.kind} of "{each.element}": {each.reason}' for each in rejected]
    return desk.prompts.render("diagnose_again", failed=failed).text


def _read(state: Mapping[str, Any]) -> tuple[Transcript, Shown]:
    transcript = transcript_of(state)
    return transcript, shown(transcript, state.get("transcript_tokens") or TRANSCRIPT_TOKENS)


async def check_evidence(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Look every quotation up. What holds is accepted; what does not is asked for again, or else rejected.

    A deficiency that failed and is not given again counts as rejected too: it was said and not shown.

    Returns:
        ``accepted``, ``failed``, ``withdrawn`` and ``corrected``; at the end, the ``diagnosis`` too.
    """
    transcript, part = await asyncio.to_thread(_read, state)
    accepted = [Deficiency.model_validate(each) for each in state.get("accepted") or ()]
    before = [Rejected.model_validate(each) for each in state.get("failed") or ()]
    withdrawn = [Rejected.model_validate(each) for each in state.get("withdrawn") or ()]
    items = [DeficiencyItem.model_validate(each) for each in state["answered"]]
    new, failed = _sorted(items, accepted, transcript)
    corrected = state.get("corrected", 0) + min(len(new), len(before))
    withdrawn += _not_given_again(before, [*new, *failed])
    now: dict[str, Any] = {"accepted": [*accepted, *new], "failed": failed, "withdrawn": withdrawn}
    now |= {"corrected": corrected, "answered": []}
    if failed and state["rounds"] < ROUNDS:
        return now
    model = await desk.model("judge")
    now["diagnosis"] = Diagnosis(
        deficiencies=tuple(now["accepted"]),
        rejected=(*withdrawn, *failed),
        corrected=corrected,
        rounds=state["rounds"],
        thinking=transcript.thinking,
        tokens=part.tokens,
        left_out=part.left_out,
        judge=desk.context.model_for("judge"),
        proxy=bool(getattr(model, "judges_by_similarity", False)),
    )
    return now


def _sorted(
    items: Iterable[DeficiencyItem], accepted: Sequence[Deficiency], transcript: Transcript
) -> tuple[list[Deficiency], list[Rejected]]:
    """What holds and was not accepted before, each once, and what does not hold."""
    new: list[Deficiency] = []
    failed: list[Rejected] = []
    for item in items:
        found = _checked(item, transcript)
        if isinstance(found, Rejected):
            failed.append(found)
        elif _is_new(found, [*accepted, *new]):
            new.append(found)
    return new, failed


def _not_given_again(before: Sequence[Rejected], given: Sequence[Deficiency | Rejected]) -> list[Rejected]:
    """What failed and was given up; a judge may word an element anew, so no more than are missing."""
    elements = {each.element.casefold() for each in given}
    gone = [each for each in before if each.element.casefold() not in elements]
    return gone[: max(len(before) - len(given), 0)]


def _is_new(found: Deficiency, others: Iterable[Deficiency]) -> bool:
    """Whether it is not one that was listed before: judges repeat themselves when they are asked again."""
    mark = (found.kind, found.element.casefold())
    return all((each.kind, each.element.casefold()) != mark for each in others)


def _checked(item: DeficiencyItem, transcript: Transcript) -> Deficiency | Rejected:
    """A deficiency whose evidence holds, or why it does not."""
    kind, element, quotation = DeficiencyKind.parse(item.kind), item.element.strip(), item.evidence.strip()
    if kind is None:
        return _rejected(item, f"there is no such kind; the four are {', '.join(DeficiencyKind)}.")
    if not element:
        return _rejected(item, "it names no visual element.")
    if item.never_named and not quotation:
        return _unnamed(item, kind, transcript)
    if not quotation:
        told = ", or never_named where the element occurs nowhere" if kind == "missing_mapping" else ""
        return _rejected(item, f"it has no quotation{told}.")
    place = transcript.locate(quotation)
    if place is None:
        return _rejected(item, f'the quotation "{quotation}" does not occur in the transcript or prediction.')
    piece, words = place
    return Deficiency(
        kind=kind,
        element=element,
        expected=item.expected.strip(),
        evidence=words,
        where=piece.where,
        step=piece.step,
    )


def _unnamed(item: DeficiencyItem, kind: DeficiencyKind, transcript: Transcript) -> Deficiency | Rejected:
    """A missing mapping of an element that is said to occur nowhere."""
    if kind is not DeficiencyKind.MISSING_MAPPING:
        return _rejected(item, "only a missing_mapping may go without a quotation.")
    element = item.element.strip()
    if named := transcript.naming(element):
        piece, words = named
        return _rejected(item, f'it is named, {piece.head.lstrip("= ")}: "{words}". Quote such a place.')
    return Deficiency(kind=kind, element=element, expected=item.expected.strip())


def _rejected(item: DeficiencyItem, reason: str) -> Rejected:
    return Rejected(
        kind=item.kind, element=item.element, expected=item.expected, evidence=item.evidence, reason=reason
    )
