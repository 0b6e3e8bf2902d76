"""What the page knows of each sample: a short row for the list, the parts that are read, and raw text."""

from __future__ import annotations

import json
from typing import Any

from agents.schemas import Hop, Mapping, ModelCall
from evals.money.prices import Prices
from evals.report.diagnosed import Diagnosed
from evals.report.faults import counted, faults, quoted
from evals.report.figures import loose_of, strict_of
from evals.report.gathering import Gathered, Group
from evals.report.spending import spent_by, spent_on
from evals.report.starts import starts_of
from evals.report.transcript import blocks
from evals.store.records import RunRecord

__all__ = ["detail", "raw", "row"]


def row(group: Group, gathered: Gathered) -> list[Any]:
    """``[id, title, types, [[label, strict, loose, tokens, seconds, money] or null for each run]]``.

    Where runs are diagnosed, a cell has two more: deficiencies of each kind, and contradictions, or null.
    """
    return [
        group.video_id,
        group.title,
        list(group.types),
        [_cell(group.runs.get(i), gathered.runs[i].prices, _found(gathered, i)) for i in _places(gathered)],
    ]


def detail(group: Group, gathered: Gathered) -> dict[str, Any]:
    """All that one reads of a sample, by run and epoch."""
    return {
        "gold": None if group.gold is None else list(group.gold),
        "runs": [
            [
                _record(record, gathered.runs[i].prices) | _faults(record, group, _found(gathered, i))
                for record in group.runs.get(i, [])
            ]
            for i in _places(gathered)
        ],
    }


def raw(group: Group, gathered: Gathered) -> list[list[list[Any]]]:
    """What is folded away: thinking, answers as they came, tool answers, tracebacks; by run and epoch."""
    return [
        [blocks(record, quoted(record, _found(gathered, i))) for record in group.runs.get(i, [])]
        for i in _places(gathered)
    ]


def _found(gathered: Gathered, place: int) -> Diagnosed | None:
    return gathered.diagnosed[place] if gathered.diagnosed else None


def _faults(record: RunRecord, group: Group, found: Diagnosed | None) -> dict[str, Any]:
    return {"diagnosis": faults(record, group.gold or (), found)} if found else {}


def _places(gathered: Gathered) -> range:
    return range(len(gathered.runs))


def _cell(records: list[RunRecord] | None, prices: Prices, found: Diagnosed | None) -> list[Any] | None:
    if not records:
        return None
    labels = [record.label for record in records]
    label = next((label for label in labels if label != "ok"), "ok")
    tokens = round(sum(record.usage.total_tokens for record in records) / len(records))
    seconds = sum(record.timings.get("total", 0.0) for record in records) / len(records)
    amount = (spent_by(records, prices) / len(records)).amount
    scores = _rounded(strict_of(records)), _rounded(loose_of(records))
    cell = [label, *scores, tokens, round(seconds, 1), None if amount is None else round(amount, 6)]
    return [*cell, *(counted(records, found) or (None, None))] if found else cell


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 1)


def _record(record: RunRecord, prices: Prices) -> dict[str, Any]:
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
        **_trace(record, prices),
        "tokens": record.usage.model_dump(),
        "cost": spent_by([record], prices).text if record.calls else "",
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


def _trace(record: RunRecord, prices: Prices) -> dict[str, Any]:
    """Calls with when they began and what they cost, and whether the record tells when."""
    starts, is_told = starts_of(record.calls, record.timings, record.started)
    spent = spent_on(record.calls, record.started, prices)
    calls = [
        _call(call, start) | {"cost": money.text if call.usage.total_tokens else ""}
        for call, start, money in zip(record.calls, starts, spent, strict=True)
    ]
    return {"calls": calls, "told": is_told}


def _call(call: ModelCall, start: float) -> dict[str, Any]:
    usage = call.usage
    return {
        "step": call.step,
        "model": call.model,
        "method": call.method,
        "attempts": call.attempts,
        "tries": max(call.tries, call.attempts),
        "faults": list(call.faults),
        "waited": round(call.waited, 2),
        "start": round(start, 2),
        "seconds": round(call.seconds, 2),
        "kept": call.cached is not None and not call.attempts,
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "estimated": usage.estimated,
    }
