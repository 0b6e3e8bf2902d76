"""What a run will ask of its models, told before it asks anything."""

from __future__ import annotations

from dataclasses import dataclass

from agents.context import Context
from evals.spec import RunSpec
from graphs.catalog import expected_calls

__all__ = ["Estimate", "estimate"]

_FRAME = 750
"""Tokens of a frame of 1024 pixels: vision models of this year charge 260 to 1,100."""
_SIDE = 1024
_WATCHED = (70, 258)
"""Tokens of a picture of a video at Gemini's usual resolution: of Gemini 3 and of those before."""
_SOUND, _MINUTE = 32, 60
"""Tokens of a second of sound, which Gemini hears too, and seconds that a short video is taken to last."""
_PROMPT, _ANSWER, _JUDGEMENT = 700, 500, 1300
"""Tokens of a prompt without frames, of an answer, and of one judgement with both."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bounds for all samples and epochs together; tokens are estimates, calls are exact but for repairs.

    Attributes:
        records: samples times epochs that have no record yet.
        calls: fewest and most interpreting calls.
        judge_calls: judging calls.
        tokens: fewest and most, judging included.
        shown: what a model is shown, and its rate, in words.
    """

    records: int
    calls: tuple[int, int]
    judge_calls: int
    tokens: tuple[int, int]
    shown: str

    def text(self) -> str:
        """Three lines for a person."""
        few, most = self.calls
        low, high = self.tokens
        return (
            f"to record: {self.records} (samples x epochs, less what is recorded)\n"
            f"model calls: {few:,} to {most:,} interpreting, {self.judge_calls:,} judging; "
            "repairs come on top\n"
            f"tokens: about {low:,} to {high:,} (estimate: {self.shown}, flat rates for text)"
        )


def estimate(spec: RunSpec, records: int) -> Estimate:
    """Estimate a run.

    At least one call shows the frames or the video, at most all do. No video is opened: each is taken to
    give as many frames as it may, and a video that is shown whole to last a minute.

    Args:
        spec: of the run.
        records: how many are still to be made.
    """
    context = spec.context
    few, most = expected_calls(spec.graph, context)
    proxy = context.model_for("judge") == "embedded"  # measures once instead of judging k times
    judging = 2 * (1 if proxy else context.judge_k)
    (least, full), shown = _sight(context)
    low = least + few * (_PROMPT + _ANSWER) + judging * _JUDGEMENT
    high = most * (full + _PROMPT + _ANSWER) + judging * _JUDGEMENT
    tokens = (low * records, high * records)
    return Estimate(records, (few * records, most * records), judging * records, tokens, shown)


def _sight(context: Context) -> tuple[tuple[int, int], str]:
    """Fewest and most tokens of what one call shows, and the rate in words."""
    number = context.frames.max_frames
    if context.input == "frames":
        frames = round(number * _FRAME * min(1.0, context.frames.max_side / _SIDE) ** 2)
        return (frames, frames), f"{_FRAME} a frame of {_SIDE} pixels"
    if context.model.startswith("google_genai:"):
        least, full = _WATCHED
        told = f"{least} to {full} a picture of the video, {number} at most, and {_SOUND} a second of sound"
        return (number * least, number * full + _SOUND * _MINUTE), told
    return (number * _FRAME, number * _FRAME), f"{_FRAME} a picture of the video, {number} at most"
