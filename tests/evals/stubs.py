"""Stand-ins for graphs: what a run needs of them, without a model."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from agents.errors import (
    BudgetExceeded,
    ModelOutputError,
    ModelUnavailableError,
    ProviderError,
    RefusedError,
    UserError,
)
from agents.meter import request, took
from agents.schemas import Entry, Interpretation, Judgement, Keyword, ModelCall, Usage, Verdict

ERRORS = {
    "output": ModelOutputError("no JSON in the answer", raw="I would rather sing"),
    "refuse": RefusedError("declined"),
    "budget": BudgetExceeded("1,000 tokens reached"),
    "provider": ProviderError("429 after 3 tries"),
    "user": UserError("no such voice"),
    "bug": ZeroDivisionError("division by zero"),
    "exit": SystemExit(3),
    "cancel": asyncio.CancelledError(),
}
"""By the word before the dash in a video_id: how the stub graph fails on it."""


FATAL = {"fatal": ModelUnavailableError("stub:m: the server answered 404: no such model")}
"""The same for what stops a run."""


def reading(of: str) -> Interpretation:
    return Interpretation(entries=(Entry(presents=f"a {of}", expresses="the passing of time"),))


def call(step: str, tokens: int = 100) -> ModelCall:
    usage = Usage(input_tokens=tokens, output_tokens=10)
    return ModelCall(
        step=step, model="stub", method="text", attempts=1, seconds=0.01, usage=usage, raw=f"raw {step}"
    )


class Graph:
    """An interpreting graph: fails as a video_id says, waits ``STUB_SECONDS``, notes what it was asked."""

    async def ainvoke(self, state: dict[str, Any], *, context: Any, config: dict[str, Any]) -> dict[str, Any]:
        _note(f"interpret {state['video_id']}")
        await asyncio.sleep(float(os.environ.get("STUB_SECONDS", "0")))
        error = (ERRORS | FATAL).get(state["video_id"].partition("-")[0])
        if error is not None:
            raise error
        return {
            **state,
            "keywords": [Keyword(text="candle")],
            "interpretation": reading(state["video_id"]),
            "calls": [call("interpret")],
            "timestamps": [0.0, 1.5],
            "frames_digest": "abc",
        }


class Judge:
    """A judge graph: strict 1 and loose 8, or 0 and 3 for a video_id with ``wrong`` in it."""

    proxy = False

    async def ainvoke(self, state: dict[str, Any], *, context: Any, config: dict[str, Any]) -> dict[str, Any]:
        text = state["prediction"].text
        _note(f"judge {config['metadata']['video_id']}")
        if "judgefail" in text and not os.environ.get("STUB_JUDGE_MENDED"):
            raise ProviderError("the judge is away")
        strict, loose = (0, 3) if "wrong" in text else (1, 8)
        answers = [
            Judgement(kind="strict", score=strict),
            Judgement(kind="loose", score=loose, reasoning="so"),
        ]
        return {"verdict": Verdict.of(answers, judge="stub", proxy=self.proxy), "calls": [call("judge", 50)]}


class Asking(Graph):
    """Asks five times, 100 tokens in and 10 out each, through the meter; notes each request."""

    async def astream(
        self, state: dict[str, Any], *, context: Any, config: dict[str, Any], stream_mode: str
    ) -> Any:
        calls: list[ModelCall] = []
        for number in range(int(os.environ.get("STUB_ASKS", "5"))):
            with request(context.model):
                await asyncio.sleep(float(os.environ.get("STUB_SECONDS", "0")))
                _note(f"ask {state['video_id']} {number}")
            made = call("interpret").model_copy(update={"model": context.model})
            took(context.model, made.usage)
            calls = [*calls, made]
            yield {**state, "calls": calls}
        yield {**state, "calls": calls, "interpretation": reading(state["video_id"])}


class Picky(Graph):
    """Can't be had with the model ``stub:away``."""

    async def ainvoke(self, state: dict[str, Any], *, context: Any, config: dict[str, Any]) -> dict[str, Any]:
        if context.model == "stub:away":
            raise FATAL["fatal"]
        return await super().ainvoke(state, context=context, config=config)


def _note(text: str) -> None:
    path = os.environ.get("STUB_LOG")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text + "\n")


graph = Graph()
asking = Asking()
picky = Picky()
judge = Judge()
