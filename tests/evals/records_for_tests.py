"""Records with the least that a test needs."""

from __future__ import annotations

from typing import Any

from agents.schemas import Entry, Interpretation, Judgement, ModelCall, Verdict
from evals.store.records import Failure, Outcome, RunRecord


def verdict(strict: list[int], loose: list[int], *, proxy: bool = False) -> Verdict:
    answers = [Judgement(kind="strict", score=score) for score in strict]
    answers += [Judgement(kind="loose", score=score, reasoning=f"worth {score}") for score in loose]
    return Verdict.of(answers, judge="j", proxy=proxy)


def scored(video_id: str, strict: int = 1, loose: int = 8, *, epoch: int = 1, **changes: Any) -> RunRecord:
    proxy = changes.pop("proxy", False)
    base: dict[str, Any] = {
        "types": ("Body_Language",),
        "graph": "boost",
        "model": "m",
        "judge_model": "j",
        "outcome": Outcome.OK,
        "interpretation": Interpretation(entries=(Entry(presents="a candle", expresses="time"),)),
        "verdict": verdict([strict], [loose], proxy=proxy),
    }
    told = {name: changes[name] for name in ("usage", "cached") if name in changes}
    if told and "calls" not in changes:
        changes["calls"] = (
            ModelCall(step="s", model="m", method="text", attempts=int("usage" in told), seconds=0.1, **told),
        )
    return RunRecord(video_id=video_id, epoch=epoch, **(base | changes))


def failed(
    video_id: str, outcome: Outcome = Outcome.INFRASTRUCTURE, phase: str = "interpret", **changes: Any
) -> RunRecord:
    failure = Failure(step=phase, phase=phase, kind="ProviderError", message="429 after 3 tries")
    base = {"outcome": outcome, "verdict": None, "errors": (failure,)}
    if phase == "interpret":
        base["interpretation"] = None
    return scored(video_id, **(base | changes))
