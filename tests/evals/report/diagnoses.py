"""Diagnoses with little in them, as ``evals.diagnose`` leaves them in a run directory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from agents.diagnoses import Deficiency, DeficiencyKind, Diagnosis
from evals.diagnosis.records import DiagnosisRecord, Terms, seen_digest
from evals.store.records import Outcome, RunRecord


def fault(
    kind: str = "missing_mapping", evidence: str = "", where: Any = "nowhere", **more: Any
) -> Deficiency:
    base = {"element": "candle", "expected": "the passing of time"} | more
    return Deficiency(kind=DeficiencyKind(kind), evidence=evidence, where=where, **base)


def diagnosed(
    record: RunRecord, gold: Sequence[str], faults: Iterable[Deficiency] = (), **changes: Any
) -> DiagnosisRecord:
    judge = changes.pop("judge", "a-judge")
    told = {name: changes.pop(name) for name in ("proxy", "rejected", "thinking") if name in changes}
    base: dict[str, Any] = {
        "types": record.types,
        "graph": record.graph,
        "model": record.model,
        "terms": Terms(judge=judge, prompt="p"),
        "seen": seen_digest(record, gold),
        "outcome": Outcome.OK,
        "diagnosis": Diagnosis(deficiencies=tuple(faults), judge=judge, **told),
    }
    return DiagnosisRecord(video_id=record.video_id, epoch=record.epoch, **(base | changes))


def keep(run: Path, diagnoses: Iterable[DiagnosisRecord]) -> None:
    (run / "diagnosis.jsonl").write_text("".join(each.line() + "\n" for each in diagnoses), encoding="utf-8")
