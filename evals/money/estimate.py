"""What a run will ask of its models, told before it asks anything."""

from __future__ import annotations

from dataclasses import dataclass

from agents.context import Context
from agents.schemas import Usage
from evals.money.prices import Money, Prices, load_prices, money_text
from evals.spec import RunSpec
from graphs.catalog import expected_calls

__all__ = ["Estimate", "estimate"]

_FRAME = 750
"""Tokens of a frame of 1024 pixels: vision models of this year charge 260 to 1,100."""
_EMBEDDED = 64
"""The embedded model counts a frame of any size so."""
_SIDE = 1024
_WATCHED = (70, 258)
"""Tokens of a picture of a video at Gemini's usual resolution: of Gemini 3 and of those before."""
_SOUND, _MINUTE = 32, 60
"""Tokens of a second of sound, which Gemini hears too, and seconds that a short video is taken to last."""
_PROMPT, _ANSWER, _JUDGEMENT, _JUDGE_ANSWER = 700, 500, 1300, 300
"""Tokens of a prompt without frames, of an answer, and of one judgement with both; of its answer alone."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bounds for all samples and epochs together; tokens are estimates, calls are exact but for repairs.

    Attributes:
        records: samples times epochs that have no record yet.
        calls: fewest and most interpreting calls.
        judge_calls: judging calls.
        tokens: fewest and most, judging included.
        shown: what a model is shown, and its rate, in words.
        money: least and most; None where a model has no price.
        money_said: the same in words, or which price is missing.
    """

    records: int
    calls: tuple[int, int]
    judge_calls: int
    tokens: tuple[int, int]
    shown: str
    money: tuple[Money, Money] | None
    money_said: str

    def text(self) -> str:
        """Lines for a person."""
        few, most = self.calls
        low, high = self.tokens
        return (
            f"to record: {self.records} (samples x epochs, less what is recorded)\n"
            f"model calls: {few:,} to {most:,} interpreting, {self.judge_calls:,} judging; "
            "repairs come on top\n"
            f"tokens: about {low:,} to {high:,}\n"
            f"  (estimated: {self.shown}, flat rates for text, without a model's thinking;\n"
            f"  a range, since {self.range_said})\n"
            f"money: {self.money_said}"
        )

    @property
    def range_said(self) -> str:
        """Why fewest and most differ."""
        few, most = self.calls
        rounds = "the model may explore for as many rounds as it likes, and " if few != most else ""
        return f"{rounds}frames are shown in one call at least, in all at most"


def estimate(
    spec: RunSpec, records: int, prices: Prices | None = None, calls: tuple[int, int] | None = None
) -> Estimate:
    """Estimate a run.

    At least one call shows the frames or the video, at most all do. No video is opened: each is taken to
    give as many frames as it may, and a video that is shown whole to last a minute.

    Args:
        spec: of the run.
        records: how many are still to be made.
        prices: what tokens cost; those of the project when None.
        calls: fewest and most interpreting calls of a video, where not the wiring alone decides.
    """
    context = spec.context
    few, most = calls or expected_calls(spec.graph, context)
    proxy = context.model_for("judge") == "embedded"  # measures once instead of judging k times
    judging = 2 * (1 if proxy else context.judge_k)
    (least, full), shown = _sight(context)
    judgement = _usage(judging * (_JUDGEMENT - _JUDGE_ANSWER), judging * _JUDGE_ANSWER)
    bounds = (
        _usage(least + few * _PROMPT, few * _ANSWER),
        _usage(most * (full + _PROMPT), most * _ANSWER),
    )
    low, high = (records * (bound.total_tokens + judgement.total_tokens) for bound in bounds)
    money, told = _money(context, bounds, judgement, records, prices or load_prices())
    asked = (few * records, most * records)
    return Estimate(records, asked, judging * records, (low, high), shown, money, told)


def _usage(given: int, made: int) -> Usage:
    return Usage(input_tokens=given, output_tokens=made, estimated=True)


def _money(
    context: Context, bounds: tuple[Usage, Usage], judgement: Usage, records: int, prices: Prices
) -> tuple[tuple[Money, Money] | None, str]:
    """Least and most money, and the same in words."""
    model, judge = context.model, context.model_for("judge")
    found = prices.price(model), prices.price(judge)
    missing = [prices.name(name) for name, price in zip((model, judge), found, strict=True) if price is None]
    if found[0] is None or found[1] is None:
        names = " and ".join(dict.fromkeys(missing))
        return None, f"unknown, since no price is known for {names}; give one with --prices FILE"
    low: Money = {}
    high: Money = {}
    for bound, money in zip(bounds, (low, high), strict=True):
        for price, usage in ((found[0], bound), (found[1], judgement)):
            cost = price.of(usage) * records
            if cost:
                money[price.currency] = money.get(price.currency, 0.0) + cost
    told = "; ".join(dict.fromkeys(price.told for price in found if price is not None))
    if not any(high.values()):
        return (low, high), f"none ({told})"
    return (low, high), f"about {money_text(low)} to {money_text(high)} ({told})"


def _sight(context: Context) -> tuple[tuple[int, int], str]:
    """Fewest and most tokens of what one call shows, and the rate in words."""
    number = context.frames.max_frames
    if context.model == "embedded":
        return (number * _EMBEDDED, number * _EMBEDDED), f"{_EMBEDDED} a frame"
    if context.input == "frames":
        frames = round(number * _FRAME * min(1.0, context.frames.max_side / _SIDE) ** 2)
        return (frames, frames), f"{_FRAME} a frame of {_SIDE} pixels"
    if context.model.startswith("google_genai:"):
        least, full = _WATCHED
        told = f"{least} to {full} a picture of the video, {number} at most, and {_SOUND} a second of sound"
        return (number * least, number * full + _SOUND * _MINUTE), told
    return (number * _FRAME, number * _FRAME), f"{_FRAME} a picture of the video, {number} at most"
