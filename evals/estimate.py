"""What a run will ask of its models, told before it asks anything."""

from __future__ import annotations

from dataclasses import dataclass

from evals.spec import RunSpec
from graphs.catalog import expected_calls

__all__ = ["Estimate", "estimate"]

_FRAME = 750
"""Tokens of a frame of 1024 pixels: vision models of this year charge 260 to 1,100."""
_SIDE = 1024
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
    """

    records: int
    calls: tuple[int, int]
    judge_calls: int
    tokens: tuple[int, int]

    def text(self) -> str:
        """Three lines for a person."""
        few, most = self.calls
        low, high = self.tokens
        return (
            f"to record: {self.records} (samples x epochs, less what is recorded)\n"
            f"model calls: {few:,} to {most:,} interpreting, {self.judge_calls:,} judging; "
            "repairs come on top\n"
            f"tokens: about {low:,} to {high:,} (estimate: {_FRAME} a frame of {_SIDE} pixels, "
            "flat rates for text)"
        )


def estimate(spec: RunSpec, records: int) -> Estimate:
    """Estimate a run.

    At least one call shows the frames, at most all do. No video is opened: each is taken to give as many
    frames as it may.

    Args:
        spec: of the run.
        records: how many are still to be made.
    """
    context = spec.context
    few, most = expected_calls(spec.graph, context)
    proxy = context.model_for("judge") == "embedded"  # measures once instead of judging k times
    judging = 2 * (1 if proxy else context.judge_k)
    frames = round(context.frames.max_frames * _FRAME * min(1.0, context.frames.max_side / _SIDE) ** 2)
    low = frames + few * (_PROMPT + _ANSWER) + judging * _JUDGEMENT
    high = most * (frames + _PROMPT + _ANSWER) + judging * _JUDGEMENT
    return Estimate(
        records, (few * records, most * records), judging * records, (low * records, high * records)
    )
