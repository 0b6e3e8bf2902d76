"""Runs with planted deficiencies, and a judge on a local server that finds what is planted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from agents.context import Context
from agents.schemas import Entry, Hop, Interpretation, ModelCall
from agents.schemas import Mapping as Association
from evals.datasets import open_dataset
from evals.spec import RunFile, RunSpec
from evals.store.records import RunRecord
from tests.evals.records_for_tests import failed, scored
from tests.servers.brain import Ask, section

__all__ = ["KINDS", "gold_of", "judge_of", "make_run", "make_set", "record"]

KINDS = ("wrong_recognition", "missing_mapping", "superficial_mapping", "improper_mapping")
TYPES = ("Body_Language", "Cultural_Symbol")
_SAID = re.compile(r"^PLANTED (\w+) (\w+): .*$", re.MULTILINE)


def gold_of(video_id: str) -> str:
    return f"The video presents a candle of {video_id}, implicitly expressing the passing of time."


def make_set(folder: Path, video_ids: Iterable[str]) -> Path:
    (folder / "ds" / "videos").mkdir(parents=True)
    rows = [
        {
            "video_id": video_id,
            "title": f"About {video_id}",
            "metaphor_type": [TYPES[i % 2]],
            "golden_answers": [gold_of(video_id)],
        }
        for i, video_id in enumerate(video_ids)
    ]
    (folder / "ds" / "datas.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "ds"


def record(video_id: str, kinds: Iterable[str], place: int = 0, **changes: Any) -> RunRecord:
    """A record whose thinking holds a planted sentence for each kind; a kind may be repeated."""
    said = [f"PLANTED {kind} thing{i}: it is seen as {kind} number {i}." for i, kind in enumerate(kinds)]
    thinking = "\n".join(["Let me look.", *said, "That is all."])
    candle = Association(element="candle", concept="time", path=("candle", "passing of time", "time"))
    base: dict[str, Any] = {
        "types": (TYPES[place % 2],),
        "keywords": ("candle",),
        "hops": (Hop(round=1, tool="explore", arguments={}, answer="candle -> time", mappings=(candle,)),),
        "interpretation": Interpretation(entries=(Entry(presents="a candle", expresses="a warm evening"),)),
        "calls": (
            ModelCall(step="perceive", model="m", method="text", attempts=1, seconds=0.1, thinking="I look."),
            ModelCall(step="explore", model="m", method="tools", attempts=1, seconds=0.1),
            ModelCall(step="interpret", model="m", method="text", attempts=1, seconds=0.1, thinking=thinking),
        ),
    }
    return scored(video_id, **(base | changes))


def make_run(
    folder: Path,
    dataset: Path,
    planted: Mapping[str, Iterable[str]],
    *,
    lost: Iterable[str] = (),
    **more: Any,
) -> Path:
    """A run directory: a record for each video, with what is planted; ``lost`` have no interpretation."""
    folder.mkdir(parents=True)
    context = Context(model="openai:player", base_url="http://localhost:1/v1")
    spec = RunSpec(graph="boost", dataset=str(dataset), context=context)
    file = RunFile(spec=spec, dataset_digest=open_dataset(str(dataset)).digest, started="2026-01-01T00:00:00")
    (folder / "run.json").write_text(file.text())
    records = [record(video_id, kinds, i, **more) for i, (video_id, kinds) in enumerate(planted.items())]
    records += [failed(video_id) for video_id in lost]
    (folder / "records.jsonl").write_text("".join(each.line() + "\n" for each in records))
    return folder


def judge_of(*, lies: Iterable[str] = (), keeps_lying: Iterable[str] = (), fails: Iterable[str] = ()) -> Any:
    """A brain that lists each planted sentence as what it is.

    Args:
        lies: videos whose first quotation is false the first time.
        keeps_lying: videos whose first quotation is always false.
        fails: videos for which it never gives an answer that fits.
    """
    first, always, never = frozenset(lies), frozenset(keeps_lying), frozenset(fails)

    def answer(ask: Ask) -> Any:
        (gold,) = section(ask.text, "gold")
        video_id = gold.partition(" of ")[2].partition(",")[0]
        if video_id in never:
            return {"deficiencies": "none of your business"}
        again = "<rejected>" in ask.text
        found = [
            {"kind": each[1], "element": each[2], "expected": "the passing of time", "evidence": each[0]}
            for each in _SAID.finditer("\n".join(section(ask.text, "transcript")))
        ]
        if found and (video_id in always or (video_id in first and not again)):
            found[0]["evidence"] = "The model never said this."
        return {"deficiencies": found[:1] if again else found}

    return answer
