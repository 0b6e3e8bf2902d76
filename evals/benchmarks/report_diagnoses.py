"""Made-up diagnoses of made-up records: as many and as long as a judge's of a model that thinks."""

from __future__ import annotations

import random
from collections.abc import Sequence

from agents.diagnoses import Deficiency, DeficiencyKind, Diagnosis
from agents.schemas import ModelCall, Usage
from evals.diagnosis.records import DiagnosisRecord, Terms, seen_digest
from evals.store.records import Outcome, RunRecord

__all__ = ["diagnosis_of"]

_KINDS = tuple(DeficiencyKind)
_SHARES = (11, 28, 33, 28)  # as in the paper's Table 3, roughly
_LONGEST = 40  # words of a quotation


def diagnosis_of(record: RunRecord, gold: Sequence[str], dice: random.Random) -> DiagnosisRecord:
    """From none to six deficiencies, each with a quotation out of the record's own thinking.

    Args:
        record: that has an interpretation.
        gold: of its video.
        dice: what is chosen by.
    """
    said = next(call for call in record.calls if call.thinking)
    found = tuple(_deficiency(said, gold, dice) for _ in range(dice.randint(0, 6)))
    return DiagnosisRecord(
        video_id=record.video_id,
        epoch=record.epoch,
        types=record.types,
        graph=record.graph,
        model=record.model,
        terms=Terms(judge="openai:some-judge", prompt="0123456789ab"),
        seen=seen_digest(record, gold),
        outcome=Outcome.OK,
        diagnosis=Diagnosis(deficiencies=found, judge="openai:some-judge", tokens=2000),
        usage=Usage(input_tokens=3000, output_tokens=400),
        seconds=4.0,
    )


def _deficiency(said: ModelCall, gold: Sequence[str], dice: random.Random) -> Deficiency:
    words, meant = said.thinking.split(), dice.choice(gold).split()
    start = dice.randrange(len(words) - _LONGEST)
    return Deficiency(
        kind=dice.choices(_KINDS, _SHARES)[0],
        element=" ".join(meant[3:5]),
        expected=" ".join(meant[-8:]).rstrip("."),
        evidence=" ".join(words[start : start + dice.randint(6, _LONGEST)]),
        where="thinking",
        step=said.step,
    )
