"""What the page knows of each sample: a short row for the list, the parts that are read, and raw text."""

from __future__ import annotations

import json
from typing import Any

from agents.schemas import Hop, Mapping, ModelCall
from evals.report.figures import cost_of, loose_of, strict_of
from evals.report.gathering import Gathered, Group
from evals.store.records import RunRecord

__all__ = ["detail", "raw", "row"]


def row(group: Group, gathered: Gathered) -> list[Any]:
    """``[id, title, types, [[label, strict, loose, tokens, seconds] or null for each run]]``."""
    return [
        group.video_id,
        group.title,
        list(group.types),
        [_cell(group.runs.get(i)) for i in _places(gathered)],
    ]


def detail(group: Group, gathered: Gathered) -> dict[str, Any]:
    """All that one reads of a sample, by run and epoch."""
    return {
        "gold": None if group.gold is None else list(group.gold),
        "runs": [[_record(record) for record in group.runs.get(i, [])] for i in _places(gathered)],
    }


def raw(group: Group, gathered: Gathered) -> list[list[dict[str, Any]]]:
    """What is folded away: answers as they came, tool answers, tracebacks; by run and epoch."""
    return [[_raw(record) for record in group.runs.get(i, [])] for i in _places(gathered)]


def _places(gathered: Gathered) -> range:
    return range(len(gathered.runs))


def _cell(records: list[RunRecord] | None) -> list[Any] | None:
    if not records:
        return None
    labels = [record.label for record in records]
    label = next((label for label in labels if label != "ok"), "ok")
    tokens = round(sum(record.usage.total_tokens for record in records) / len(records))
    seconds = sum(record.timings.get("total", 0.0) for record in records) / len(records)
    return [label, _rounded(strict_of(records)), _rounded(loose_of(records)), tokens, round(seconds, 1)]


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 1)


def _record(record: RunRecord) -> dict[str, Any]:
    verdict = record.verdict
    return {
        "epoch": record.epoch,
        "outcome": record.label,
        "ok": record.ok,
        "keywords": list(record.keywords),
        "entries": [[e.presents, e.expresses] for e in record.interpretation.entries]
        if record.interpretation
        else [],
        "verdict": None
        if verdict is None
        else {
            "strict": verdict.strict,
            "loose": verdict.loose,
            "proxy": verdict.proxy,
            "judge": verdict.judge,
            "reasoning": verdict.reasoning,
            "judgements": [[j.kind, j.score, j.reasoning] for j in verdict.judgements],
        },
        "hops": [_hop(hop) for hop in record.hops],
        "mappings": [_mapping(mapping) for mapping in record.mappings],
        "passages": [[p.line, p.source, p.licence] for p in record.passages],
        "knowledge": record.knowledge.model_dump() if record.knowledge else None,
        "calls": [_call(call, _first_moment(record)) for call in record.calls],
        "tokens": record.usage.model_dump(),
        "cost": cost_of(record),
        "timings": record.timings,
        "timestamps": [round(seconds, 3) for seconds in record.timestamps],
        "reader": record.frames_reader,
        "video": record.video.model_dump() if record.video else None,
        "notes": list(record.notes),
        "errors": [[e.step, e.kind, e.message] for e in record.errors],
        "started": record.started,
    }


def _hop(hop: Hop) -> dict[str, Any]:
    return {
        "round": hop.round,
        "tool": hop.tool,
        "arguments": json.dumps(hop.arguments, ensure_ascii=False, default=str),
        "failed": hop.failed,
        "mappings": [_mapping(mapping) for mapping in hop.mappings],
    }


def _mapping(mapping: Mapping) -> list[Any]:
    path = list(mapping.path or (mapping.element, mapping.concept))
    return [path, mapping.ground, round(mapping.weight, 3), list(mapping.keywords)]


def _first_moment(record: RunRecord) -> float:
    """When the first call of a sample was made; 0 where a record is of a time that kept no moments."""
    return min((call.began for call in record.calls if call.began), default=0.0)


def _call(call: ModelCall, first: float) -> dict[str, Any]:
    usage = call.usage
    return {
        "step": call.step,
        "model": call.model,
        "method": call.method,
        "attempts": call.attempts,
        "at": round(call.began - first, 1) if call.began else None,
        "seconds": round(call.seconds, 2),
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "estimated": usage.estimated,
    }


def _raw(record: RunRecord) -> dict[str, Any]:
    return {
        "calls": [[call.step, call.raw, call.thinking] for call in record.calls],
        "hops": [[hop.tool, hop.answer] for hop in record.hops],
        "errors": [[e.kind, e.raw, e.traceback] for e in record.errors],
    }
