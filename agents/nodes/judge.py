"""Judge: gold and prediction in, a verdict out. Strict and loose are asked apart, k times each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, Literal

from agents.asked import LooseAnswer, StrictAnswer
from agents.desk import Desk
from agents.errors import MetaphorBoostError, UserError
from agents.messages import conversation
from agents.prompts import Prompts, Rendered
from agents.schemas import Interpretation, Judgement, ModelCall, Verdict

__all__ = ["judge", "judge_prompt"]

Kind = Literal["strict", "loose"]

_Asked = tuple[Judgement, ModelCall]


async def judge(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Judge one prediction against one gold interpretation.

    The rubric's lines are turned round from one judgement to the next. A model that measures similarity
    instead of judging says so (``judges_by_similarity``): it is asked once, and its verdict is a proxy.

    Returns:
        ``verdict`` and ``calls``.

    Raises:
        UserError: when there is no gold to judge against.
    """
    gold = [entry for entry in state["gold"] if entry and entry.strip()]
    if not gold:
        raise UserError("There is no gold interpretation to judge against.")
    model = await desk.model("judge")
    proxy = bool(getattr(model, "judges_by_similarity", False))
    k = 1 if proxy else desk.context.judge_k
    asked = [_ask(state, desk, kind, draw=i) for i in range(k) for kind in ("strict", "loose")]
    answers = await _all(asked)
    judgements = [judgement for judgement, _ in answers]
    verdict = Verdict.of(judgements, judge=desk.context.model_for("judge"), proxy=proxy)
    return {"verdict": verdict, "calls": [call for _, call in answers]}


async def _all(asked: Iterable[Awaitable[_Asked]]) -> list[_Asked]:
    """Wait for all judgements; when one fails, the others have been paid for and are accounted with it."""
    done = await asyncio.gather(*asked, return_exceptions=True)
    answers = [each for each in done if not isinstance(each, BaseException)]
    faults = [each for each in done if isinstance(each, BaseException)]
    if faults:
        calls = [call for _, call in answers]
        known = [fault for fault in faults if isinstance(fault, MetaphorBoostError)]
        vain = [call for fault in known for call in fault.calls]
        if isinstance(faults[0], MetaphorBoostError):
            faults[0].calls = (*calls, *vain)
        raise faults[0]
    return answers


def judge_prompt(state: Mapping[str, Any], prompts: Prompts, kind: Kind, draw: int) -> Rendered:
    """What a judge is asked.

    The prediction is material, never instruction: each entry stands on one line, whatever breaks it holds, so
    that none of it can look like a part of the question, and tags in it are blunted (``Prompts``).

    Args:
        state: ``gold``, ``prediction`` and perhaps ``title``.
        prompts: the prompts.
        kind: which question.
        draw: turns the rubric's lines round where it is odd.
    """
    rubric = prompts.rubric(kind)
    prediction = Interpretation.model_validate(state["prediction"])  # Studio hands over JSON
    return prompts.render(
        f"judge_{kind}",
        title=_line(state.get("title", "")),
        gold=[_line(entry) for entry in state["gold"]],
        prediction="\n".join(_line(entry.text) for entry in prediction.entries),
        rubric=rubric[::-1] if draw % 2 else rubric,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


async def _ask(state: Mapping[str, Any], desk: Desk, kind: Kind, *, draw: int) -> _Asked:
    prompt = judge_prompt(state, desk.prompts, kind, draw)
    messages = conversation(desk.prompts.render("judge_system").text, prompt.text)
    asked: dict[str, Any] = {"prompt": prompt.digest, "draw": draw}
    if kind == "strict":
        strict, call = await desk.ask("judge", "judge_strict", messages, StrictAnswer, **asked)
        score, reasoning = int(strict.value.strict_score), strict.value.reasoning
    else:
        loose, call = await desk.ask("judge", "judge_loose", messages, LooseAnswer, **asked)
        score, reasoning = loose.value.loose_score, loose.value.reasoning
    return Judgement(kind=kind, score=score, reasoning=reasoning), call
